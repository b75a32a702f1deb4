package story

import (
	"cmp"
	"go/ast"
	"go/parser"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Row is one of several edits of a finding.
type Row struct {
	file             string // the file of the edit if it is not that of the first edit; else ""
	line             int
	Edit             prose.Text
	Input, Now, With string // an input and its two results; empty: not known, or not readable
	condition        bool   // Input is what holds for the input, which is too long to be read
	call, test       string // the input of a call that a test makes, in its two parts; empty: it is another input
}

// At returns the place of a row for a table.
func (one Row) At() prose.Text {
	if one.file != "" {
		return prose.Say("%s", one.file+":"+prose.Exact(one.line))
	}
	return prose.Say(prose.Exact(one.line))
}

// Place returns the place of a row for a list, with a colon, as in "line 5:".
func (one Row) Place() prose.Text {
	if one.file != "" {
		return one.At().Plus(":")
	}
	return prose.Say("line " + prose.Exact(one.line) + ":")
}

// Shows says what the input of a row shows; empty: no input is known.
func (one Row) Shows() prose.Text {
	switch {
	case one.Input == "":
		return nil
	case one.Now == "" && one.With == "":
		return one.input().And(prose.Say("shows it"))
	}
	return one.outcomes("with the edit", "")
}

// becomes and stays are what package witness writes for what a call does to an argument or a receiver.
const (
	becomes = " becomes "
	stays   = " is unchanged"
)

// returns stands for the result of a call that has none.
const returns = "returns"

// outcomes says what the input of a row gives, or what it leaves in an argument: first as the program is, then
// otherwise. otherwise is a phrase such as "with the edit"; end ends the sentence.
func (one Row) outcomes(otherwise, end string) prose.Text {
	operand, now, ok := strings.Cut(one.Now, becomes)
	same, with, also := strings.Cut(one.With, becomes)
	switch {
	case ok && also && operand == same && !strings.Contains(operand, `"`) && !strings.Contains(now+with, becomes):
		return one.input().And(prose.Say("leaves %s in %s; "+otherwise+", %s"+end, now, operand, with))
	case ok && !strings.Contains(operand, `"`) || also && !strings.Contains(same, `"`) || strings.HasSuffix(one.Now, stays) || strings.HasSuffix(one.With, stays),
		one.Now == returns, one.With == returns:
		return one.input().Plus(":").And(prose.Say("%s; "+otherwise+", %s"+end, one.Now, one.With))
	}
	return one.input().And(prose.Say("gives %s; "+otherwise+", %s"+end, one.Now, one.With))
}

// input names the input of a row in a sentence.
func (one Row) input() prose.Text {
	switch {
	case one.test != "":
		return prose.Say("%s in %s", one.call, one.test)
	case one.condition:
		return prose.Say("An input with %s", one.Input)
	}
	return prose.Say("%s", one.Input)
}

// rowOf returns the row of m, a mutant of f. It has no input if both results look the same, or if the change alters only
// what other packages cannot see of them.
func rowOf(r *results.Results, f finding.Finding, m *results.Mutant) Row {
	line := Row{line: m.Line, Edit: edit.Summary(m)}
	if m.File != f.Mutant.File {
		line.file = m.File
	}
	if m.Function != f.Mutant.Function {
		line.Edit = line.Edit.And(prose.Say("in %s", fact.FunctionName(r, m.Function)))
	}
	if fact.Unrun(m) && f.Kind != finding.NotRun && !f.Unrun() { // else the title says so
		line.Edit = line.Edit.And(prose.Say("(" + UnrunBy(m) + " it)"))
	}
	if x := witness(m); x != nil && x.Original != x.Mutant {
		line.show(r, x)
	}
	if x := m.ExposedBy; line.Input == "" && fact.Boundary(m) != "" && m.Exposed() && x != nil && x.Driver && x.Call != "" && !x.OutOfMemory() {
		line.show(r, x)
	}
	if boundary := fact.Boundary(m); boundary != "" && utf8.RuneCountInString(line.Input) > maxCall && line.Now != line.With {
		line.Input, line.call, line.test, line.condition = boundary, "", "", true
	}
	return line
}

// witness returns the input of m that readers are told of; nil: there is none. What only differs in unexported fields with
// a part of the change undone is what the change is, and no test of another package sees it.
func witness(m *results.Mutant) *results.ExposedBy {
	if x := fact.Witness(m); x != nil && !(edit.IsReversal(m) && fact.Hidden(x)) {
		return x
	}
	return nil
}

// show puts an input into a row, and its results if a reader can make something of them.
func (one *Row) show(r *results.Results, x *results.ExposedBy) {
	one.Input = inputOf(r, x)
	if call := cmp.Or(fact.Call(x.Setup, x.Call), callIn(x)); x.InTest && call != "" {
		one.call, one.test = call, fact.Local(x.Harness)
	}
	if fact.Tells(x) {
		one.tell(x)
	}
}

// tell puts the results of an input into a row, as far as they differ.
func (one *Row) tell(x *results.ExposedBy) {
	one.Now, one.With = withoutBlanks(prose.Difference(x.Original, x.Mutant))
	if (one.Now == "") != (one.With == "") { // a call without a result that ends the program on one side
		one.Now, one.With = cmp.Or(one.Now, returns), cmp.Or(one.With, returns)
	}
}

// How much of a call is shown as a harness or test has it, in runes: without values, and with some.
const (
	maxCall   = 60
	maxPartly = 120
)

// withoutBlanks leaves out the results at the end that are the same on both sides, for which there is a blank identifier.
func withoutBlanks(a, b string) (string, string) {
	const blank = ", _"
	for strings.HasSuffix(a, blank) && strings.HasSuffix(b, blank) {
		a, b = strings.TrimSuffix(a, blank), strings.TrimSuffix(b, blank)
	}
	return a, b
}

// siteCall returns the call that shows a difference, as the source has it.
func siteCall(x *results.ExposedBy) string {
	_, call, ok := strings.Cut(x.Site, ": ")
	switch {
	case !ok:
		return x.Site
	case x.Driver:
		return withoutDecoding(call)
	}
	return call
}

// decoder is the name of the variable from which a generated driver decodes arguments.
var decoder = regexp.MustCompile(`^fuzzed\d*$`)

// withoutDecoding returns a call of a generated driver with an ellipsis for each argument that the driver decodes in the
// call itself.
func withoutDecoding(call string) string {
	x, err := parser.ParseExpr(call)
	made, ok := x.(*ast.CallExpr)
	if err != nil || !ok {
		return call
	}
	var list []string
	for _, arg := range made.Args {
		text := call[arg.Pos()-1 : arg.End()-1]
		ast.Inspect(arg, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && decoder.MatchString(id.Name) {
				text = "…"
			}
			return true
		})
		list = append(list, text)
	}
	return call[:made.Lparen] + strings.Join(list, ", ") + ")"
}

