package value

import (
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"testing"
	"time"
)

func hashOf(x any) uint64 {
	h := Hasher{left: maxNodes}
	h.any(x)
	return h.Sum
}

type ring struct {
	name string
	next *ring
}

func ringOf(names ...string) *ring {
	first := &ring{name: names[0]}
	last := first
	for _, n := range names[1:] {
		last.next = &ring{name: n}
		last = last.next
	}
	last.next = first
	return first
}

type pooled struct {
	mu   sync.RWMutex
	pool sync.Pool
}

func usedPool() *pooled {
	p := new(pooled)
	p.mu.RLock()
	p.pool.Put(new(int))
	return p
}

type touchy struct{}

func (*touchy) Error() string { panic("not now") }

func manyKeys(from, to, step int) map[string][]int {
	m := make(map[string][]int)
	for i := from; i != to; i += step {
		m[fmt.Sprint(i)] = []int{i, i * i}
	}
	return m
}

func TestEqualValuesHashAlike(t *testing.T) {
	one, other := 1, 1
	now := time.Now()
	quietNaN := math.Float64frombits(0x7ff8000000000099)
	for name, pair := range map[string][2]any{
		"pointers":  {&one, &other},
		"map order": {manyKeys(0, 100, 1), manyKeys(99, -1, -1)},
		"NaN":       {[]float64{math.NaN()}, []float64{quietNaN}},
		"cycles":    {ringOf("a", "b"), ringOf("a", "b")},
		"errors":    {io.EOF, errors.New("EOF")},
		"functions": {struct{ f func() }{func() {}}, struct{ f func() }{func() { one++ }}},
		"channels":  {struct{ c chan int }{make(chan int)}, struct{ c chan int }{make(chan int, 3)}},
		"times":     {now, now.Round(0)},
		"panics":    {&touchy{}, &touchy{}},
		"tests":     {t, new(testing.T)},
		"pools":     {new(pooled), usedPool()},
		"interface": {[]any{1, "x", nil}, []any{1, "x", nil}},
		"nil slice": {[]int(nil), []int{}},
		"nil map":   {map[int]int(nil), map[int]int{}},
		"nil bytes": {struct{ b []byte }{}, struct{ b []byte }{[]byte{}}},
	} {
		if hashOf(pair[0]) != hashOf(pair[1]) {
			t.Errorf("%s: equal values hash differently", name)
		}
		if first, second := hashOf(pair[0]), hashOf(pair[0]); first != second {
			t.Errorf("%s: a value hashes differently the second time", name)
		}
	}
}

type faults []error

func (faults) Error() string { return "faults" }

func TestDifferentValuesHashDifferently(t *testing.T) {
	long := make([]int, 500)
	changed := append([]int(nil), long...)
	changed[499] = 1
	for name, pair := range map[string][2]any{
		"types":        {int8(1), int16(1)},
		"nil faults":   {faults(nil), faults{}},
		"unexported":   {ring{name: "a"}, ring{name: "b"}},
		"cycle length": {ringOf("a"), ringOf("a", "a")},
		"error text":   {io.EOF, io.ErrUnexpectedEOF},
		"error type":   {io.EOF, fmt.Errorf("%w", io.EOF)},
		"map values":   {map[string]int{"a": 1, "b": 2}, map[string]int{"a": 2, "b": 1}},
		"map keys":     {map[string]int{"a": 1}, map[string]int{"b": 1}},
		"long slice":   {long, changed},
		"zero sign":    {0.0, math.Copysign(0, -1)},
		"boundaries":   {[]string{"ab", "c"}, []string{"a", "bc"}},
		"padding":      {"a", "a\x00"},
		"bool":         {true, false},
		"nil function": {struct{ f func() }{}, struct{ f func() }{func() {}}},
		"in interface": {[]any{1}, []any{int64(1)}},
		"complex":      {complex(1, 2), complex(2, 1)},
		"nil error":    {error(nil), io.EOF},
		"truth":        {true, 1},
		"text":         {"ab", []byte("ab")},
	} {
		if hashOf(pair[0]) == hashOf(pair[1]) {
			t.Errorf("%s: %v and %v hash alike", name, pair[0], pair[1])
		}
	}
}

func TestFieldsThatNobodySeesMayBeLeftOut(t *testing.T) {
	type hidden struct{ n int }
	type mixed struct {
		Name string
		n    int
		H    hidden
	}
	for name, tt := range map[string]struct {
		a, b any
		same map[Fields]bool
	}{
		"hidden":                 {hidden{1}, hidden{2}, map[Fields]bool{ExportedFields: true}},
		"beside an exported one": {mixed{n: 1}, mixed{n: 2}, map[Fields]bool{ShownFields: true, ExportedFields: true}},
		"exported":               {mixed{Name: "a"}, mixed{Name: "b"}, nil},
		"in an exported one":     {mixed{H: hidden{1}}, mixed{H: hidden{2}}, map[Fields]bool{ExportedFields: true}},
		"in a map":               {map[int]mixed{1: {n: 1}}, map[int]mixed{1: {n: 2}}, map[Fields]bool{ShownFields: true, ExportedFields: true}},
	} {
		for _, f := range []Fields{AllFields, ShownFields, ExportedFields} {
			x, y := Hasher{Fields: f}, Hasher{Fields: f}
			x.Mix(tt.a)
			y.Mix(tt.b)
			if same := x.Sum == y.Sum; same != tt.same[f] {
				t.Errorf("%s, %d: the same is %v", name, f, same)
			}
		}
	}
}

func TestHashOfHugeStructuresEnds(t *testing.T) {
	var list *ring
	for i := 0; i < 10*maxNodes; i++ {
		list = &ring{next: list}
	}
	if first, second := hashOf(list), hashOf(list); first != second {
		t.Error("the hash of a long list is not stable")
	}
	tree := any(0)
	for i := 0; i < 60; i++ {
		tree = []any{tree, tree} // 2^60 leaves, but only 60 different slices
	}
	if first, second := hashOf(tree), hashOf(tree); first != second {
		t.Error("the hash of a shared tree is not stable")
	}
	big := manyKeys(0, 3*maxNodes, 1)
	if first, second := hashOf(big), hashOf(big); first != second {
		t.Error("the hash of a big map is not stable")
	}
}

func FuzzDifferentTextsHashDifferently(f *testing.F) {
	f.Add("a", "b")
	f.Add("12345678", "1234567")
	f.Add("", "\x00")
	f.Fuzz(func(t *testing.T, a, b string) {
		if (a == b) != (hashOf(a) == hashOf(b)) || (a == b) != (hashOf([]string{a, b}) == hashOf([]string{b, a})) {
			t.Errorf("%q and %q", a, b)
		}
	})
}
