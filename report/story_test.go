package report

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestAnEditOfAnotherFileNamesIt(t *testing.T) {
	a, b := survivor("a1"), survivor("b2", func(m *results.Mutant) { m.File = "g/g.go" })
	s := storyOf(&results.Results{}, Finding{Kind: Gap, Mutant: &a, Also: []*results.Mutant{&b}})
	for i, want := range []string{"line 101:", "g/g.go:102:"} {
		if got := s.rows[i].place().Plain("", ""); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestNamesOfTestsMayHaveDotsAndSlashes(t *testing.T) {
	for name, want := range map[string]string{
		"example.com/p.TestParse/v1.2":            "TestParse/v1.2",
		"example.com/p.TestF/github.com/a/b":      "TestF/github.com/a/b",
		"example.com/p.FuzzF":                     "FuzzF",
		"gopkg.in/yaml.v3.TestDecode":             "TestDecode",
		"example.com/p.mutantfuzz_driver_1_Parse": "mutantfuzz_driver_1_Parse",
		"TestAlone": "TestAlone",
	} {
		if got := local(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestAnEditInAnotherFileIsNamedWithThat(t *testing.T) {
	first, other := survivor("a1"), survivor("b2", line(171))
	other.File = "llms/other.go"
	f := Finding{Mutant: &first, Also: []*results.Mutant{&other}}
	if got, want := edited(f, &other).Plain("", ""), "With the edit of line 171 of other.go"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := edited(f, &first).Plain("", ""), "With the edit of line 101"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
