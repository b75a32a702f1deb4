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
		Root: u.scope.Tree, Targets: u.typed.targets, Std: u.typed.std, HarnessOnly: true,
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
	for _, s := range v.suites {
		if s.reaches(m) && !slices.Contains(pkgs, s.pkg) {
			pkgs = append(pkgs, s.pkg)
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
	for _, s := range v.suites {
		if built[s.pkg] == "" || s.pkg != v.packageOf(m) && !s.reaches(m) {
			continue
		}
		tests := s.worthRunning(m)
		failed, err := v.failsTwice(ctx, sl, built[s.pkg], s.pkg, tests)
		if err != nil {
			return err
		}
		if failed == "" {
			continue
		}
		settled, err := v.reconcile(ctx, sl, m, built[s.pkg], s, failed, []string{topLevel(failed)}, tests)
		if err != nil {
			return err
		}
		if !settled {
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

// slowSuite is how long a package's tests may take for all of them to run on
// every mutant that is shown; of slower ones only those run that reach it.
const slowSuite = 3 * time.Second

// reaches reports whether a test of s that judges evaluates m.
func (s *suite) reaches(m *mutant) bool {
	return slices.ContainsFunc(s.tests, func(t *test) bool { return t.aside == "" && t.reaches(m) })
}

// worthRunning returns the tests of s to run on a shown mutant; nil: all.
func (s *suite) worthRunning(m *mutant) []string {
	var reaching []string
	for _, t := range s.tests {
		if t.aside == "" && t.reaches(m) {
			reaching = append(reaching, t.name)
		}
	}
	if len(reaching) > 0 && (s.part || s.duration() >= slowSuite) {
		return reaching
	}
	return nil
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

// failsTwice runs tests of a plain binary (nil: all but those set aside) and
// returns the name of one that fails twice, or "".
func (v *verifier) failsTwice(ctx context.Context, sl *slot, binary, pkg string, tests []string) (string, error) {
	var run testRun
	for range 2 {
		var err error
		if run, err = v.runRebuilt(ctx, sl, binary, pkg, tests); err != nil || run.outcome.Kind == "" {
			return "", err
		}
	}
	if len(run.outcome.Failed) > 0 {
		return run.outcome.Failed[0], nil
	}
	return "the test binary", nil
}

// runRebuilt runs tests of a plain binary (nil: all but those set aside) in one
// process.
func (v *verifier) runRebuilt(ctx context.Context, sl *slot, binary, pkg string, tests []string) (testRun, error) {
	wall := v.wallOf(pkg, tests)
	args := append(worker.TestArgs(wall, tests...), v.cfg.TestFlags...)
	if skip := v.skipPattern(pkg); skip != "" && len(tests) == 0 {
		args = append(args, "-test.skip="+skip)
	}
	run, err := v.execTests(ctx, sl, worker.Command{
		Binary: binary, Args: args, Dir: v.listing[pkg].Dir, Timeout: wall + 5*time.Second,
	})
	if err == nil && run.exit.Cause == worker.Cancelled {
		err = context.Cause(ctx)
	}
	return run, err
}

// reconcile finds out why a test does not say the same of m in the plain build, when
// it runs in the company of others (each of companies; nil: of all), and sets the
// verdict right: it passes and fails by chance, without m, and then it is set aside,
// or with it, and then it says nothing about m; or it fails only in company. If it is
// neither, the verdict was wrong.
func (v *verifier) reconcile(ctx context.Context, sl *slot, m *mutant, mutated string, s *suite, name string, companies ...[]string) (bool, error) {
	t := find(s.tests, []string{name})
	if t == nil {
		return false, nil
	}
	original, err := v.originalOf(ctx, s.pkg)
	if err != nil {
		return false, err
	}
	for _, company := range companies {
		f, err := v.tally(ctx, sl, original, t, company)
		if err != nil {
			return false, err
		}
		if f.failed > 0 {
			t.flaky.Store(true)
			v.setAside(t.pkg, t.name, flakyAlone)
			return true, nil
		}
		f, err = v.tally(ctx, sl, mutated, t, company)
		switch {
		case err != nil:
			return false, err
		case m.killedBy != nil && f.fails() || m.killedBy == nil && f.passes(): // nearly always
		case len(company) == 0 && f.fails():
			m.killInCompany(results.KilledBy{By: results.ByTest, Kind: results.KindTest, Name: s.pkg + "." + name})
			m.verified = true
			return true, nil
		case f.fails() || f.passes():
			return false, nil
		default:
			m.atRandom = append(m.atRandom, t)
			m.revive()
			v.decide()
			return true, nil
		}
	}
	return true, nil
}

// originalOf returns the plain test binary of a package without any mutant.
func (v *verifier) originalOf(ctx context.Context, pkg string) (string, error) {
	if original := v.plain[pkg]; original != "" {
		return original, nil
	}
	built, err := v.builder.Build(ctx, nil, nil, []string{pkg})
	return built[pkg], err
}

// tally runs a test of a plain binary in the company of others (nil: of all) until it
// is clear what it says.
func (v *verifier) tally(ctx context.Context, sl *slot, binary string, t *test, company []string) (f frequency, err error) {
	most := several
	if len(company) == 1 {
		most = t.within(weighTime, several, weighings)
	}
	for !f.clear(hesitant) && f.runs() < most {
		run, err := v.runRebuilt(ctx, sl, binary, t.pkg, company)
		switch {
		case err != nil:
			return f, err
		case run.outcome.Kind == "" || len(run.outcome.Failed) > 0 && find([]*test{t}, run.outcome.Failed) == nil:
			f.passed++
		default:
			f.failed++
		}
	}
	return f, nil
}

func (u *unit) suiteOf(pkg string) *suite {
	for _, s := range u.suites {
		if s.pkg == pkg {
			return s
		}
	}
	return nil
}

// wallOf is the wall-clock limit for tests of pkg, by how long each took; nil
// means all.
func (v *verifier) wallOf(pkg string, tests []string) time.Duration {
	var sum time.Duration
	for _, t := range allTests(v.suites) {
		if t.pkg == pkg && (len(tests) == 0 || slices.Contains(tests, t.name)) {
			sum += t.duration
		}
	}
	return v.wall(max(sum, 1))
}

// skipPattern matches the tests of pkg that say nothing, and the ones written here.
func (v *verifier) skipPattern(pkg string) string {
	var names []string
	v.mu.Lock()
	for _, r := range v.of {
		names = append(names, r.name)
	}
	v.mu.Unlock()
	if s := v.suiteOf(pkg); s != nil {
		return v.skipInCompany(s, names...)
	}
	return v.skipping(names...)
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
	var failed bool
	tests := []string{topLevel(name)}
	if m.inCompany {
		tests = nil // all
	}
	if m.killedBy.Entry != "" {
		t := v.targetNamed(m.killedBy.Name)
		entry, ok := t.entry(m.killedBy.Entry)
		if !ok {
			return nil
		}
		failed, err = v.failsOn(ctx, sl, built[pkg], t, entry)
	} else {
		var which string
		which, err = v.failsTwice(ctx, sl, built[pkg], pkg, tests)
		failed = which != ""
	}
	if err != nil {
		return err
	}
	if !failed {
		if s := v.suiteOf(pkg); s != nil && m.killedBy.Entry == "" {
			settled, err := v.reconcile(ctx, sl, m, built[pkg], s, name, tests)
			if err != nil || settled {
				return err
			}
		}
		return v.contradiction(ctx, m, m.killedBy.Name+" passes with it when built by itself")
	}
	m.verified = true
	return nil
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
