package evidence

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// digits is the source of a function with a branch, two clauses and a last statement.
const digits = `package p

func digits(s string) int {
	if s == "" {
		log(s)

		return 6
	}
	switch s {
	case "8":
		return 8
	// all others
	default:
		return 7
	}
	done()
}
`

// unrunFixture is an analysis of digits. A mutant on line 7 survived, and nothing reached it.
type unrunFixture struct {
	function diffscope.Function
	mutant   *Mutant
	other    *Mutant // nil: there is none
	woven    *weave.Woven
}

// newUnrunFixture returns a fixture with six blocks: the if statement, the switch statement, the branch of the former,
// the two clauses of the latter, and the last statement.
func newUnrunFixture() *unrunFixture {
	x := &unrunFixture{
		function: diffscope.Function{
			Function: results.Function{ID: "p.digits", File: "p.go", StartLine: 3, EndLine: 17, Reason: results.ReasonAdded},
			Changed:  []diffscope.Lines{{First: 1, Last: 17}},
		},
		mutant: &Mutant{
			Source: []byte(digits), Tests: &judge.Decision{Decision: ledger.Decision{Status: ledger.Survived}},
			Mutant: &weave.Mutant{Block: 2, Mutant: &mutate.Mutant{Function: "p.digits", File: "p.go", Line: 7}},
		},
		woven: &weave.Woven{Funcs: []weave.FuncBlocks{{ID: "p.digits", End: 6}}},
	}
	x.block("if s ==", "\n\tswitch", "")
	x.block("switch", "\n\tdone()", "")
	x.block("log(s)", "\n\t}\n\tswitch", `if s == "" `)
	x.block(`case "8"`, "\n\t// all", "")
	x.block("default", "\n\t}\n\tdone", "")
	x.block("done()", "\n}\n", "")
	return x
}

// block adds a block. Its code begins at the text from and ends before the next text to. An empty head is none.
func (x *unrunFixture) block(from, to, head string) {
	start := strings.Index(digits, from)
	b := weave.Block{File: "p.go", Line: 4, Code: mutate.Span{Start: start, End: start + strings.Index(digits[start:], to)}}
	if head != "" {
		at := strings.Index(digits, head)
		b.Head = mutate.Span{Start: at, End: at + len(head)}
	}
	x.woven.Blocks = append(x.woven.Blocks, b)
}

// unrun returns the places that nothing runs, where ran are the blocks that run.
func (x *unrunFixture) unrun(ran ...int) (list []string) {
	set := map[int]bool{}
	for _, n := range ran {
		set[n] = true
	}
	mutants := Mutants{x.mutant}
	if x.other != nil {
		mutants = append(mutants, x.other)
	}
	for _, c := range mutants.Unrun([]diffscope.Function{x.function}, x.woven, set)[0].Unrun {
		list = append(list, fmt.Sprintf("%d-%d %s: %s", c.StartLine, c.EndLine, c.Under, c.Source))
	}
	return list
}

