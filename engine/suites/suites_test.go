package suites

import (
	"context"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/journal"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/reach"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestOnlyMutantsOfPackagesOfWhichNoTestPassesAreGivenUp(t *testing.T) {
	mutant := func(pkg string, s ledger.Status) *evidence.Mutant {
		m := &evidence.Mutant{Mutant: &weave.Mutant{Mutant: &mutate.Mutant{}}, Package: pkg}
		m.Tests = &judge.Decision{Decision: ledger.Decision{Status: s, Kind: ledger.Test, Test: "p.TestA"}}
		return m
	}
	failed := func(pkg string) *judge.Survey {
		return &judge.Survey{Suite: &executor.Suite{Package: pkg}, Failure: &judge.BaselineError{Package: pkg}}
	}
	c := Config{
		Mutants: evidence.Mutants{mutant("red", ledger.Killed), mutant("red", ledger.Survived), mutant("green", ledger.Survived)},
		Judged:  &judge.Result{Surveys: []*judge.Survey{failed("red"), failed("dependent")}},
	}
	fails := func(own ...string) error { return (&Suites{Config: c, own: own}).baselineFails() }
	if err := fails("green", "red"); err != nil {
		t.Errorf("one package's tests pass, and yet %v", err)
	}
	for i, want := range []string{results.Killed, results.NotRun, results.Survived} {
		if got := c.Mutants[i].Verdict().Status; got != want {
			t.Errorf("mutant %d is %s, want %s", i, got, want)
		}
	}
	if err := fails("red"); err == nil {
		t.Error("no error, although no test passes")
	}
	if err := fails(); err != nil {
		t.Errorf("no touched package has tests, and yet %v", err)
	}
}

func TestTestsOfDependentsThatFailOrDoNotEndDoNotSilenceThoseOfThePackage(t *testing.T) {
	const fails = "tests that fail on the unmodified code may run this code, and might notice the edit: TestRed"
	for name, tt := range map[string]struct {
		suite    string
		testedIn []string
		why      string
		ownOnly  bool
		reason   string
	}{
		"of a dependent":                         {suite: "q", why: judge.DoesNotEnd, ownOnly: true, reason: "not all tests of packages that depend on this one ran in time: q"},
		"of the change":                          {suite: "q", testedIn: []string{"q"}, why: judge.DoesNotEnd, reason: fails},
		"of the package of a mutant":             {suite: "p", why: judge.DoesNotEnd, reason: fails},
		"of a dependent, that fails":             {suite: "q", why: "fails", ownOnly: true, reason: fails},
		"of the change, that fails":              {suite: "q", testedIn: []string{"q"}, why: "fails", reason: fails},
		"of the package of a mutant, that fails": {suite: "p", why: "fails", reason: fails},
	} {
		t.Run(name, func(t *testing.T) {
			m := &evidence.Mutant{Mutant: &weave.Mutant{Mutant: &mutate.Mutant{}}, Package: "p", Tests: &judge.Decision{Decision: ledger.Decision{Status: ledger.Survived}}}
			s := &Suites{others: []string{"q"}, changed: map[string]string{}, Config: Config{
				Runner: &pool.Runner{Binaries: &build.Binaries{Config: build.Config{Program: &program.Program{TestedIn: tt.testedIn}}}},
				Reach:  &reach.Reach{Program: &program.Program{}}, Mutants: evidence.Mutants{m},
				Judged: &judge.Result{Surveys: []*judge.Survey{{Suite: &executor.Suite{Package: tt.suite}, Quarantined: []judge.Quarantined{
					{Package: tt.suite, Test: "TestRed", Why: tt.why},
				}}}},
			}}
			late, cancel := context.WithCancel(t.Context())
			cancel()
			s.unseen(late)
			if m.Tests.OwnOnly != tt.ownOnly || m.Tests.Reason != tt.reason {
				t.Errorf("%+v", m.Tests)
			}
		})
	}
}

func TestTestsOfTheChangeInAnotherLanguageMayNoticeASurvivor(t *testing.T) {
	m := &evidence.Mutant{Mutant: &weave.Mutant{Mutant: &mutate.Mutant{}}, Package: "p", Tests: &judge.Decision{Decision: ledger.Decision{Status: ledger.Survived}}}
	s := &Suites{changed: map[string]string{}, Config: Config{
		Reach: &reach.Reach{Program: &program.Program{OtherTests: []string{"test/core.rb"}}}, Mutants: evidence.Mutants{m}, Judged: &judge.Result{},
	}}
	s.unseen(t.Context())
	if !m.Tests.Awaits || m.Tests.OwnOnly || !strings.HasSuffix(m.Tests.Reason, "test/core.rb") {
		t.Errorf("%+v", m.Tests)
	}
}

func TestAFailingTestMayNoticeWhatNobodyKnowsItToReach(t *testing.T) {
	m := &evidence.Mutant{Mutant: &weave.Mutant{Mutant: &mutate.Mutant{}}, Package: "p", Tests: &judge.Decision{Decision: ledger.Decision{Status: ledger.Survived}}}
	s := &Suites{changed: map[string]string{}, Config: Config{
		Reach: &reach.Reach{Program: &program.Program{}}, Mutants: evidence.Mutants{m},
		Judged: &judge.Result{Surveys: []*judge.Survey{{Suite: &executor.Suite{Package: "p"}, Quarantined: []judge.Quarantined{{Package: "p", Test: "TestRed", Why: "fails"}}}}},
	}}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	s.unseen(late)
	if !strings.Contains(m.Tests.Reason, "TestRed") {
		t.Errorf("the reason is %q", m.Tests.Reason)
	}
}

func TestFailingTestsOfDependentsDoNotHideThatTestsOfThePackageMissCode(t *testing.T) {
	for changed, want := range map[string]bool{"": false, "q": true} { // tests that the change alters may be about that code
		m := &evidence.Mutant{Mutant: &weave.Mutant{Mutant: &mutate.Mutant{}}, Package: "p", Tests: &judge.Decision{Decision: ledger.Decision{Status: ledger.Survived}}}
		s := &Suites{others: []string{"q"}, changed: map[string]string{}, Config: Config{
			Runner: &pool.Runner{Binaries: &build.Binaries{Config: build.Config{Program: &program.Program{TestedIn: []string{changed}}}}},
			Reach:  &reach.Reach{Program: &program.Program{}}, Mutants: evidence.Mutants{m},
			Judged: &judge.Result{Surveys: []*judge.Survey{{Suite: &executor.Suite{Package: "q"}, Quarantined: []judge.Quarantined{{Package: "q", Test: "TestRed", Why: "fails"}}}}},
		}}
		late, cancel := context.WithCancel(t.Context())
		cancel()
		s.unseen(late)
		if m.Unseen != want || m.Tests.OwnOnly == want {
			t.Errorf("tests changed in %q: unseen %v, %+v", changed, m.Unseen, m.Tests)
		}
	}
}

func TestFewTestsThatEndWellElsewhereAreOutnumbered(t *testing.T) {
	v := &judge.Survey{Suite: &executor.Suite{Package: "p"}, Quarantined: []judge.Quarantined{
		{Package: "p", Test: "TestRed", Why: "fails"}, {Package: "p", Test: "TestBlue", Why: "fails"}, {Package: "p", Test: "TestEndless", Why: judge.DoesNotEnd},
	}}
	for name, tt := range map[string]struct {
		tests   []string
		changed string
		want    bool
	}{
		"one beside five":          {[]string{"TestRed"}, "", true},
		"two":                      {[]string{"TestRed", "TestBlue"}, "", false},
		"one of the change":        {[]string{"TestRed"}, "p.TestRed", false},
		"another is of the change": {[]string{"TestRed"}, "p.TestBlue", true},
		"one that does not end":    {[]string{"TestEndless"}, "", false},
	} {
		s := &Suites{changed: map[string]string{tt.changed: results.TestAltered}}
		if got := s.outnumbered(v, tt.tests, 5); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestDependentsCatchUpUntilThereIsNoOtherMutantToJudge(t *testing.T) {
	mutant := func(number int, reason string) *evidence.Mutant {
		return &evidence.Mutant{
			Mutant: &weave.Mutant{Mutant: &mutate.Mutant{}}, Number: number, Package: "p", Tests: &judge.Decision{Decision: ledger.Decision{Status: ledger.Survived, Reason: reason}},
		}
	}
	mutants := evidence.Mutants{mutant(1, "late"), mutant(2, ""), mutant(3, "late")}
	p := &program.Program{}
	s := &Suites{Config: Config{
		Runner: &pool.Runner{Pool: &pool.Pool{}, Binaries: &build.Binaries{Config: build.Config{Program: p, Journal: journal.New(nil)}}},
		Reach:  &reach.Reach{Program: p}, Mutants: mutants, Judged: &judge.Result{},
	}}
	asked := 0
	err := s.CatchUp(t.Context(), func() evidence.Mutants {
		asked++
		mutants[0].Tests.Reason = "late" // whatever they say
		return mutants[:min(asked+1, 3)]
	})
	if err != nil || asked != 3 || mutants[2].Tests.Reason != "" {
		t.Errorf("asked %d times, %+v, %v", asked, mutants[2].Tests, err)
	}
}

// red is an executor of a suite with one test, which fails with any mutant.
type red struct{ executor.Executor }

func (red) Width() int { return 1 }

func (red) List(context.Context, *executor.Suite) ([]string, error) { return []string{"TestRed"}, nil }

func (red) Registered(*executor.Suite) []string { return nil }

func (red) Run(_ context.Context, s executor.Spec) (r executor.Report, err error) {
	r.Untrusted = true
	if s.Mutant > 0 {
		r.Kind, r.Failed = ledger.Test, []string{"TestRed"}
	}
	return r, nil
}

func TestWhatAQuarantinedTestKilledIsJudgedAgain(t *testing.T) {
	m := &evidence.Mutant{Mutant: &weave.Mutant{Mutant: &mutate.Mutant{}}, Number: 1, Package: "p"}
	p := &program.Program{}
	s := &Suites{changed: map[string]string{}, Config: Config{
		Runner: &pool.Runner{Pool: &pool.Pool{}, Binaries: &build.Binaries{Config: build.Config{Program: p, Journal: journal.New(nil)}}},
		Reach:  &reach.Reach{Program: p}, Mutants: evidence.Mutants{m}, Judged: &judge.Result{},
	}}
	err := s.Judged.Continue(t.Context(), judge.Config{Executor: red{}, Mutants: []*judge.Mutant{m.AsJudged()}, Own: []*executor.Suite{{Package: "p"}}})
	if err != nil {
		t.Fatal(err)
	}
	s.Mutants.Judged(s.Judged, nil)
	if killed := s.killed(); len(killed) != 1 || m.Live() {
		t.Fatalf("%+v; killed are %v", m.Tests, killed)
	}
	v := s.Judged.SurveyOf("p")
	v.Quarantined, v.Tests = []judge.Quarantined{{Package: "p", Test: "TestRed", Why: judge.FailsSometimes}}, nil
	if err := s.left(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if killed := s.killed(); len(killed) > 0 || !m.Live() {
		t.Errorf("%+v; killed are %v", m.Tests, killed)
	}
}

func TestTheReservationThatDependentsHaveNotRunStaysWhereTheyMayReachTheMutant(t *testing.T) {
	for what, others := range map[string][]string{"": nil, "m/q": {"m/q"}} {
		m := &evidence.Mutant{Mutant: &weave.Mutant{Mutant: &mutate.Mutant{Function: "p.F"}}, Package: "p", Tests: &judge.Decision{Decision: ledger.Decision{Status: ledger.Survived}}}
		m.Tests.Late("m/q")
		s := &Suites{Config: Config{Reach: &reach.Reach{}, Judged: &judge.Result{}, Mutants: evidence.Mutants{m}}, others: others}
		if s.settle(); m.Tests.OwnOnly != (what != "") {
			t.Errorf("tests of %q are left: %+v", what, *m.Tests)
		}
	}
}

func TestTestsOfTheChangeAreLikely(t *testing.T) {
	s := &Suites{Config: Config{Reach: &reach.Reach{Program: &program.Program{}}}, changed: map[string]string{"m/p.TestNew": results.TestAdded, "m/p.TestB": results.TestAltered, "m/q.TestC": results.TestAdded}}
	if got := strings.Join(s.likely("m/p"), " "); got != "TestB TestNew" {
		t.Errorf("%q", got)
	}
}
