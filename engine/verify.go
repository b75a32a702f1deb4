package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/verify"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

const (
	// maxShown bounds how many mutants are confirmed for showing where nobody
	// says which will be.
	maxShown = 8
	// verifyRounds bounds how often others take the place of mutants that do not
	// stand the check.
	verifyRounds = 3
	// sampledKills is how many kills of every run are rebuilt plainly.
	sampledKills = 3
)

// verify rebuilds what is about to be shown, and a sample of the kills, the
// plain way, and finds out which crashes the change introduced.
func (u *unit) verify(ctx context.Context) error {
	return u.timed("verify", func() error {
		if len(u.res.Crashes) > 0 {
			if err := u.checkCrashes(ctx); err != nil {
				return err
			}
		}
		v, err := u.newVerifier(ctx)
		if err != nil {
			return err
		}
		if err := v.survivors(ctx); err != nil {
			return err
		}
		sample := u.sampleKills()
		u.progress.Phase("kills", len(sample))
		return each(ctx, u.slots, sample, func(ctx context.Context, sl *slot, m *mutant) error {
			defer u.progress.Step(1)
			return v.kill(ctx, sl, m)
		})
	})
}

// survivors checks those that a report would show, and those that take the place
// of what does not stand the check.
func (v *verifier) survivors(ctx context.Context) error {
	checked := map[*mutant]bool{}
	for range verifyRounds {
		fresh := slices.DeleteFunc(v.toShow(), func(m *mutant) bool { return checked[m] })
		if len(fresh) == 0 {
			return nil
		}
		v.progress.Phase("verify", len(fresh))
		if err := v.open(ctx, fresh); err != nil {
			return err
		}
		err := each(ctx, v.slots, fresh, func(ctx context.Context, sl *slot, m *mutant) error {
			defer v.progress.Step(1)
			return v.survivor(ctx, sl, m)
		})
		if err != nil {
			return err
		}
		for _, m := range fresh {
			checked[m] = true
		}
	}
	return nil
}

// toShow returns the survivors that a report would show.
func (u *unit) toShow() []*mutant {
	var ids []string
	if u.cfg.Shown != nil {
		ids = u.cfg.Shown(u.preview())
	} else {
		for _, exposed := range []bool{true, false} {
			for _, m := range u.mutants {
				if m.status == results.Survived && (m.exposedBy != nil) == exposed && len(ids) < maxShown {
					ids = append(ids, m.ID)
				}
			}
		}
	}
	var list []*mutant
	for _, id := range ids {
		if m := u.byID[id]; m != nil && m.status == results.Survived {
			list = append(list, m)
		}
	}
	return list
}

// sampleKills draws kills at random, by the run's seed.
func (u *unit) sampleKills() []*mutant {
	var killed []*mutant
	for _, m := range u.mutants {
		// A plain build has no step bound: a loop would cost its wall clock. And it
		// builds the test, not what the test has built.
		if m.status == results.Killed && m.killedBy.Kind != results.KindHang && !m.built {
			killed = append(killed, m)
		}
	}
	random := rand.New(rand.NewPCG(uint64(u.cfg.Seed), 1))
	random.Shuffle(len(killed), func(i, j int) { killed[i], killed[j] = killed[j], killed[i] })
	return killed[:min(len(killed), sampledKills)]
}

// verifier checks verdicts on plain builds. Only the test files are woven in
// them, so that observations can be read.
type verifier struct {
	*unit
	builder  verify.Builder
	original map[string]string   // binaries of the unmutated program by import path
	of       map[int]*regression // by mutant
}

func (u *unit) newVerifier(ctx context.Context) (*verifier, error) {
	harness, err := weave.Weave(ctx, weave.Input{
		Root: u.scope.Tree, Targets: u.typed.targets, Std: u.typed.std, HarnessOnly: true, Layout: u.woven.Layout,
		ProbePath: u.probePath, ProbeDir: u.probeDir,
		Own: func(path string) bool { return u.listing[path] != nil },
	})
	if err != nil {
		return nil, fmt.Errorf("weaving the harnesses of %s: %w", u.Dir, err)
	}
	extra, err := writeOverlay(filepath.Join(u.work, fmt.Sprintf("harness%d", u.number)), harness.Overlay)
	if err != nil {
		return nil, err
	}
	return &verifier{
		unit:    u,
		builder: verify.Builder{Tool: u.tool, Flags: u.cfg.BuildFlags, Dir: u.work, Extra: extra},
		of:      map[int]*regression{},
	}, nil
}

