package engine

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// flows tells where what variables refer to gets to: from one variable to the others that
// may refer to the same, whatever the order in which that happens. Variables are those of
// the package, of its functions, and the unexported fields of its types: a field is one
// variable for all values, and nobody but the package can get at it.
type flows struct {
	to      map[*types.Var][]*types.Var
	written map[*types.Var]bool         // what they refer to may be changed, or gets to where nobody looks
	run     map[*types.Var]bool         // they are called, or are what holds what is
	grown   map[*types.Var][]types.Type // slices got at by them are appended to
	lookers []*looker                   // all that look at the package
}

func newFlows() *flows {
	return &flows{
		to: map[*types.Var][]*types.Var{}, written: map[*types.Var]bool{}, run: map[*types.Var]bool{},
		grown: map[*types.Var][]types.Type{},
	}
}

// gift is what a package variable hands to another variable.
type gift struct{ from, to *types.Var }

// settle adds to what lookers saw change the package variables that handed what they refer
// to to where it is changed.
func (fs *flows) settle() {
	for _, l := range fs.lookers {
		for _, v := range l.changed {
			fs.written[v] = true
		}
	}
	for settled := false; !settled; {
		settled = true
		for _, l := range fs.lookers {
			l.gifts = slices.DeleteFunc(l.gifts, func(g gift) bool {
				if !fs.changes(g, l.isPlain(g.from)) {
					return false
				}
				l.changed = append(l.changed, g.from)
				fs.written[g.from], settled = true, false
				return true
			})
		}
	}
}

// changes reports whether a gift may change what it comes from, which holds no functions but
// plain ones, or may.
func (fs *flows) changes(g gift, plain bool) bool {
	seen := map[*types.Var]bool{}
	for todo := []*types.Var{g.to}; len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		grows := func(t types.Type) bool { return has(g.from.Type(), t, nil) }
		if fs.written[v] || !plain && fs.run[v] || slices.ContainsFunc(fs.grown[v], grows) {
			return true
		}
		if !seen[v] {
			seen[v] = true
			todo = append(todo, fs.to[v]...)
		}
	}
	return false
}

// deepest is how deep types are looked into: what does not build may have no end.
const deepest = 50

// has reports whether values of type t may have one of another type among what they refer
// to. Above are the types around t.
func has(t, other types.Type, above []types.Type) bool {
	if len(above) > deepest || types.Identical(t.Underlying(), other.Underlying()) {
		return true
	}
	if slices.ContainsFunc(above, func(a types.Type) bool { return types.Identical(a, t) }) {
		return false
	}
	above = append(above[:len(above):len(above)], t)
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid
	case *types.Array:
		return has(t.Elem(), other, above) || hasSlice(t.Elem(), other)
	case *types.Slice:
		return has(t.Elem(), other, above)
	case *types.Pointer:
		return has(t.Elem(), other, above)
	case *types.Map:
		return has(t.Key(), other, above) || has(t.Elem(), other, above)
	case *types.Struct:
		for f := range t.Fields() {
			if has(f.Type(), other, above) {
				return true
			}
		}
		return false
	}
	return true
}

// hasSlice reports whether a slice of elements of type elem is of another type.
func hasSlice(elem, other types.Type) bool {
	s, ok := other.Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem(), elem)
}

// held returns the variables by which e is got at: that which it is or is a part of, and
// the fields on the way there.
func (ds *declarations) held(e ast.Expr) (vars []*types.Var) {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.TypeAssertExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Op != token.AND {
				return vars
			}
			e = x.X
		case *ast.CallExpr:
			if !ds.info.Types[x.Fun].IsType() || len(x.Args) != 1 {
				return append(vars, ds.returned(x)...)
			}
			e = x.Args[0]
		case *ast.CompositeLit:
			return append(vars, ds.composed(x)...)
		case *ast.SelectorExpr:
			if v := packageVariable(ds.info.Uses[x.Sel]); v != nil {
				return append(vars, v)
			}
			vars = append(vars, fields(ds.info.Selections[x])...)
			e = x.X
		case *ast.Ident:
			if v, ok := ds.info.ObjectOf(x).(*types.Var); ok {
				vars = append(vars, v)
			}
			return vars
		default:
			return vars
		}
	}
}

