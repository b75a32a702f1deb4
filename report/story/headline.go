package story

import (
	"cmp"
	"go/ast"
	"go/parser"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// testsOff is the value of Options.Tests with which no tests are to run.
const testsOff = "none"

// Headline names the worst finding, or says why there is none.
func Headline(r *results.Results, s *finding.Selection) prose.Text {
	switch {
	case len(s.Open) > 0 && s.Open[0].Crash != nil:
		return crashHeadline(r, s.Open[0])
	case len(s.Open) > 0 && s.Open[0].Old != nil:
		return oldTitle(s.Open[0])
	case len(s.Open) > 0 && s.Open[0].Flaky != nil:
		return flakyTitle(s.Open[0])
	case len(s.Open) > 0:
		return mutantHeadline(r, s.Open[0])
	case Count(r).Judged() == 0:
		return prose.Say("nothing was judged")
	case len(finding.Candidates(r)) == 0 && r.Stats.Builds > 0 && r.Stats.Tests == 0 && r.Options.Tests != testsOff:
		return prose.Say("nothing to report, as no test judges this code")
	case slices.ContainsFunc(s.Closed, func(c finding.Shown) bool { return c.Fate == finding.NotJudged }):
		return prose.Say("nothing found in what was judged")
	case len(s.Closed) > 0:
		return prose.Say("nothing left to look at")
	case len(finding.Candidates(r)) > len(finding.Findings(r)):
		return prose.Say("nothing confirmed in time")
	case !finding.ChangedJudged(r), len(s.Doubtful) > 0: // the review would not show the rest of the functions anyway
		return prose.Say("nothing found in what was judged")
	default:
		return prose.Say("nothing to report")
	}
}

// maxInHeadline is the maximum length of an input in a headline, in runes.
const maxInHeadline = 40

// crashHeadline says what fails, and on which input.
func crashHeadline(r *results.Results, f finding.Finding) prose.Text {
	who := failing(r, f.Crash)
	p := prose.Say("%s "+crashVerb(f.Crash.Kind), who)
	if f.Brought() {
		p = prose.Say("this change makes %s "+crashInfinitive(f.Crash.Kind), who)
	}
	return p.And(onInput(r, f.Crash))
}

// onInput ends the title of a crash with the input of its harness; nil: the input is not known, or the title has the
// failing call. A function that the harness does not call itself need not have got that input, so the harness is named
// with it.
func onInput(r *results.Results, c *results.Crash) prose.Text {
	values := prose.OneLine(entryValues(r, c.Harness, c.Entry), maxInHeadline)
	if values == "" || c.Call != "" {
		return nil
	}
	if f, _ := fact.Culprit(r, c); f == nil || fact.CalledBy(c, f) { // without f the title names the harness
		return prose.Say("on %s", values)
	}
	return prose.Say("in %s", fact.Local(c.Harness)+"("+values+")")
}

// failing returns the failing call if it is known and short enough for a title. Otherwise it returns the exported
// function that the call calls, or else the function that fails.
func failing(r *results.Results, c *results.Crash) string {
	return cmp.Or(shortEnough(c.Setup, c.Call), exportedCallee(c.Setup, c.Call), culprit(r, c))
}

// exportedCallee returns the exported function that a call in Go calls, as written there. It returns "" if the function
// is not exported, or if it may be a method.
func exportedCallee(setup []string, call string) string {
	x, err := parser.ParseExpr(call)
	c, ok := x.(*ast.CallExpr)
	if err != nil || !ok {
		return ""
	}
	name := c.Fun
	if s, ok := name.(*ast.SelectorExpr); ok {
		if _, qualified := s.X.(*ast.Ident); qualified && len(setup) == 0 {
			name = s.Sel
		}
	}
	if id, ok := name.(*ast.Ident); ok && id.IsExported() {
		return call[c.Fun.Pos()-1 : c.Fun.End()-1]
	}
	return ""
}

// culprit returns the name of the function in scope that a crash's stack names first. If there is none, it returns the
// function that is called, where the call is shown, or the harness.
func culprit(r *results.Results, c *results.Crash) string {
	if f, _ := fact.Culprit(r, c); f != nil {
		return fact.FunctionName(r, f.ID)
	}
	if called := fact.Called(c); called != "" && c.Call != "" {
		return called
	}
	return fact.Local(c.Harness)
}

// entryValues returns the arguments of a new entry as Go source; "" if they are unknown.
func entryValues(r *results.Results, harness, id string) string {
	if e := entryOf(r, harness, id); e != nil {
		return argumentsOf(e)
	}
	return ""
}

// argumentsOf returns the arguments of an entry as a caller would write them: string("a") becomes "a".
func argumentsOf(e *results.Entry) string {
	list := slices.Clone(e.Values)
	for i, value := range list {
		if text, ok := strings.CutPrefix(value, "string("); ok && strings.HasPrefix(text, `"`) {
			list[i] = strings.TrimSuffix(text, ")")
		}
	}
	return strings.Join(list, ", ")
}

func mutantHeadline(r *results.Results, f finding.Finding) prose.Text {
	if f.Kind == finding.NotRun {
		return ofGoTests(r, unrunTitle(r, f, f.UnrunParts(r)))
	}
	return ofGoTests(r, title(r, f.Distinct()))
}
