package value

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
)

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
		{codeError{4}, `value.codeError("code 4")`},
		{struct{ err error }{fmt.Errorf("for %d", 1)}, `struct { err error }{err: error("for 1")}`},
		{struct{ err error }{fmt.Errorf("line 3: %w", io.EOF)}, `struct { err error }{err: error("line 3: EOF")}`},
		{&number, `&3`},
		{Point{X: 1, secret: 2}, `value.Point{X: 1, secret: 2}`},
		{&Point{Label: "l"}, `&value.Point{Label: "l"}`},
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
		if got := Text(test.value); got != test.want {
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
		text := Text(x)
		if len(text) > maxText+len("…") || strings.Contains(text, "0xc0") {
			t.Errorf("%T: %d bytes: %s", x, len(text), text)
		}
	}
}
