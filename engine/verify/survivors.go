package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/fuzz"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/sequential"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// suitesFor returns the surveys of the suites that a survivor has to pass once more: that of its own package and, if
// that does not reach it, those of other packages that do and that there was time to judge completely.
func (v *Verifier) suitesFor(m *evidence.Mutant) (list []*judge.Survey) {
	own := v.Judged.SurveyOf(m.Package)
	if own != nil {
		list = append(list, own)
	}
	for _, s := range v.Judged.Surveys {
		if s != own && v.Judged.Done(s.Suite.Package) && s.Reaches(m.AsJudged()) && (own == nil || !own.Reaches(m.AsJudged())) {
			list = append(list, s)
		}
	}
	return list
}

// quickFirst returns the survivors with those first that no test of a large suite runs, so that they need not wait for
// suites that take all the time.
func (v *Verifier) quickFirst(survivors []*evidence.Mutant) []*evidence.Mutant {
	var quick, others []*evidence.Mutant
	for _, m := range survivors {
		if v.passesUnrun(m) {
			quick = append(quick, m)
		} else {
			others = append(others, m)
		}
	}
	return append(quick, others...)
}

// passesUnrun reports whether no test has to run once more with m, although one of its suites is large.
func (v *Verifier) passesUnrun(m *evidence.Mutant) bool {
	large := false
	for _, s := range v.suitesFor(m) {
		if tests, all, _ := s.Confirming(m.AsJudged()); all || len(tests) > 0 {
			return false
		}
		large = large || s.Large
	}
	return large
}

// targetOf returns the target whose entry the verdict on m rests on, nil if there is none.
func (v *Verifier) targetOf(m *evidence.Mutant) *fuzz.Target {
	name, _ := m.Verdict().Entry()
	return v.Fuzzer.Named(name)
}

// build builds test binaries with m the plain way. It includes the woven fuzz targets only if an entry has to be
// replayed.
func (v *Verifier) build(ctx context.Context, m *evidence.Mutant, pkgs []string) (map[string]string, error) {
	if v.Serial {
		v.building.Lock()
		defer v.building.Unlock()
	}
	path, text, err := v.Mutated(m.Mutant)
	if err != nil {
		return nil, err
	}
	b := build.TestBuild{Kind: "verify", Overlay: v.Files(), Files: map[string][]byte{path: text}, Packages: pkgs}
	if m.Exposed != nil && v.targetOf(m) != nil {
		b.Overlay = v.harness
	}
	return v.BuildTests(ctx, b)
}

// survivor checks a mutant that is about to be shown: the plain tests must pass with it, and its exposing input must
// show a difference.
func (v *Verifier) survivor(ctx context.Context, sl *pool.Slot, m *evidence.Mutant) error {
	suites := v.suitesFor(m)
	pkgs := []string{m.Package} // it has to compile even where it has no tests
	for _, s := range suites {
		pkgs = append(pkgs, s.Suite.Package)
	}
	if t := v.targetOf(m); t != nil {
		pkgs = append(pkgs, t.Package)
	}
	slices.Sort(pkgs)
	built, err := v.build(ctx, m, slices.Compact(pkgs))
	if err != nil {
		return v.unbuildable(ctx, m, err)
	}
	for _, s := range suites {
		binary := built[s.Suite.Package]
		if binary == "" {
			continue
		}
		if err := v.passesSuite(ctx, sl, m, binary, s); err != nil || m.Verdict().Status != results.Survived {
			return err
		}
	}
	if m.Exposed != nil && !m.Exposed.InTest {
		if err := v.exposed(ctx, sl, m, built); err != nil || m.Verdict().Status != results.Survived {
			return err
		}
	}
	m.Rebuilt.Outcome = evidence.Confirmed
	return nil
}

// passesSuite runs the tests that a survivor has to pass on its plain build, and notes it if they always fail, but pass
// without it.
func (v *Verifier) passesSuite(ctx context.Context, sl *pool.Slot, m *evidence.Mutant, binary string, s *judge.Survey) error {
	tests, all, but := s.Confirming(m.AsJudged())
	if len(tests) == 0 && !all {
		return nil
	}
	failing, test, err := v.again(ctx, sl, m, binary, v.Judged.Plain(s.Suite.Package, tests, but...))
	if err != nil || failing != sequential.All {
		return err
	}
	if s.Plain(ledger.TopLevel(test)) {
		m.Tests = &judge.Decision{Decision: ledger.Decision{Status: ledger.Killed, Kind: ledger.Test, Test: s.Suite.Package + "." + test}}
		return nil
	}
	return v.contradiction(ctx, m, test+" fails with this change in a plain rebuild")
}

// again does a run of tests on a plain build of m until they have clearly passed or failed. It returns what share of the
// runs fails, and a test that failed. If some runs fail and some pass, it marks the verdict as inconclusive. The error
// is unclear if the tests are not seen to run, or if m survives and they fail without it, too.
func (v *Verifier) again(
	ctx context.Context, sl *pool.Slot, m *evidence.Mutant, binary string, s executor.Spec,
) (failing sequential.Share, test string, err error) {
	killed := m.Verdict().Status == results.Killed
	failing, n, err := sequential.Repeat(killed, func() (bool, error) {
		run, err := v.RunPlain(ctx, sl, binary, s)
		switch {
		case run.Failed():
			test = failedIn(run)
		case err == nil && !v.passed(run, s.Suite.Package):
			err = unclear(run.Outcome.Message)
		}
		return run.Failed(), err
	})
	if err == nil && !killed && failing != sequential.None {
		err = v.passWithout(ctx, sl, s)
	}
	if err == nil && failing == sequential.Some {
		m.Rebuilt = evidence.Rebuilt{
			Outcome: evidence.Chance,
			Why:     fmt.Sprintf("inconclusive: %s fails with this change in %d of %d runs", test, n.Failed, n.Passed+n.Failed),
		}
	}
	return failing, test, err
}

