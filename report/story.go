package report

import (
	"fmt"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// story is a finding in words, for all renderers.
type story struct {
	title   prose
	change  []string // lines of a diff; none for a crash
	claim   prose    // what is wrong, with the evidence
	witness prose    // an input, and what comes of it; may be empty
	ask     prose    // for the behaviour that is meant
	next    prose    // what to do
	test    string   // Go source of a test; empty: there is none
	where   string   // the file that test belongs in
	stack   string   // of a crash
}

// storyOf returns the story of f, a finding of r.
func storyOf(r *results.Results, f Finding) story {
	if f.Crash != nil {
		return crashStory(r, f)
	}
	m := f.Mutant
	c := changeOf(m)
	s := story{
		title:  say("%s", f.where()).and(title(f, c)),
		change: c.lines(),
		claim:  claim(m, c),
		ask:    ask(f),
		next:   say("%s has the whole story.", "mutantfuzz explain "+shellQuote(m.ID)),
	}
	if !m.Verified {
		s.claim = s.claim.and(say("This verdict was not confirmed by a rebuild."))
	}
	if x := m.ExposedBy; m.Exposed() && x != nil {
		s.witness = witness(x, second(c))
		s.test, s.where = x.Test, x.TestFile
	}
	return s
}

// where names the place of f for people.
func (f Finding) where() string {
	if f.Crash != nil {
		return local(f.Crash.Harness)
	}
	return place(f.Mutant)
}

func place(m *results.Mutant) string { return fmt.Sprintf("%s:%d", m.File, m.Line) }

func title(f Finding, c change) prose {
	switch m := f.Mutant; {
	case f.Kind == Reversal:
		return say("this change can be undone and no test notices")
	case m.Stage == results.NotReached:
		return say("no test or fuzz target runs this line")
	case c.removes():
		return say("this can be left out and no test notices")
	case m.Category == results.CategoryRelational:
		return say("no test pins this bound down")
	case m.Category == results.CategoryConnector:
		return say("no test tells these conditions apart")
	case m.Category == results.CategoryArithmetic:
		return say("no test depends on this calculation")
	default:
		return say("no test notices a change of this line")
	}
}

// second names the mutant in a sentence, as in "none fails with ...".
func second(c change) string {
	switch {
	case c.removes():
		return "without it"
	case c.adds():
		return "with it"
	default:
		return "with the second version"
	}
}

// claim says who ran the mutated code and did not fail.
func claim(m *results.Mutant, c change) prose {
	if m.Stage == results.NotReached {
		return say("No test or fuzz target runs this line, so nothing can fail " + second(c) + ".")
	}
	var runners []string
	if m.Evidence.Tests > 0 {
		runners = append(runners, plural(m.Evidence.Tests, "test", "tests"))
	}
	if n := m.Evidence.Execs; n > 0 {
		runners = append(runners, count(n)+" fuzzing "+noun(int(min(n, 2)), "input", "inputs"))
	}
	switch single := m.Evidence.Tests+int(min(m.Evidence.Execs, 2)) == 1; {
	case len(runners) == 0:
		return say("This line runs, and nothing fails " + second(c) + ".")
	case single:
		return say(runners[0] + " runs this line; it does not fail " + second(c) + ".")
	default:
		return say(strings.Join(runners, " and ") + " run this line; none fails " + second(c) + ".")
	}
}

// witness says on which input program and mutant differ, and how.
func witness(x *results.ExposedBy, second string) prose {
	if x.Call != "" {
		return say("%s returns %s; "+second+", %s.", x.Call, x.Original, x.Mutant)
	}
	return say("On entry %s of %s, %s gives %s; "+second+", %s.", x.Entry, local(x.Harness), x.Site, x.Original, x.Mutant)
}

func ask(f Finding) prose {
	switch m := f.Mutant; {
	case m.Exposed():
		return say("Which one is meant?")
	case f.Kind == Reversal:
		return say("What is this change meant to guarantee? A test that needs it would say so.")
	case m.Stage == results.NotReached:
		return say("What is it meant to do? A test that runs it would say so.")
	default:
		return say("Are both right? If not, a test that tells them apart would say which is meant.")
	}
}

func crashStory(r *results.Results, f Finding) story {
	c := f.Crash
	s := story{
		title: say("%s", f.where()).and(say(crashVerb(c.Kind))),
		claim: say("%s.", c.Message).and(origin(f.Kind)),
		ask:   say("What is meant to happen here?"),
		stack: shortenLines(c.Stack, maxStackLines),
	}
	if strings.TrimSpace(c.Message) == "" {
		s.claim = origin(f.Kind)
	}
	s.witness = say("The input is entry %s.", c.Entry)
	s.next = say("The entry is in the artifact.")
	if values := valuesOf(r, c); values != "" {
		s.witness = say("The input is %s.", values)
		if isTarget(r, c.Harness) {
			s.next = say("After %s, %s runs it.", "git apply corpus.patch", goTest(c.Harness, c.Entry))
		}
	}
	return s
}

func crashVerb(kind string) string {
	switch kind {
	case results.CrashHang:
		return "does not end"
	case results.CrashFatal:
		return "kills the process"
	case results.CrashFailure:
		return "fails"
	default:
		return "panics"
	}
}

// crashInfinitive is crashVerb as it follows "makes it".
func crashInfinitive(kind string) string {
	switch kind {
	case results.CrashHang:
		return "run without end"
	case results.CrashFatal:
		return "kill the process"
	case results.CrashFailure:
		return "fail"
	default:
		return "panic"
	}
}

func origin(k Kind) prose {
	switch k {
	case CrashIntroduced:
		return say("This change introduced it: the base does not fail on this input.")
	case CrashOnBase:
		return say("It is not new: the base fails on this input, too.")
	default:
		return say("Whether this change introduced it is not known: no base could be run on this input.")
	}
}

func isTarget(r *results.Results, harness string) bool {
	for i := range r.Harnesses {
		if h := &r.Harnesses[i]; h.Name == harness {
			return h.Kind == results.HarnessTarget
		}
	}
	return false
}

// splitName splits the name of a harness, import/path.Name, where the path may
// have dots of its own.
func splitName(harness string) (pkg, name string) {
	dot := strings.LastIndexByte(harness, '.')
	if dot < 0 {
		return ".", harness
	}
	return harness[:dot], harness[dot+1:]
}

// local returns the name of a harness without its import path.
func local(harness string) string {
	_, name := splitName(harness)
	return name
}

// functionName returns the name of the function id without its import path.
func functionName(r *results.Results, id string) string {
	for i := range r.Scope {
		if f := &r.Scope[i]; f.ID == id && f.Name != "" {
			return f.Name
		}
	}
	return id
}
