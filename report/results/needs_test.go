package results

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// needy returns a mutant that needs an additional import and an additional variable.
func needy() Mutant {
	return Mutant{
		Offset: 60, EndOffset: 63, Original: "new", Replacement: "old",
		Needs: &Needs{Added: []Addition{{10, ";import \"x\""}, {30, "\nvar f func()\n"}}, Before: strings.Repeat("-", 20) + strings.Repeat("+", 30)},
	}
}

func TestRangeOfAMutantHasWhatItNeeds(t *testing.T) {
	m := needy()
	got := m.Whole()
	want := Mutant{
		Offset: 10, EndOffset: 63, Needs: m.Needs, Original: strings.Repeat("-", 20) + strings.Repeat("+", 30) + "new",
		Replacement: ";import \"x\"" + strings.Repeat("-", 20) + "\nvar f func()\n" + strings.Repeat("+", 30) + "old",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err := got.part(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(needy(), got); diff != "" {
		t.Errorf("in memory again: -want +got:\n%s", diff)
	}
}

func TestTextsOfAMutantBeginWithWhatItNeeds(t *testing.T) {
	for name, spoil := range map[string]func(*Mutant){
		"another original":    func(m *Mutant) { m.Original = "new" },
		"another replacement": func(m *Mutant) { m.Replacement = "old" },
		"another offset":      func(m *Mutant) { m.Offset++ },
		"nothing":             func(m *Mutant) { m.Needs.Added = nil },
		"outside":             func(m *Mutant) { m.Needs.Added[1].Offset = 300 },
		"before the first":    func(m *Mutant) { m.Needs.Added[1].Offset = 3 },
	} {
		m := needy()
		whole := m.Whole()
		if spoil(&whole); whole.part() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
