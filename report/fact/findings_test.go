package fact

import (
	"testing"

	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

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

func TestWhatNoMachineHasTheMemoryForIsNoInput(t *testing.T) {
	for ends, want := range map[string]bool{"": true, results.CrashFatal: false} {
		m := Survivor("a1", Exposed)
		m.ExposedBy.Driver, m.ExposedBy.Call, m.ExposedBy.Ends, m.ExposedBy.Mutant = true, "F(1)", ends, "fatal error: runtime: out of memory"
		if got := Witness(&m) != nil; got != want {
			t.Errorf("where it ends with %q: an input: %v", ends, got)
		}
	}
}
