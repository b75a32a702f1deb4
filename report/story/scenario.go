package story

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// scenario says what no test does, as far as that is known of m: it follows "no test", as in "has n == 0". What is missing
// in the tests says more than an edit that they do not notice. It is empty if it is not known.
func scenario(r *results.Results, m *results.Mutant) prose.Text {
	if variable, zero := fact.NeverSet(m); variable != "" {
		return prose.Say("has %s other than %s", variable, zero)
	}
	if value, as := fact.Unaltered(m); value != "" {
		return altering(m, value, as)
	}
	switch value := fact.NeverHas(m); {
	case value != "":
		return having(m, value)
	case fact.Boundary(m) != "":
		return prose.Say("has %s", fact.Boundary(m))
	case fact.BothAlways(m) == "both":
		return having(m, "false")
	case fact.BothAlways(m) == "neither":
		return having(m, "true")
	case edit.OnlyOnce(m), edit.LeavesLoop(m):
		return iterating(m)
	}
	if m.Exposed() {
		return nil
	}
	return scenarioWithin(r, m)
}

// scenarioWithin says what no test does with the code that m, which undoes a part of the change, takes away: a condition
// on a changed line in it always has the same value. It is empty if that is not known, or if there are several such
// conditions.
func scenarioWithin(r *results.Results, m *results.Mutant) (missing prose.Text) {
	if !edit.IsReversal(m) {
		return nil
	}
	condition := ""
	for i := range r.Mutants {
		o := &r.Mutants[i]
		within := o.File == m.File && m.Offset <= o.Offset && o.EndOffset <= m.EndOffset
		if !within || !o.Evidence.OnDiff || o.Status != results.Survived || o.Evidence.Never == nil || fact.NeverHas(o) == "" {
			continue
		}
		if missing != nil && o.Original != condition {
			return nil
		}
		missing, condition = having(o, fact.NeverHas(o)), o.Original
	}
	return missing
}

// scenarioOfFix says what no test does with the code that a fix adds, if that is the same in all functions of f.
func scenarioOfFix(r *results.Results, f finding.Finding) (missing prose.Text) {
	for _, m := range f.All() {
		one := scenarioWithin(r, m)
		if one == nil || missing != nil && one.Markdown() != missing.Markdown() {
			return nil
		}
		missing = one
	}
	return missing
}

// having says that the condition in m has a value, "true" or "false". If the condition asks for an error, it says that the
// call fails which the error is from. Otherwise it says where a variable has its value from.
func having(m *results.Mutant, value string) prose.Text {
	if call := edit.ErrorOf(m); call != "" && value == "true" {
		return prose.Say("makes %s fail", call)
	}
	condition, value := holds(edit.OnOneLine(m.Original), value)
	if value != "" {
		value = " " + value
	}
	has := "has"
	if edit.IsLater(m) { // tests may have it where the code before it decides
		has = "comes to line " + prose.Exact(m.Line) + " with"
	}
	p := prose.Say(has+" %s"+value, prose.Inline(edit.ShortCondition(condition, maxInHeadline)))
	if given := m.Evidence.Given; given != "" && value != "" { // the name of the variable may say little
		p = p.And(prose.Say("from %s", prose.Shorten(given, maxCall)))
	}
	return p
}

// altering says that a value differs from what the code has without it: from a variable that it is assigned to, or an
// argument that it is made from. It is empty if the value is too long to read.
func altering(m *results.Mutant, value, as string) prose.Text {
	if utf8.RuneCountInString(value) > maxCall {
		return nil
	}
	if x, err := parser.ParseExpr(value); err == nil && reads(x, as) {
		return prose.Say("has %s other than %s", value, as)
	}
	return prose.Say("comes to line "+prose.Exact(m.Line)+" with %s other than %s", as, value)
}

// reads reports whether part of x is the expression with this source.
func reads(x ast.Expr, source string) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		found = found || ok && types.ExprString(e) == source
		return !found
	})
	return found
}

// opposite has the comparison that holds where another does not. NaN, for which neither may hold, is not considered.
var opposite = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// holds returns a condition and its value in the form that is easiest to read: a comparison that holds, with value "", or
// another condition without a leading negation, with "true" or "false".
func holds(condition, value string) (string, string) {
	x, err := parser.ParseExpr(condition)
	if err != nil {
		return condition, value
	}
	source := func(e ast.Expr) string { return condition[e.Pos()-1 : e.End()-1] }
	switch x := x.(type) {
	case *ast.ParenExpr:
		return holds(source(x.X), value)
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return holds(source(x.X), map[string]string{"true": "false", "false": "true"}[value])
		}
	case *ast.BinaryExpr:
		switch other, compares := opposite[x.Op]; {
		case compares && value == "true":
			return condition, ""
		case compares:
			return source(x.X) + " " + other.String() + " " + source(x.Y), ""
		}
	}
	return condition, value
}

// iterating says that a loop goes on where m ends it.
func iterating(m *results.Mutant) prose.Text {
	if edit.LeavesLoop(m) {
		return prose.Say("needs the loop to go on after this %s", "continue")
	}
	switch loop, early := edit.Loop(m, maxInHeadline); {
	case loop == "":
		return nil
	case early:
		return prose.Say("needs another iteration of %s after a full one", loop)
	default:
		return prose.Say("needs more than one iteration of %s", loop)
	}
}