// returned returns the variables by which the result of a call is got at, as far as the call
// itself tells.
func (ds *declarations) returned(call *ast.CallExpr) (vars []*types.Var) {
	if v := ds.root(call.Fun); ds.lazy[v] { // it is kept
		return []*types.Var{v}
	}
	if ds.builtinName(call) != "append" || len(call.Args) == 0 {
		return nil
	}
	vars = ds.held(call.Args[0])
	for i, arg := range call.Args[1:] {
		t := ds.info.TypeOf(arg)
		if call.Ellipsis.IsValid() && i == len(call.Args)-2 {
			t = element(t)
		}
		if refers(t) {
			vars = append(vars, ds.held(arg)...)
		}
	}
	return vars
}

// composed returns the variables by which what a literal refers to is got at, but for those that
// get into fields of their own.
func (ds *declarations) composed(lit *ast.CompositeLit) (vars []*types.Var) {
	for i, e := range lit.Elts {
		if ds.fieldOf(lit, i) != nil {
			continue
		}
		parts := []ast.Expr{e}
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			parts = []ast.Expr{kv.Key, kv.Value}
		}
		for _, part := range parts {
			if t := ds.info.TypeOf(part); refers(t) || isFunc(t) {
				vars = append(vars, ds.held(part)...)
			}
		}
	}
	return vars
}

// fieldOf returns the field that the i-th value of a literal gets into, if nobody but the
// package can get at it there.
func (ds *declarations) fieldOf(lit *ast.CompositeLit, i int) *types.Var {
	t := ds.info.TypeOf(lit)
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	if kv, ok := lit.Elts[i].(*ast.KeyValueExpr); ok {
		key, _ := kv.Key.(*ast.Ident)
		if f, ok := ds.info.ObjectOf(key).(*types.Var); ok {
			return private(f)
		}
		return nil
	}
	if i >= st.NumFields() { // it does not build
		return nil
	}
	return private(st.Field(i))
}

// builtinName returns the name of the built-in function that a call is of, or "".
func (ds *declarations) builtinName(call *ast.CallExpr) string {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := ds.info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

// element returns the type of the elements of a slice, t itself if it is none or not known (nil).
func element(t types.Type) types.Type {
	if t == nil {
		return nil
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		return s.Elem()
	}
	return t
}

// fields are the fields that a selection goes through, embedded ones among them.
func fields(s *types.Selection) (list []*types.Var) {
	if s == nil {
		return nil
	}
	index, t := s.Index(), s.Recv()
	if s.Kind() != types.FieldVal {
		index = index[:len(index)-1]
	}
	for _, i := range index {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			break
		}
		list = append(list, st.Field(i).Origin())
		t = st.Field(i).Type()
	}
	return list
}

// target returns the variable that an assignment to e gives a value. None is known of where
// others than the package may find it, or of parts; ok is false if nobody can find it.
func (ds *declarations) target(e ast.Expr) (to *types.Var, ok bool) {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, isVar := ds.info.ObjectOf(x).(*types.Var)
		if v != nil && packageVariable(v) == v && v.Exported() {
			return nil, true
		}
		return v, isVar
	case *ast.SelectorExpr:
		if path := fields(ds.info.Selections[x]); len(path) > 0 {
			return private(path[len(path)-1]), true
		}
	}
	return nil, true
}

// private returns f if only its package can get at it.
func private(f *types.Var) *types.Var {
	if f.Exported() {
		return nil
	}
	return f.Origin()
}

// hand takes in that to gets what e refers to; nil: somebody of whom nothing is known.
func (l *looker) hand(e ast.Expr, to *types.Var) {
	t := l.info.TypeOf(e)
	if both, ok := t.(*types.Tuple); ok && both.Len() > 0 { // a value, and whether there is one
		t = both.At(0).Type()
	}
	l.handParts(e, t, to)
}

// handParts is hand for what is of type t of e.
func (l *looker) handParts(e ast.Expr, t types.Type, to *types.Var) {
	for _, v := range l.held(e) {
		if refers(t) || isFunc(t) && (packageVariable(v) == nil || !l.isPlain(v)) {
			l.give(v, to)
		}
	}
}

