package suggestion

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// Paths of slots, the places in a row that can hold a value. The path of a field or an element is the path of what it
// is part of, followed by a dot and the name of the field, or by the index in brackets: ".want", ".args[0]".
const (
	wholeRow = ""
	mapKey   = "key"
)

// kind says what an expression in the body of a loop stands for.
type kind int

const (
	unknown kind = iota
	slot         // a part of the row
	result       // a result of the call
	message      // the text of a result that is an error
	failed       // whether a result is an error
)

// origin says where the value of an expression in the body of a loop comes from.
type origin struct {
	kind    kind
	path    string     // of a slot
	typ     types.Type // of a slot
	index   int        // of a result
	inverse bool       // failed: whether the result is no error; others: the value is negated
}

// reader follows values through the body of a loop.
type reader struct {
	*loop
	call   *ast.CallExpr
	locals map[types.Object]origin
}

// origin returns where the value of e comes from. The kind is unknown where that cannot be seen.
func (r *reader) origin(e ast.Expr) origin {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return r.named(r.pkg.TypesInfo.ObjectOf(e))
	case *ast.SelectorExpr:
		if x := r.origin(e.X); x.kind == slot && structOf(x.typ) != nil && r.isField(e) {
			return origin{kind: slot, path: x.path + "." + e.Sel.Name, typ: r.pkg.TypesInfo.TypeOf(e)}
		}
	case *ast.IndexExpr:
		return r.element(e)
	case *ast.StarExpr:
		return r.origin(e.X)
	case *ast.UnaryExpr:
		return r.unary(e)
	case *ast.BinaryExpr:
		return r.nilCheck(e)
	case *ast.CallExpr:
		return r.called(e)
	}
	return origin{}
}

func (r *reader) named(o types.Object) origin {
	switch {
	case o == nil:
		return origin{}
	case o == r.valueVar:
		return origin{kind: slot, path: wholeRow, typ: r.row}
	case o == r.keyVar && r.key != nil:
		return origin{kind: slot, path: mapKey, typ: r.key}
	}
	return r.locals[o]
}

// isField reports whether e names a field of its operand, not a method or a promoted field.
func (r *reader) isField(e *ast.SelectorExpr) bool {
	s := r.pkg.TypesInfo.Selections[e]
	return s != nil && s.Kind() == types.FieldVal && len(s.Index()) == 1
}

// element returns the origin of an element of a slot, or of the table at the index of the loop, which is the row.
func (r *reader) element(e *ast.IndexExpr) origin {
	if id, ok := e.X.(*ast.Ident); ok && r.collection != nil && r.pkg.TypesInfo.ObjectOf(id) == r.collection {
		if at, ok := e.Index.(*ast.Ident); ok && r.keyVar != nil && r.pkg.TypesInfo.ObjectOf(at) == r.keyVar {
			return origin{kind: slot, path: wholeRow, typ: r.row}
		}
	}
	x, at := r.origin(e.X), r.pkg.TypesInfo.Types[e.Index].Value
	if x.kind != slot || at == nil || at.Kind() != constant.Int {
		return origin{}
	}
	switch x.typ.Underlying().(type) {
	case *types.Slice, *types.Array:
		return origin{kind: slot, path: x.path + "[" + at.ExactString() + "]", typ: r.pkg.TypesInfo.TypeOf(e)}
	}
	return origin{}
}

func (r *reader) unary(e *ast.UnaryExpr) origin {
	o := r.origin(e.X)
	if e.Op == token.NOT {
		o.inverse = !o.inverse
		return o
	}
	if e.Op == token.AND {
		return o
	}
	return origin{}
}

// nilCheck returns the origin of a comparison of a result with nil.
func (r *reader) nilCheck(e *ast.BinaryExpr) origin {
	if e.Op != token.EQL && e.Op != token.NEQ {
		return origin{}
	}
	for _, side := range [][2]ast.Expr{{e.X, e.Y}, {e.Y, e.X}} {
		if o := r.origin(side[0]); o.kind == result && r.pkg.TypesInfo.Types[side[1]].IsNil() {
			return origin{kind: failed, index: o.index, inverse: e.Op == token.EQL}
		}
	}
	return origin{}
}

// called returns the origin of what a call or conversion returns.
func (r *reader) called(e *ast.CallExpr) origin {
	if e == r.call {
		return origin{kind: result}
	}
	if r.pkg.TypesInfo.Types[e.Fun].IsType() && len(e.Args) == 1 {
		return r.origin(e.Args[0])
	}
	if sel, ok := e.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Error" && len(e.Args) == 0 {
		if o := r.origin(sel.X); o.kind == result {
			return origin{kind: message, index: o.index}
		}
	}
	return origin{}
}

// assign records the origins of the variables that a statement assigns values to.
func (r *reader) assign(names []ast.Expr, values []ast.Expr) {
	set := func(name ast.Expr, o origin) {
		if id, ok := name.(*ast.Ident); ok && id.Name != "_" {
			if v := r.pkg.TypesInfo.ObjectOf(id); v != nil {
				r.locals[v] = o
			}
		}
	}
	switch {
	case len(values) == 1 && len(names) > 1:
		ours := ast.Unparen(values[0]) == r.call
		for i, name := range names {
			if o := (origin{kind: result, index: i}); ours {
				set(name, o)
			} else {
				set(name, origin{})
			}
		}
	case len(values) == len(names):
		for i, name := range names {
			set(name, r.origin(values[i]))
		}
	}
}

// split separates the last step from a path: ".args[0]" gives ".args" and "[0]".
func split(path string) (whole, step string) {
	i := strings.LastIndexAny(path, ".[")
	if i < 0 {
		return "", path
	}
	return path[:i], path[i:]
}

// elementOf returns the path of the i-th element of what path leads to.
func elementOf(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// plainName returns the name, in lower case, of the field that a path leads to; empty: it leads to none.
func plainName(path string) string {
	_, step := split(path)
	if !strings.HasPrefix(step, ".") {
		return ""
	}
	return strings.ToLower(step[1:])
}