// unknownIn returns the variables that a call is on, and that it passes.
func unknownIn(call string) (names []prose.Text) {
	x, err := parser.ParseExpr(call)
	made, ok := x.(*ast.CallExpr)
	if err != nil || !ok {
		return nil
	}
	operands := made.Args
	if fun, ok := made.Fun.(*ast.SelectorExpr); ok {
		operands = append([]ast.Expr{fun.X}, operands...)
	}
	for _, e := range operands {
		if id, ok := e.(*ast.Ident); ok && !slices.Contains([]string{"nil", "true", "false"}, id.Name) {
			names = append(names, prose.Say("%s", id.Name))
		}
	}
	return names
}

// inputOf returns the call that shows a difference, with its arguments. If that cannot be written, it returns the
// harness with the arguments of the entry, and the call as the harness has it.
func inputOf(r *results.Results, x *results.ExposedBy) string {
	if x.Call != "" {
		return fact.Call(x.Setup, x.Call)
	}
	input := passedBy(r, x)
	if call := callIn(x); call != "" {
		input += ": " + call
	}
	return input
}

// callIn returns the call that shows a difference as the harness has it, shortened; "": it is not known.
func callIn(x *results.ExposedBy) string {
	call := siteCall(x)
	if call == x.Site {
		return ""
	}
	return cmp.Or(prose.Shorten(x.Partly, maxPartly), prose.Shorten(call, maxCall))
}

// passedBy returns the harness of an input, with its arguments if they are known, as in "FuzzParse(\"a\")".
func passedBy(r *results.Results, x *results.ExposedBy) string {
	if values := entryValues(r, x.Harness, x.Entry); values != "" {
		return fact.Local(x.Harness) + "(" + values + ")"
	}
	return fact.Local(x.Harness)
}