// give takes in that to gets what v refers to.
func (l *looker) give(v, to *types.Var) {
	switch {
	case unchanging(v.Type()) || isOutlet(v) || to == nil && l.starting:
	case packageVariable(v) == nil && to == nil:
		l.flows.written[v] = true
	case packageVariable(v) == nil:
		l.flows.to[v] = append(l.flows.to[v], to)
	case to == nil:
		l.changed = append(l.changed, v)
	default:
		l.gifts = append(l.gifts, gift{v, to})
	}
}

// isOutlet reports whether v only takes what is written to it, which nobody sees.
func isOutlet(v *types.Var) bool {
	if packageVariable(v) == nil {
		return false
	}
	switch v.Pkg().Path() + "." + v.Name() {
	case "os.Stdout", "os.Stderr", "io.Discard", "io/ioutil.Discard":
		return true
	}
	return false
}

// handOn is hand to somebody of whom nothing is known.
func (l *looker) handOn(list ...ast.Expr) {
	for _, e := range list {
		l.hand(e, nil)
	}
}

// write takes in that others may change each of vars.
func (l *looker) write(vars ...*types.Var) {
	for _, v := range vars {
		switch {
		case l.starting:
		case packageVariable(v) != nil:
			l.changed = append(l.changed, v)
		default:
			l.flows.written[v] = true
		}
	}
}

// assign takes in that each of list is assigned to, which changes what it is a part of.
func (l *looker) assign(list ...ast.Expr) {
	for _, e := range list {
		vars := l.held(e)
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			vars = slices.DeleteFunc(vars, func(v *types.Var) bool { return packageVariable(v) == nil })
		case *ast.SelectorExpr:
			if path := fields(l.info.Selections[x]); len(path) > 0 {
				vars = slices.Delete(vars, len(path)-1, len(path))
			}
		}
		l.write(vars...)
	}
}

// flow takes in that values are given to what is to the left of them. One value for several is
// what a call returns, or goes to the first of them.
func (l *looker) flow(lhs, rhs []ast.Expr) {
	for i, e := range rhs[:min(len(lhs), len(rhs))] { // else it does not build
		if to, ok := l.target(lhs[i]); ok {
			l.hand(e, to)
		}
	}
}

// literal takes in what the fields of a value get. The rest goes where the value goes.
func (l *looker) literal(n *ast.CompositeLit) {
	for i, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if f := l.fieldOf(n, i); f != nil {
			l.hand(e, f)
		}
	}
}

// rangeOver takes in that what n ranges over is handed on, element by element.
func (l *looker) rangeOver(n *ast.RangeStmt) {
	if t := l.info.TypeOf(n.X); t != nil {
		switch t.Underlying().(type) {
		case *types.Chan:
			l.write(l.held(n.X)...)
		case *types.Signature:
			l.runs(n.X)
		}
	}
	for _, e := range []ast.Expr{n.Key, n.Value} {
		if e == nil {
			continue
		}
		if n.Tok == token.ASSIGN && !l.test {
			l.assign(e)
		}
		if to, ok := l.target(e); ok {
			l.handParts(n.X, l.info.TypeOf(e), to)
		}
	}
}

// typeSwitch takes in that the clauses of n get what it is on.
func (l *looker) typeSwitch(n *ast.TypeSwitchStmt) {
	bound, ok := n.Assign.(*ast.AssignStmt)
	if !ok {
		return
	}
	x, ok := ast.Unparen(bound.Rhs[0]).(*ast.TypeAssertExpr)
	if !ok {
		return
	}
	for _, clause := range n.Body.List {
		to, _ := l.info.Implicits[clause].(*types.Var)
		l.hand(x.X, to)
	}
}

// results takes in that what named results refer to is returned.
func (l *looker) results(t *ast.FuncType) {
	if t.Results == nil {
		return
	}
	for _, field := range t.Results.List {
		for _, name := range field.Names {
			if v, ok := l.info.Defs[name].(*types.Var); ok {
				l.flows.written[v] = true
			}
		}
	}
}

