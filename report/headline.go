package report

import (
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// headline names the worst of what there is to see, or says why there is nothing.
func headline(r *results.Results, s *Selection) prose {
	switch {
	case len(s.Open) > 0 && s.Open[0].Crash != nil:
		return crashHeadline(r, s.Open[0])
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
	who, verb := culprit(r, f.Crash), crashVerb(f.Crash.Kind)
	p := say("%s "+verb, who)
	if f.Kind == CrashIntroduced {
		p = say("this change makes %s "+infinitive[verb], who)
	}
	if values := valuesOf(r, f.Crash); values != "" {
		p = p.and(say("on %s", OneLine(values, maxInHeadline)))
	}
	return p
}

// infinitive has the verbs of crashes as they follow "makes it".
var infinitive = map[string]string{
	"does not end": "run without end", "kills the process": "kill the process", "fails": "fail", "panics": "panic",
}

// culprit is the function in scope that a crash's stack names first; without one, the harness.
func culprit(r *results.Results, c *results.Crash) string {
	for line := range strings.Lines(c.Stack) {
		line = strings.NewReplacer("(*", "", ")", "").Replace(line)
		for i := range r.Scope {
			if name, args, ok := strings.Cut(line, r.Scope[i].ID); ok && name == "" && strings.HasPrefix(args, "(") {
				return functionName(r, r.Scope[i].ID)
			}
		}
	}
	return local(c.Harness)
}

// valuesOf are the arguments of a crash's entry as Go source; "" if they are unknown.
func valuesOf(r *results.Results, c *results.Crash) string {
	for i := range r.Corpus.New {
		if e := &r.Corpus.New[i]; e.ID == c.Entry && e.Harness == c.Harness {
			return strings.Join(e.Values, ", ")
		}
	}
	return ""
}

func mutantHeadline(r *results.Results, f Finding) prose {
	name := functionName(r, f.Mutant.Function)
	switch {
	case f.Kind == Reversal && f.Mutant.Exposed():
		return say("without this change %s gives other results, and no test notices", name)
	case f.Kind == Reversal:
		return say("part of the change to %s can be undone, and no test notices", name)
	case f.Mutant.Stage == results.NotReached:
		return say("nothing runs %s", name)
	case f.Mutant.Exposed():
		return say("%s can give other results, and no test notices", name)
	default:
		return say("%s can be altered, and no test notices", name)
	}
}
