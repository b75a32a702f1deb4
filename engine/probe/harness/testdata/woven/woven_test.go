package woven

import (
	"fmt"
	"os"
	"testing"

	mfz "example.com/woven/mutantfuzzprobe/harness"
)

func w1[A any](site int, a A) A {
	if mfz.Observe {
		mfz.Result(site, a)
	}
	return a
}

func callInt(fn any, t *testing.T, args []any) { fn.(func(*testing.T, int))(t, args[0].(int)) }

func callString(fn any, t *testing.T, args []any) {
	fn.(func(*testing.T, string))(t, args[0].(string))
}

func callBytes(fn any, t *testing.T, args []any) {
	fn.(func(*testing.T, []byte))(t, args[0].([]byte))
}

func FuzzClassify(f *testing.F) {
	mfz.Add(f, 7)
	mfz.Fuzz(f, false, func(t *testing.T, n int) { w1(1, Classify(mfz.Arg(1, n))) }, callInt)
}

func FuzzClamp(f *testing.F) {
	mfz.Add(f, 1)
	mfz.Fuzz(f, false, func(t *testing.T, n int) {
		mfz.Parallel(t)
		if got := Clamp(n); got > 100 {
			t.Fatalf("Clamp(%d) = %d", n, got)
		}
	}, callInt)
}

func FuzzFirst(f *testing.F) {
	mfz.Fuzz(f, false, func(t *testing.T, b []byte) { First(b) }, callBytes)
}

func FuzzQuit(f *testing.F) {
	mfz.Add(f, "x")
	mfz.Fuzz(f, false, func(t *testing.T, s string) { w1(4, Quit(s)) }, callString)
}

func FuzzSpin(f *testing.F) {
	mfz.Add(f, 3)
	mfz.Fuzz(f, false, func(t *testing.T, n int) {
		defer func() { _ = recover() }()
		Spin(n)
	}, callInt)
}

func FuzzDepth(f *testing.F) {
	mfz.Add(f, uint8(3))
	mfz.Fuzz(f, false, func(t *testing.T, n uint8) { Depth(n) }, func(fn any, t *testing.T, args []any) {
		fn.(func(*testing.T, uint8))(t, args[0].(uint8))
	})
}

func FuzzEven(f *testing.F) {
	mfz.Add(f, 2)
	mfz.Fuzz(f, false, func(t *testing.T, n int) {
		if n%2 == 0 {
			t.Skip("only odd numbers")
		}
		if Even(n) {
			t.Error("odd number is even")
		}
	}, callInt)
}

func FuzzJoin(f *testing.F) {
	mfz.Fuzz(f, false, func(t *testing.T, s string, n int64, ok bool, x float64, b []byte, u uint8, r rune) {
		w1(6, Join(s, n, ok, x, b, u, r))
	}, func(fn any, t *testing.T, a []any) {
		fn.(func(*testing.T, string, int64, bool, float64, []byte, uint8, rune))(t,
			a[0].(string), a[1].(int64), a[2].(bool), a[3].(float64), a[4].([]byte), a[5].(uint8), a[6].(rune))
	})
}

func FuzzPut(f *testing.F) {
	mfz.Add(f, "one")
	mfz.Fuzz(f, true, func(t *testing.T, s string) {
		folder := t.TempDir()
		t.Cleanup(func() {
			if _, err := os.Stat(folder); err != nil {
				t.Error(err)
			}
		})
		b := new(Buffer)
		w1(7, mfz.Arg(7, b).Put(mfz.Arg(7, s)))
	}, callString)
}

func FuzzTicket(f *testing.F) {
	mfz.Add(f, 1)
	mfz.Fuzz(f, false, func(t *testing.T, n int) { w1(8, Ticket(n)) }, callInt)
}

func FuzzShift(f *testing.F) {
	mfz.Add(f, 1)
	mfz.Fuzz(f, false, func(t *testing.T, n int) { w1(9, Shift(n)) }, callInt)
}

func FuzzNested(f *testing.F) {
	mfz.Add(f, "")
	mfz.Fuzz(f, false, func(t *testing.T, s string) { w1(10, Nested(s)) }, callString)
}

func FuzzTrivial(f *testing.F) {
	mfz.Add(f, []byte("seed"))
	mfz.Fuzz(f, false, func(t *testing.T, b []byte) { Trivial(b) }, callBytes)
}

func FuzzHoard(f *testing.F) {
	mfz.Add(f, 1)
	mfz.Fuzz(f, false, func(t *testing.T, n int) { Hoard(n) }, callInt)
}

func init() {
	mfz.Register("TestRows", TestRows)
	mfz.Register("TestOrder", TestOrder)
	mfz.Register("TestWhole", TestWhole)
}

func TestTrials(t *testing.T) { mfz.Trials(t) }

func clamps(t *testing.T, n int) {
	if got := Clamp(n); got > 100 {
		t.Errorf("Clamp(%d) = %d", n, got)
	}
}

// TestRows notices mutant 2 in its third row.
func TestRows(t *testing.T) {
	for _, n := range []int{1, 100, 101, 102} {
		t.Run(fmt.Sprintf("row %d/[of 4]", n), mfz.Sub(func(t *testing.T) {
			fmt.Println("runs row", n)
			clamps(t, n)
		}))
	}
}

// TestOrder notices mutant 2 in its second part if the first has run before.
func TestOrder(t *testing.T) {
	warm := false
	t.Run("first", mfz.Sub(func(*testing.T) { warm = true }))
	t.Run("second", mfz.Sub(func(t *testing.T) {
		if warm {
			clamps(t, 101)
		}
	}))
}

// TestWhole notices mutant 2 by itself.
func TestWhole(t *testing.T) { clamps(t, 101) }
