package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"io"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
)

type hidden struct{ A int }

// Point is an exported type with a field that is not.
type Point struct {
	X, Y   int
	Label  string
	Tags   []string
	Nested *Point
	secret int
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
		{math.NaN(), ``},
		{math.Copysign(0, -1), ``},
		{"a\"b", `"a\"b"`},
		{true, `true`},
		{[]byte("hi\n"), `[]byte("hi\n")`},
		{[]int(nil), `[]int(nil)`},
		{[]int{1, 2}, `[]int{1, 2}`},
		{[2]bool{true}, `[2]bool{true, false}`},
		{[]any{1, "x", int8(2), nil}, `[]any{1, "x", int8(2), nil}`},
		{map[string]int{"b": 2, "a": 1}, `map[string]int{"a": 1, "b": 2}`},
		{time.Duration(5), `time.Duration(5)`},
		{Point{X: 1}, `runtime.Point{X: 1}`},
		{&Point{Y: 2, Tags: []string{"t"}}, `&runtime.Point{Y: 2, Tags: []string{"t"}}`},
		{Point{Nested: &Point{X: 1}}, `runtime.Point{Nested: &runtime.Point{X: 1}}`},
		{(*Point)(nil), `(*runtime.Point)(nil)`},
		{Point{secret: 1}, ``},
		{hidden{1}, ``},
		{&number, ``},
		{func() {}, ``},
		{make(chan int), ``},
		{io.EOF, ``},
		{url.URL{Host: "h"}, `url.URL{Host: "h"}`},
		{struct {
			A int `k:"a"`
			B []Point
			C string "k:\"`\""
		}{A: 1}, "struct{ A int `k:\"a\"`; B []runtime.Point; C string \"k:\\\"`\\\"\" }{A: 1}"},
		{struct{ a int }{}, ``},
		{struct{ Point }{}, ``},
		{strings.Repeat("x", 2*maxSource), ``},
	} {
		if got := goSource(test.value); got != test.want {
			t.Errorf("%#v: got %s, want %s", test.value, got, test.want)
		}
	}
}

type codeError struct{ code int }

func (e codeError) Error() string { return fmt.Sprintf("code %d", e.code) }

func TestValuesForPeople(t *testing.T) {
	number := 3
	for _, test := range []struct {
		value any
		want  string
	}{
		{nil, `nil`},
		{errors.New("unexpected EOF"), `error("unexpected EOF")`},
		{fmt.Errorf("line 3: %w", io.EOF), `error("line 3: EOF")`},
		{codeError{4}, `runtime.codeError("code 4")`},
		{&number, `&3`},
		{Point{X: 1, secret: 2}, `runtime.Point{X: 1, secret: 2}`},
		{&Point{Label: "l"}, `&runtime.Point{Label: "l"}`},
		{map[int]bool{2: true, 1: false}, `map[int]bool{1: false, 2: true}`},
		{[]byte("x"), `[]byte("x")`},
		{[]string{"a"}, `[]string{"a"}`},
		{(*Point)(nil), `nil`},
		{func(int) {}, `func(int)`},
		{t, `&testing.T`},
		{struct{ V reflect.Value }{reflect.ValueOf(1)}, `struct { V reflect.Value }{V: reflect.Value{…}}`},
		{1i, `(0+1i)`},
		{bytes.NewBufferString("<p>\n"), `*bytes.Buffer("<p>\n")`},
		{big.NewInt(-5), `*big.Int("-5")`},
		{time.Unix(0, 0).UTC(), `time.Time("1970-01-01 00:00:00 +0000 UTC")`},
		{[]netip.Addr{netip.MustParseAddr("::1")}, `[]netip.Addr{netip.Addr("::1")}`},
		{&url.URL{Host: "h"}, `&url.URL{Host: "h"}`},
	} {
		if got := forPeople(test.value); got != test.want {
			t.Errorf("%#v: got %s, want %s", test.value, got, test.want)
		}
	}
}

func TestTextForPeopleIsShortAndHasNoAddresses(t *testing.T) {
	loop := &Point{}
	loop.Nested = loop
	for _, x := range []any{
		loop, ringOf("a", "b"), strings.Repeat("é", 1000), make([]int, 1000), bytes.NewBufferString("x"),
		&touchy{}, manyKeys(0, 1000, 1), []any{make(chan int), func() {}, new(int)},
	} {
		text := forPeople(x)
		if len(text) > maxPeople+len("…") || strings.Contains(text, "0xc0") {
			t.Errorf("%T: %d bytes: %s", x, len(text), text)
		}
	}
}

func FuzzGoSourceIsGo(f *testing.F) {
	f.Add("text", int64(-1), 2.5, []byte("b"))
	f.Fuzz(func(t *testing.T, s string, n int64, x float64, b []byte) {
		for _, v := range []any{s, n, x, b, []any{s, n, b}, map[string]int64{s: n}, Point{Label: s, X: int(n)}} {
			source := goSource(v)
			if source == "" {
				continue
			}
			if _, err := parser.ParseExpr(source); err != nil {
				t.Errorf("%s: %v", source, err)
			}
		}
	})
}