// unbuildable corrects the verdict on a mutant that compiles only in woven form. It warns about errors other than those
// of the compiler.
func (v *Verifier) unbuildable(ctx context.Context, m *evidence.Mutant, err error) error {
	var broken *gotool.BuildError
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !errors.As(err, &broken) {
		v.Warn("mutant %s could not be rebuilt to confirm its verdict: %v", m.ID, err)
		return nil
	}
	m.Rebuilt = evidence.Rebuilt{Outcome: evidence.Unviable, Why: strings.TrimSpace(broken.Output)}
	return nil
}

// contradiction notes that a plain rebuild contradicts a verdict.
func (v *Verifier) contradiction(ctx context.Context, m *evidence.Mutant, why string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	m.Rebuilt = evidence.Rebuilt{Outcome: evidence.Contradicted, Why: why}
	v.Fuzzer.Unconfirmed("%s was judged wrongly: %s; this is a fault of mutantfuzz", m.ID, why)
	v.Warn("the verdict on mutant %s was not confirmed by a plain rebuild (%s): this is a fault of mutantfuzz, please report it", m.ID, why)
	return nil
}

// chances is how often program and mutant run on an input before it counts as showing no difference: what depends on
// the order of a map differs in some runs only.
const chances = 6

// exposed runs the exposing entry on plain builds of program and mutant. An input that shows a difference only in some
// runs is no evidence, and is removed.
func (v *Verifier) exposed(ctx context.Context, sl *pool.Slot, m *evidence.Mutant, built map[string]string) error {
	t := v.targetOf(m)
	entry, ok := t.Entry(m.Exposed.Entry)
	if !ok || built[t.Package] == "" || v.original[t.Package] == "" {
		return v.contradiction(ctx, m, "the input that shows the difference is missing")
	}
	program, mutant := t.With(v.original[t.Package]), t.With(built[t.Package])
	for n := range chances {
		original, err := v.Fuzzer.RunEntry(ctx, sl, program, 0, 0, entry)
		if err != nil {
			return err
		}
		mutated, err := v.Fuzzer.RunEntry(ctx, sl, mutant, 0, 0, entry)
		if err != nil {
			return err
		}
		switch {
		case original == nil && program.Untrusted() || mutated == nil && mutant.Untrusted():
			m.Rebuilt = evidence.Rebuilt{Outcome: evidence.Contradicted, Why: "the process that runs its input reported invalid data"}
			return nil
		case original == nil || mutated == nil || original.Bad():
			return v.contradiction(ctx, m, "the input that exposes it fails in a plain rebuild")
		case mutated.Bad() && m.Exposed.Ends != "":
			return nil
		case mutated.Bad():
			return v.contradiction(ctx, m, "the input that exposes it fails in a plain rebuild")
		}
		at := v.Fuzzer.Compare(t, original, mutated, original.UnsteadySites())
		switch {
		case !original.Steady() || !mutated.Steady() || at != nil && n > 0:
			m.Exposed = nil
			return nil
		case at != nil:
			m.Exposed = v.Fuzzer.Exposure(t, entry, at)
			return nil
		}
	}
	return v.contradiction(ctx, m, "the input that exposes it shows no difference in a plain rebuild")
}

// kill checks a kill: the plainly built mutant must fail, too.
func (v *Verifier) kill(ctx context.Context, sl *pool.Slot, m *evidence.Mutant) error {
	by := m.Verdict().By
	pkg, name := splitTest(by.Name, v.Own)
	built, err := v.build(ctx, m, []string{pkg})
	if err != nil {
		return v.unbuildable(ctx, m, err)
	}
	failed := false
	if t := v.targetOf(m); t != nil {
		entry, ok := t.Entry(by.Entry)
		if !ok {
			return nil
		}
		var run pool.Run
		run, err = v.runSeed(ctx, sl, seedRun{target: t, binary: built[pkg], entry: entry, deadline: seedDeadline})
		failed = run.Failed()
	} else if v.Judged.SurveyOf(pkg) != nil {
		tests := []string{ledger.TopLevel(name)}
		if m.Verdict().Reason == ledger.ReasonOnlyInSuite {
			tests = nil // all
		}
		var failing sequential.Share
		failing, _, err = v.again(ctx, sl, m, built[pkg], v.Judged.Plain(pkg, tests, v.Judged.QuarantinedOf(pkg)...))
		failed = failing == sequential.All
	}
	switch {
	case err != nil || m.Verdict().Status != results.Killed:
		return err
	case !failed:
		return v.contradiction(ctx, m, by.Name+" passes with this change in a plain rebuild")
	}
	m.Rebuilt.Outcome = evidence.Confirmed
	return nil
}

// splitTest splits import/path.TestName/sub at the dot after a package that known accepts.
func splitTest(name string, known func(string) bool) (pkg, test string) {
	for i := range len(name) {
		if name[i] == '.' && known(name[:i]) && gotool.IsTest(ledger.TopLevel(name[i+1:])) {
			return name[:i], name[i+1:]
		}
	}
	return name, ""
}
