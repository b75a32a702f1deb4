package mutate

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// errorMaker matches names of functions that make an error from a text.
var errorMaker = regexp.MustCompile(`(?i)(err|error|errorf|errf|wrap|wrapf|withmessage|withmessagef)$`)

// makesError reports whether the call makes an error from a text: the function returns only an error and takes a
// string, and its name says that it makes errors or its package is for errors.
func (p *pass) makesError(call *ast.CallExpr) bool {
	fn := p.callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Signature().Results().Len() != 1 || !isFailure(fn.Signature().Results().At(0).Type()) {
		return false
	}
	takesText := false
	for v := range fn.Signature().Params().Variables() {
		b, ok := v.Type().Underlying().(*types.Basic)
		takesText = takesText || ok && b.Info()&types.IsString != 0
	}
	elements := strings.Split(fn.Pkg().Path(), "/")
	return takesText && (slices.ContainsFunc(elements, isErrorsPackage) || errorMaker.MatchString(fn.Name()))
}

func isErrorsPackage(element string) bool { return element == "errors" || element == "xerrors" }

// isFailure reports whether t is the type error or a concrete type that implements it.
func isFailure(t types.Type) bool {
	errors := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return isError(t) || !types.IsInterface(t) && types.Implements(t, errors)
}

// writesErrors reports whether all that the function returns becomes part of the text of errors. It has to return a
// single string. It is either a method of an error type that formats all of its results, or unexported and only ever
// called as an argument of a call that makes an error.
func writesErrors(p *pass) bool {
	fn, ok := p.Info.Defs[p.Decl.Name].(*types.Func)
	if !ok || fn.Signature().Results().Len() != 1 {
		return false
	}
	if b, ok := fn.Signature().Results().At(0).Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsString == 0 {
		return false
	}
	if recv := fn.Signature().Recv(); recv != nil && isFailure(recv.Type()) && p.formatsAll() {
		return true
	}
	return !fn.Exported() && p.onlyInErrors(fn)
}

// formatsAll reports whether all results of a function come from a function such as fmt.Sprintf.
func (p *pass) formatsAll() bool {
	returns, formatted := 0, 0
	ast.Inspect(p.Decl.Body, func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
			returns++
			if call, ok := ast.Unparen(ret.Results[0]).(*ast.CallExpr); ok && formatting(p.callee(call)) {
				formatted++
			}
		}
		return true
	})
	return returns > 0 && returns == formatted
}

func formatting(fn *types.Func) bool { return fn != nil && strings.HasPrefix(fn.Name(), "Sprint") }

// onlyInErrors reports whether every use of a function is a call that is an argument of a call that makes an error.
func (p *pass) onlyInErrors(fn *types.Func) bool {
	all, inErrors := 0, 0
	for _, used := range p.Info.Uses {
		if used == fn {
			all++
		}
	}
	for c := range inspector.New([]*ast.File{p.Syntax}).Root().Preorder((*ast.CallExpr)(nil)) {
		if p.callee(c.Node().(*ast.CallExpr)) != fn || c.ParentEdgeKind() != edge.CallExpr_Args {
			continue
		}
		if p.makesError(c.Parent().Node().(*ast.CallExpr)) {
			inErrors++
		}
	}
	return all > 0 && all == inErrors
}

// rewords reports whether a hunk only changes the content of string literals, all of them in arid code such as errors
// and log lines.
func (p *pass) rewords(h *Hunk) bool {
	lines := strings.SplitAfter(string(p.Source), "\n")
	begin := len(strings.Join(lines[:h.First-1], ""))
	old, now := lex(h.Old), lex(strings.Join(lines[h.First-1:h.First-1+h.Count], ""))
	if len(old) != len(now) {
		return false
	}
	var texts []int // offsets of the literals that differ
	for i, l := range now {
		switch {
		case l.text == old[i].text:
		case isText(l) && isText(old[i]) && strings.Count(l.text, "%w") == strings.Count(old[i].text, "%w"):
			texts = append(texts, begin+l.offset)
		default:
			return false
		}
	}
	return len(texts) > 0 && !slices.ContainsFunc(texts, func(offset int) bool { return !p.aridAt(offset) })
}

func isText(l lexeme) bool { return l.text[0] == '"' || l.text[0] == '`' }

// aridAt reports whether the byte at an offset of the source is in arid code of the function.
func (p *pass) aridAt(offset int) bool {
	for c := range p.root.Preorder() {
		n := c.Node()
		if _, ok := n.(*ast.File); !ok && p.offset(n.Pos()) <= offset && offset < p.offset(n.End()) && p.aridRule(c) != "" {
			return true
		}
	}
	return false
}
