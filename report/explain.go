package report

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// ErrUnknownMutant is wrapped by errors about an ID that names no mutant, or
// an abbreviation that names several.
var ErrUnknownMutant = errors.New("unknown mutant")

// Explain writes to w all that r knows of one mutant: the diff, how far it
// got, the input, and how to reproduce it. The ID may be abbreviated.
func Explain(w io.Writer, r *results.Results, id string, o TextOptions) error {
	m, err := find(r, id)
	if err != nil {
		return err
	}
	t := newText(o)
	t.line(t.bold("mutant " + oneLine(m.ID)))
	t.line(t.plain(say("%s in %s, by operator %s", place(m), functionName(r, m.Function), m.Operator)))
	t.diff(changeOf(m).lines())
	t.line("")
	t.wrap(state(m))
	t.evidence(r, m)
	t.line("")
	if m.ExposedBy != nil && m.ExposedBy.Test != "" {
		t.line("print its test:   mutantfuzz explain --test " + shellQuote(oneLine(m.ID)))
	}
	_, err = io.WriteString(w, t.String())
	return err
}

// evidence tells what was found out about m, and the way to see it again.
func (t *text) evidence(r *results.Results, m *results.Mutant) {
	if k := m.KilledBy; k != nil {
		t.wrap(killer(k))
		if k.Entry != "" {
			t.wrap(say("The input is entry %s in the corpus folder of the output.", k.Entry))
		}
	}
	if m.Status != results.Survived {
		return
	}
	s := tell(r, mutantFinding(m))
	t.wrap(s.claim)
	t.wrap(s.witness.and(s.ask))
	if x := m.ExposedBy; x != nil {
		t.wrap(say("The input is entry %s of %s.", x.Entry, x.Harness))
	}
	if s.test != "" {
		t.line("")
		t.wrap(say("A test that says so, for %s:", s.where))
		t.block(s.test)
	}
}

// state says what the verdict is and what the stage means.
func state(m *results.Mutant) prose {
	switch m.Status {
	case results.Killed:
		return say("killed: something fails with this change")
	case results.Survived:
		return say("survived: " + stageWords(m.Stage))
	case results.Equivalent:
		return say("equivalent: this change makes no difference (%s)", m.Reason)
	case results.Unviable:
		return say("unviable: this change does not compile (%s)", m.Reason)
	case results.Ignored:
		return say("ignored: %s", m.Reason)
	case results.NotRun:
		return say("not run: %s", m.Reason)
	default:
		return say("pending: not judged yet")
	}
}

// stageWords says how far a survivor got (Li, Offutt: Test Oracle Strategies
// for Model-Based Testing, TSE 2017).
func stageWords(stage string) string {
	switch stage {
	case results.NotReached:
		return "nothing runs the code"
	case results.Reached:
		return "the code runs, but the change never made a difference there"
	case results.Infected:
		return "the change made a difference where it is, which nothing outside could see"
	default:
		return "the change made a difference that can be seen, and nothing asserts it"
	}
}

func killer(k *results.KilledBy) prose {
	how := map[string]string{
		results.KindTest:  "an assertion fails",
		results.KindEntry: "an assertion fails on an input",
		results.KindCrash: "it crashes",
		results.KindHang:  "it does not end",
	}[k.Kind]
	switch k.By {
	case results.ByDriver:
		return say("With it, "+how+" in %s, a generated driver: its input may be one that no caller can make.", k.Name)
	default:
		return say("With it, "+how+" in %s.", k.Name)
	}
}

// RegressionTest returns the Go source of a test that asserts what the program
// does where the mutant differs. The ID may be abbreviated. The source is as
// the results have it: meant for a file, not for a terminal.
func RegressionTest(r *results.Results, id string) (string, error) {
	m, err := find(r, id)
	if err != nil {
		return "", err
	}
	if m.ExposedBy == nil || m.ExposedBy.Test == "" {
		return "", fmt.Errorf("no test can be written for mutant %q: no known input exposes it through a call with a result to compare\nhint: \"mutantfuzz explain %s\" says what is known of it", m.ID, shellQuote(m.ID))
	}
	return m.ExposedBy.Test, nil
}

// find returns the mutant whose ID is id, or else the only one whose ID
// starts with id.
func find(r *results.Results, id string) (*results.Mutant, error) {
	const hint = "\nhint: \"mutantfuzz list\" and results.json have the IDs"
	var found *results.Mutant
	for i := range r.Mutants {
		switch m := &r.Mutants[i]; {
		case m.ID == id:
			return m, nil
		case id == "" || !strings.HasPrefix(m.ID, id):
		case found != nil:
			return nil, fmt.Errorf("%w: %q is the start of several IDs%s", ErrUnknownMutant, id, hint)
		default:
			found = m
		}
	}
	if found == nil {
		return nil, fmt.Errorf("%w: %q is not in these results%s", ErrUnknownMutant, id, hint)
	}
	return found, nil
}
