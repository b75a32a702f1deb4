package fuzz

import (
	"slices"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTheBudgetOfTheNextWorkerIsWhatTheLastOneLeft(t *testing.T) {
	const second = 1e9
	unbounded := wire.Job{MutantExecs: -1, ProgramExecs: -1, MutantTime: -1, ProgramTime: -1}
	timed := func(mutants, program int64) wire.Job {
		j := unbounded
		j.MutantTime, j.ProgramTime = mutants*second, program*second
		return j
	}
	counted := func(mutants, program int64) wire.Job {
		j := unbounded
		j.MutantExecs, j.ProgramExecs = mutants, program
		return j
	}
	for name, tt := range map[string]struct {
		job  wire.Job
		used wire.Stats
		want wire.Job
	}{
		"replay takes from the mutants":          {timed(5, 5), wire.Stats{Stage: "mutants", Seconds: [3]float64{2, 1, 0}}, timed(2, 5)},
		"a long one from the program as well":    {timed(1, 5), wire.Stats{Stage: "replay", Seconds: [3]float64{4, 0, 0}}, timed(0, 2)},
		"time that the program took":             {timed(5, 5), wire.Stats{Stage: "program", Seconds: [3]float64{0, 5, 3}}, timed(0, 2)},
		"no more than there is":                  {timed(1, 1), wire.Stats{Stage: "program", Seconds: [3]float64{3, 3, 3}}, timed(0, 0)},
		"runs in the stage of the mutants":       {counted(50, 70), wire.Stats{Stage: "mutants", Execs: 20}, counted(30, 70)},
		"runs of both stages":                    {counted(50, 70), wire.Stats{Stage: "program", Execs: 60}, counted(0, 60)},
		"runs of the mutants left to the second": {counted(50, 70), wire.Stats{Stage: "program", Execs: 20}, counted(0, 100)},
		"where there is no bound":                {unbounded, wire.Stats{Stage: "program", Execs: 20, Seconds: [3]float64{1, 1, 1}}, unbounded},
	} {
		t.Run(name, func(t *testing.T) {
			j := &job{job: tt.job}
			j.spend(&tt.used)
			got := [4]int64{j.job.MutantExecs, j.job.ProgramExecs, j.job.MutantTime, j.job.ProgramTime}
			if want := [4]int64{tt.want.MutantExecs, tt.want.ProgramExecs, tt.want.MutantTime, tt.want.ProgramTime}; got != want {
				t.Errorf("left %d, want %d", got, want)
			}
		})
	}
}

func TestOldAndNewAgreeWhereTheFunctionGivesSomething(t *testing.T) {
	f, _ := newTestFuzzer()
	f.Woven.Sites = []weave.Site{
		{Target: "FuzzX", Function: "p.F", Results: 1},
		{Target: "FuzzX", Function: "p.F"},
		{Target: "FuzzX", Function: "p.G", Results: 1},
		{Function: "p.F", Results: 1}, // a call in a test
	}
	if got := f.sitesOf("p.F"); !slices.Equal(got, []int{0}) {
		t.Errorf("sites %v", got)
	}
}

func TestADriverOfWhatCallersCannotCallShowsNothingOfWhatTheyCan(t *testing.T) {
	f, inner := newTestFuzzer()
	inner.Driver, inner.made = true, program.Made{For: []string{"p.grow"}, Inner: true}
	for _, m := range f.Mutants {
		m.Tests = &judge.Decision{Decision: ledger.Decision{Status: ledger.Survived}}
	}
	if got := len(f.liveFor(inner)); got != 3 {
		t.Errorf("without another driver of p.F, %d mutants of 3", got)
	}
	outer := newTarget(&weave.Target{Name: "p.Driver_F", Func: "Driver_F", Package: "p"}, "p.test", 0)
	outer.Driver, outer.made = true, program.Made{For: []string{"p.F"}}
	f.Targets = append(f.Targets, outer)
	if got := len(f.liveFor(inner)); got != 0 {
		t.Errorf("beside the driver of p.F itself, %d mutants", got)
	}
	if got := len(f.liveFor(outer)); got != 3 {
		t.Errorf("the driver of p.F has %d mutants of 3", got)
	}
}

func TestRunsOfADriverWhoseResultIsRandomShowNothing(t *testing.T) {
	for _, tt := range []struct {
		name      string
		driver    bool
		struck    []int
		execs     int64
		driven    int64
		byCallers int64
	}{
		{"a driver", true, nil, 7, 7, 7},
		{"another call of it differs", true, []int{0}, 7, 7, 7},
		{"its own call differs", true, []int{1}, 0, 0, 0},
		{"a target of the user's", false, []int{1}, 7, 0, 0},
	} {
		f, target := newTestFuzzer()
		target.Driver, target.made.Calls = tt.driver, "F"
		f.Woven.Sites = []weave.Site{{Target: target.Name, Callee: "p.New"}, {Target: target.Name, Callee: "p.F"}}
		f.account(&job{target: target, job: wire.Job{Struck: tt.struck}}, &wire.Stats{ByMutant: map[int]int64{1: 7}})
		e := f.Mutants.Results()[0].Evidence
		if e.Execs != tt.execs || e.Driven != tt.driven || e.ByCallers != tt.byCallers {
			t.Errorf("%s: %d runs, %d driven, %d by callers", tt.name, e.Execs, e.Driven, e.ByCallers)
		}
	}
}

func TestWhatShowsWithinAPackageIsTriedByCallers(t *testing.T) {
	f, target := newTestFuzzer()
	driver := newTarget(target.Target, "", 0)
	driver.Driver, driver.made = true, program.Made{For: []string{"p.grow"}}
	m := f.Mutants[0]
	m.Tests = &judge.Decision{Decision: ledger.Decision{Status: ledger.Survived}}
	for _, tt := range []struct {
		name, function string
		exposed        results.ExposedBy
		on             *Target
		want           bool
	}{
		{"of a function that callers cannot call", "p.grow", results.ExposedBy{InTest: true}, driver, true},
		{"of one that they can", "p.Grow", results.ExposedBy{InTest: true}, driver, false},
		{"by a driver", "p.grow", results.ExposedBy{Driver: true}, driver, false},
		{"by one that calls what they cannot", "p.grow", results.ExposedBy{Driver: true, Inner: true}, driver, true},
		{"of another function", "p.shrink", results.ExposedBy{Driver: true, Inner: true}, driver, false},
		{"on a target of the user's", "p.grow", results.ExposedBy{InTest: true}, target, false},
	} {
		m.Function, m.Exposed = tt.function, &tt.exposed
		if got := insideOnly(tt.on, m); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

func TestDriversAloneAreNotFuzzedForAsLongAsThereIsTime(t *testing.T) {
	f, driver := newTestFuzzer()
	driver.Driver = true
	user := newTarget(driver.Target, "", 0)
	late := time.Now().Add(time.Hour)
	for name, tt := range map[string]struct {
		targets []*Target
		execs   int64
		until   time.Time
		bounded bool
	}{
		"drivers alone":               {slices.Repeat([]*Target{driver}, 9), -1, late, true},
		"without a bound":             {[]*Target{driver}, -1, time.Time{}, true},
		"as long as a number of runs": {[]*Target{driver}, 100, time.Time{}, false},
		"beside a target":             {[]*Target{driver, user}, -1, late, false},
	} {
		f.Targets, f.Execs, f.Until = tt.targets, tt.execs, tt.until
		f.boundDrivers()
		if most := time.Now().Add(maxDriven * driverTime); tt.bounded && (f.Until.IsZero() || f.Until.After(most)) || !tt.bounded && !f.Until.Equal(tt.until) {
			t.Errorf("%s: until %v", name, f.Until)
		}
	}
}