func TestWhatTheChangeTouchesAndNothingRunsIsKnown(t *testing.T) {
	const branch, eight, seven = "\t\tlog(s)\n\n\t\treturn 6", "\tcase \"8\":\n\t\treturn 8", "\tdefault:\n\t\treturn 7"
	tests := map[string]struct {
		ran   []int
		alter func(*unrunFixture)
		want  []string
	}{
		"blocks":                     {[]int{0, 1, 4}, nil, []string{`5-7 if s == "": ` + branch, "10-11 : " + eight, "16-16 : \tdone()"}},
		"blocks side by side":        {[]int{0, 1, 2, 5}, func(x *unrunFixture) { x.mutant.Block = 3 }, []string{"10-14 : " + eight + "\n\t// all others\n" + seven}},
		"all that did not run":       {nil, nil, []string{"4-16 : " + digits[strings.Index(digits, "\tif"):strings.Index(digits, "\n}\n")]}},
		"what is in another one":     {[]int{0, 5}, nil, []string{`5-7 if s == "": ` + branch, "9-15 : " + digits[strings.Index(digits, "\tswitch"):strings.Index(digits, "\n\tdone")]}},
		"the other branch":           {[]int{0, 1, 3, 4, 5}, func(x *unrunFixture) { x.woven.Blocks[2].Else = true }, []string{`5-7 if s == "" … else: ` + branch}},
		"a head of several lines":    {[]int{0, 1, 3, 4, 5}, func(x *unrunFixture) { x.woven.Blocks[2].Head.End += 5 }, []string{"5-7 : " + branch}},
		"lines that changed":         {[]int{0, 1, 3, 4, 5}, changed(6, 7), []string{`7-7 if s == "": ` + "\t\treturn 6"}},
		"lines apart":                {nil, changed(5, 5, 9, 11, 15, 16), []string{"5-5 : \t\tlog(s)", "9-11 : \tswitch s {\n" + eight, "16-16 : \tdone()"}},
		"only what others end":       {nil, changed(8, 8, 15, 15), nil},
		"no line that changed":       {nil, func(x *unrunFixture) { x.function.Changed = nil }, nil},
		"all of a package":           {[]int{0, 1, 3, 4, 5}, inScope(results.ReasonAll), []string{`5-7 if s == "": ` + branch}},
		"code of changed tests":      {[]int{0, 1, 3, 4, 5}, inScope(results.ReasonTestChanged), []string{`5-7 if s == "": ` + branch}},
		"what uses what changed":     {nil, inScope(results.ReasonUsesChanged), nil},
		"lines that are ignored":     {[]int{0, 1, 3, 4}, ignored(16), []string{`5-7 if s == "": ` + branch}},
		"a mutant elsewhere":         {[]int{0, 1, 3, 4}, another(func(*Mutant) {}), []string{`5-7 if s == "": ` + branch, "16-16 : \tdone()"}},
		"one that was reached":       {[]int{0, 1, 3, 4}, another(func(m *Mutant) { m.Reached = true }), []string{`5-7 if s == "": ` + branch}},
		"a mutant that was reached":  {[]int{0, 1}, func(x *unrunFixture) { x.mutant.Reached = true }, nil},
		"a mutant that was killed":   {nil, func(x *unrunFixture) { x.mutant.Tests.Status = ledger.Killed }, nil},
		"no verdict":                 {nil, func(x *unrunFixture) { x.mutant.Tests = nil }, nil},
		"tests that did not run":     {nil, func(x *unrunFixture) { x.mutant.Tests.Reason = "not all tests ran in time" }, nil},
		"tests of dependents":        {[]int{0, 1, 3, 4, 5}, func(x *unrunFixture) { x.mutant.Tests.Reason, x.mutant.Tests.OwnOnly = "not all ran in time", true }, []string{`5-7 if s == "": ` + branch}},
		"what is not followed":       {nil, func(x *unrunFixture) { x.mutant.Unseen = true }, nil},
		"another function":           {nil, func(x *unrunFixture) { x.mutant.Function = "p.other" }, nil},
		"another one of that name":   {nil, func(x *unrunFixture) { x.function.StartLine, x.function.EndLine = 20, 30 }, nil},
		"code of a function literal": {nil, func(x *unrunFixture) { x.woven.Funcs[0].ID = "" }, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			x := newUnrunFixture()
			if test.alter != nil {
				test.alter(x)
			}
			if diff := cmp.Diff(test.want, x.unrun(test.ran...)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// changed sets the changed lines. They are given in pairs: first line, last line.
func changed(lines ...int) func(*unrunFixture) {
	return func(x *unrunFixture) {
		x.function.Changed = nil
		for i := 0; i < len(lines); i += 2 {
			x.function.Changed = append(x.function.Changed, diffscope.Lines{First: lines[i], Last: lines[i+1]})
		}
	}
}

// inScope puts the function in scope for a reason, without changed lines.
func inScope(reason string) func(*unrunFixture) {
	return func(x *unrunFixture) { x.function.Reason, x.function.Changed = reason, nil }
}

// ignored adds a mutant on a line, which a comment ignores.
func ignored(line int) func(*unrunFixture) {
	return another(func(m *Mutant) { m.Line, m.Ignored = line, "known" })
}

// another adds a mutant of the last statement and alters it.
func another(alter func(*Mutant)) func(*unrunFixture) {
	return func(x *unrunFixture) {
		x.other = &Mutant{Mutant: &weave.Mutant{Block: 5, Mutant: &mutate.Mutant{Function: "p.digits", File: "p.go", Line: 16}}}
		alter(x.other)
	}
}

func TestPlacesThatNothingRunsAreBounded(t *testing.T) {
	x := newUnrunFixture()
	x.woven.Blocks = nil
	for range 3 * results.MaxUnrun {
		x.block("done()", "\n}\n", "")
	}
	var many strings.Builder
	many.WriteString("package p\n\nfunc digits(s string) int {\n")
	for i := range 3 * results.MaxUnrun {
		start := many.Len() + 1
		fmt.Fprintf(&many, "\t%s\n\tran()\n", strings.Repeat("f()\n", 1+i%2*40)+strings.Repeat("é", i*100))
		x.woven.Blocks[i].Code = mutate.Span{Start: start, End: many.Len() - len("\n\tran()\n")}
	}
	x.mutant.Source, x.function.Changed, x.function.EndLine = []byte(many.String()), []diffscope.Lines{{First: 1, Last: 10_000}}, 10_000
	list := (Mutants{x.mutant}).Unrun([]diffscope.Function{x.function}, x.woven, map[int]bool{})[0].Unrun
	if len(list) != results.MaxUnrun {
		t.Errorf("%d places", len(list))
	}
	for _, c := range list {
		if n := strings.Count(c.Source, "\n") + 1; n > results.MaxCodeLines || len(c.Source) > results.MaxCodeBytes || strings.ToValidUTF8(c.Source, "") != c.Source {
			t.Errorf("%d lines, %d bytes: %q", n, len(c.Source), c.Source)
		}
	}
}

func TestCodeThatIsNeverDoneIsThatOfTheOtherBranch(t *testing.T) {
	tests := map[string]struct {
		source, condition string
		otherwise         string // the else branch, if that is the one that never runs
		want              *results.Code
	}{
		"the branch of a condition that never holds": {"\tif a {\n\t\tf()\n\t\tg()\n\t}\n", "a", "", &results.Code{StartLine: 2, EndLine: 3, Source: "\t\tf()\n\t\tg()"}},
		"that has another one":                       {"\tif a {\n\t\tf()\n\t} else {\n\t\tg()\n\t}\n", "a", "", &results.Code{StartLine: 2, EndLine: 2, Source: "\t\tf()"}},
		"the other one of one that always holds":     {"\tif a {\n\t\tf()\n\t} else {\n\t\tg()\n\t}\n", "a", "{\n\t\tg()\n\t}", &results.Code{StartLine: 4, EndLine: 4, Source: "\t\tg()"}},
		"that is another statement":                  {"\tif a {\n\t\tf()\n\t} else if b {\n\t\tg()\n\t}\n", "a", "if b {\n\t\tg()\n\t}", &results.Code{StartLine: 3, EndLine: 5, Source: "if b {\n\t\tg()\n\t}"}},
		"one without statements":                     {"\tif a {\n\t\tf()\n\t} else {\n\t}\n", "a", "{\n\t}", nil},
		"on a line":                                  {"\tif a { f() }\n", "a", "", &results.Code{StartLine: 1, EndLine: 1, Source: "f()"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			at := strings.Index(test.source, test.condition)
			m := &Mutant{
				Source: []byte(test.source), Tests: &judge.Decision{Decision: ledger.Decision{Status: ledger.Survived}}, Reached: true,
				Mutant: &weave.Mutant{Probed: true, Mutant: &mutate.Mutant{Offset: at, EndOffset: at + len(test.condition)}},
			}
			if test.otherwise == "" {
				m.BranchEnd = at + strings.IndexByte(test.source[at:], '}') + 1
			} else {
				start := strings.Index(test.source, test.otherwise)
				m.Else = mutate.Span{Start: start, End: start + len(test.otherwise)}
			}
			if diff := cmp.Diff(test.want, m.result().Evidence.Never); diff != "" || !m.result().Evidence.Same {
				t.Errorf("-want +got:\n%s", diff)
			}
			m.Exposed = &results.ExposedBy{Driver: true}
			if !m.result().Evidence.Same {
				t.Error("it is not known any more once a driver shows it")
			}
			if m.Infected = true; m.result().Evidence.Never != nil || m.result().Evidence.Same {
				t.Error("some run had the other value")
			}
			if m.Infected, m.Probed = false, false; m.result().Evidence.Never != nil || m.result().Evidence.Same {
				t.Error("it is not known whether some run had the other value")
			}
		})
	}
}
