package report

import (
	"cmp"
	"go/ast"
	"go/parser"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// testsOff is the value of Options.Tests with which no tests are to run.
const testsOff = "none"

// headline names the worst finding, or says why there is none.
func headline(r *results.Results, s *Selection) prose.Text {
	switch {
	case len(s.Open) > 0 && s.Open[0].Crash != nil:
		return crashHeadline(r, s.Open[0])
	case len(s.Open) > 0 && s.Open[0].Old != nil:
		return oldTitle(s.Open[0])
	case len(s.Open) > 0 && s.Open[0].Flaky != nil:
		return flakyTitle(s.Open[0])
	case len(s.Open) > 0:
		return mutantHeadline(r, s.Open[0])
	case tallyOf(r).judged() == 0:
		return prose.Say("nothing was judged")
	case len(Candidates(r)) == 0 && r.Stats.Builds > 0 && r.Stats.Tests == 0 && r.Options.Tests != testsOff:
		return prose.Say("nothing to report, as no test judges this code")
	case slices.ContainsFunc(s.Closed, func(c Shown) bool { return c.Fate == NotJudged }):
		return prose.Say("nothing found in what was judged")
	case len(s.Closed) > 0:
		return prose.Say("nothing left to look at")
	case len(Candidates(r)) > len(Findings(r)):
		return prose.Say("nothing confirmed in time")
	case !changedJudged(r), len(s.Doubtful) > 0: // the review would not show the rest of the functions anyway
		return prose.Say("nothing found in what was judged")
	default:
		return prose.Say("nothing to report")
	}
}

// maxInHeadline is the maximum length of an input in a headline, in runes.
const maxInHeadline = 40

// crashHeadline says what fails, and on which input.
func crashHeadline(r *results.Results, f Finding) prose.Text {
	who := failing(r, f.Crash)
	p := prose.Say("%s "+crashVerb(f.Crash.Kind), who)
	if f.brought() {
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
	if f, _ := culpritOf(r, c); f == nil || calledBy(c, f) { // without f the title names the harness
		return prose.Say("on %s", values)
	}
	return prose.Say("in %s", local(c.Harness)+"("+values+")")
}

// calledBy reports whether the stack of a crash says that the harness itself called the function at fault.
func calledBy(c *results.Crash, f *results.Function) bool {
	found := false
	for text := range strings.Lines(c.Stack) {
		switch text = asID.Replace(text); {
		case strings.HasPrefix(text, "\t"):
		case found:
			return strings.HasPrefix(strings.Replace(text, "_test.", ".", 1), c.Harness+".") // of either test package
		default:
			found = strings.HasPrefix(text, f.ID)
		}
	}
	return false
}

// asID converts names of functions in stacks to the form of function IDs: "nats%2ego.(*List[...]).Next" becomes
// "nats.go.List.Next".
var asID = strings.NewReplacer("(*", "", ")", "", "[...]", "", "%2e", ".")

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

// culprit returns the name of the function in scope that a crash's stack names first, or of the harness if there is
// none.
func culprit(r *results.Results, c *results.Crash) string {
	if f, _ := culpritOf(r, c); f != nil {
		return functionName(r, f.ID)
	}
	return local(c.Harness)
}

// culpritOf returns the function in scope that a crash's stack names first, and the line in it: the first line of the
// function if the stack has none. f is nil if there is no such function.
func culpritOf(r *results.Results, c *results.Crash) (f *results.Function, line int) {
	if c == nil {
		return nil, 0
	}
	lines := 0
	for text := range strings.Lines(c.Stack) {
		text = strings.TrimRight(text, "\n")
		if lines++; lines > maxStackSearched {
			break
		}
		if f != nil {
			return f, lineIn(f, text)
		}
		text = asID.Replace(text)
		i := slices.IndexFunc(r.Scope, func(f results.Function) bool {
			rest, ok := strings.CutPrefix(text, f.ID)
			return ok && f.ID != "" && (rest == "" || strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, ".func"))
		})
		if i >= 0 {
			f, line = &r.Scope[i], r.Scope[i].StartLine
		}
	}
	return f, line
}

// lineIn returns the line that a place in a stack names, such as "\tsize.go:17 +0x1a", or the first line of f if the
// place is not in f.
func lineIn(f *results.Function, place string) int {
	place, _, _ = strings.Cut(strings.TrimSpace(place), " ")
	file, number, _ := strings.Cut(place, ":")
	line, err := strconv.Atoi(number)
	if err != nil || line < f.StartLine || line > f.EndLine || file != f.File && !strings.HasSuffix(file, "/"+f.File) {
		return f.StartLine
	}
	return line
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

func mutantHeadline(r *results.Results, f Finding) prose.Text {
	if f.Kind == NotRun {
		return unrunTitle(f, unrunParts(r, f))
	}
	return title(r, f.distinct())
}
