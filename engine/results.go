package engine

import (
	"maps"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/fuzz"
	"github.com/mutantfuzz/mutantfuzz/engine/skeleton"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// collect adds what a has found to the results.
func (r *run) collect(a *analysis) {
	res := &r.res
	res.Scope = append(res.Scope, a.functions()...)
	res.Mutants = append(res.Mutants, a.noteBlind(a.mutants.Results())...)
	for _, m := range a.mutants {
		if m.Verdict().Status == results.Survived && !m.Judged {
			r.out.Spared = append(r.out.Spared, m.ID)
		}
	}
	var reached map[string]bool
	if a.fuzzer != nil {
		reached = r.collectFuzzed(a.fuzzer)
	}
	r.unknown = r.unknown || a.verifier == nil || !a.verifier.Known
	if v := a.verifier; v != nil {
		res.Crashes = append(res.Crashes, v.Crashes...)
		res.OldTests = append(res.OldTests, v.OldTests...)
		res.NewTests = append(res.NewTests, v.NewTests...)
		if patch, err := v.Patch(); err != nil {
			r.journal.Warn("there is no patch with the tests that are suggested: %v", err)
		} else {
			r.out.Tests = append(r.out.Tests, patch...)
		}
	}
	if types := a.program.Types; types != nil {
		res.Skeletons = append(res.Skeletons, skeleton.Offer(a.program.Functions, reached, types.Object)...)
	}
	for _, function := range slices.Sorted(maps.Keys(a.program.Undriven)) {
		res.Undriven = append(res.Undriven, results.Undriven{Function: function, Why: a.program.Undriven[function]})
	}
	for _, v := range a.judged.Surveys {
		res.Stats.Tests += len(v.Tests)
	}
	for _, q := range a.judged.AllQuarantined() {
		if len(res.Quarantined) < results.MaxQuarantined {
			res.Quarantined = append(res.Quarantined, results.Quarantined{Test: q.Package + "." + q.Test, Why: q.Why})
		}
	}
	if a.binaries != nil {
		res.Stats.Builds += a.binaries.Builds()
	}
}

// noteBlind notes which of the tests that are named for survivors look at nothing that they get.
func (a *analysis) noteBlind(mutants []results.Mutant) []results.Mutant {
	known := map[string]bool{}
	for i := range mutants {
		m := &mutants[i]
		if m.Status != results.Survived || a.program.Types == nil {
			continue
		}
		for _, test := range m.Evidence.By {
			blind, ok := known[test]
			if !ok {
				blind = a.program.Types.Blind(test)
				known[test] = blind
			}
			if blind {
				m.Evidence.Blind = append(m.Evidence.Blind, test)
			}
		}
	}
	return mutants
}

// collectFuzzed adds what fuzzing has found to the results, and returns the IDs of the functions
// that fuzz targets of the user's reach.
func (r *run) collectFuzzed(f *fuzz.Fuzzer) map[string]bool {
	res := &r.res
	res.Harnesses = append(res.Harnesses, f.Harnesses()...)
	found, all := f.Entries()
	res.Corpus.New = append(res.Corpus.New, found...)
	res.Corpus.Before += f.Before
	for name, entries := range all {
		r.out.Entries[name] = append(r.out.Entries[name], entries...)
	}
	reached := map[string]bool{}
	for _, t := range f.Targets {
		if t.Driver {
			continue
		}
		for _, id := range f.ReachedBy(t) {
			reached[id] = true
		}
	}
	return reached
}

// functions are those in scope, with the code that nothing runs, if tests were to run it.
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

// preview returns the results as they would be now, to choose the mutants to show.
func (a *analysis) preview() *results.Results {
	p := &results.Results{Scope: a.program.Scope(), AddedData: a.program.AddedData, Crashes: slices.Clone(a.res.Crashes), Mutants: a.mutants.Results()}
	if a.verifier != nil {
		p.Crashes = append(p.Crashes, a.verifier.Crashes...)
	}
	p.Count()
	return p
}

// output finishes the results. Options and Tool are the caller's.
func (r *run) output() *Output {
	res := &r.res
	res.Schema = results.Schema
	if r.unknown {
		res.NewTests = nil // those of another program may fail
	}
	res.Revisions, res.AddedData = r.scope.Revisions, r.scope.AddedData
	res.Warnings = r.journal.Warnings()
	if r.pool != nil {
		res.Options.Sandbox = r.pool.InForce()
	}
	res.Sort()
	res.Corpus.After = res.Corpus.Before
	for i := range res.Corpus.New {
		if res.Corpus.New[i].Name == "" { // else the tree has it
			res.Corpus.After++
		}
	}
	if s := res.Seconds; s.Mutants+s.Program > 0 {
		res.Stats.ExecsPerSecond = float64(res.Stats.Execs) / (s.Mutants + s.Program)
	}
	res.Seconds.Total = time.Since(r.began).Seconds()
	res.Count()
	r.out.Results = res
	return &r.out
}
