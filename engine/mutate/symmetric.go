package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// symmetric reports whether the order of a call's first two arguments makes no difference, apart from the order in
// which they are evaluated.
func (p *pass) symmetric(call *ast.CallExpr) bool {
	f, ok := typeutil.Callee(p.Info, call).(*types.Func)
	if !ok {
		return false
	}
	return symmetric[f.Origin().FullName()] || p.treatsAlike(f)
}

// treatsAlike reports whether f is declared in the same file and treats its first two parameters alike: its body stays
// the same if they are exchanged.
func (p *pass) treatsAlike(f *types.Func) bool {
	params := f.Signature().Params()
	if params.Len() < 2 || f.Signature().TypeParams() != nil {
		return false
	}
	i := slices.IndexFunc(p.Syntax.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Body != nil && p.Info.Defs[fn.Name] == f
	})
	if i < 0 {
		return false
	}
	body := p.Syntax.Decls[i].(*ast.FuncDecl).Body
	a, b := types.Object(params.At(0)), types.Object(params.At(1))
	now := &unordered{pass: p, names: map[types.Object]string{a: firstName, b: secondName}}
	swapped := &unordered{pass: p, names: map[types.Object]string{a: secondName, b: firstName}}
	return now.block(body) == swapped.block(body) && !now.unknown
}

// Placeholders for a function's first two parameters. No identifier has such a name.
const (
	firstName  = "\x01"
	secondName = "\x02"
)

// unordered renders simple code. It renames some variables and sorts operands whose order makes no difference.
type unordered struct {
	*pass
	names   map[types.Object]string
	unknown bool // the code contains something that it cannot render
}

func (u *unordered) block(b *ast.BlockStmt) string {
	var list []string
	for _, s := range b.List {
		list = append(list, u.statement(s))
	}
	return "{" + strings.Join(list, ";") + "}"
}

func (u *unordered) statement(s ast.Stmt) string {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return "return " + strings.Join(u.list(s.Results), ",")
	case *ast.IfStmt:
		if s.Init != nil {
			break
		}
		text := "if " + u.expr(s.Cond) + u.block(s.Body)
		if s.Else != nil {
			text += "else " + u.statement(s.Else)
		}
		return text
	case *ast.BlockStmt:
		return u.block(s)
	}
	u.unknown = true
	return ""
}

func (u *unordered) list(list []ast.Expr) (texts []string) {
	for _, e := range list {
		texts = append(texts, u.expr(e))
	}
	return texts
}

func (u *unordered) expr(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return u.expr(e.X)
	case *ast.Ident:
		if name := u.names[u.Info.Uses[e]]; name != "" {
			return name
		}
		return e.Name
	case *ast.BasicLit:
		return e.Value
	case *ast.SelectorExpr:
		return u.expr(e.X) + "." + e.Sel.Name
	case *ast.UnaryExpr:
		return e.Op.String() + u.expr(e.X)
	case *ast.BinaryExpr:
		operands := []string{u.expr(e.X), u.expr(e.Y)}
		if u.exchangeable(e) {
			slices.Sort(operands)
		}
		return "(" + operands[0] + e.Op.String() + operands[1] + ")"
	case *ast.CallExpr:
		args := u.list(e.Args)
		if fn := u.callee(e); fn != nil && symmetric[fn.Origin().FullName()] && len(args) > 1 {
			slices.Sort(args[:2])
		}
		return u.expr(e.Fun) + "(" + strings.Join(args, ",") + ")"
	}
	u.unknown = true
	return ""
}

// exchangeable reports whether the operands of e may be exchanged. With && and ||, the first one decides whether the
// other is evaluated at all. That makes no difference if neither has an effect or may panic.
func (u *unordered) exchangeable(e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.EQL, token.NEQ, token.MUL, token.AND, token.OR, token.XOR:
		return true
	case token.LAND, token.LOR:
		return u.total(e.X) && u.total(e.Y)
	case token.ADD:
		return u.basicInfo(e)&types.IsNumeric != 0
	}
	return false
}
