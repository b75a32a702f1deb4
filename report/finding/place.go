package finding

import (
	"fmt"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// At returns the place of f in the source: the lines of its mutants, the declaration of its test, or the line at fault.
// known is false if there is no such place. f is a finding of r.
func (f Finding) At(r *results.Results) (file string, first, last int, known bool) {
	if f.Mutant != nil {
		first, last = f.Lines()
		return f.Mutant.File, first, last, true
	}
	if f.Flaky != nil {
		return f.Flaky[0].File, f.Flaky[0].Line, f.Flaky[0].Line, true
	}
	if culprit, line := fact.Culprit(r, f.Crash); culprit != nil {
		return culprit.File, line, line, true
	}
	return "", 0, 0, false
}

// where returns the place of f for people: file and line, or the harness or test.
func (f Finding) where() string {
	switch {
	case f.Crash != nil:
		return fact.Local(f.Crash.Harness)
	case f.Old != nil:
		return fact.Local(f.Old.Test)
	case f.Flaky != nil:
		return fact.Local(f.Flaky[0].Test)
	}
	return edit.Place(f.Mutant)
}

// Lines returns the first and the last line of those mutants of f that are in the function of the first.
func (f Finding) Lines() (first, last int) {
	for i, m := range f.All() {
		if m.Function != f.Mutant.Function {
			continue
		}
		if i == 0 || m.Line < first {
			first = m.Line
		}
		last = max(last, edit.LastLine(m))
	}
	return first, last
}

// Place returns the file and the lines of f, as in "a.go:3–7".
func (f Finding) Place() string {
	first, last := f.Lines()
	if first == last || len(f.Also) == 0 && f.Kind != NotRun {
		return edit.Place(f.Mutant)
	}
	return fmt.Sprintf("%s:%d–%d", f.Mutant.File, first, last)
}
