package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/ast/edge"
)

// argumentPropagation is the operator of that name in PIT, together with its naked receivers (Coles, Laurent, Henard,
// Papadakis, Ventresque: PIT: A Practical Mutation Testing Tool for Java, ISSTA 2016): what a call would trim, fold,
// clean or round stays as it is.
var argumentPropagation = &Operator{
	Name:     "argument-propagation",
	Category: Value,
	Doc: "Replaces a call by its receiver or, failing that, by its first argument of the result's type. Conversions, booleans, errors, " +
		"contexts, copies and calls of `fmt` are left alone.",
	Before: "func trimmed(trim func(string) string, s string) string {\n\treturn trim(s)\n}\n",
	After:  "func trimmed(trim func(string) string, s string) string {\n\treturn s\n}\n",
	mutate: mutateArgumentPropagation,
}

// copies matches names of functions that return a copy. Without the copy, memory is shared, which few tests are about.
var copies = regexp.MustCompile(`(?i)clone|copy|dup$`)

func mutateArgumentPropagation(s *site) {
	call, ok := s.Node().(*ast.CallExpr)
	if !ok || s.Info.Types[call.Fun].IsType() || s.Info.Types[call.Fun].IsBuiltin() || s.hasToBeCall() || s.isConstant(call) {
		return
	}
	given := s.Info.TypeOf(call)
	if given == nil || !s.propagates(given) {
		return
	}
	if fn := s.callee(call); fn != nil && (copies.MatchString(fn.Name()) || fn.Pkg() != nil && fn.Pkg().Path() == "fmt") {
		return
	}
	if arg := s.alikeOperand(call, given); arg != nil && s.droppableBut(call, arg) {
		text, precedence := s.source(arg), precedenceOf(arg)
		if s.inHeader() && hasOpenBrace(arg) {
			text, precedence = "("+text+")", token.HighestPrec
		}
		s.replaceExpr(text, precedence, s.bypassed(call, arg))
	}
}

// hasToBeCall reports whether only a call can stand at the site: it is a statement, or the operand of defer or go.
func (s *site) hasToBeCall() bool {
	c := s.Cursor
	for c.ParentEdgeKind() == edge.ParenExpr_X {
		c = c.Parent()
	}
	switch c.ParentEdgeKind() {
	case edge.ExprStmt_X, edge.DeferStmt_Call, edge.GoStmt_Call:
		return true
	}
	return false
}

// propagates reports whether an operand of type t may replace a call's result. Booleans, errors and contexts may not:
// any boolean or error has the right type without being related, and another context differs only in timing.
func (s *site) propagates(t types.Type) bool {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Info()&types.IsBoolean == 0
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return !isError(t)
	}
	return !isError(t) && named.Obj().Pkg().Path() != "context"
}

// alikeOperand returns the receiver of a call, or else its first argument, that is of type t and no constant; nil if
// there is none.
func (s *site) alikeOperand(call *ast.CallExpr, t types.Type) ast.Expr {
	operands := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && s.Info.Selections[sel] != nil {
		operands = append([]ast.Expr{sel.X}, operands...)
	}
	for i, e := range operands {
		if tv := s.Info.Types[e]; tv.IsValue() && tv.Value == nil && !tv.IsNil() && types.Identical(tv.Type, t) && !(call.Ellipsis.IsValid() && i == len(operands)-1) {
			return e
		}
	}
	return nil
}

// withoutEffect lists packages of the standard library whose functions have no effect if they return a single string or
// integer and take no function. (Functions of math return floats, which no probe compares.)
var withoutEffect = map[string]bool{
	"html": true, "math/bits": true, "net/url": true, "path": true, "path/filepath": true, "strconv": true, "strings": true, "unicode": true,
}

// partial lists functions of these packages that panic for some arguments.
var partial = map[string]bool{
	"math/bits.Rem": true, "math/bits.Rem32": true, "math/bits.Rem64": true, "strings.Repeat": true,
	"strconv.FormatComplex": true, "strconv.FormatFloat": true, "strconv.FormatInt": true, "strconv.FormatUint": true,
}

// bypassed returns a probe for arg in place of the call. It returns nil if the call or one of its arguments may have an
// effect or panic.
func (s *site) bypassed(call *ast.CallExpr, arg ast.Expr) *Probe {
	if !s.callsWithoutEffect(call) || slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return !s.total(e) }) {
		return nil
	}
	return s.differs(s.source(arg))
}

// callsWithoutEffect reports whether a call, but for its arguments, has no effect and cannot panic.
func (s *site) callsWithoutEffect(call *ast.CallExpr) bool {
	fn := s.callee(call)
	return fn != nil && fn.Pkg() != nil && withoutEffect[fn.Pkg().Path()] && !partial[fn.FullName()] && fn.Signature().Recv() == nil && !takesFunction(fn)
}

// takesFunction reports whether a function has a parameter of function type, which it may call.
func takesFunction(fn *types.Func) bool {
	for param := range fn.Signature().Params().Variables() {
		if _, ok := param.Type().Underlying().(*types.Signature); ok {
			return true
		}
	}
	return false
}
