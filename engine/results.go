package engine

import (
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/skeleton"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// collect adds the findings of a to the results.
func (r *run) collect(a *analysis) {
	res := &r.res
	mutants := a.mutants.Results()
	a.program.NoteBlind(mutants)
	a.program.AddUndriven(res)
	res.Scope = append(res.Scope, a.functions()...)
	res.Mutants = append(res.Mutants, mutants...)
	r.out.Spared = append(r.out.Spared, a.mutants.Spared()...)
	if a.binaries != nil {
		res.Stats.Builds += a.binaries.Builds()
	}
	if a.suites != nil {
		a.suites.AddTo(res)
	}
	var reached map[string]bool
	if a.fuzzer != nil {
		a.fuzzer.AddTo(res, r.out.Entries)
		reached = a.fuzzer.Reached()
	}
	if types := a.program.Types; types != nil {
		res.Skeletons = append(res.Skeletons, skeleton.Offer(a.program.Functions, reached, types.Object)...)
	}
	if a.others != nil {
		a.others.AddTo(res)
	}
	r.unknown = r.unknown || a.others == nil || !a.others.Known
	if a.verifier != nil {
		res.Crashes = append(res.Crashes, a.verifier.Crashes...)
		r.out.Tests = append(r.out.Tests, a.verifier.Patch()...)
	}
}

// functions returns the functions in scope and, if tests were to run, the code in them that nothing runs.
func (a *analysis) functions() []results.Function {
	if len(a.mutants) == 0 || a.cfg.Tests == TestsNone {
		return a.program.Scope()
	}
	ran := a.judged.Ran()
	if a.fuzzer != nil {
		a.fuzzer.Ran(ran)
	}
	return a.mutants.Unrun(a.program.Functions, a.binaries.Woven, ran)
}

// preview returns the results as they are so far, for choosing the mutants to show.
func (a *analysis) preview() *results.Results {
	p := &results.Results{Revisions: a.scope.Revisions, Scope: a.functions(), AddedData: a.program.AddedData, Crashes: slices.Clone(a.res.Crashes), Mutants: a.mutants.Results(), NewTests: a.newTests}
	if a.verifier != nil {
		p.Crashes = append(p.Crashes, a.verifier.Crashes...)
	}
	if a.suites != nil {
		p.Quarantined = a.suites.Quarantined()
	}
	p.Count()
	return p
}

// output finishes the results. The caller fills in Tool, and Options except for Sandbox.
func (r *run) output() *Output {
	res := &r.res
	if r.unknown {
		res.NewTests = nil // incomplete: new tests of some program may fail without the change
	}
	res.Revisions, res.AddedData = r.scope.Revisions, r.scope.AddedData
	res.Warnings = r.journal.Warnings()
	res.Options.Sandbox = r.workspace.InForce()
	res.Finish()
	res.Seconds.Total = time.Since(r.began).Seconds()
	r.out.Results = res
	return &r.out
}
