package story

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestCommandsHaveTheFlagsThatDecideWhichTestsThereAre(t *testing.T) {
	for want, flags := range map[string][]string{
		"go test":                          nil,
		"go test -tags=integration":        {"-tags=integration"},
		"go test -tags=a,b.c -short":       {"-tags=x", "-tags=a,b.c", "-trimpath", "-test.short", "-test.count=2"},
		"go test -short":                   {"-test.short=true", "-test.short=maybe", "-ldflags=-X a=b"},
		"go test -tags=only_the_valid_one": {"-tags=only_the_valid_one", "-tags=a b", "-tags=$(id)", "-tags=a\n-exec=x", "-tags=", "-tags=" + strings.Repeat("a", 300)},
	} {
		r := &results.Results{Options: results.Options{TestFlags: flags}}
		if got := GoTest(r); got != want {
			t.Errorf("%q: %s, want %s", flags, got, want)
		}
		if got, want := GoTestOne(r, "m/p.TestA", ""), want+" -run '^TestA$' m/p"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if got, want := GoTestAll(r, "m/p.TestA"), want+" m/p"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
