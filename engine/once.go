package engine

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Much of what processes remember is computed once: a function given to a sync.Once
// sets variables that nothing else sets, or sync.OnceValue keeps a result. If what
// runs there looks at nothing that changes, it does not matter when it runs, nor which
// mutant is active, unless that is a mutant of what runs there.

// once is something that is computed once in a process.
type once struct {
	guard *types.Var   // sees to it that it runs once
	body  *looker      // has looked at what runs
	vars  []*types.Var // what guards it and what it sets, once that is settled
	decl  ast.Decl     // what it stands in
	given ast.Decl     // the function that runs; nil: a literal
	names []string     // what is mentioned there, vars and decl among it
}

// declarations is what is known of a package's variables and functions.
type declarations struct {
	info     *types.Info
	initial  map[*types.Var][]ast.Expr     // values, those set by func init among them
	lazy     map[*types.Var]bool           // sync.OnceValue and its like
	plain    map[*types.Var]bool           // what isPlain has said
	bodies   map[*types.Func]*ast.FuncDecl // of functions
	printing []*types.Var                  // receivers of methods that package fmt calls, if they refer to something
	mentions map[types.Object][]ast.Decl   // of functions and variables; a declaration for each time
}

func declarationsOf(p *packages.Package) *declarations {
	ds := &declarations{
		info: p.TypesInfo, initial: map[*types.Var][]ast.Expr{}, lazy: map[*types.Var]bool{}, plain: map[*types.Var]bool{},
		bodies: map[*types.Func]*ast.FuncDecl{}, mentions: map[types.Object][]ast.Decl{},
	}
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			ds.add(d)
		}
	}
	return ds
}

func (ds *declarations) add(d ast.Decl) {
	fn, _ := d.(*ast.FuncDecl)
	if fn != nil {
		if f, ok := ds.info.Defs[fn.Name].(*types.Func); ok {
			ds.bodies[f] = fn
			if recv := f.Signature().Recv(); recv != nil && slices.Contains(printing, f.Name()) && refers(recv.Type()) {
				ds.printing = append(ds.printing, recv)
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			ds.addVariables(n)
		case *ast.Ident:
			if obj := ds.info.Uses[n]; obj != nil {
				ds.mentions[obj] = append(ds.mentions[obj], d)
			}
		case *ast.AssignStmt:
			if fn != nil && fn.Recv == nil && fn.Name.Name == "init" {
				for i, e := range n.Lhs {
					if v := ds.root(e); v != nil {
						ds.initial[v] = append(ds.initial[v], n.Rhs[min(i, len(n.Rhs)-1)])
					}
				}
			}
		}
		return true
	})
}

func (ds *declarations) addVariables(spec *ast.ValueSpec) {
	for i, name := range spec.Names {
		v := packageVariable(ds.info.Defs[name])
		if v == nil || len(spec.Values) == 0 {
			continue
		}
		ds.initial[v] = append(ds.initial[v], spec.Values[min(i, len(spec.Values)-1)])
		call, ok := spec.Values[0].(*ast.CallExpr)
		if ok && len(spec.Names) == 1 && ds.calls(call, "sync.OnceFunc", "sync.OnceValue", "sync.OnceValues") {
			ds.lazy[v] = true
		}
	}
}

// calls reports whether a call is of one of some functions, by their full names.
func (ds *declarations) calls(call *ast.CallExpr, names ...string) bool {
	fun := ast.Unparen(call.Fun)
	if x, ok := fun.(*ast.IndexExpr); ok { // with a type argument
		fun = x.X
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := ds.info.Uses[sel.Sel].(*types.Func)
	return ok && slices.Contains(names, f.FullName())
}

// isPlain reports whether the functions that v holds keep nothing to themselves: it is
// initialised with literals and names of functions alone. What sync.OnceValue and its
// like return is looked at elsewhere.
func (ds *declarations) isPlain(v *types.Var) bool {
	plain, known := ds.plain[v]
	if !known {
		ds.plain[v] = false // as long as it hangs on itself
		values := ds.initial[v]
		plain = ds.lazy[v] || len(values) > 0 && !slices.ContainsFunc(values, func(e ast.Expr) bool { return !ds.isPlainValue(e) })
		ds.plain[v] = plain
	}
	return plain
}

// isPlainValue is isPlain for a value.
func (ds *declarations) isPlainValue(value ast.Expr) bool {
	plain := true
	ast.Inspect(value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			plain = plain && !ds.captures(n)
			return false
		case *ast.CallExpr:
			plain = plain && ds.info.Types[n.Fun].IsType()
		case *ast.Ident:
			if other, ok := ds.info.Uses[n].(*types.Var); ok && !other.IsField() {
				plain = plain && packageVariable(other) != nil && ds.isPlain(other)
			}
		case *ast.SelectorExpr: // a method value holds its receiver
			if s := ds.info.Selections[n]; s != nil {
				plain = plain && s.Kind() != types.MethodVal
			}
		}
		return plain
	})
	return plain
}

// root returns the package variable that e is or is a part of, or nil.
func (ds *declarations) root(e ast.Expr) *types.Var {
	for _, v := range ds.held(e) {
		if packageVariable(v) != nil {
			return v
		}
	}
	return nil
}

