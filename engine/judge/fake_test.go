package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// fake is an executor without processes: its tests are described by fakeTest.
type fake struct {
	tests map[string][]fakeTest // by package, in order
	// shared state of a process that tests leave behind is not simulated but for
	// fakeTest.after.
	allows bool          // the sandbox may be loosened
	ours   bool          // tests that fail pass with plain go test
	silent []string      // tests that end the process without output
	waits  bool          // to explain failures takes all the time that there is
	start  time.Duration // how long a process takes that runs no test

	mu        sync.Mutex
	allowed   bool
	explained int      // how often failures were explained
	suites    []string // what was left out of runs of all tests of a suite
	surveyed  []string // tests that ran by themselves or with a few others
	log       []string // of runs with a mutant: "suite", "alone TestX", "trial"
	random    func(int) int
}

// fakeTest is a test: what it infects, and with which mutants it fails.
type fakeTest struct {
	name    string
	took    time.Duration
	infects []int
	reaches []int           // what it runs, and does not infect in a survey
	kills   map[int]float64 // by mutant: how often it fails
	kind    string          // of its failures; "": Test
	flaky   float64         // how often it fails without a mutant
	lonely  float64         // how often it fails without a mutant in a process of its own
	claims  string          // the test that it reports as failed; "": itself
	needs   bool            // it fails unless the sandbox is loosened
	after   string          // it passes only if that test ran before
	inSuite map[int]bool    // mutants that it notices only after other tests
	hidden  bool            // it is not registered
	big     bool            // it fails if it may not have more memory
	stuck   bool            // alone it runs until there is no more time
	stalls  *bool           // likewise while that is true, which it is not any more then; nil: it does not
	port    bool            // it fails while another process may run
	skips   bool            // it skips the rest of itself
	faint   bool            // what it infects is only seen in runs of the whole suite
	red     []string        // its subtests that fail without a mutant
	green   int             // how many others pass
	woven   bool            // it fails only where the code is instrumented
}

// mark sets the marks of what a test runs.
func (t fakeTest) mark(marks []byte) {
	for _, m := range t.infects {
		marks[m] |= wire.MarkEvaluated | wire.MarkInfected
	}
	for _, m := range t.reaches {
		marks[m] |= wire.MarkEvaluated
	}
}

// failing are the subtests of a test of a suite that fail without a mutant.
func (t fakeTest) failing(s *Suite) (names []string) {
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

func (f *fake) List(_ context.Context, s *Suite) (names []string, err error) {
	time.Sleep(f.start)
	for _, t := range f.tests[s.Package] {
		names = append(names, t.name)
	}
	return names, nil
}

func (f *fake) Registered(s *Suite) (names []string) {
	for _, t := range f.tests[s.Package] {
		if !t.hidden {
			names = append(names, t.name)
		}
	}
	return names
}

// happens is true at a given rate.
func (f *fake) happens(rate float64) bool {
	return rate > 0 && (rate >= 1 || float64(f.random(1<<20)) < rate*(1<<20))
}

// fails reports whether a test of a suite fails with a mutant when others have run before it.
func (f *fake) fails(s *Suite, t fakeTest, mutant int, before []string) bool {
	switch {
	case t.port && !s.Apart, t.big && !s.Roomy:
		return true
	case t.needs && !f.allowed, f.happens(t.flaky):
		return true
	case t.after != "" && !slices.Contains(before, t.after):
		return true
	case mutant > 0 && t.inSuite[mutant] && len(before) > 0:
		return true
	}
	return mutant > 0 && f.happens(t.kills[mutant])
}

func (f *fake) Run(ctx context.Context, s Spec) (Report, error) {
	if ctx.Err() != nil {
		return Report{}, context.Cause(ctx)
	}
	for _, t := range f.tests[s.Suite.Package] {
		stalls := t.stalls != nil && *t.stalls
		if (t.stuck || stalls) && slices.Equal(s.Tests, []string{t.name}) {
			<-ctx.Done()
			if stalls {
				*t.stalls = false
			}
			return Report{}, context.Cause(ctx)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.surveyed = append(f.surveyed, s.Tests...)
	if s.Tests == nil {
		f.suites = append(f.suites, strings.Join(s.Skip, " "))
	}
	r := Report{NoTests: true, Took: f.start, Marks: make([]byte, 100)}
	var before []string
	limit := cmp.Or(s.Limit, fakeLimit)
	for _, t := range f.tests[s.Suite.Package] {
		if s.Tests != nil && !slices.Contains(s.Tests, t.name) || slices.Contains(s.Skip, t.name) {
			continue
		}
		r.NoTests = false
		if r.Took += t.took; r.Took > limit { // it does nothing before it ends
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

func (f *fake) Allow(_ context.Context, s Spec) (bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	needed := slices.ContainsFunc(f.tests[s.Suite.Package], func(t fakeTest) bool { return t.needs && slices.Contains(s.Tests, t.name) })
	if f.allows && !f.allowed && needed {
		f.allowed = true
		return true, nil
	}
	return false, nil
}

func (f *fake) Blame(_ context.Context, s Spec) ([]string, error) { return f.silent, nil }

func (f *fake) Explain(ctx context.Context, s Spec) (e Explanation, err error) {
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
	return e, nil
}

func (f *fake) Cover(_ context.Context, s *Suite, tests []string) (map[string]Report, error) {
	reports := map[string]Report{}
	for _, t := range f.tests[s.Package] {
		if !slices.Contains(tests, t.name) {
			continue
		}
		r := Report{Took: t.took, Marks: make([]byte, 100)}
		if !t.faint {
			t.mark(r.Marks)
		}
		if t.skips {
			r.Skipped = []string{t.name}
		}
		reports[t.name] = r
	}
	return reports, nil
}

func (f *fake) Try(_ context.Context, s *Suite, trials []Trial) (verdicts []Verdict, began bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = append(f.log, "trial")
	clean := true
	for _, trial := range trials {
		v := Verdict{Mutant: trial.Mutant}
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
				v.Kind, v.Test = ledger.Test, t.name
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

// newRandom is a small generator: random(n) is below n.
func newRandom(seed int) func(n int) int {
	state := uint64(seed)*2654435769 + 1
	return func(n int) int {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		return int(state % uint64(n))
	}
}
