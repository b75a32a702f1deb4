package pool

import (
	"slices"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

func TestRunOfAMutantEndsWithTheFirstFailureUnlessTheUserWantsAllOfThem(t *testing.T) {
	r := &Runner{
		Binaries: &build.Binaries{Config: build.Config{Program: &program.Program{Packages: map[string]*gotool.Package{"p": {Dir: "/p"}}}}},
		Tests:    Tests{Flags: []string{"-test.failfast=false"}},
	}
	args := func(mutant int) []string {
		return r.plain(t.Context(), "p.test", executor.Spec{Suite: &executor.Suite{Package: "p"}, Mutant: mutant}).Args
	}
	ours, theirs := slices.Index(args(7), "-test.failfast"), slices.Index(args(7), "-test.failfast=false")
	if ours < 0 || theirs < ours {
		t.Errorf("with a mutant: %q", args(7))
	}
	for _, mutant := range []int{wire.Original, wire.Probed, wire.Identity} {
		if slices.Contains(args(mutant), "-test.failfast") {
			t.Errorf("without one: %q", args(mutant))
		}
	}
}

func TestWhetherTestsSleepIsKnownForTheVeryChoice(t *testing.T) {
	suite := &executor.Suite{Package: "p"}
	all := selected(executor.Spec{Suite: suite})
	for name, s := range map[string]executor.Spec{
		"some":        {Suite: suite, Tests: []string{"TestA"}},
		"all but one": {Suite: suite, Skip: []string{"TestA"}},
		"a part":      {Suite: &executor.Suite{Package: "p", Without: []string{"TestA/b"}}},
		"of another":  {Suite: &executor.Suite{Package: "q"}},
	} {
		if selected(s) == all {
			t.Errorf("%s: the same as all", name)
		}
	}
}

func TestMostOfASuiteSleepsIfAllOfItWasSeenTo(t *testing.T) {
	r := &Runner{Pool: testSlots(t, 1), sleep: map[string]bool{}, rested: map[string]bool{}}
	suite := &executor.Suite{Package: "p"}
	most := executor.Spec{Suite: suite, Skip: []string{"TestA"}, Mutant: 7}
	run := func(mutant int, rests bool) {
		sl := r.Take()
		defer r.Give(sl)
		r.rest(sl, rests)
		r.learnRest(sl, executor.Spec{Suite: suite, Mutant: mutant})
	}
	run(wire.Identity, false)
	run(7, true) // it may rest because of the mutant
	if _, known := r.sleeps(most); known {
		t.Error("known before it was seen")
	}
	run(wire.Identity, true)
	if sleep, known := r.sleeps(most); !sleep || !known {
		t.Errorf("most of a suite: %t, %t", sleep, known)
	}
	if _, known := r.sleeps(executor.Spec{Suite: suite, Tests: []string{"TestA"}, Mutant: 7}); known {
		t.Error("known of a single test")
	}
	r.sleep[selected(most)] = false
	if sleep, _ := r.sleeps(most); sleep {
		t.Error("the very choice was seen not to sleep")
	}
}

func TestBoundOnWhatIsAllocatedFollowsTheTimeThatTestsTake(t *testing.T) {
	for _, tt := range []struct {
		takes      time.Duration
		processors int
		want       int64
	}{
		{0, 2, 0}, // unknown time: no bound
		{time.Millisecond, 2, 2 << 30},
		{time.Second, 2, 20 << 30},
		{time.Second, 64, 640 << 30},
		{time.Hour, 2, 72000 << 30},
	} {
		if got := allocationBound(tt.takes, tt.processors); got != tt.want {
			t.Errorf("%v on %d processors: %d bytes, want %d", tt.takes, tt.processors, got, tt.want)
		}
	}
}

func TestSleepOfAMutantIsLongerThanAnyThatMayHaveBeenMissed(t *testing.T) {
	for _, tt := range []struct {
		takes time.Duration
		sleep bool
		want  time.Duration
	}{
		{time.Millisecond, false, proveAfter},
		{time.Millisecond, true, proveAfter},
		{80 * time.Millisecond, false, 160 * time.Millisecond},
		{80 * time.Millisecond, true, 160 * time.Millisecond},
		{time.Minute, false, time.Second},
		{time.Minute, true, 2 * time.Minute},
	} {
		if got := sleepLimit(tt.takes, tt.sleep); got != tt.want {
			t.Errorf("of %v, %v: %v, want %v", tt.takes, tt.sleep, got, tt.want)
		}
	}
}

func TestFlagsThatRepeatOrEndTestsAreNotForJobs(t *testing.T) {
	tests := Tests{Flags: []string{"-test.count=2", "-test.short", "-test.cpu=1,2", "-test.failfast", "-dsn=x", "-test.count=3"}}
	if got, want := tests.jobFlags(), []string{"-test.short", "-dsn=x", "-test.count=3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
