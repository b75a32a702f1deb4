package report

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
	"github.com/mutantfuzz/mutantfuzz/report/story"
)

// maxNamed is the maximum number of mutants that an error names, and of tests that an explanation names.
const maxNamed = 5

// ErrUnknownMutant is wrapped by errors about an ID that matches no mutant, or an abbreviation that matches several.
var ErrUnknownMutant = errors.New("unknown mutant")

// ExplainOptions control what Explain writes. The zero value is ready to use.
type ExplainOptions struct {
	TextOptions
	Operator func(name string) string // describes an operator; nil: only its name is shown
	File     string                   // the file of the results, for commands to repeat; "": the default
}

// Explain writes to w all that r knows about one mutant: its diff, how far it got, the input that shows it, and how to
// reproduce the verdict. The ID may be abbreviated.
func Explain(w io.Writer, r *results.Results, id string, o ExplainOptions) error {
	m, err := Mutant(r, id)
	if err != nil {
		return err
	}
	t := newText(o.TextOptions)
	t.line(t.bold("mutant " + prose.Inline(m.ID)))
	t.line(t.plain(prose.Say("%s in %s, by operator %s", edit.Place(m), fact.FunctionName(r, m.Function), m.Operator)))
	if o.Operator != nil {
		t.about(o.Operator(m.Operator))
	}
	if edit.IsReversal(m) {
		t.line("This edit undoes a part of the change:")
	} else {
		t.line("This edit:")
	}
	t.diff(edit.Drawn(m, maxExplained))
	t.line("")
	t.wrap(state(m))
	if p := ranBy(m); len(p) > 0 {
		t.wrap(p)
	}
	t.evidence(r, m)
	t.line("")
	if m.ExposedBy != nil && m.ExposedBy.Test != "" {
		t.line("print its test:   mutantfuzz explain --test " + prose.ShellWord(prose.Inline(m.ID)))
	}
	if m.Status == results.Killed || m.Status == results.Survived {
		t.line("see it again:")
		for _, command := range commands(r, m, o.File) {
			t.line("    " + command)
		}
	}
	_, err = io.WriteString(w, t.String())
	return err
}

// about writes the description of the mutant's operator, if there is one.
func (t *text) about(doc string) {
	if doc != "" {
		t.wrap(prose.Text(nil).Plus(doc))
	}
}

// input writes the arguments of the input that m's verdict rests on.
func (t *text) input(r *results.Results, m *results.Mutant) {
	e := story.EntryOf(r, m)
	if e == nil || len(e.Values) == 0 {
		return
	}
	t.line("Its arguments:")
	t.block(strings.Join(e.Values, "\n"))
}

// evidence writes what was found out about m.
func (t *text) evidence(r *results.Results, m *results.Mutant) {
	if k := m.KilledBy; k != nil {
		p := killer(k)
		if m.Reason != "" {
			p = p.And(prose.Say("Note: %s.", m.Reason))
		}
		t.wrap(p)
		if k.Entry != "" {
			t.wrap(prose.Say("The input is entry %s in the corpus folder of the output.", k.Entry))
			t.input(r, m)
		}
		if p = tried(m); len(p) > 0 {
			t.wrap(p)
		}
	}
	if m.Status != results.Survived {
		return
	}
	f, why := finding.Alone(r, m)
	s := story.Of(r, f)
	if s.Code != "" {
		t.wrap(s.Title.Plus(":"))
		t.block(prose.Source(s.Code))
	}
	if m.Evidence.Seldom {
		s.Claim = prose.Say("%s.", m.Reason)
	}
	t.wrap(s.Claim)
	t.wrap(s.Witness.And(s.Ask))
	if x := m.ExposedBy; x != nil && x.Entry != "" {
		t.wrap(prose.Say("The input is entry %s of %s.", x.Entry, x.Harness))
		t.input(r, m)
	}
	if s.Test != "" {
		t.line("")
		t.wrap(s.About.Plus(":"))
		t.block(prose.Source(s.Test))
	}
	if why != "" {
		t.wrap(prose.Say("It has no entry of its own in a review: " + why + "."))
	}
}

