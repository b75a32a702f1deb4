package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// unrunStory is the story of code that nothing runs.
func unrunStory(r *results.Results, f Finding) story {
	parts := unrunParts(r, f)
	s := story{
		label: label(f), title: unrunTitle(f, parts), place: unrunPlace(f, parts), code: drawParts(parts), edit: linesOfParts(parts),
		claim: otherNames(parts).And(uncalled(parts)).And(prose.Say("N" + noTest(f)[1:] + " would fail if this code were wrong.")),
	}
	if slices.ContainsFunc(f.all(), ownOnly) {
		s.late = someLate
	}
	if allUncalled(parts) {
		s.claim = prose.Say("Neither code nor tests call it. Either it is left over, or a call is missing.")
	}
	list := slices.DeleteFunc(f.all(), func(m *results.Mutant) bool { // a function that nothing calls needs a call, not a test
		return slices.ContainsFunc(parts, func(p unrunIn) bool { return p.uncalled && p.mutants[0].Function == m.Function })
	})
	list = ways(list)
	tests := testsFor(list)
	if !slices.ContainsFunc(tests, func(x *results.ExposedBy) bool { return !nothing.MatchString(x.Original) }) {
		tests = nil // code that does nothing would pass them
	}
	s.test, s.about = testOf(tests, runsOf(list, tests, len(parts)))
	for _, m := range list {
		if row := rowOf(r, f, m); row.input != "" && says(row.now) && (s.test == "" || illustrates(m) && len(m.ExposedBy.Setup) < 2) { // else the test says more
			s.witness = prose.Say("For example, %s gives %s.", row.input, row.now)
			break
		}
	}
	s.asserts = prose.Say("It expects the current result; please check that this is what you want.")
	if strings.Count(s.test, "func Test") > 1 {
		s.asserts = prose.Say("They expect the current results; please check that these are what you want.")
	}
	return s
}

// runsOf says whether tests run all, one or some of the functions that a finding is about. functions is their number,
// and tests are those of mutants in list.
func runsOf(list []*results.Mutant, tests []*results.ExposedBy, functions int) verb {
	run := map[string]bool{}
	for _, m := range list {
		if slices.ContainsFunc(tests, func(x *results.ExposedBy) bool { return statements(x) == statements(m.ExposedBy) }) {
			run[m.Function] = true
		}
	}
	switch {
	case functions == 1:
		return verb{"runs it", "run it"}
	case len(run) == functions:
		return verb{"runs them", "run them"}
	case len(run) == 1:
		return verb{"runs one of them", "run one of them"}
	}
	return verb{"runs some of them", "run some of them"}
}

// ways returns the mutants of code that nothing runs whose inputs say what the code is for. First come those whose
// tests take different ways through it. Each function begins with its clearest input, preferably one that shows several
// functions. Then comes an input for each other return statement and each other result, which may be zero.
func ways(list []*results.Mutant) []*results.Mutant {
	list = slices.DeleteFunc(slices.Clone(list), func(m *results.Mutant) bool { return !usable(m) })
	direct := map[string]bool{}
	for _, m := range list {
		direct[m.Function] = direct[m.Function] || !showsAfterwards(m)
	}
	list = slices.DeleteFunc(list, func(m *results.Mutant) bool { return direct[m.Function] && showsAfterwards(m) })
	wide := functionsShown(list)
	slices.SortStableFunc(list, func(a, b *results.Mutant) int {
		return cmp.Or(cmp.Compare(clarity(b), clarity(a)), cmp.Compare(wide[statements(b.ExposedBy)], wide[statements(a.ExposedBy)]), compareBool(altersReturn(b), altersReturn(a)), compareBool(escaped(a), escaped(b)))
	})
	var first, more, rest []*results.Mutant
	for _, m := range list {
		chosen := slices.DeleteFunc(slices.Concat(first, more), func(o *results.Mutant) bool { return o.Function != m.Function })
		another := func(is func(o *results.Mutant) bool) bool { return !slices.ContainsFunc(chosen, is) }
		switch {
		case len(chosen) == 0 && illustrates(m):
			first = append(first, m)
		case len(chosen) == 0:
		case altersReturn(m) && another(func(o *results.Mutant) bool { return o.Line == m.Line }),
			another(func(o *results.Mutant) bool { return o.ExposedBy.Original == m.ExposedBy.Original }):
			more = append(more, m)
		case illustrates(m):
			rest = append(rest, m)
		}
	}
	return slices.Concat(first, more, rest)
}

