// Package woven is a program as the weaver leaves it, written by hand: each
// function counts its blocks and steps and dispatches on the active mutant.
package woven

import (
	"errors"
	"os"
	"strings"

	mfz "example.com/woven/mutantfuzzprobe/state"
)

func enter(f int) {
	if mfz.Fns[f] == 0 {
		mfz.Touch(f)
	}
	step()
}

func step() {
	if mfz.Steps--; mfz.Steps < 0 {
		mfz.Stepped()
	}
}

// Classify has mutant 1: > becomes >=.
func Classify(n int) string {
	enter(0)
	mfz.Cov[0]++
	var big bool
	switch mfz.M {
	case 1:
		big = n >= 1000
	case -1: // the probed clone
		big = mfz.Differs(1, n > 1000, n >= 1000)
	default:
		big = n > 1000
	}
	if big {
		mfz.Cov[1]++
		return "big"
	}
	mfz.Cov[2]++
	return "small"
}

// Clamp has mutant 2: the clamping is gone.
func Clamp(n int) int {
	enter(1)
	mfz.Cov[4]++
	if n > 100 && mfz.M != 2 {
		mfz.Cov[5]++
		return 100
	}
	return n
}

// First panics for "!" on its own account. It has mutant 13: then it does not, unless "?" follows.
func First(b []byte) byte {
	enter(2)
	mfz.Cov[8]++
	if len(b) > 0 && b[0] == '!' {
		mfz.Cov[9]++
		if mfz.M == 13 && (len(b) < 2 || b[1] != '?') {
			return 0
		}
		return b[len(b)]
	}
	return 0
}

// Quit has mutant 3: it leaves the process.
func Quit(s string) bool {
	enter(3)
	mfz.Cov[12]++
	if mfz.M == 3 && strings.HasPrefix(s, "q") {
		os.Exit(3)
	}
	return s == ""
}

// Spin has mutant 4: its loop does not end, and it recovers from everything.
func Spin(n int) (total int) {
	enter(4)
	mfz.Cov[16]++
	for i := 0; i < n%10; i++ {
		step()
		total += guarded(i)
		if mfz.M == 4 {
			i--
		}
	}
	return total
}

func guarded(i int) (r int) {
	defer func() {
		if recover() != nil {
			r = -1
		}
	}()
	step()
	return i
}

// Depth has mutant 5: its recursion does not end. That leaves a deferred function at every level, which steps.
func Depth(n uint8) int {
	enter(5)
	mfz.Cov[20]++
	if mfz.M == 5 {
		defer step()
	}
	if n == 0 && mfz.M != 5 {
		return 0
	}
	return 1 + Depth(n-1)
}

// Even has mutant 6: it is always true.
func Even(n int) bool {
	enter(6)
	mfz.Cov[24]++
	return n%2 == 0 || mfz.M == 6
}

// losses counts what mutant 14 may lose.
var losses int

// Join has mutant 7: the last character of a joined text is lost. With mutant 14 it is lost in every other call.
func Join(s string, n int64, ok bool, f float64, b []byte, u uint8, r rune) string {
	enter(7)
	mfz.Cov[28]++
	text := strings.Repeat(s, int(u%3)) + string(b)
	if ok {
		mfz.Cov[29]++
		text += string(r)
	}
	if mfz.M == 14 {
		losses++
	}
	if (mfz.M == 7 || mfz.M == 14 && losses%2 == 1) && ok && len(text) > 0 {
		text = text[:len(text)-1]
	}
	return text
}

// Buffer is a receiver that Put changes.
type Buffer struct{ items []string }

// ErrEmpty is what Put says to an empty text.
var ErrEmpty = errors.New("empty text")

// Put has mutant 8: it forgets an item of four bytes.
func (b *Buffer) Put(s string) error {
	enter(8)
	mfz.Cov[32]++
	if s == "" {
		mfz.Cov[33]++
		return ErrEmpty
	}
	if mfz.M == 8 && len(s) == 4 {
		return nil
	}
	b.items = append(b.items, s)
	return nil
}

var calls int

// Ticket is different each time. It has mutant 9, which nothing can expose.
func Ticket(n int) int {
	enter(9)
	mfz.Cov[36]++
	calls++
	if mfz.M == 9 {
		return -1
	}
	return calls
}

var offset int

// Shift has mutant 10: it leaves package state changed.
func Shift(n int) int {
	enter(10)
	mfz.Cov[40]++
	if mfz.M == 10 {
		offset++
	}
	return n + offset
}

// Nested checks the start of a text and then, letter by letter, its end.
// Mutant 11 skips the first check.
func Nested(s string) int {
	enter(11)
	mfz.Cov[44]++
	if !strings.HasPrefix(s, "ab") && mfz.M != 11 {
		return 0
	}
	mfz.Cov[45]++
	if len(s) < 2 || s[len(s)-1] != 'z' {
		return 0
	}
	mfz.Cov[46]++
	if s[len(s)-2] != 'y' {
		return 0
	}
	mfz.Cov[47]++
	return 1
}

// Trivial costs nothing.
func Trivial(b []byte) int {
	if mfz.Fns[12] == 0 {
		mfz.Touch(12)
	}
	mfz.Cov[48]++
	return len(b)
}

// Hoard has mutant 12: it keeps what it should drop.
func Hoard(n int) int {
	enter(13)
	mfz.Cov[52]++
	var kept [][]byte
	for i := 0; i < 3 || mfz.M == 12; i++ {
		step()
		item := make([]byte, 64)
		item[0] = byte(n)
		if mfz.M == 12 {
			kept = append(kept, item)
		}
	}
	return len(kept)
}