// call takes in that a call may change what it is made on or given, or what the function
// that it calls has kept to itself.
func (l *looker) call(call *ast.CallExpr) {
	fun := ast.Unparen(call.Fun)
	if tv := l.info.Types[fun]; tv.IsType() { // the value goes on
		return
	}
	if name := l.builtinName(call); name != "" {
		l.builtin(name, call.Args)
		return
	}
	f := l.callee(fun)
	if sel, ok := fun.(*ast.SelectorExpr); ok && l.info.Selections[sel] != nil && l.info.Selections[sel].Kind() == types.MethodVal {
		l.methods[sel] = true
		l.receive(sel, f)
	} else {
		l.runs(fun)
	}
	if l.starting {
		return // what functions do there nobody has to know
	}
	printed := printed(l.info, fun)
	for i, arg := range call.Args {
		switch {
		case i == 1 && l.calls(call, "context.WithValue"): // the key, which nobody gets back
		case printed >= 0 && i >= printed && !isError(l.info.TypeOf(arg)):
			l.print(arg)
		case f != nil && f.Signature().Params().Len() > 0:
			params := f.Signature().Params()
			l.hand(arg, params.At(min(i, params.Len()-1)))
		case !readsOnly(l.info, fun):
			l.handOn(arg)
		}
	}
}

// runs takes in that a function may change what it has kept to itself.
func (l *looker) runs(fun ast.Expr) {
	for _, v := range l.held(fun) {
		switch {
		case packageVariable(v) == nil:
			l.flows.run[v] = true
		case !l.isPlain(v):
			l.write(v)
		}
	}
}

// receive takes in that f, or if that is nil a method of which nothing is known, is called on
// a value.
func (l *looker) receive(sel *ast.SelectorExpr, f *types.Func) {
	method, _ := l.info.Selections[sel].Obj().(*types.Func)
	if l.starting || method == nil || unchanging(l.info.Selections[sel].Recv()) || !refers(method.Signature().Recv().Type()) {
		return
	}
	for _, v := range append(fields(l.info.Selections[sel]), l.held(sel.X)...) {
		switch {
		case f != nil:
			l.give(v, f.Signature().Recv())
		case !unchanging(v.Type()) && !isOutlet(v):
			l.write(v)
		}
	}
}

// callee returns the function of the package that a call is of, nil if it is another one
// or not known.
func (ds *declarations) callee(fun ast.Expr) *types.Func {
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var obj types.Object
	switch x := fun.(type) {
	case *ast.Ident:
		obj = ds.info.Uses[x]
	case *ast.SelectorExpr:
		if s := ds.info.Selections[x]; s != nil && s.Kind() == types.MethodVal {
			obj = s.Obj()
		}
	}
	f, ok := obj.(*types.Func)
	if !ok {
		return nil
	}
	f = f.Origin()
	if d := ds.bodies[f]; d == nil || d.Body == nil {
		return nil
	}
	return f
}

// builtin takes in what a call of a built-in function does.
func (l *looker) builtin(name string, args []ast.Expr) {
	switch name {
	case "append":
		l.grow(args[0])
	case "clear", "close", "delete":
		l.write(l.held(args[0])...)
	case "copy":
		l.write(l.held(args[0])...)
		if refers(element(l.info.TypeOf(args[1]))) {
			l.handOn(args[1])
		}
	case "cap", "complex", "imag", "len", "make", "max", "min", "new", "panic", "print", "println", "real", "recover":
	default: // those of package unsafe
		l.handOn(args...)
	}
}

// grow takes in that something is appended to e.
func (l *looker) grow(e ast.Expr) {
	t := l.info.TypeOf(e)
	for _, v := range l.held(e) {
		switch {
		case l.starting || t == nil:
		case packageVariable(v) != nil:
			l.changed = append(l.changed, v)
		case has(t, types.Typ[types.Invalid], nil): // it may be of any type
			l.write(v)
		default:
			l.flows.grown[v] = append(l.flows.grown[v], t)
		}
	}
}

// print takes in that e is printed, for which methods of the package may be called.
func (l *looker) print(e ast.Expr) {
	for _, recv := range l.printing {
		l.hand(e, recv)
	}
}