// functionsShown returns, for the statements of each input, of how many functions the input exposes mutants of list.
func functionsShown(list []*results.Mutant) map[string]int {
	seen, wide := map[string]bool{}, map[string]int{}
	for _, m := range list {
		input := statements(m.ExposedBy)
		if key := input + "\x00" + m.Function; !seen[key] {
			seen[key] = true
			wide[input]++
		}
	}
	return wide
}

// statements returns an input as Go source: the call and what prepares it.
func statements(x *results.ExposedBy) string {
	return strings.Join(append(slices.Clip(x.Setup), x.Call), "\n")
}

// altersReturn reports whether m alters a return statement.
func altersReturn(m *results.Mutant) bool {
	return strings.HasPrefix(strings.TrimSpace(m.Original), "return")
}

// escaped reports whether the input that exposes m has escaped characters, which nobody can read. m has to be exposed.
func escaped(m *results.Mutant) bool { return escapes(m.ExposedBy) }

// escapes reports whether an input has escaped characters.
func escapes(x *results.ExposedBy) bool {
	return escape.MatchString(strings.Join(x.Setup, "\n") + x.Call)
}

// escape matches an escaped character in Go source.
var escape = regexp.MustCompile(`\\[xuU][0-9a-fA-F]{2}`)

// says reports whether a result is shown in full and says something of what the code is for.
func says(result string) bool {
	return result != "" && !onlyType.MatchString(result) && !strings.Contains(result, "…") && !strings.HasSuffix(result, "is unchanged")
}

// onlyType matches a result that shows only a type and no value, such as a function.
var onlyType = regexp.MustCompile(`^\*?([A-Za-z_]\w*\.\w+|func\(.*)$`)

// zero is a pattern of zero values as Go source, or of pointers to them.
const zero = `(false|0|""|nil|&?[\w.\[\]*]+\{\}|\(?[\w.\[\]*]+\)?\(nil\))`

// nothing matches results that are all zero values, zeroCall calls with nothing but zero values for arguments.
var (
	nothing  = regexp.MustCompile(`^(` + zero + `(, |$))+$`)
	zeroCall = regexp.MustCompile(`^[\w.]+\(` + zero + `(, ` + zero + `)*\)$`)
)

// givesNothing reports whether the program gives only zero values for the input that exposes m. A test of that says
// little of what the code is for.
func givesNothing(m *results.Mutant) bool {
	return m.ExposedBy != nil && nothing.MatchString(m.ExposedBy.Original)
}

// illustrates reports whether the input that exposes m is usable and says what the code is for.
func illustrates(m *results.Mutant) bool { return usable(m) && !givesNothing(m) }

// usable reports whether the input that exposes m is a call with arguments and without an error. Its test, if there is
// one, has to look at a result, which may be a zero value.
func usable(m *results.Mutant) bool {
	return witness(m) != nil && !errs(m) && !takesNothing(m) && !assertsLittle(testIn(m.ExposedBy))
}

// assertsLittle reports whether test is a test function that asserts nothing, or only that there is a result or an
// error.
func assertsLittle(test string) bool {
	return strings.Contains(test, "func Test") && len(assertion.FindAllString(test, -1)) == len(onlyWhether.FindAllString(test, -1))
}

// assertion matches where a test fails, by itself or through testify. onlyWhether matches where it fails only because
// there is no result or error.
var (
	assertion   = regexp.MustCompile(`(?m)\bt\.Error|^\t\w+\.\w+\(t, `)
	onlyWhether = regexp.MustCompile(`(?m) == nil \{$|^\t\w+\.(Error|NotNil)\(t, `)
)

// clarity is how much the input that exposes m says of what the code is for: 0 for nothing, 1 for little, as in a call
// with nothing but zero values, 2 for more.
func clarity(m *results.Mutant) int {
	switch {
	case !illustrates(m):
		return 0
	case len(m.ExposedBy.Setup) == 0 && zeroCall.MatchString(m.ExposedBy.Call):
		return 1
	}
	return 2
}

