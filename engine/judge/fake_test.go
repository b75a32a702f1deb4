package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// fake is an executor without processes. Its tests are described by fakeTest.
type fake struct {
	tests map[string][]fakeTest // by package, in order
	// State that tests leave behind in a process is not simulated, except for fakeTest.after, behind and inSuite.
	allows bool                  // the sandbox may be loosened
	ours   bool                  // failing tests pass with plain go test: our own fault
	silent []string              // tests that end the process without output
	waits  bool                  // explaining failures takes all of the remaining time
	start  time.Duration         // how long a process takes besides the tests
	idles  func(mutant int) bool // whether a process that begins with a mutant ends before its tests; nil: none does
	mute   bool                  // nothing shows that tests run, but for the blocks that they run

	mu        sync.Mutex
	allowed   bool
	explained int      // how often failures were explained
	suites    []string // for each run of a whole suite: the tests left out
	surveyed  []string // tests that ran by themselves or with a few others
	log       []string // runs with a mutant: "suite", "alone TestX", "trial"
	random    func(int) int
}

// fakeTest describes a test. Rates are from 0 to 1: how often it fails.
type fakeTest struct {
	name    string
	took    time.Duration
	infects []int           // mutants
	reaches []int           // mutants that it runs but does not infect in a survey
	kills   map[int]float64 // by mutant: rate
	kind    string          // of its failures; empty: ledger.Test
	flaky   float64         // rate, with any mutant and without
	lonely  float64         // rate in a process of its own, likewise
	claims  string          // the test that it reports as failed; empty: itself
	needs   bool            // it fails unless the sandbox is loosened
	after   string          // it passes only if the test of this name ran before
	behind  string          // it fails if the test of this name ran right before
	inSuite map[int]bool    // mutants that it notices only after other tests
	hidden  bool            // not listed by Registered
	big     bool            // it fails unless the suite is Roomy
	stuck   bool            // run alone, it takes all of the remaining time
	stalls  *atomic.Bool    // if true, stuck for one run, which sets it to false; nil: never stuck
	port    bool            // it fails unless the suite runs Apart
	skips   bool            // it reports a part of itself as skipped
	faint   bool            // Cover does not see what it infects and reaches
	ends    bool            // it ends the process in Cover
	red     []string        // its subtests that always fail
	green   int             // how many other subtests pass
	woven   bool            // Explain says that it fails only in woven code
}

// mark sets the marks of the mutants that t infects and reaches.
func (t fakeTest) mark(marks []byte) {
	for _, m := range t.infects {
		marks[m] |= wire.MarkEvaluated | wire.MarkInfected
	}
	for _, m := range t.reaches {
		marks[m] |= wire.MarkEvaluated
	}
}

// failing returns the subtests of t that fail without a mutant, except those that the suite leaves out.
func (t fakeTest) failing(s *executor.Suite) (names []string) {
	for _, sub := range t.red {
		if name := t.name + "/" + sub; !slices.Contains(s.Without, name) {
			names = append(names, name)
		}
	}
	return names
}

// fakeLimit ends a run that has no other limit.
const fakeLimit = time.Minute

func (f *fake) Width() int { return 2 }

func (f *fake) List(_ context.Context, s *executor.Suite) (names []string, err error) {
	time.Sleep(f.start)
	for _, t := range f.tests[s.Package] {
		names = append(names, t.name)
	}
	return names, nil
}

func (f *fake) Registered(s *executor.Suite) (names []string) {
	for _, t := range f.tests[s.Package] {
		if !t.hidden {
			names = append(names, t.name)
		}
	}
	return names
}

// happens returns true at the given rate, at random.
func (f *fake) happens(rate float64) bool {
	return rate > 0 && (rate >= 1 || float64(f.random(1<<20)) < rate*(1<<20))
}

// fails reports whether t fails with a mutant (none if mutant is 0) after the tests before have run in the process.
func (f *fake) fails(s *executor.Suite, t fakeTest, mutant int, before []string) bool {
	switch {
	case t.port && !s.Apart, t.big && !s.Roomy:
		return true
	case t.needs && !f.allowed, f.happens(t.flaky):
		return true
	case t.after != "" && !slices.Contains(before, t.after):
		return true
	case t.behind != "" && len(before) > 0 && t.behind == before[len(before)-1]:
		return true
	case mutant > 0 && t.inSuite[mutant] && len(before) > 0:
		return true
	}
	return mutant > 0 && f.happens(t.kills[mutant])
}

