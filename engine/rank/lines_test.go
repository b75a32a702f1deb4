package rank

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEveryLineHasItsTurnBeforeAnyHasASecond(t *testing.T) {
	tests := map[string]struct {
		items []Item
		want  []int
	}{
		"nothing": {nil, []int{}},
		"of each line one": {
			[]Item{{File: "a", Line: 1}, {File: "a", Line: 1}, {File: "a", Line: 2}, {File: "a", Line: 1}, {File: "a", Line: 2}},
			[]int{0, 2, 1, 4, 3},
		},
		"the same line of two files": {
			[]Item{{File: "a", Line: 1}, {File: "a", Line: 1}, {File: "b", Line: 1}},
			[]int{0, 2, 1},
		},
		"all changed lines before others": {
			[]Item{{File: "a", Line: 1}, {File: "a", Line: 2, OnDiff: true}, {File: "a", Line: 2, OnDiff: true}},
			[]int{1, 2, 0},
		},
		"what is late after all others": {
			[]Item{{File: "a", Line: 1, Late: true}, {File: "b", Line: 1}, {File: "b", Line: 1}},
			[]int{1, 2, 0},
		},
		"what undoes the change first": {
			[]Item{{File: "a", Line: 1, OnDiff: true}, {File: "a", Line: 2, OnDiff: true, Undoes: true}},
			[]int{1, 0},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, ByLine(test.items)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