// takesNothing reports whether the input that exposes m is a call of a function without arguments, and so no input.
func takesNothing(m *results.Mutant) bool {
	return m.ExposedBy != nil && len(m.ExposedBy.Setup) == 0 && bareCall.MatchString(m.ExposedBy.Call)
}

// bareCall matches a call of a function without arguments.
var bareCall = regexp.MustCompile(`^[\w.]+\(\)$`)

// errs reports whether the program gives an error for the input that exposes m.
func errs(m *results.Mutant) bool {
	return m.ExposedBy != nil && m.ExposedBy.Fails()
}

// unrunIn is what a finding about code that nothing runs says of one function.
type unrunIn struct {
	name     string
	mutants  []*results.Mutant
	runs     bool           // something runs a part of it
	uncalled bool           // nothing calls it, not even a test
	code     []results.Code // if runs, the code that nothing runs; empty: its text is not known
}

// maxUnrun is how many functions a title names.
const maxUnrun = 3

// unrunParts returns the functions that f is about: first those that nothing runs at all, last those of which the code
// that nothing runs is known.
func unrunParts(r *results.Results, f Finding) (parts []unrunIn) {
	at := map[string]int{}
	for _, m := range f.all() {
		if !unrun(m) && m.Evidence.Never == nil { // it is told with code that does not run, and runs itself
			continue
		}
		i, ok := at[m.Function]
		if !ok {
			i = len(parts)
			at[m.Function] = i
			uncalled := slices.ContainsFunc(r.Scope, func(s results.Function) bool { return s.ID == m.Function && s.Uncalled })
			parts = append(parts, unrunIn{name: functionName(r, m.Function), uncalled: uncalled})
		}
		parts[i].mutants = append(parts[i].mutants, m)
	}
	for i := range parts {
		p := &parts[i]
		id := p.mutants[0].Function
		if p.runs = slices.ContainsFunc(r.Mutants, func(m results.Mutant) bool { return m.Function == id && runs(&m) }); p.runs {
			p.code = unrunCode(r, p.mutants[0])
		}
		if p.runs && len(p.code) == 0 {
			p.code = codeOf(p.mutants)
		}
	}
	slices.SortStableFunc(parts, func(a, b unrunIn) int {
		return cmp.Or(compareBool(a.runs, b.runs), compareBool(len(a.code) > 0, len(b.code) > 0))
	})
	return parts
}

// maxIndent bounds the indentation of the code that is shown: results are not trusted.
const maxIndent = 20

// codeOf returns the code that nothing runs and that mutants are about, if nothing else says which it is: the branch
// that is never taken, or the lines of the only mutant, if they are several. Otherwise it returns nil.
func codeOf(list []*results.Mutant) []results.Code {
	m := list[0]
	switch {
	case m.Evidence.Never != nil:
		return []results.Code{*m.Evidence.Never}
	case len(list) > 1 || edit.IsReversal(m) || !strings.Contains(m.Original, "\n"):
		return nil
	}
	indent := strings.Repeat("\t", min(max(m.Column-1, 0), maxIndent)) // Original begins after it
	return []results.Code{{StartLine: m.Line, EndLine: m.EndLine, Under: m.Evidence.Case, Source: indent + m.Original}}
}

// unrunCode returns the code of the function of m that nothing runs, without code that only fails.
func unrunCode(r *results.Results, m *results.Mutant) []results.Code {
	i := slices.IndexFunc(r.Scope, func(f results.Function) bool { // several init functions have one ID
		return f.ID == m.Function && f.File == m.File && f.StartLine <= m.Line && m.Line <= f.EndLine
	})
	if i < 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Scope[i].Unrun), func(c results.Code) bool { return failsOnly(c.Source) || givesUp(c) || recovers(c) })
}

