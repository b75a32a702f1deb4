package report

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// takenClaim says, of a mutant that leaves out a branch, or undoes a change that only adds one, that a test takes the
// branch and passes without it. It is empty if none is known to. Such a test looks as if it were enough.
func takenClaim(r *results.Results, m *results.Mutant) prose.Text {
	left := withoutBranch(m)
	for i := range r.Mutants {
		if o := &r.Mutants[i]; left.noticed(o) && (m.Reason == "" || slices.Contains(m.Evidence.By, parent(o.KilledBy.Name))) { // else it may not have run with m
			return prose.Say("%s takes the branch of line "+prose.Exact(branchLine(m))+", and passes without it: other code gives what it expects.", local(o.KilledBy.Name))
		}
	}
	return nil
}

// parent returns the name of the test that a subtest belongs to, with its import path; of a test, it is the name itself.
func parent(test string) string {
	pkg, name := splitTest(test)
	name, _, _ = strings.Cut(name, "/")
	return pkg + "." + name
}

// branchLine returns the line of the condition of the branch that m leaves out.
func branchLine(m *results.Mutant) int {
	if edit.IsReversal(m) {
		return edit.FirstLine(m)
	}
	return m.Line
}

// branch is the code that runs if a condition holds. The zero value has none.
type branch struct {
	file       string
	begin, end int // offsets
}

// noticed reports whether a test notices o, an edit of b.
func (b branch) noticed(o *results.Mutant) bool {
	within := o.File == b.file && b.begin <= o.Offset && o.EndOffset <= b.end
	return within && !edit.IsReversal(o) && o.Status == results.Killed && o.KilledBy != nil && o.KilledBy.By == results.ByTest
}

// withoutBranch returns the branch that m leaves out, or that the change which m undoes adds, doing no more.
func withoutBranch(m *results.Mutant) branch {
	if !edit.IsReversal(m) {
		if edit.Effective(m) != "false" {
			return branch{}
		}
		return branch{m.File, m.EndOffset, m.Evidence.BranchEnd}
	}
	if body, end := edit.AddedIf(m); body > 0 {
		return branch{m.File, m.Offset + body, m.Offset + end}
	}
	return branch{}
}

// missesCheck reports whether m leaves out a branch that fails with an error, and that a test of the change takes and
// passes without: the test is there for the check, and fails to see it.
func (k ranking) missesCheck(m *results.Mutant) bool {
	if len(m.Evidence.ByChange) == 0 {
		return false
	}
	left := withoutBranch(m)
	return slices.ContainsFunc(k.mutants[m.File], func(o *results.Mutant) bool {
		return o.Operator == "error-return" && left.noticed(o) && slices.ContainsFunc(m.Evidence.ByChange, func(t results.NewTest) bool {
			return t.Test == parent(o.KilledBy.Name)
		})
	})
}
