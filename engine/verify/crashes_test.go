package verify

import (
	"slices"
	"testing"

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
