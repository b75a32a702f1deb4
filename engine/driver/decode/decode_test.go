package decode

import (
	"math"
	"testing"
)

func TestValuesComeOneAfterTheOther(t *testing.T) {
	in := &driverInput{[]byte("ab\x00\x05\x80\x01\x02\x00\x00\x00\x00\x00\x00\x01\x0f\x08\x07")}
	if s, n, big := in.string(), in.int(), in.int(); s != "ab" || n != 5 || big != 0x201 {
		t.Errorf("%q, %d, %d", s, n, big)
	}
	if b, rare, f, n := in.bool(), in.rarely(), in.float(), in.upTo(4); !b || !rare || f != 1 || n != 2 {
		t.Errorf("%t, %t, %g, %d", b, rare, f, n)
	}
}

func TestAllIsZeroAtTheEnd(t *testing.T) {
	in := &driverInput{}
	if in.string() != "" || in.int() != 0 || in.bool() || in.rarely() || in.float() != 0 || in.upTo(9) != 0 || in.more() != 0 || len(in.bytes()) != 0 {
		t.Error("there is something at the end")
	}
}

func TestOneByteLeavesOutACallAndOthersChooseOne(t *testing.T) {
	in := &driverInput{[]byte("\x00\x05\xff\xfe")}
	for _, want := range []int{0, 2, -1, 2, 0, 0} { // nothing is left for the last two
		if got := in.call(2); got != want {
			t.Errorf("call %d, want %d", got, want)
		}
	}
}

func TestNumbersAreBroughtWithinBounds(t *testing.T) {
	for _, tt := range []struct{ n, least, most int64 }{
		{2, 1, 3}, {1, 1, 3}, {3, 1, 3}, {48, 0, 6}, {-3, -1, 1}, {math.MinInt64, -1, 5}, {4, 1, 3},
	} {
		if got := (*driverInput)(nil).within(tt.n, tt.least, tt.most); got < tt.least || got > tt.most || tt.n >= tt.least && tt.n <= tt.most && got != tt.n {
			t.Errorf("%d within %d and %d: %d", tt.n, tt.least, tt.most, got)
		}
	}
}

func TestStructsAreJoined(t *testing.T) {
	type named struct {
		A int
		b string
	}
	in := &driverInput{[]byte{3, 2}}
	first, again := in.joined(nil, named{A: 1, b: "b"})
	if !again || first != (named{A: 1, b: "b"}) {
		t.Errorf("%v, and another: %t", first, again)
	}
	joined, again := in.joined(first, struct {
		A string `k:"v"`
		C bool
	}{"a", true})
	if want := (struct {
		A  int
		A2 string `k:"v"`
		C  bool
	}{1, "a", true}); again || joined != want {
		t.Errorf("%#v, and another: %t", joined, again)
	}
	if other, again := in.joined(first, 5); again || other != first {
		t.Errorf("%v with a number, and another: %t", other, again)
	}
	for _, alone := range []interface{}{nil, 5, first} { // the next byte is 2, and it is the last
		if v, again := in.joined(nil, alone); again || v != alone {
			t.Errorf("%v alone, and another: %t", v, again)
		}
	}
}

func FuzzAnyBytesAreValues(f *testing.F) {
	f.Add([]byte("\x80\x00\x00\x00\x00\x00\x00\xf8\x7f"), 3)
	f.Fuzz(func(t *testing.T, data []byte, most int) {
		in := &driverInput{append([]byte(nil), data...)}
		most &= math.MaxUint8
		for len(in.rest) > 0 {
			before := len(in.rest)
			if n := in.upTo(most); n < 0 || n > most {
				t.Errorf("%d is not up to %d", n, most)
			}
			in.float()
			if in.string(); len(in.rest) >= before {
				t.Fatal("nothing was read")
			}
		}
	})
}

func TestTargetsOfRequestsAreOnesThatClientsSend(t *testing.T) {
	for text, want := range map[string]string{"": "/", "a/b?c=d": "/a/b?c=d", "a b%zz\x00\nä": "/abzz"} {
		if got := (*driverInput)(nil).target(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestInstantsHaveYearsOfFourDigitsAndZeroIsNone(t *testing.T) {
	for seconds, want := range map[int64]string{0: "0001-01-01T00:00:00Z", 1: "1970-01-01T00:00:01Z", 253402300801: "1970-01-01T00:00:01Z"} {
		if got := (*driverInput)(nil).instant(seconds).Format("2006-01-02T15:04:05Z07:00"); got != want {
			t.Errorf("%d: %s, want %s", seconds, got, want)
		}
	}
}
