package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// BaselineError says that no test of the touched packages passes without a mutant, so that
// nothing can be judged by them.
type BaselineError struct {
	Package string
	Tests   []string // top-level ones; empty: unknown
	Message string   // of the panic or fatal error, or what else happened; empty for failed assertions
	Output  string
}

func (e *BaselineError) Error() string {
	names := strings.Join(e.Tests, ", ")
	if names == "" {
		names = "the tests"
	}
	how := ""
	if e.Message != "" {
		how = " (" + e.Message + ")"
	}
	output := e.Output
	if cut := len(output) - 2000; cut > 0 {
		output = "[...]" + output[cut:]
	}
	return fmt.Sprintf("%s: %s fail without any mutant, repeatedly%s\n%s\nhint: make them pass, or leave them out with --skip-tests",
		e.Package, names, how, output)
}

// baselineFails gives up on the mutants of packages of which no test passes without one. It is an
// error if that holds for all packages own, which are touched.
func (a *analysis) baselineFails(own []string) error {
	for _, m := range a.mutants.Live() {
		if a.judged.Failure(m.Package) != nil {
			m.Tests = &judge.Decision{Status: judge.Undecided, Reason: results.TestsFail}
		}
	}
	passes := func(pkg string) bool { return a.judged.Failure(pkg) == nil }
	if len(own) == 0 || slices.ContainsFunc(own, passes) {
		return nil
	}
	f := a.judged.Failure(own[0])
	return &BaselineError{f.Package, f.Tests, f.Message, f.Output}
}

// noteTests warns of quarantined tests and, if time ran out, says what helps.
func (a *analysis) noteTests(ctx context.Context, err error) {
	for _, note := range quarantineNotes(a.judged.Quarantined()) {
		a.journal.Warn("%s", note)
	}
	if err == nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return
	}
	if slow := a.runner.Slowest(); len(slow) > 0 {
		a.journal.Warn("not all tests ran in time: --skip-tests leaves some out, -- -short shortens some; the slowest were %s", strings.Join(slow, ", "))
	}
	if a.judged.OwnDone {
		a.journal.Warn("not all tests of dependent packages ran in time: --tests package runs only those of the changed packages")
	}
}

// maxNamed is how many tests are named that are quarantined for the same reason.
const maxNamed = 3

// quarantineNotes says which tests are quarantined, and why: those of a package with the same reason together.
func quarantineNotes(all []judge.Quarantined) (notes []string) {
	for len(all) > 0 {
		first := all[0]
		var names []string
		all = slices.DeleteFunc(slices.Clone(all), func(q judge.Quarantined) bool {
			same := q.Package == first.Package && q.Why == first.Why
			if same {
				names = append(names, q.Test)
			}
			return same
		})
		if len(names) == 1 {
			notes = append(notes, fmt.Sprintf("%s.%s is quarantined, so its result is not used: it %s", first.Package, first.Test, first.Why))
			continue
		}
		list := strings.Join(names[:min(len(names), maxNamed)], ", ")
		if more := len(names) - maxNamed; more > 0 {
			list += fmt.Sprintf(" and %d more", more)
		}
		notes = append(notes, fmt.Sprintf("%d tests of %s are quarantined, so their results are not used: each of %s %s", len(names), first.Package, list, first.Why))
	}
	return notes
}
