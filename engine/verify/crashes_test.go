package verify

import (
	"slices"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestCrashesThatWereNotCheckedAreToldOnceForEachHarness(t *testing.T) {
	got := uncheckedWarnings([]results.Crash{
		{Harness: "p.FuzzA", Entry: "1", Message: "no"}, {Harness: "p.FuzzB", Entry: "2", Message: "never"},
		{Harness: "p.FuzzA", Entry: "3", Message: "not"}, {Harness: "p.FuzzA", Entry: "4", Message: "not"},
	})
	if want := []string{
		"p.FuzzA failed on entry 1 (no) and on 2 more; there was no time to confirm that with plain go test",
		"p.FuzzB failed on entry 2 (never); there was no time to confirm that with plain go test",
	}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestOnlyTestsThatAreSeenToRunPass(t *testing.T) {
	v := &Verifier{Judged: &judge.Result{}}
	for name, tt := range map[string]struct {
		exit       worker.Exit
		passed     bool
		introduced string // whether the change brought a failure, if the base ends so
	}{
		"they pass":                   {worker.Exit{Output: []byte("PASS\n")}, true, results.IntroducedYes},
		"they fail":                   {worker.Exit{Code: 1, Output: []byte("FAIL\n")}, false, results.IntroducedNo},
		"there is none":               {worker.Exit{Output: []byte("testing: warning: no tests to run\nPASS\n")}, false, results.IntroducedUnknown},
		"TestMain ends the process":   {worker.Exit{Output: []byte("no database\n")}, false, results.IntroducedUnknown},
		"something kills the process": {worker.Exit{Code: -1, Cause: worker.Lost}, false, results.IntroducedUnknown},
	} {
		if got := v.passed(pool.Run{Exit: tt.exit, Outcome: tt.exit.Outcome()}, "p"); got != tt.passed {
			t.Errorf("%s: passed %t", name, got)
		}
		if got := introducedBy(tt.exit); got != tt.introduced {
			t.Errorf("%s: %q", name, got)
		}
	}
}
