package story

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
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
func ending(c *results.Crash, place, innermost string) prose.Text {
	switch {
	case place != "" && innermost != "" && innermost != place && c.Kind != results.CrashHang:
		return prose.Say("%s, at %s, called from %s.", c.Message, innermost, place)
	case c.Kind == results.CrashHang && place == "":
		return prose.Say("It had not ended when it was stopped.")
	case c.Kind == results.CrashHang:
		return prose.Say("It had not ended when it was stopped, at %s.", place)
	case place == "":
		return prose.Say("%s.", c.Message)
	}
	return prose.Say("%s, at %s.", c.Message, place)
}

// maxMending is the number of lines up to which a diff of the whole change to a function is shown as the fix of a
// crash.
const maxMending = 12

func crashStory(r *results.Results, f finding.Finding) Story {
	c := f.Crash
	values := entryValues(r, c.Harness, c.Entry)
	s := Story{
		Label: label(f),
		Title: prose.Say("%s "+crashVerb(c.Kind), failing(r, c)),
		Claim: ending(c, "", "").And(origin(f)),
		Stack: prose.ShortenLines(c.Stack, maxStackLines),
	}
	if strings.TrimSpace(c.Message) == "" {
		s.Claim = origin(f)
	}
	if f.Mutant != nil {
		s.Place, s.Change, s.Drawn = edit.Place(f.Mutant), edit.Of(f.Mutant).Lines(maxDiffLines), prose.Say("This edit does that:")
		s.Mends = prose.Say("Undoing a part of the change fixes it.")
		if f.Mutant.Evidence.Whole && len(s.Change) > maxMending { // the author has just written these lines
			does := "It does not"
			if c.Introduced == results.IntroducedYes { // the sentence before says so of the base
				does = "Nor does it"
			}
			s.Change, s.Drawn, s.Mends = nil, nil, prose.Say(does+" fail with the whole change to %s undone.", fact.FunctionName(r, f.Mutant.Function))
		}
	} else if culprit, line := fact.Culprit(r, c); culprit != nil {
		s.Place = fmt.Sprintf("%s:%d", culprit.File, line)
	}
	if c.Call != "" {
		s.Stack = "" // the call tells more
		if culprit, line := fact.Culprit(r, c); culprit != nil {
			s.Claim = ending(c, fmt.Sprintf("%s:%d", culprit.File, line), failsAt(c)).And(origin(f))
		}
		s.Witness = prose.Say("%s "+crashVerb(c.Kind)+".", fact.Call(c.Setup, c.Call))
		switch {
		case strings.Contains(c.Before, becomes): // it describes an effect, so "gives" does not fit
			s.Witness = prose.Say("%s "+crashVerb(c.Kind)+"; without this change it does not.", fact.Call(c.Setup, c.Call))
		case c.Before != "":
			s.Witness = prose.Say("%s "+crashVerb(c.Kind)+"; without this change it gives %s.", fact.Call(c.Setup, c.Call), c.Before)
		}
		s.Unfiled = true
		s.Test, s.About, s.Asserts = c.Test, prose.Say("A test that shows it"), prose.Say("It asserts no result, only that the call returns. It passes without this change.")
		return s
	}
	s.Next = prose.Say("The input is in the artifact.")
	if values != "" {
		s.Title = s.Title.And(onInput(r, c))
		s.Witness = prose.Say("The input of %s is %s.", fact.Local(c.Harness), values)
		switch e := entryOf(r, c.Harness, c.Entry); {
		case !isTarget(r, c.Harness):
		case e.Path == "": // the tree has the entry already
			s.Next = prose.Say("To see it: %s.", GoTestOne(r, c.Harness, EntryName(r, c.Harness, c.Entry)))
		default:
			s.Next = prose.Say("To see it: %s, then %s.", "git apply corpus.patch", GoTestOne(r, c.Harness, c.Entry))
		}
	}
	return s
}

func isTarget(r *results.Results, harness string) bool {
	for i := range r.Harnesses {
		if h := &r.Harnesses[i]; h.Name == harness {
			return h.Kind == results.HarnessTarget
		}
	}
	return false
}

// oldStory returns the story of a test that fails in the form that it had before the change.
func oldStory(f finding.Finding) Story {
	s := Story{
		Label: label(f), Title: oldTitle(f),
		Ask: prose.Say("If the new behaviour is intended, add a test for it; if not, keep the deleted test."),
	}
	if f.Old.Change == results.TestKept {
		s.Ask = prose.Say("If the new behaviour is meant, " + prose.Noun(1+len(f.Lost), "the test has", "the tests have") + " to change with it.")
	}
	several := len(f.Lost) > 0
	switch message := firstLine(f.Old.Message); {
	case message != "" && several:
		s.Claim = messages(f.Tests())
	case message != "":
		s.Claim = prose.Say("%s.", message)
	}
	switch {
	case f.Mutant != nil:
		s.Place, s.Change, s.Drawn = edit.Place(f.Mutant), edit.Of(f.Mutant).Lines(maxDiffLines), prose.Say("This edit does that:")
		s.Mends = prose.Say(prose.Noun(1+len(f.Lost), "It passed before this change, and passes", "They passed before this change, and pass") + " again with a part of the change undone.")
	case several:
		s.Claim = s.Claim.And(prose.Say("They pass on the base."))
	default:
		s.Claim = s.Claim.And(prose.Say("It passes on the base."))
	}
	return s
}

// messages says how several tests fail, as far as they say so; of some of them.
func messages(tests []*results.OldTest) (p prose.Text) {
	said := ""
	for _, t := range tests[:named(len(tests))] {
		if message := firstLine(t.Message); message != "" && message != said {
			p, said = p.And(prose.Say("%s says %s.", fact.Local(t.Test), message)), message
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
func oldTitle(f finding.Finding) prose.Text {
	t := f.Old
	if len(f.Lost) > 0 {
		var names []string
		for _, t := range f.Tests() {
			names = append(names, fact.Local(t.Test))
		}
		list := prose.Listed(names[:named(len(names))], len(names), "test", "tests")
		if t.Change == results.TestKept {
			return list.And(prose.Say("fail since this change"))
		}
		return list.And(prose.Say("fail on the new code, and this change deletes them"))
	}
	if t.Change == results.TestKept {
		return prose.Say("%s "+oldVerb(t)+" since this change", fact.Local(t.Test))
	}
	return prose.Say("%s, which this change "+fact.DoneTo(t.Change)+", "+oldVerb(t)+" on the new code", fact.Local(t.Test))
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

func origin(f finding.Finding) prose.Text {
	switch {
	case f.Crash.Introduced == results.IntroducedYes:
		return prose.Say("The base does not fail on this input.")
	case f.Crash.Introduced == results.IntroducedNo:
		return prose.Say("It is not new: the base fails on this input, too.")
	case f.Brought():
		return nil
	default:
		return prose.Say("Whether the base fails on this input, too, is not known.")
	}
}
