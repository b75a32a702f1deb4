package report

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// frame matches the place of a stack's frame in a file of the analysed program.
var frame = regexp.MustCompile(`(?m)^\t([^/\s:][^\s:]*\.go:\d+)`)

// failsAt returns the place of the innermost frame of a crash that is in a file of the program; "" if there is none.
func failsAt(c *results.Crash) string {
	if found := frame.FindStringSubmatch(c.Stack); found != nil {
		return found[1]
	}
	return ""
}

// ending says how a crash ends and, unless place is empty, where. Innermost is where it fails if place, in a changed
// function, only leads there. For a hang, the message is replaced by the fact that it was stopped.
func ending(c *results.Crash, place, innermost string) prose {
	switch {
	case place != "" && innermost != "" && innermost != place && c.Kind != results.CrashHang:
		return say("%s, at %s, called from %s.", c.Message, innermost, place)
	case c.Kind == results.CrashHang && place == "":
		return say("It had not ended when it was stopped.")
	case c.Kind == results.CrashHang:
		return say("It had not ended when it was stopped, at %s.", place)
	case place == "":
		return say("%s.", c.Message)
	}
	return say("%s, at %s.", c.Message, place)
}

// maxMending is the number of lines up to which a diff of the whole change to a function is shown as the fix of a
// crash.
const maxMending = 12

func crashStory(r *results.Results, f Finding) story {
	c := f.Crash
	values := entryValues(r, c.Harness, c.Entry)
	s := story{
		label: label(f),
		title: say("%s "+crashVerb(c.Kind), failing(r, c)),
		claim: ending(c, "", "").and(origin(f)),
		stack: shortenLines(c.Stack, maxStackLines),
	}
	if strings.TrimSpace(c.Message) == "" {
		s.claim = origin(f)
	}
	if f.Mutant != nil {
		s.place, s.change, s.drawn = place(f.Mutant), changeOf(f.Mutant).lines(maxDiffLines), say("This edit does that:")
		s.mends = say("Undoing a part of the change fixes it.")
		if f.Mutant.Evidence.Whole && len(s.change) > maxMending { // the author has just written these lines
			does := "It does not"
			if c.Introduced == results.IntroducedYes { // the sentence before says so of the base
				does = "Nor does it"
			}
			s.change, s.drawn, s.mends = nil, nil, say(does+" fail with the whole change to %s undone.", functionName(r, f.Mutant.Function))
		}
	} else if culprit, line := culpritOf(r, c); culprit != nil {
		s.place = fmt.Sprintf("%s:%d", culprit.File, line)
	}
	if c.Call != "" {
		s.stack = "" // the call tells more
		if culprit, line := culpritOf(r, c); culprit != nil {
			s.claim = ending(c, fmt.Sprintf("%s:%d", culprit.File, line), failsAt(c)).and(origin(f))
		}
		s.witness = say("%s "+crashVerb(c.Kind)+".", callOf(c.Setup, c.Call))
		switch {
		case strings.Contains(c.Before, becomes): // it describes an effect, so "gives" does not fit
			s.witness = say("%s "+crashVerb(c.Kind)+"; without this change it does not.", callOf(c.Setup, c.Call))
		case c.Before != "":
			s.witness = say("%s "+crashVerb(c.Kind)+"; without this change it gives %s.", callOf(c.Setup, c.Call), c.Before)
		}
		s.test, s.about, s.asserts = c.Test, say("A test that shows it"), say("It asserts no result, only that the call returns. It passes without this change.")
		return s
	}
	s.next = say("The input is in the artifact.")
	if values != "" {
		s.title = s.title.and(onInput(r, c))
		s.witness = say("The input of %s is %s.", local(c.Harness), values)
		switch e := entryOf(r, c.Harness, c.Entry); {
		case !isTarget(r, c.Harness):
		case e.Path == "": // the tree has the entry already
			s.next = say("To see it: %s.", goTest(c.Harness, entryName(r, c.Harness, c.Entry)))
		default:
			s.next = say("To see it: %s, then %s.", "git apply corpus.patch", goTest(c.Harness, c.Entry))
		}
	}
	return s
}

// oldStory returns the story of a test that fails in the form that it had before the change.
func oldStory(f Finding) story {
	s := story{
		label: label(f), title: oldTitle(f),
		ask: say("If the new behaviour is intended, add a test for it; if not, keep the deleted test."),
	}
	if f.Old.Change == results.TestKept {
		s.ask = say("If the new behaviour is meant, " + noun(1+len(f.Lost), "the test has", "the tests have") + " to change with it.")
	}
	several := len(f.Lost) > 0
	switch message := firstLine(f.Old.Message); {
	case message != "" && several:
		s.claim = messages(f.tests())
	case message != "":
		s.claim = say("%s.", message)
	}
	switch {
	case f.Mutant != nil:
		s.place, s.change, s.drawn = place(f.Mutant), changeOf(f.Mutant).lines(maxDiffLines), say("This edit does that:")
		s.mends = say(noun(1+len(f.Lost), "It passed before this change, and passes", "They passed before this change, and pass") + " again with a part of the change undone.")
	case several:
		s.claim = s.claim.and(say("They pass on the base."))
	default:
		s.claim = s.claim.and(say("It passes on the base."))
	}
	return s
}

// messages says how several tests fail, as far as they say so; of some of them.
func messages(tests []*results.OldTest) (p prose) {
	said := ""
	for _, t := range tests[:min(len(tests), maxRunners)] {
		if message := firstLine(t.Message); message != "" && message != said {
			p, said = p.and(say("%s says %s.", local(t.Test), message)), message
		}
	}
	return p
}

// firstLine returns the first line of a message, without what package testing adds to panics.
func firstLine(message string) string {
	first, _, _ := strings.Cut(message, "\n")
	first = strings.TrimPrefix(first, "panic: ") // the verb already says so
	return strings.TrimSpace(strings.TrimSuffix(first, " [recovered, repanicked]"))
}

// oldTitle says which test fails and how, or which tests fail.
func oldTitle(f Finding) prose {
	t := f.Old
	if len(f.Lost) > 0 {
		var names []string
		for _, t := range f.tests() {
			names = append(names, local(t.Test))
		}
		list := listed(names[:min(len(names), maxRunners)], len(names), "test", "tests")
		if t.Change == results.TestKept {
			return list.and(say("fail since this change"))
		}
		return list.and(say("fail on the new code, and this change deletes them"))
	}
	if t.Change == results.TestKept {
		return say("%s "+oldVerb(t)+" since this change", local(t.Test))
	}
	return say("%s, which this change "+doneTo[t.Change]+", "+oldVerb(t)+" on the new code", local(t.Test))
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

// crashInfinitive is crashVerb in the form that follows "makes it".
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

func origin(f Finding) prose {
	switch {
	case f.Crash.Introduced == results.IntroducedYes:
		return say("The base does not fail on this input.")
	case f.Crash.Introduced == results.IntroducedNo:
		return say("It is not new: the base fails on this input, too.")
	case f.brought():
		return nil
	default:
		return say("Whether the base fails on this input, too, is not known.")
	}
}
