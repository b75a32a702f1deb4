package mutate

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// eval type-checks an expression as if it stood at pos.
func (f *Function) eval(pos token.Pos, expr string) (types.TypeAndValue, bool) {
	fset := token.NewFileSet() // the function's own would grow with every mutant
	node, err := parser.ParseExprFrom(fset, "", expr, 0)
	if err != nil {
		return types.TypeAndValue{}, false
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue)}
	if err := types.CheckExpr(fset, f.Pkg, pos, node, info); err != nil {
		return types.TypeAndValue{}, false
	}
	return info.Types[node], true
}

// fits reports whether text can replace the site's expression: the whole
// expression around it keeps its type, and its constants are in range.
func (s *site) fits(text string) bool {
	whole := s.wholeExpr()
	n := whole.Node().(ast.Expr)
	mutated := s.text(n.Pos(), s.Node().Pos()) + text + s.text(s.Node().End(), n.End())
	got, ok := s.eval(n.Pos(), mutated)
	return ok && assignable(got, s.Info.TypeOf(n))
}

// wholeExpr returns the largest expression around the site that can be
// type-checked by itself. Elements of composite literals are not part of a larger
// one, because they may leave out their type.
func (s *site) wholeExpr() inspector.Cursor {
	c := s.Cursor
	for {
		parent := c.Parent()
		if _, ok := parent.Node().(ast.Expr); !ok {
			return c
		}
		switch c.ParentEdgeKind() {
		case edge.CompositeLit_Elts, edge.KeyValueExpr_Key, edge.KeyValueExpr_Value:
			return c
		case edge.TypeAssertExpr_X:
			if parent.Node().(*ast.TypeAssertExpr).Type == nil {
				return c
			}
		}
		c = parent
	}
}

// assignable reports whether an expression can replace one of type want.
func assignable(got types.TypeAndValue, want types.Type) bool {
	if got.Type == nil || want == nil {
		return false
	}
	basic, ok := got.Type.(*types.Basic)
	if !ok || basic.Info()&types.IsUntyped == 0 {
		return types.Identical(got.Type, want)
	}
	if target, ok := want.Underlying().(*types.Basic); ok && got.Value != nil && target.Info()&types.IsInteger != 0 {
		return representable(got.Value, target)
	}
	return types.AssignableTo(got.Type, want)
}

// representable reports whether a constant is in the range of an integer type.
// It takes the sizes of a 32-bit system, so that the mutant compiles on all.
func representable(v constant.Value, t *types.Basic) bool {
	v = constant.ToInt(v)
	if v.Kind() != constant.Int {
		return false
	}
	if t.Info()&types.IsUntyped != 0 {
		return true
	}
	bits := int(8 * types.SizesFor("gc", "386").Sizeof(t))
	if t.Info()&types.IsUnsigned != 0 {
		return constant.Sign(v) >= 0 && constant.BitLen(v) <= bits
	}
	return constant.BitLen(v) < bits
}

// predeclared reports whether names have their predeclared meaning at the site:
// true and len, for instance, may be shadowed.
func (s *site) predeclared(names ...string) bool {
	scope := s.Pkg.Scope().Innermost(s.Node().Pos())
	if scope == nil {
		return false
	}
	for _, name := range names {
		if _, obj := scope.LookupParent(name, s.Node().Pos()); obj == nil || obj.Parent() != types.Universe {
			return false
		}
	}
	return true
}

// isConstant reports whether the expression has a value at compile time.
func (p *pass) isConstant(e ast.Expr) bool { return p.Info.Types[e].Value != nil }

// isNil reports whether the expression is the predeclared nil.
func (p *pass) isNil(e ast.Expr) bool { return p.Info.Types[e].IsNil() }

// basicInfo describes the underlying type of e; 0 if that is not basic.
func (p *pass) basicInfo(e ast.Expr) types.BasicInfo {
	if t := p.Info.TypeOf(e); t != nil {
		if b, ok := t.Underlying().(*types.Basic); ok {
			return b.Info()
		}
	}
	return 0
}

// isBuiltin reports whether call calls one of the predeclared functions with the given names.
func (p *pass) isBuiltin(call *ast.CallExpr, names ...string) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || !slices.Contains(names, id.Name) {
		return false
	}
	_, ok = p.Info.Uses[id].(*types.Builtin)
	return ok
}

// use is a place where an identifier in a function refers to an object.
type use struct {
	id    *ast.Ident
	obj   types.Object
	reads bool // false: the identifier is assigned to
}

// usesIn returns the uses in a function, ordered by position.
func usesIn(f *Function) (list []use) {
	assigned := make(map[*ast.Ident]bool)
	ast.Inspect(f.Decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if obj := f.Info.Uses[n]; obj != nil {
				list = append(list, use{n, obj, !assigned[n]})
			}
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				if id, ok := ast.Unparen(lhs).(*ast.Ident); ok && n.Tok != token.DEFINE {
					assigned[id] = true
				}
			}
		}
		return true
	})
	slices.SortStableFunc(list, func(a, b use) int { return cmp.Compare(a.id.Pos(), b.id.Pos()) })
	return list
}