func (f *fake) Run(ctx context.Context, s executor.Spec) (executor.Report, error) {
	if ctx.Err() != nil {
		return executor.Report{}, context.Cause(ctx)
	}
	for _, t := range f.tests[s.Suite.Package] {
		if alone := slices.Equal(s.Tests, []string{t.name}); alone && (t.stuck || t.stalls != nil && t.stalls.CompareAndSwap(true, false)) {
			<-ctx.Done()
			return executor.Report{}, context.Cause(ctx)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.surveyed = append(f.surveyed, s.Tests...)
	if s.Tests == nil {
		f.suites = append(f.suites, strings.Join(s.Skip, " "))
	}
	r := executor.Report{NoTests: true, Took: f.start, Marks: make([]byte, 100)}
	if f.idles != nil && f.idles(s.Mutant) {
		f.log = append(f.log, "idle")
		return r, nil
	}
	var before []string
	limit := cmp.Or(s.Limit, fakeLimit)
	for _, t := range f.tests[s.Suite.Package] {
		if s.Tests != nil && !slices.Contains(s.Tests, t.name) || slices.Contains(s.Skip, t.name) {
			continue
		}
		if r.NoTests = f.mute; f.mute {
			r.Blocks = []int{0}
		}
		if r.Took += t.took; r.Took > limit { // the limit ends it before it does anything
			break
		}
		t.mark(r.Marks)
		red := t.failing(s.Suite)
		if len(red) > 0 || f.fails(s.Suite, t, s.Mutant, before) || len(s.Tests) == 1 && f.happens(t.lonely) {
			r.Kind = ledger.Test
			if t.kind != "" {
				r.Kind = t.kind
			}
			r.Failed = append(append(r.Failed, cmp.Or(t.claims, t.name)), red...)
			r.TooBig = r.TooBig || t.big && !s.Suite.Roomy
			if r.Kind == ledger.Crash {
				break
			}
		}
		if s.Verbose && t.skips {
			r.Skipped = append(r.Skipped, t.name+"/sub")
		}
		for i := range t.green {
			r.Passed = append(r.Passed, fmt.Sprint(t.name, "/", i))
		}
		before = append(before, t.name)
	}
	if r.Took > limit {
		r.Kind, r.ByClock, r.Took, r.Failed, r.Before = ledger.Hang, true, limit, nil, r.Failed
	}
	if s.Mutant > 0 {
		what := "suite"
		if len(s.Tests) == 1 {
			what = "alone " + s.Tests[0]
		} else if s.Tests != nil {
			what = "some " + strings.Join(s.Tests, " ")
		} else if len(s.Skip) > 0 {
			what = "suite without " + strings.Join(s.Skip, " ")
		}
		f.log = append(f.log, what)
	}
	return r, nil
}

func (f *fake) Allow(_ context.Context, s executor.Spec) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	needed := slices.ContainsFunc(f.tests[s.Suite.Package], func(t fakeTest) bool { return t.needs && slices.Contains(s.Tests, t.name) })
	if f.allows && !f.allowed && needed {
		f.allowed = true
		return true, nil
	}
	return false, nil
}

func (f *fake) Blame(_ context.Context, s executor.Spec) ([]string, error) { return f.silent, nil }

func (f *fake) Explain(ctx context.Context, s executor.Spec) (e executor.Explanation, err error) {
	f.explained++
	if f.waits {
		<-ctx.Done()
		return e, context.Cause(ctx)
	}
	for _, t := range f.tests[s.Suite.Package] {
		if slices.Contains(s.Tests, t.name) && t.woven {
			e.Woven = append(e.Woven, t.name)
		}
	}
	e.Why, e.Broken = "fails without any mutant", !f.ours
	if len(s.Tests) == 0 && f.ours {
		e.Why = executor.FailsWoven
	}
	return e, nil
}

func (f *fake) Cover(_ context.Context, s *executor.Suite, tests []string) (reports map[string]executor.Report, ran int, err error) {
	reports = map[string]executor.Report{}
	for _, t := range f.tests[s.Package] {
		if !slices.Contains(tests, t.name) {
			continue
		}
		if t.ends || f.idles != nil && f.idles(wire.Original) {
			break
		}
		ran++
		r := executor.Report{Took: t.took, Marks: make([]byte, 100)}
		if !t.faint {
			t.mark(r.Marks)
		}
		if t.skips {
			r.Skipped = []string{t.name}
		}
		reports[t.name] = r
	}
	return reports, ran, nil
}

func (f *fake) Try(_ context.Context, s *executor.Suite, trials []executor.Trial) (verdicts []executor.Verdict, began bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = append(f.log, "trial")
	clean := true
	for _, trial := range trials {
		v := executor.Verdict{Mutant: trial.Mutant}
		for _, t := range f.tests[s.Package] {
			if v.Kind != ledger.Pass || trial.Test(t.name) == nil {
				continue
			}
			first := f.fails(s, t, trial.Mutant, nil)
			once := trial.Test(t.name).Once
			second := first
			if !once {
				second = f.fails(s, t, trial.Mutant, nil)
			}
			switch {
			case !once && f.fails(s, t, 0, nil):
				v.Drift, v.Test = true, t.name
			case first != second:
				v.Random, v.Test = true, t.name
			case first:
				v.Kind, v.Test, v.Repeated = ledger.Test, t.name, !once
				if t.kind != "" {
					v.Kind = t.kind
				}
			}
		}
		verdicts = append(verdicts, v)
		if v.Kind == ledger.Hang {
			clean = false
			break
		}
	}
	for i := range verdicts {
		verdicts[i].Clean = clean
	}
	return verdicts, true, nil
}

// newRandom returns a small random number generator. It takes n and returns a number from 0 to n-1.
func newRandom(seed int) func(n int) int {
	state := uint64(seed)*2654435769 + 1
	return func(n int) int {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		return int(state % uint64(n))
	}
}