// packagesFor are the packages whose plain binaries judge m: its own, which has
// to compile even where it has no tests, those with tests that reach it, and that
// of the harness that exposes or kills it.
func (v *verifier) packagesFor(m *mutant) []string {
	pkgs := []string{v.packageOf(m)}
	for _, s := range v.surveys() {
		if s.Reaches(v.asJudged(m)) && !slices.Contains(pkgs, s.Suite.Package) {
			pkgs = append(pkgs, s.Suite.Package)
		}
	}
	if t := v.harnessOf(m); t != nil && !slices.Contains(pkgs, t.Package) {
		pkgs = append(pkgs, t.Package)
	}
	if r := v.regressionOf(m); r != nil && !slices.Contains(pkgs, r.pkg) {
		pkgs = append(pkgs, r.pkg)
	}
	return pkgs
}

func (u *unit) packageOf(m *mutant) string {
	for _, f := range u.functions {
		if f.ID == m.Function {
			return f.Package
		}
	}
	return ""
}

func (u *unit) harnessOf(m *mutant) *target {
	name := ""
	switch {
	case m.exposedBy != nil:
		name = m.exposedBy.Harness
	case m.killedBy != nil && m.killedBy.Entry != "":
		name = m.killedBy.Name
	}
	return u.targetNamed(name)
}

func (u *unit) targetNamed(name string) *target {
	for _, t := range u.targets {
		if t.Name == name {
			return t
		}
	}
	return nil
}

func (u *unit) change(m *mutant) *verify.Change {
	return &verify.Change{Path: filepath.Join(u.scope.Tree, filepath.FromSlash(m.File)), Mutant: m.Mutant.Mutant}
}

// build builds m the plain way. What replays entries is built in only where one
// is needed.
func (v *verifier) build(ctx context.Context, m *mutant, files map[string][]byte, pkgs []string) (map[string]string, error) {
	builder := v.builder
	if m.exposedBy == nil && (m.killedBy == nil || m.killedBy.Entry == "") {
		builder.Extra = nil
	}
	return builder.Build(ctx, v.change(m), files, pkgs)
}

// survivor checks a mutant that is about to be shown: the plain tests must
// pass with it, and its exposing input must differ.
func (v *verifier) survivor(ctx context.Context, sl *slot, m *mutant) error {
	if err := v.passes(ctx, sl, m); err != nil {
		return err
	}
	built, err := v.build(ctx, m, v.testFiles(m), v.packagesFor(m))
	if err != nil {
		return v.unbuildable(ctx, m, err)
	}
	for _, s := range v.surveys() {
		pkg := s.Suite.Package
		if built[pkg] == "" || pkg != v.packageOf(m) && !s.Reaches(v.asJudged(m)) {
			continue
		}
		failed, err := v.failsPlainly(ctx, sl, m, built[pkg], s)
		if err != nil {
			return err
		}
		if failed != "" {
			return v.contradiction(ctx, m, failed+" fails with it when built by itself")
		}
		if m.status != results.Survived {
			return nil
		}
	}
	if m.exposedBy != nil {
		if err := v.exposed(ctx, sl, m, built); err != nil || m.exposedBy == nil {
			return err
		}
		if err := v.fails(ctx, sl, m, built); err != nil {
			return err
		}
	}
	m.verified = ctx.Err() == nil
	return nil
}

// surveys are those of the suites that judged.
func (u *unit) surveys() []*judge.Survey {
	if u.judged == nil {
		return nil
	}
	return u.judged.Surveys
}