// unrunTitle names the functions that nothing runs, and the lines of functions that run in part. If these lines are
// shown below, it calls them a part of the function.
func unrunTitle(f Finding, parts []unrunIn) prose.Text {
	if allUncalled(parts) {
		return prose.Say("nothing calls").And(prose.ListOf(namesOf(parts), len(parts), "function", "functions"))
	}
	var items []prose.Text
	this := "this part of %s"
	for _, p := range parts[:min(len(parts), maxUnrun)] {
		switch {
		case !p.runs:
			items = append(items, prose.Say("%s", p.name))
		case len(p.code) == 0:
			items = append(items, prose.Say(linesOf(p.mutants)+" of %s", p.name))
		default:
			items = append(items, prose.Say(this, p.name))
			this = "of %s"
		}
	}
	one, many := "function", "functions"
	others := len(parts) - len(items)
	inPart := slices.ContainsFunc(parts[len(items):], func(p unrunIn) bool { return p.runs })
	switch {
	case inPart && parts[len(items)].runs: // so do all behind it
		items = append(items, prose.Say(prose.Noun(others, "a part of ", "parts of ")+prose.Plural(others, "more function", "more functions")))
		parts = parts[:len(items)]
	case inPart:
		one, many = "function, or a part of it", "functions, or parts of them"
	}
	nothing := "no test or fuzz target"
	if slices.ContainsFunc(f.all(), ownOnly) {
		nothing = noTest(f)
	}
	return prose.Say(nothing + " runs").And(prose.ListOf(items, len(parts), one, many))
}

// otherNames names the functions for which the title has no room, as many as a list has; empty: there are none.
func otherNames(parts []unrunIn) prose.Text {
	others := parts[min(len(parts), maxUnrun):]
	if len(others) == 0 {
		return nil
	}
	var items []prose.Text
	for _, p := range others[:min(len(others), maxFolded)] {
		part := ""
		if p.runs {
			part = "a part of "
		}
		items = append(items, prose.Say(part+"%s", p.name))
	}
	return prose.Say(prose.Noun(len(others), "The other one is", "The others are")).And(prose.ListOf(items, len(others), "function", "functions")).Plus(".")
}