func packageVariable(obj types.Object) *types.Var {
	v, ok := obj.(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	return v
}

// isGiven reports whether a function is given to a sync.Once of the package and used
// nowhere else.
func (ds *declarations) isGiven(fn *ast.FuncDecl) bool {
	f, ok := ds.info.Defs[fn.Name].(*types.Func)
	if !ok || f.Exported() || len(ds.mentions[f]) != 1 {
		return false
	}
	given := false
	ast.Inspect(ds.mentions[f][0], func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && ds.guard(call) != nil {
			id, ok := ast.Unparen(call.Args[0]).(*ast.Ident)
			given = given || ok && ds.info.Uses[id] == f
		}
		return !given
	})
	return given
}

// guard returns the package variable that a call has see to it that something runs once,
// or nil.
func (ds *declarations) guard(call *ast.CallExpr) *types.Var {
	if !ds.calls(call, "(*sync.Once).Do") || len(call.Args) != 1 {
		return nil
	}
	return ds.root(ast.Unparen(call.Fun).(*ast.SelectorExpr).X)
}

// captures reports whether a literal uses variables of the function around it.
func (ds *declarations) captures(lit *ast.FuncLit) (found bool) {
	ast.Inspect(lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, ok := ds.info.Uses[id].(*types.Var)
			found = found || ok && !v.IsField() && packageVariable(v) == nil && (v.Pos() < lit.Pos() || v.Pos() >= lit.End())
		}
		return !found
	})
	return found
}

// lookOnce looks at the variable of spec if it is kept by sync.OnceValue or its like, and
// reports whether it is.
func (l *looker) lookOnce(spec *ast.ValueSpec) bool {
	v := packageVariable(l.info.Defs[spec.Names[0]])
	if !l.lazy[v] {
		return false
	}
	call := spec.Values[0].(*ast.CallExpr)
	if lit, ok := ast.Unparen(call.Args[0]).(*ast.FuncLit); ok {
		l.results(lit.Type)
		l.addOnce(v, nil, call, lit.Body)
	} else {
		l.addOnce(v, nil, call, nil) // others may call the function too, so it is looked at like any
	}
	return true
}

// lookGiven looks at what a call gives to a sync.Once of the package, and reports whether
// it does.
func (l *looker) lookGiven(call *ast.CallExpr) bool {
	guard := l.guard(call)
	if guard == nil {
		return false
	}
	switch arg := ast.Unparen(call.Args[0]).(type) {
	case *ast.FuncLit:
		if l.captures(arg) {
			return false
		}
		l.addOnce(guard, nil, arg, arg.Body)
		return true
	case *ast.Ident:
		f, _ := l.info.Uses[arg].(*types.Func)
		if fn := l.bodies[f]; fn != nil && fn.Body != nil && l.isGiven(fn) {
			l.addOnce(guard, fn, fn, fn.Body)
			return true
		}
	}
	return false
}

// addOnce adds that guard sees to it that body, which is where, runs once.
func (l *looker) addOnce(guard *types.Var, given ast.Decl, where ast.Node, body *ast.BlockStmt) {
	within := newLooker(l.declarations, l.flows)
	within.test, within.decl = l.test, l.decl
	if body != nil {
		within.look(body)
	}
	l.process = append(l.process, within.process...)
	l.once = append(l.once, &once{
		guard: guard, body: within, decl: l.decl, given: given, names: append(declared(l.decl), identifiers(where)...),
	})
}

// set returns what o sets, and what guards it.
func (o *once) set() []*types.Var {
	vars := append(slices.Clone(o.body.changed), o.guard)
	for _, inner := range o.body.once {
		vars = append(vars, inner.set()...)
	}
	return vars
}

// settle returns what lasts. Variables that are set once are left out if nothing but the
// declaration that sees to it mentions them, so that nobody else can see whether it has
// been done yet.
func (l *looker) settle() (m memory) {
	l.flows.settle()
	for _, o := range l.once {
		o.vars = o.set()
		for _, v := range o.vars {
			o.names = append(o.names, v.Name())
		}
		if slices.ContainsFunc(o.vars, func(v *types.Var) bool { return !l.isPrivate(v, o) }) {
			l.changed = append(l.changed, o.vars...)
			continue
		}
		m.once = append(m.once, o)
	}
	for _, v := range l.changed {
		m.names = append(m.names, v.Name())
	}
	m.names = append(m.names, l.process...)
	m.process = len(l.process) > 0
	return m
}

// isPrivate reports whether nothing sees v but o, or nothing but its result if that is
// what v stands for.
func (l *looker) isPrivate(v *types.Var, o *once) bool {
	if slices.Contains(l.changed, v) {
		return false
	}
	return l.lazy[v] || !v.Exported() && !slices.ContainsFunc(l.mentions[v], func(d ast.Decl) bool { return d != o.decl && d != o.given })
}

// settled returns m where those of m.once that lead to what lasts are among that. Files
// are of all packages that were looked at.
func (m memory) settled(files []*ast.File, own func(importPath string) bool) memory {
	led := make([]map[string]bool, len(m.once))
	if len(m.once) > 0 {
		mentioned := mentions(files, own)
		for i, o := range m.once {
			led[i] = mentioned.from(o.names)
		}
	}
	for settled := false; !settled; {
		settled = true
		for i, o := range m.once {
			if led[i] == nil || !slices.ContainsFunc(m.names, func(name string) bool { return led[i][name] }) {
				continue
			}
			for _, v := range o.vars {
				m.names = append(m.names, v.Name())
			}
			led[i], settled = nil, false
		}
	}
	m.ran = map[string]bool{}
	for _, names := range led {
		maps.Copy(m.ran, names)
	}
	slices.Sort(m.names)
	m.names = slices.Compact(m.names)
	return m
}