// failsPlainly runs the tests that a survivor has to pass on its plain build, and returns the
// one that fails for good; "" if none does. What fails now and then gives the mutant its
// status.
func (v *verifier) failsPlainly(ctx context.Context, sl *slot, m *mutant, binary string, s *judge.Survey) (string, error) {
	var tests []string
	if s.Large || s.Suite.Only != nil {
		tests = s.Covering(v.asJudged(m))
	}
	passed, failed, which := 0, 0, ""
	for status := judge.Undecided; status == judge.Undecided; status = judge.Weigh(passed, failed) {
		run, err := v.runRebuilt(ctx, sl, binary, s.Suite.Package, tests)
		if err != nil {
			return "", err
		}
		if run.outcome.Kind == "" {
			passed++
			if failed == 0 {
				return "", nil
			}
			continue
		}
		failed++
		which = "the test binary"
		if len(run.outcome.Failed) > 0 {
			which = run.outcome.Failed[0]
		}
		if passed == 0 && failed == 2 {
			return which, nil
		}
	}
	switch judge.Weigh(passed, failed) {
	case judge.Killed:
		return which, nil
	case judge.Inconclusive:
		m.status, m.exposedBy = results.Ignored, nil
		m.reason = fmt.Sprintf("%s fails with it in %d of %d runs, so whether it is noticed is left to chance", which, failed, passed+failed)
	}
	return "", nil
}

// unbuildable corrects the verdict on a mutant that compiles only in woven
// form: a hunk's reversal may leave an import unused.
func (v *verifier) unbuildable(ctx context.Context, m *mutant, err error) error {
	var broken *gotool.BuildError
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !errors.As(err, &broken) {
		v.warn("mutant %s was not rebuilt by itself: %v", m.ID, err)
		return nil
	}
	m.status, m.reason, m.exposedBy, m.killedBy = results.Unviable, strings.TrimSpace(broken.Output), nil, nil
	return nil
}

// contradiction takes back a verdict that the plain rebuild does not bear out.
func (v *verifier) contradiction(ctx context.Context, m *mutant, why string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	v.takeBack(m, why)
	v.unconfirmed("%s was judged wrongly: %s; this is a fault of mutantfuzz", m.ID, why)
	v.warn("the verdict on mutant %s did not hold on a plain rebuild (%s): this is a fault of mutantfuzz, please report it", m.ID, why)
	return nil
}

// takeBack takes back the verdict on m.
func (v *verifier) takeBack(m *mutant, why string) {
	m.status, m.reason, m.exposedBy, m.killedBy = results.NotRun, "not confirmed: "+why, nil, nil
}

// failsTwice reports whether a test of a plain binary fails twice.
func (v *verifier) failsTwice(ctx context.Context, sl *slot, binary, pkg, test string) (bool, error) {
	for range 2 {
		run, err := v.runRebuilt(ctx, sl, binary, pkg, []string{test})
		if err != nil || run.outcome.Kind == "" {
			return false, err
		}
	}
	return true, nil
}

// runRebuilt runs tests of a plain binary (nil: all that judge) in one process.
func (v *verifier) runRebuilt(ctx context.Context, sl *slot, binary, pkg string, tests []string) (testRun, error) {
	takes := time.Duration(1)
	if s := v.surveyOf(pkg); s != nil {
		takes = s.Took
	}
	wall := v.wall(takes)
	args := append(worker.TestArgs(wall, tests...), v.cfg.TestFlags...)
	var skip []string
	if len(tests) == 0 {
		skip = v.saysNothing(pkg)
	}
	if pattern := v.skipping(skip...); pattern != "" {
		args = append(args, "-test.skip="+pattern)
	}
	run, err := v.execTests(ctx, sl, worker.Command{
		Binary: binary, Args: args, Dir: v.listing[pkg].Dir, Timeout: wall + 5*time.Second,
	})
	if err == nil && run.exit.Cause == worker.Cancelled {
		err = context.Cause(ctx)
	}
	return run, err
}

// saysNothing are the tests of pkg that are quarantined, and the ones written here.
func (v *verifier) saysNothing(pkg string) []string {
	names := v.quarantinedOf(pkg)
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, r := range v.of {
		names = append(names, r.name)
	}
	return names
}

// surveyOf is the survey of a package's suite; nil: there is none.
func (v *verifier) surveyOf(pkg string) *judge.Survey {
	for _, s := range v.surveys() {
		if s.Suite.Package == pkg {
			return s
		}
	}
	return nil
}