// notRunAtAll names the functions that no test runs, in a finding about code that runs; empty: there are none.
func notRunAtAll(r *results.Results, f Finding) prose.Text {
	known := map[string]bool{f.Mutant.Function: true}
	for i := range r.Mutants {
		if m := &r.Mutants[i]; runs(m) || m.Evidence.Program || ownOnly(m) {
			known[m.Function] = true
		}
	}
	var names []string
	for _, m := range f.Also {
		if !known[m.Function] {
			known[m.Function] = true
			names = append(names, functionName(r, m.Function))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return prose.Say("No test runs").And(prose.Listed(names[:min(len(names), maxUnrun)], len(names), "function", "functions")).Plus(".")
}

// namesOf returns the names of the first functions, as many as a title has.
func namesOf(parts []unrunIn) (items []prose.Text) {
	for _, p := range parts[:min(len(parts), maxUnrun)] {
		items = append(items, prose.Say("%s", p.name))
	}
	return items
}

// allUncalled reports whether nothing calls any of the functions.
func allUncalled(parts []unrunIn) bool {
	return !slices.ContainsFunc(parts, func(p unrunIn) bool { return !p.uncalled })
}

// uncalled names the functions that nothing calls, not even tests; empty: there are none.
func uncalled(parts []unrunIn) prose.Text {
	list := slices.DeleteFunc(slices.Clone(parts), func(p unrunIn) bool { return !p.uncalled })
	if len(list) == 0 {
		return nil
	}
	return prose.Say("Nothing calls").And(prose.ListOf(namesOf(list), len(list), "function", "functions")).Plus(".")
}

// unrunPlace returns the lines of the first function of f, and the places of the others that the title names.
func unrunPlace(f Finding, parts []unrunIn) string {
	first, last := f.lines()
	var code []results.Code // of the first function
	for _, p := range parts {
		if p.mutants[0].Function == f.Mutant.Function {
			code = p.code
		}
	}
	where := edit.Place(f.Mutant)
	switch {
	case len(code) > 0 && len(code) <= maxUnrun:
		where = f.Mutant.File + ":" + edit.Ranges(code)
	case len(code) > 0:
		where = fmt.Sprintf("%s:%d–%d", f.Mutant.File, min(first, code[0].StartLine), max(last, code[len(code)-1].EndLine))
	case first < last:
		where = fmt.Sprintf("%s:%d–%d", f.Mutant.File, first, last)
	}
	for _, p := range parts[:min(len(parts), maxUnrun)] {
		switch m := p.mutants[0]; {
		case m.Function == f.Mutant.Function:
		case m.File == f.Mutant.File:
			where += ", " + p.first()
		default:
			where += ", " + m.File + ":" + p.first()
		}
	}
	return where
}

// first returns the first line of p that nothing runs.
func (p unrunIn) first() string {
	if len(p.code) > 0 {
		return prose.Exact(p.code[0].StartLine)
	}
	return prose.Exact(p.mutants[0].Line)
}

// linesOfParts returns the lines of the code that the title calls a part of a function.
func linesOfParts(parts []unrunIn) (p prose.Text) {
	parts = drawnParts(parts)
	for i, part := range parts {
		if i > 0 {
			p = p.Plus(";")
		}
		p = p.And(prose.Say(edit.LineNumbers(part.code...)))
		if len(parts) > 1 {
			p = p.And(prose.Say("of %s", part.name))
		}
	}
	return p
}

// drawnParts returns the parts whose code is shown.
func drawnParts(parts []unrunIn) []unrunIn {
	return slices.DeleteFunc(slices.Clone(parts[:min(len(parts), maxUnrun)]), func(p unrunIn) bool { return len(p.code) == 0 })
}

// maxDrawn is about how many lines of code that nothing runs are shown.
const maxDrawn = 8

// maxDrawnName is how many runes of the name of a function stand above its code.
const maxDrawnName = 70

// drawParts returns the first lines of the code that nothing runs, about as many of each function; empty: there are
// none.
func drawParts(parts []unrunIn) string {
	parts = drawnParts(parts)
	var all []string
	room := maxDrawn
	for i, p := range parts {
		name, share := "", room/(len(parts)-i)
		if len(parts) > 1 {
			name = prose.OneLine(p.name, maxDrawnName)
		}
		all = append(all, edit.Excerpt(name, p.code, share))
		room -= min(share, edit.LinesIn(p.code))
	}
	return strings.Join(all, "\n\n")
}

// never returns the code that would run if the condition that f is about had the value that it never has. It returns
// nil if that code is not known, or if f has more edits.
func (f Finding) never() *results.Code {
	if len(f.Also) > 0 || unseen(f.Mutant) == "" {
		return nil
	}
	return f.Mutant.Evidence.Never
}

// neverClaim says which tests evaluate a condition, and that it has the same value every time.
func neverClaim(m *results.Mutant) prose.Text {
	n, value := m.Evidence.Tests, "true"
	if neverTrue(m) {
		value = "false"
	}
	if n == 0 {
		return prose.Say("This condition is " + value + " whenever code comes to it.")
	}
	return runners(m).And(prose.Say(prose.Noun(n, "comes", "come") + " to this condition, which is " + value + " every time."))
}

// unrunWithin returns the survivors in the new code of the part of the change that m undoes; nil if anything runs a
// mutant there. If nothing does, tests only come to the place, as to a switch with a new case.
func unrunWithin(r *results.Results, m *results.Mutant) (list []*results.Mutant) {
	if !edit.IsReversal(m) {
		return nil
	}
	for i := range r.Mutants {
		o := &r.Mutants[i]
		switch {
		case edit.IsReversal(o) || o.File != m.File || o.Offset < m.Offset || o.EndOffset > m.EndOffset || !o.Evidence.OnDiff:
		case runs(o):
			return nil
		case o.Status == results.Survived:
			list = append(list, o)
		}
	}
	return list
}

// comesTo says which tests come to a part of the change without running the mutants within it.
func comesTo(m *results.Mutant, unrun []*results.Mutant) prose.Text {
	n, one, many := m.Evidence.Tests, "comes here, but does not run ", "come here, but none runs "
	if slices.ContainsFunc(unrun, func(m *results.Mutant) bool { return m.Evidence.Program || m.Reason != "" }) {
		one, many = "comes here, but is not seen to run ", "come here, but none is seen to run "
	}
	return runners(m).And(prose.Say(prose.Noun(n, one, many) + linesOf(unrun) + "."))
}

// linesOf names the lines at which mutants begin: one or two lines, or the first and the last of more.
func linesOf(list []*results.Mutant) string {
	var lines []int
	for _, m := range list {
		lines = append(lines, m.Line)
	}
	slices.Sort(lines)
	switch lines = slices.Compact(lines); len(lines) {
	case 1:
		return fmt.Sprintf("line %d", lines[0])
	case 2:
		return fmt.Sprintf("lines %d and %d", lines[0], lines[1])
	default:
		return fmt.Sprintf("some lines, from %d to %d,", lines[0], lines[len(lines)-1])
	}
}