// state says what the verdict is and, for a survivor, what its stage means.
func state(m *results.Mutant) prose.Text {
	switch m.Status {
	case results.Killed:
		return prose.Say("killed: a test or harness fails with this edit")
	case results.Survived:
		return prose.Say("survived: " + stageWords(m))
	case results.Equivalent:
		return prose.Say("equivalent: this change makes no difference (%s)", m.Reason)
	case results.Unviable:
		return prose.Say("unviable: this change does not compile (%s)", m.Reason)
	case results.Ignored:
		return prose.Say("ignored: %s", m.Reason)
	case results.NotRun:
		return prose.Say("not run: %s", m.Reason)
	default:
		return prose.Say("pending: not judged yet")
	}
}

// stageWords says how far a survivor got (Li, Offutt: Test Oracle Strategies
// for Model-Based Testing, TSE 2017).
func stageWords(m *results.Mutant) string {
	if m.Evidence.Unrun {
		return story.UnrunBy(m) + " the code; the input that shows a difference is a generated driver's"
	}
	switch m.Stage {
	case results.NotReached:
		return story.UnrunBy(m) + " the code"
	case results.Reached:
		return "the code runs, but no run shows that the edit changes a value there"
	case results.Infected:
		return "the edit changes a value there, but no result differs"
	default:
		return "the edit changes a result, and nothing checks that result"
	}
}

// ranBy names tests that ran the code of m, and counts the others.
func ranBy(m *results.Mutant) prose.Text {
	by := m.Evidence.By[:min(len(m.Evidence.By), maxNamed)]
	if len(by) == 0 {
		return nil
	}
	format := "Run by %s" + strings.Repeat(", %s", len(by)-1)
	if more := m.Evidence.Tests - len(by); more > 0 {
		format += fmt.Sprintf(" and %d more", more)
	}
	return prose.Say(format+".", by...)
}

// tried says how many tests ran the code of a killed mutant, and whether a rebuild gave the same verdict.
func tried(m *results.Mutant) prose.Text {
	var p prose.Text
	if n := m.Evidence.Tests; n > 0 {
		p = prose.Say(prose.Plural(n, "test runs", "tests run") + " the code.")
	}
	if m.Verified {
		p = p.And(prose.Say("A rebuild with this change alone agrees."))
	}
	return p
}

func killer(k *results.KilledBy) prose.Text {
	how := map[string]string{
		results.KindTest:  "an assertion fails",
		results.KindEntry: "an assertion fails on an input",
		results.KindCrash: "it crashes",
		results.KindHang:  "it does not end",
	}[k.Kind]
	switch k.By {
	case results.ByDriver:
		return prose.Say("With it, "+how+" in %s, a generated driver: its input may be one that no caller can make.", k.Name)
	default:
		return prose.Say("With it, "+how+" in %s.", k.Name)
	}
}

// RegressionTest returns the Go source of a test that asserts the program's result for an input on which the mutant
// differs. The ID may be abbreviated. The source has the same meaning as in the results, but escapes invisible
// characters in literals, so that it can be read before it is trusted.
func RegressionTest(r *results.Results, id string) (string, error) {
	m, err := Mutant(r, id)
	if err != nil {
		return "", err
	}
	if m.ExposedBy == nil || m.ExposedBy.Test == "" {
		return "", fmt.Errorf("no test can be written for mutant %q: no known input exposes it through a call with a result to compare\nhint: \"mutantfuzz explain %s\" says what is known of it", prose.Inline(m.ID), prose.ShellWord(prose.Inline(m.ID)))
	}
	return prose.Source(m.ExposedBy.Test), nil
}

// Mutant returns the mutant with the given ID, or else the only one whose ID starts with id. Its errors wrap
// [ErrUnknownMutant].
func Mutant(r *results.Results, id string) (*results.Mutant, error) {
	var found []*results.Mutant
	for i := range r.Mutants {
		switch m := &r.Mutants[i]; {
		case m.ID == id:
			return m, nil
		case id != "" && strings.HasPrefix(m.ID, id):
			found = append(found, m)
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("%w: %q is not in these results\nhint: \"mutantfuzz list\" and results.json have the IDs", ErrUnknownMutant, prose.Inline(id))
	case 1:
		return found[0], nil
	}
	var names []string
	for _, m := range found[:min(len(found), maxNamed)] {
		names = append(names, prose.Inline(m.ID))
	}
	if more := len(found) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return nil, fmt.Errorf("%w: %q is the start of %d IDs: %s\nhint: give as much of the ID as tells it from the others",
		ErrUnknownMutant, prose.Inline(id), len(found), strings.Join(names, ", "))
}