// readsOf counts the reads of each object.
func readsOf(list []use) map[types.Object]int {
	reads := make(map[types.Object]int)
	for _, u := range list {
		if u.reads {
			reads[u.obj]++
		}
	}
	return reads
}

// droppable reports whether the function still compiles without the expression: every local variable in it is also read
// elsewhere in the function, and every import elsewhere in the file.
func (p *pass) droppable(e ast.Expr) bool { return p.droppableBut(e, nil) }

// droppableBut is droppable for an expression of which the part kept stays; nil if none does.
func (p *pass) droppableBut(e, kept ast.Expr) bool {
	here := make(map[types.Object]int)
	ast.Inspect(e, func(n ast.Node) bool {
		if kept != nil && n == ast.Node(kept) {
			return false
		}
		if id, ok := n.(*ast.Ident); ok && mustBeUsed(p.Info.Uses[id]) {
			here[p.Info.Uses[id]]++
		}
		return true
	})
	for obj, n := range here {
		pkg, isImport := obj.(*types.PkgName)
		if p.reads[obj] <= n && !(isImport && p.usedElsewhere(pkg)) {
			return false
		}
	}
	for pkg, n := range p.unqualified(e, kept) {
		if p.unqualified(p.Syntax, nil)[pkg] <= n {
			return false
		}
	}
	return true
}

// unqualified counts, by package, the identifiers at or below n that refer to another package without its name, as dot
// imports allow. It skips the part kept; nil: there is none.
func (p *pass) unqualified(n ast.Node, kept ast.Expr) map[*types.Package]int {
	counts := make(map[*types.Package]int)
	ast.Inspect(n, func(n ast.Node) bool {
		if kept != nil && n == ast.Node(kept) {
			return false
		}
		switch n := n.(type) {
		case *ast.SelectorExpr:
			id, ok := n.X.(*ast.Ident)
			_, qualified := p.Info.Uses[id].(*types.PkgName)
			return !ok || !qualified
		case *ast.Ident:
			if obj := p.Info.Uses[n]; obj != nil && obj.Pkg() != nil && obj.Pkg() != p.Pkg && obj.Parent() == obj.Pkg().Scope() {
				counts[obj.Pkg()]++
			}
		}
		return true
	})
	return counts
}

// usedElsewhere reports whether the file also uses an import outside of the function's body.
func (p *pass) usedElsewhere(pkg *types.PkgName) bool {
	if p.bodyImports == nil {
		p.bodyImports = append([]*types.PkgName{}, p.importsOfBody()...)
	}
	return !slices.Contains(p.bodyImports, pkg)
}

// mustBeUsed reports whether the compiler rejects the object if nothing uses it.
func mustBeUsed(obj types.Object) bool {
	_, isPackage := obj.(*types.PkgName)
	return isPackage || isLocal(obj)
}

// isLocal reports whether the object is a variable declared in the body of a function.
func isLocal(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.Kind() == types.LocalVar
}

// zero returns the source of a type's zero value as it can be written at the
// site.
func (s *site) zero(t types.Type) (text string, ok bool) {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		name, ok := s.TypeName(s.Node().Pos(), t)
		return "*new(" + name + ")", ok && s.predeclared("new")
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsNumeric != 0:
			return "0", true
		case info&types.IsString != 0:
			return `""`, true
		case info&types.IsBoolean != 0:
			return "false", s.predeclared("false")
		}
		return "nil", s.predeclared("nil") // unsafe.Pointer
	case *types.Struct, *types.Array:
		name, ok := s.TypeName(s.Node().Pos(), t)
		return name + "{}", ok
	}
	return "nil", s.predeclared("nil")
}

// TypeName returns how t is written at a position in f. It is not ok if nothing
// written there means t: another declaration hides it, or it belongs to a package
// that the file does not import.
func (f *Function) TypeName(pos token.Pos, t types.Type) (name string, ok bool) {
	name = types.TypeString(t, f.qualifier)
	got, ok := f.eval(pos, name)
	return name, ok && got.IsType() && types.Identical(got.Type, t)
}

// qualifier returns the name under which the file imports a package; "" for its
// own. For packages that it does not import, it returns "?", which no source can
// contain as a name.
func (f *Function) qualifier(pkg *types.Package) string {
	if pkg == f.Pkg {
		return ""
	}
	for _, spec := range f.Syntax.Imports {
		if name := f.Info.PkgNameOf(spec); name != nil && name.Imported() == pkg && name.Name() != "." {
			return name.Name()
		}
	}
	return "?"
}