// exposed runs the exposing entry on plain builds of program and mutant.
func (v *verifier) exposed(ctx context.Context, sl *slot, m *mutant, built map[string]string) error {
	t := v.targetNamed(m.exposedBy.Harness)
	entry, ok := t.entry(m.exposedBy.Entry)
	if !ok || built[t.Package] == "" || v.original[t.Package] == "" {
		return v.contradiction(ctx, m, "its input was lost")
	}
	plain := *t
	plain.binary = v.original[t.Package]
	original, err := v.runEntry(ctx, sl, &plain, 0, 0, entry)
	if err != nil {
		return err
	}
	plain.binary = built[t.Package]
	mutated, err := v.runEntry(ctx, sl, &plain, 0, 0, entry)
	if err != nil {
		return err
	}
	if plain.lied > 0 && (original == nil || mutated == nil) {
		v.takeBack(m, "what the process that runs its input says cannot be")
		return nil
	}
	if original == nil || mutated == nil || original.bad() || mutated.bad() || !original.steady() || !mutated.steady() {
		return v.contradiction(ctx, m, "its input does not run the same by itself")
	}
	at := v.compare(t, original, mutated, original.unsteadySites())
	if at == nil {
		return v.contradiction(ctx, m, "its input shows no difference when built by itself")
	}
	m.exposedBy = v.exposure(claim{t, m.number, entry}, at)
	return nil
}

// kill checks a sampled kill: the plain mutant must fail too.
func (v *verifier) kill(ctx context.Context, sl *slot, m *mutant) error {
	pkg, name := splitTest(m.killedBy.Name, func(p string) bool { return v.listing[p] != nil })
	built, err := v.build(ctx, m, nil, []string{pkg})
	if err != nil {
		return v.unbuildable(ctx, m, err)
	}
	failed := false
	if m.killedBy.Entry != "" {
		t := v.targetNamed(m.killedBy.Name)
		entry, ok := t.entry(m.killedBy.Entry)
		if !ok {
			return nil
		}
		failed, err = v.failsOn(ctx, sl, built[pkg], t, entry)
	} else if s := v.surveyOf(pkg); s != nil {
		failed, err = v.failsAgain(ctx, sl, m, built[pkg], s, topLevel(name))
	}
	if err != nil {
		return err
	}
	if m.status != results.Killed {
		return nil
	}
	if !failed {
		return v.contradiction(ctx, m, m.killedBy.Name+" passes with it when built by itself")
	}
	m.verified = true
	return nil
}

// failsAgain reports whether the test that killed m fails on its plain build. What fails
// now and then takes the kill back.
func (v *verifier) failsAgain(ctx context.Context, sl *slot, m *mutant, binary string, s *judge.Survey, test string) (bool, error) {
	tests := []string{test}
	if m.onlyInSuite {
		tests = nil // all
	}
	passed, failed := 0, 0
	for {
		run, err := v.runRebuilt(ctx, sl, binary, s.Suite.Package, tests)
		if err != nil {
			return false, err
		}
		if run.outcome.Kind != "" {
			failed++
		} else {
			passed++
		}
		status := judge.Weigh(passed, failed)
		switch {
		case failed > 0 && passed == 0:
			return true, nil
		case failed == 0 && passed == 2:
			return false, nil
		case status == judge.Inconclusive:
			m.status, m.killedBy = results.Ignored, nil
			m.reason = fmt.Sprintf("%s fails with it in %d of %d runs, so whether it is noticed is left to chance", test, failed, passed+failed)
			return false, nil
		case failed > 0 && status != judge.Undecided:
			return status == judge.Killed, nil
		}
	}
}

// splitTest splits import/path.TestName/sub, where the package is one that
// known knows.
func splitTest(name string, known func(string) bool) (pkg, test string) {
	for i := range len(name) {
		if name[i] == '.' && known(name[:i]) && gotool.IsTest(topLevel(name[i+1:])) {
			return name[:i], name[i+1:]
		}
	}
	return name, ""
}

// entry returns the entry of t with an ID.
func (t *target) entry(id string) (corpus.Entry, bool) {
	if f := t.found[id]; f != nil {
		return f.entry, true
	}
	for _, e := range t.corpus {
		if e.ID == id {
			return e, true
		}
	}
	return corpus.Entry{}, false
}
