package value

import (
	"errors"
	"fmt"
	"go/parser"
	"io"
	"math"
	"net"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
)

type hidden struct{ A int }

// Point is an exported type with an unexported field.
type Point struct {
	X, Y   int
	Label  string
	Tags   []string
	Nested *Point
	secret int
}

type Pair[A, B any] struct {
	First  A
	Second B
}

func TestGoSourceOfValues(t *testing.T) {
	number := 3
	for _, test := range []struct {
		value any
		want  string
	}{
		{nil, `nil`},
		{3, `3`},
		{int8(-3), `int8(-3)`},
		{uint64(7), `uint64(7)`},
		{'x', `int32(120)`},
		{2.5, `2.5`},
		{3.0, `float64(3)`},
		{float32(2.5), `float32(2.5)`},
		{math.NaN(), `math.NaN()`},
		{math.Copysign(0, -1), `math.Copysign(0, -1)`},
		{[]float64{math.Inf(1), 1}, `[]float64{math.Inf(1), 1}`},
		{[]float32{float32(math.Inf(-1)), 1}, `[]float32{float32(math.Inf(-1)), 1}`},
		{"a\"b", `"a\"b"`},
		{true, `true`},
		{[]byte("hi\n"), `[]byte("hi\n")`},
		{make([]byte, 7), `[]byte("\x00\x00\x00\x00\x00\x00\x00")`},
		{make([]byte, 128), `make([]byte, 128)`},
		{append(make([]byte, 8), 1), `[]byte("\x00\x00\x00\x00\x00\x00\x00\x00\x01")`},
		{net.IPv4(192, 0, 2, 1), `net.ParseIP("192.0.2.1")`},
		{net.IP{192, 0, 2, 1}, `net.ParseIP("192.0.2.1").To4()`},
		{net.IPv6loopback, `net.ParseIP("::1")`},
		{net.IP{1}, `net.IP("\x01")`},
		{[]int(nil), `[]int(nil)`},
		{[]int{1, 2}, `[]int{1, 2}`},
		{[2]bool{true}, `[2]bool{true, false}`},
		{[]any{1, "x", int8(2), nil}, `[]any{1, "x", int8(2), nil}`},
		{map[string]int{"b": 2, "a": 1}, `map[string]int{"a": 1, "b": 2}`},
		{time.Duration(5), `time.Duration(5)`},
		{time.Time{}, `time.Time{}`},
		{time.Date(2020, 2, 29, 1, 2, 3, 4, time.UTC), `time.Date(2020, 2, 29, 1, 2, 3, 4, time.UTC)`},
		{[]time.Time{time.Date(2020, 2, 29, 1, 2, 3, 0, time.FixedZone("", 3600))}, `[]time.Time{time.Date(2020, 2, 29, 1, 2, 3, 0, time.FixedZone("", 3600))}`},
		{time.Now(), ``},
		{Point{X: 1}, `value.Point{X: 1}`},
		{&Point{Y: 2, Tags: []string{"t"}}, `&value.Point{Y: 2, Tags: []string{"t"}}`},
		{Point{Nested: &Point{X: 1}}, `value.Point{Nested: &value.Point{X: 1}}`},
		{(*Point)(nil), `(*value.Point)(nil)`},
		{&Pair[string, int]{First: "a"}, `&value.Pair[string, int]{First: "a"}`},
		{Pair[Point, int]{Second: 1}, ``},
		{Point{secret: 1}, ``},
		{hidden{1}, ``},
		{&number, ``},
		{new(int), `new(int)`},
		{struct{ D *time.Duration }{new(time.Duration)}, `struct{ D *time.Duration }{D: new(time.Duration)}`},
		{new([]int), `new([]int)`},
		{&time.Time{}, `&time.Time{}`},
		{func() {}, ``},
		{make(chan int), ``},
		{io.EOF, ``},
		{url.URL{Host: "h"}, `url.URL{Host: "h"}`},
		{struct {
			A int `k:"a"`
			B []Point
			C string "k:\"`\""
		}{A: 1}, "struct{ A int `k:\"a\"`; B []value.Point; C string \"k:\\\"`\\\"\" }{A: 1}"},
		{struct{ a int }{}, ``},
		{struct{ Point }{}, ``},
		{strings.Repeat("x", 2*maxSource), ``},
	} {
		if got := Source(test.value, ""); got != test.want {
			t.Errorf("%#v: got %s, want %s", test.value, got, test.want)
		}
	}
}

func TestErrorsOfATextAndPointersHaveAFormAsArguments(t *testing.T) {
	five, name, date, list := 5, "a", time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC), []int{1}
	for _, test := range []struct {
		value any
		want  string
	}{
		{io.EOF, `io.EOF`},
		{errors.New("a\n"), `errors.New("a\n")`},
		{[]error{errors.New("a"), nil}, `[]error{errors.New("a"), nil}`},
		{map[string]any{"k": errors.New("a")}, `map[string]any{"k": errors.New("a")}`},
		{fmt.Errorf("a: %w", io.EOF), ``},
		{3, `3`},
		{&five, `&[]int{5}[0]`},
		{struct{ Name *string }{&name}, `struct{ Name *string }{Name: &[]string{"a"}[0]}`},
		{&date, `&[]time.Time{time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)}[0]`},
		{&list, ``},
	} {
		if got := Argument(test.value, ""); got != test.want {
			t.Errorf("%#v: got %s, want %s", test.value, got, test.want)
		}
	}
}

func TestStructTypesWithoutANameHaveAFormWithFieldsOfTheHome(t *testing.T) {
	home := reflect.TypeOf(Point{}).PkgPath()
	date := time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		value any
		home  string
		want  string
	}{
		{struct{ at time.Time }{date}, home, `struct{ at time.Time }{at: time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC)}`},
		{[]any{struct{ n, m int }{1, 0}}, home, `[]any{struct{ n int; m int }{n: 1}}`},
		{struct{ at time.Time }{}, "", ``},
		{struct{ h hidden }{hidden{1}}, "example.com/other", ``},
	} {
		if got := Source(test.value, test.home); got != test.want {
			t.Errorf("%#v: got %s, want %s", test.value, got, test.want)
		}
	}
}

func FuzzGoSourceIsGo(f *testing.F) {
	f.Add("text", int64(-1), 2.5, []byte("b"))
	f.Fuzz(func(t *testing.T, s string, n int64, x float64, b []byte) {
		for _, v := range []any{s, n, x, b, []any{s, n, b}, map[string]int64{s: n}, Point{Label: s, X: int(n)}} {
			source := Source(v, "")
			if source == "" {
				continue
			}
			if _, err := parser.ParseExpr(source); err != nil {
				t.Errorf("%s: %v", source, err)
			}
		}
	})
}
