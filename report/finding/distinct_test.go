package finding

import (
	"testing"

	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestAChangeThatOnlyPutsCodeUnderAConditionIsThatCondition(t *testing.T) {
	undone := &results.Mutant{
		File: "a.go", Category: results.CategoryReversal, Offset: 10, EndOffset: 90,
		Original: "\tif s.token != \"\" {\n\t\tdrop(s)\n\t}\n", Replacement: "\tdrop(s)\n",
	}
	always := &results.Mutant{File: "a.go", Offset: 14, EndOffset: 27, Original: `s.token != ""`, Replacement: `(s.token != "" || true)`}
	if !alikeToReaders(undone, always) || !alikeToReaders(always, undone) {
		t.Error("the change undone is not the condition that always holds")
	}
	for name, other := range map[string]results.Mutant{
		"another condition": {File: "a.go", Offset: 14, EndOffset: 27, Original: `s.token`, Replacement: `(s.token || true)`},
		"never":             {File: "a.go", Offset: 14, EndOffset: 27, Original: `s.token != ""`, Replacement: `(s.token != "" && false)`},
		"elsewhere":         {File: "a.go", Offset: 94, EndOffset: 99, Original: `s.token != ""`, Replacement: `(s.token != "" || true)`},
	} {
		if undoesCheck(undone, &other) {
			t.Error(name)
		}
	}
	more := *undone
	more.Original = "\tif s.token != \"\" {\n\t\tdrop(s)\n\t\tnote(s)\n\t}\n"
	if undoesCheck(&more, always) {
		t.Error("the change adds more than the condition")
	}
}

func TestWhatAltersAStatementIsToldWithLeavingItOut(t *testing.T) {
	left := Survivor("a1", Operator("statement-deletion"), func(m *results.Mutant) { m.Offset, m.EndOffset = 10, 30 })
	within := Survivor("b1", Operator("boolean-literal"), func(m *results.Mutant) { m.Offset, m.EndOffset = 26, 30 })
	beside := Survivor("c1", Operator("boolean-literal"), func(m *results.Mutant) { m.Offset, m.EndOffset = 26, 31 })
	part := Survivor("d1", Undone, func(m *results.Mutant) { m.Offset, m.EndOffset = 26, 30 })
	for _, leaves := range []string{"statement-deletion", "case-removal"} {
		left.Operator = leaves
		for m, want := range map[*results.Mutant]bool{&within: true, &beside: false, &part: false, &left: false} {
			if got := isWithin(m, &left); got != want {
				t.Errorf("%s: %s: %v, want %v", leaves, m.ID, got, want)
			}
		}
	}
}

func TestAPartOfWhatAnotherPartOfTheChangeAddsIsToldWithIt(t *testing.T) {
	at := func(begin, end int) func(*results.Mutant) {
		return func(m *results.Mutant) { m.Offset, m.EndOffset = begin, end }
	}
	all := Survivor("a1", Undoes("A int\nB int\nx := T{\n\tA: 1,\n}\n", "B int\nx := T{\n}\n"), at(10, 50))
	for name, tt := range map[string]struct {
		m    results.Mutant
		want bool
	}{
		"a part":            {Survivor("b1", Undoes("\tA: 1,\n}\n", "}\n"), at(40, 60)), true},
		"other lines":       {Survivor("b1", Undoes("\tC: 1,\n}\n", "}\n"), at(40, 60)), false},
		"elsewhere":         {Survivor("b1", Undoes("\tA: 1,\n}\n", "}\n"), at(50, 60)), false},
		"lines in place":    {Survivor("b1", Undoes("\tA: 1,\n}\n", "\tA: 2,\n}\n"), at(40, 60)), false},
		"an input tells it": {Survivor("b1", Undoes("\tA: 1,\n}\n", "}\n"), at(40, 60), Exposed), false},
	} {
		if got := isLeftOut(&tt.m, &all); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
