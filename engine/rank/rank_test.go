package rank

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/quick"

	"github.com/google/go-cmp/cmp"
)

func TestFurthestPointFirst(t *testing.T) {
	item := func(original, mutated string, line, class int) Item {
		return Item{Original: original, Mutated: mutated, Source: original, Mutant: mutated, File: "a.go", Line: line, Class: class}
	}
	tests := map[string]struct {
		items []Item
		want  []int
	}{
		"nothing":               {nil, []int{}},
		"first of equals first": {[]Item{item("a", "b", 1, 1), item("a", "b", 1, 1), item("a", "b", 1, 1)}, []int{0, 1, 2}},
		"another edit before the same one elsewhere": {
			[]Item{item("x < y", "x <= y", 1, 1), item("x < y", "x <= y", 90, 1), item("f()", "if false { f() }", 2, 1)},
			[]int{0, 2, 1},
		},
		"further lines before nearer ones": {
			[]Item{item("a", "b", 1, 1), item("a", "b", 2, 1), item("a", "b", 9, 1)},
			[]int{0, 2, 1},
		},
		"an earlier class before all others": {
			[]Item{item("a", "b", 1, 1), item("x < y", "x <= y", 5, 1), item("a", "b", 2, 0)},
			[]int{2, 1, 0},
		},
		"each class after the one before": {
			[]Item{item("x < y", "x <= y", 90, 2), item("a", "b", 1, 1), item("a", "b", 2, 1), item("a", "b", 3, 0)},
			[]int{3, 1, 2, 0},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, FPF(test.items)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestEveryOrderIsAPermutation(t *testing.T) {
	var items []Item
	for i := range 60 {
		items = append(items, Item{Original: fmt.Sprint(i % 7), Mutated: fmt.Sprint(i % 3), File: fmt.Sprint(i % 2), Line: i, Class: i % 5})
	}
	order := FPF(items)
	slices.Sort(order)
	for i, got := range order {
		if i != got {
			t.Fatalf("item %d is missing", i)
		}
	}
}

func TestEachItemIsTheFurthestFromThoseBeforeIt(t *testing.T) {
	var items []Item
	for i := range 40 {
		text := strings.Repeat("ab", i%9) + fmt.Sprint(i*i%11)
		items = append(items, Item{Original: text, Mutated: text[1:] + "x", Source: text, Mutant: "y", File: "f", Line: i * 3 % 17})
	}
	order := FPF(items)
	nearest := func(i int, ranked []int) float64 {
		d := math.Inf(1)
		for _, j := range ranked {
			f, g := featuresOf(items[i]), featuresOf(items[j])
			d = min(d, newMeasure(&f).distance(&g))
		}
		return d
	}
	for n := 1; n < len(order); n++ {
		got := nearest(order[n], order[:n])
		for _, other := range order[n+1:] {
			if d := nearest(other, order[:n]); d > got+1e-9 {
				t.Fatalf("item %d, at %.3f, comes before item %d, at %.3f", order[n], got, other, d)
			}
		}
	}
}

func TestDistanceIsThatOfUniversalmutator(t *testing.T) {
	base := features{edit: "<==><=", source: "a < b", mutant: "a <= b", file: "a.go", line: 10}
	tests := map[string]struct {
		change func(*features)
		want   float64
	}{
		"same":              {func(*features) {}, 0},
		"eleven lines":      {func(f *features) { f.line = 21 }, 0.25},
		"ten lines":         {func(f *features) { f.line = 20 }, 0.25 * 10 / 11},
		"other file":        {func(f *features) { f.file = "b.go"; f.line = 99 }, 0.5},
		"nothing in common": {func(f *features) { f.edit, f.source, f.mutant = "xx", "yy", "zz" }, 5.2},
		"half the edit":     {func(f *features) { f.edit = "<==" }, 5 * (1 - 2*3./9)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			other := base
			test.change(&other)
			there, back := newMeasure(&base).distance(&other), newMeasure(&other).distance(&base)
			if math.Abs(there-test.want) > 1e-9 || math.Abs(back-test.want) > 1e-9 {
				t.Errorf("distance is %v there and %v back, want %v", there, back, test.want)
			}
		})
	}
}

func TestBitParallelSubsequenceAgreesWithTheTable(t *testing.T) {
	agree := func(a, b []byte) bool {
		for i := range a {
			a[i] %= 4
		}
		for i := range b {
			b[i] %= 4
		}
		x, y := clip(string(a)), clip(string(b))
		return newPattern(x).common(y) == commonByTable(x, y)
	}
	if err := quick.Check(agree, &quick.Config{MaxCount: 500}); err != nil {
		t.Error(err)
	}
}

// commonByTable returns the length of a longest common subsequence, by the textbook algorithm.
func commonByTable(a, b string) int {
	row := make([]int, len(b)+1)
	for i := range len(a) {
		diagonal := 0
		for j := range len(b) {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

func BenchmarkFPF(b *testing.B) {
	var items []Item
	for i := range 2000 {
		line := fmt.Sprintf("\tif value%d.field < limit[%d] && other(%d) {", i%600, i/3, i)
		items = append(items, Item{Original: fmt.Sprint("x <", i%90), Mutated: fmt.Sprint("x <=", i%90), Source: line, Mutant: line + "x", File: fmt.Sprint(i % 9), Line: i})
	}
	for b.Loop() {
		FPF(items)
	}
}
