package equivalence

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

// nilReturned returns the reason for a mutant that returns nil in place of a variable: the variable is always nil
// there. It returns "" for other mutants, or if that is not proved.
func (p *Package) nilReturned(file *ast.File, m *mutate.Mutant) string {
	tok := p.pkg.Fset.File(file.FileStart)
	path, ok := astutil.PathEnclosingInterval(file, tok.Pos(m.Offset), tok.Pos(m.EndOffset))
	if !ok || m.Form.Kind != mutate.Adds {
		return ""
	}
	statement, ok := path[0].(*ast.ReturnStmt)
	if !ok || statement.Pos() != tok.Pos(m.Offset) {
		return ""
	}
	i := nilInstead(m, statement)
	if i < 0 {
		return ""
	}
	found := false
	for _, fn := range p.functions(path) {
		for _, ret := range returns(fn) {
			if ret.Pos() != statement.Return {
				continue
			}
			if !p.nilAt(fn, ret, i) {
				return ""
			}
			found = true
		}
	}
	if !found {
		return ""
	}
	return fmt.Sprintf("`%s` is always nil here", text(statement.Results[i]))
}

// nilAt reports whether the i-th result of a return statement is always nil.
func (p *Package) nilAt(fn *ssa.Function, ret *ssa.Return, i int) bool {
	r := p.rangesOf(fn)
	return r != nil && i < len(ret.Results) && r.nilness(ret.Results[i], r.facts(ret.Block())) == equal
}

// nilInstead returns the index of the only result that m replaces by nil. That result must be a variable, since
// evaluating anything else might have an effect. It returns -1 if m does something else.
func nilInstead(m *mutate.Mutant, was *ast.ReturnStmt) int {
	const head = "func() "
	x, err := parser.ParseExpr(head + m.Form.Block)
	literal, ok := x.(*ast.FuncLit)
	if err != nil || !ok || len(literal.Body.List) != 1 {
		return -1
	}
	now, ok := literal.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(now.Results) != len(was.Results) {
		return -1
	}
	source := head + m.Form.Block
	found := -1
	for i, result := range now.Results {
		before := m.Original[was.Results[i].Pos()-was.Pos() : was.Results[i].End()-was.Pos()]
		after := source[result.Pos()-token.Pos(1) : result.End()-token.Pos(1)]
		if before == after {
			continue
		}
		if _, isName := was.Results[i].(*ast.Ident); !isName || after != "nil" || found >= 0 {
			return -1
		}
		found = i
	}
	return found
}
