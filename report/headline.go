package report

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// headline names the worst of what there is to see, or says why there is nothing.
func headline(r *results.Results, s *Selection) prose {
	switch {
	case len(s.Open) > 0 && s.Open[0].Crash != nil:
		return crashHeadline(r, s.Open[0])
	case len(s.Open) > 0 && s.Open[0].Old != nil:
		return oldTitle(s.Open[0].Old)
	case len(s.Open) > 0:
		return mutantHeadline(r, s.Open[0])
	case tallyOf(r).judged() == 0:
		return say("nothing was judged")
	case len(s.Closed) > 0:
		return say("nothing left to look at")
	case len(Candidates(r)) > len(Findings(r)):
		return say("nothing confirmed in time")
	case tallyOf(r).notRun > 0:
		return say("nothing found in what was judged")
	default:
		return say("nothing to report")
	}
}

// maxInHeadline is how much of an input a headline has, in runes.
const maxInHeadline = 40

// crashHeadline says what fails, and on which input.
func crashHeadline(r *results.Results, f Finding) prose {
	who := culprit(r, f.Crash)
	p := say("%s "+crashVerb(f.Crash.Kind), who)
	if f.brought() {
		p = say("this change makes %s "+crashInfinitive(f.Crash.Kind), who)
	}
	if values := entryValues(r, f.Crash.Harness, f.Crash.Entry); values != "" {
		p = p.and(say("on %s", OneLine(values, maxInHeadline)))
	}
	return p
}

// withoutReceiver writes methods in stacks as IDs of functions are written.
var withoutReceiver = strings.NewReplacer("(*", "", ")", "")

// culprit names the function in scope that a crash's stack names first; without one, the harness.
func culprit(r *results.Results, c *results.Crash) string {
	if f := culpritOf(r, c); f != nil {
		return functionName(r, f.ID)
	}
	return local(c.Harness)
}

// culpritOf is the function in scope that a crash's stack names first; nil: there is none.
func culpritOf(r *results.Results, c *results.Crash) *results.Function {
	if c == nil {
		return nil
	}
	lines := 0
	for line := range strings.Lines(c.Stack) {
		if lines++; lines > maxStackSearched {
			break
		}
		line = withoutReceiver.Replace(line)
		for i := range r.Scope {
			rest, ok := strings.CutPrefix(line, r.Scope[i].ID)
			if ok && (strings.HasPrefix(rest, "(") || strings.TrimSpace(rest) == "") { // with arguments, or without
				return &r.Scope[i]
			}
		}
	}
	return nil
}

// entryValues are the arguments of a new entry as Go source; "" if they are unknown.
func entryValues(r *results.Results, harness, id string) string {
	for i := range r.Corpus.New {
		if e := &r.Corpus.New[i]; e.ID == id && e.Harness == harness {
			return argumentsOf(e)
		}
	}
	return ""
}

// argumentsOf are the arguments of an entry as a caller would write them.
func argumentsOf(e *results.Entry) string {
	list := slices.Clone(e.Values)
	for i, value := range list {
		if text, ok := strings.CutPrefix(value, "string("); ok && strings.HasPrefix(text, `"`) {
			list[i] = strings.TrimSuffix(text, ")")
		}
	}
	return strings.Join(list, ", ")
}

func mutantHeadline(r *results.Results, f Finding) prose {
	if f.Kind == NotRun {
		return unrunTitle(r, f)
	}
	c := changeOf(f.Mutant)
	if p := title(r, f, c); f.Kind == Behaviour || isReversal(f.Mutant) {
		return p
	}
	return say("%s can be altered, and no test fails", functionName(r, f.Mutant.Function))
}
