package fact

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestNamesOfTestsMayHaveDotsAndSlashes(t *testing.T) {
	for name, want := range map[string]string{
		"example.com/p.TestParse/v1.2":            "TestParse/v1.2",
		"example.com/p.TestF/github.com/a/b":      "TestF/github.com/a/b",
		"example.com/p.FuzzF":                     "FuzzF",
		"gopkg.in/yaml.v3.TestDecode":             "TestDecode",
		"example.com/p.mutantfuzz_driver_1_Parse": "mutantfuzz_driver_1_Parse",
		"TestAlone": "TestAlone",
	} {
		if got := Local(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestFunctionsOfOneNameAreToldApart(t *testing.T) {
	r := &results.Results{Scope: []results.Function{
		{ID: "example.com/m.F", Name: "F", Package: "example.com/m"},
		{ID: "example.com/m/v3.F", Name: "F", Package: "example.com/m/v3"},
		{ID: "example.com/m/v3.T.G", Name: "T.G", Package: "example.com/m/v3"},
	}}
	for id, want := range map[string]string{
		"example.com/m.F": "m.F", "example.com/m/v3.F": "v3.F", "example.com/m/v3.T.G": "T.G", "unknown": "unknown",
	} {
		if got := FunctionName(r, id); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}
