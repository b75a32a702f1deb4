package usage

import (
	"go/ast"
	"go/types"
	"strings"
)

// Boxed returns the arguments of a call, or the elements of a literal, that become values of an empty interface there.
// Variadic arguments do not count.
func Boxed(info *types.Info, n ast.Node) (list []ast.Expr) {
	add := func(e ast.Expr, to types.Type) {
		i, ok := to.Underlying().(*types.Interface)
		if ok && i.Empty() && info.TypeOf(e) != nil && info.TypeOf(e) != types.Typ[types.UntypedNil] {
			list = append(list, e)
		}
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		sig, ok := info.TypeOf(n.Fun).(*types.Signature)
		for i, arg := range n.Args {
			if ok && i < sig.Params().Len()-1 || ok && i < sig.Params().Len() && !sig.Variadic() {
				add(arg, sig.Params().At(i).Type())
			}
		}
	case *ast.CompositeLit:
		for i, e := range n.Elts {
			kv, keyed := e.(*ast.KeyValueExpr)
			if keyed {
				e = kv.Value
			}
			switch u := info.TypeOf(n).Underlying().(type) {
			case *types.Struct:
				if keyed {
					i = indexOf(u, kv.Key)
				}
				if i >= 0 && i < u.NumFields() {
					add(e, u.Field(i).Type())
				}
			case interface{ Elem() types.Type }: // of slices, arrays and maps
				add(e, u.Elem())
			}
		}
	}
	return list
}

// indexOf returns the index of the field that a key of a literal names, or -1.
func indexOf(u *types.Struct, key ast.Expr) int {
	id, ok := key.(*ast.Ident)
	for i := range u.NumFields() {
		if ok && u.Field(i).Name() == id.Name {
			return i
		}
	}
	return -1
}

// WithoutLocals returns typ with types that a driver cannot name, declared in a function or an external test, replaced
// by their underlying types. ok is false if such a type contains itself, or is embedded in a struct.
func WithoutLocals(typ types.Type) (plain types.Type, ok bool) {
	ok = true
	within := map[types.Type]bool{}
	var rewrite func(t types.Type) types.Type
	rewrite = func(t types.Type) types.Type {
		switch t := t.(type) {
		case *types.Named:
			pkg := t.Obj().Pkg()
			if pkg == nil || t.Obj().Parent() == pkg.Scope() && !strings.HasSuffix(pkg.Path(), "_test") || t.TypeArgs().Len() > 0 {
				return t
			}
			if within[t] {
				ok = false
				return t
			}
			within[t] = true
			defer delete(within, t)
			return rewrite(t.Underlying())
		case *types.Pointer:
			return types.NewPointer(rewrite(t.Elem()))
		case *types.Slice:
			return types.NewSlice(rewrite(t.Elem()))
		case *types.Array:
			return types.NewArray(rewrite(t.Elem()), t.Len())
		case *types.Map:
			return types.NewMap(rewrite(t.Key()), rewrite(t.Elem()))
		case *types.Struct:
			var fields []*types.Var
			var tags []string
			for i := range t.NumFields() {
				f := t.Field(i)
				inner := rewrite(f.Type())
				ok = ok && !(f.Embedded() && !types.Identical(inner, f.Type()))
				fields, tags = append(fields, types.NewField(f.Pos(), f.Pkg(), f.Name(), inner, f.Embedded())), append(tags, t.Tag(i))
			}
			return types.NewStruct(fields, tags)
		}
		return t
	}
	plain = rewrite(typ)
	return plain, ok
}
