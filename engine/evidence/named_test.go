package evidence

import (
	"fmt"
	"slices"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTestsOfTheChangeAreNamedFirst(t *testing.T) {
	changed := map[string]string{"p.Test6": results.TestAdded, "p.Test8": results.TestAltered}
	var m Mutant
	for i := 1; i < 10; i++ {
		m.name(fmt.Sprintf("p.Test%d", i), changed)
	}
	if want := []string{"p.Test6", "p.Test8", "p.Test1", "p.Test2", "p.Test3"}; !slices.Equal(m.Named, want) {
		t.Errorf("named are %v, want %v", m.Named, want)
	}
	if want := []results.NewTest{{Test: "p.Test6", Change: results.TestAdded}, {Test: "p.Test8", Change: results.TestAltered}}; !slices.Equal(m.NamedChanged, want) {
		t.Errorf("of the change are %v, want %v", m.NamedChanged, want)
	}
}
