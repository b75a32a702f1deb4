package equivalence

import (
	"fmt"
	"go/ast"
	"os"
	slash "path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/internal/stabledir"
)

// example is a mutant of a program. It replaces the last occurrence of before in src by after.
type example struct {
	src, before, after string
	want               string // part of the reason why it is equivalent; empty: it is not, or there is no proof
}

const (
	never  = " && false"
	always = " || true"
)

var conditions = []example{
	// Documented bounds of results.
	{"func f(s string) bool { return strings.Index(s, `x`) == -1 }", "strings.Index(s, `x`) == -1", "strings.Index(s, `x`) <= -1",
		"strings.Index never returns less than -1, so both conditions are always the same"},
	{"func f(s string) bool { return strings.Index(s, `x`) < 0 }", "strings.Index(s, `x`) < 0", "strings.Index(s, `x`) == 0", ""},
	{"func f(s string) bool { return strings.Index(s, `x`) < 0 }", "0", "1", ""},
	{"func f(s string) bool { return strings.Index(s, `x`) == -1 }", "1", "2", ""},
	{"func f(s []byte) bool { i := bytes.IndexByte(s, 7); return i < -1 }", "i < -1", "i < -1" + never, "`i < -1` never holds here: bytes.IndexByte never returns less than -1"},
	{"func f(s []byte) bool { i := bytes.IndexByte(s, 7); return i >= 0 }", "i >= 0", "i > -1", "`i` is between"},
	{"func f(s []int) bool { i := slices.Index(s, 7); return i < -1 }", "i < -1", "i < -1" + never, "slices.Index never returns less than -1"},
	{"func f(a, b string) bool { return strings.Compare(a, b) > 1 }", "strings.Compare(a, b) > 1", "strings.Compare(a, b) > 1" + never, "`strings.Compare(a, b) > 1` never holds"},
	{"func f(a, b int) bool { return cmp.Compare(a, b) == 1 }", "cmp.Compare(a, b) == 1", "cmp.Compare(a, b) >= 1", "is never greater than"},
	{"func f(a, b int) bool { return cmp.Compare(a, b) == 0 }", "cmp.Compare(a, b) == 0", "cmp.Compare(a, b) >= 0", ""},
	{"func f(b []byte) bool { _, n := utf8.DecodeRune(b); return n == 0 }", "n == 0", "n <= 0", "`n` is never negative here"},
	{"func f(b []byte) bool { _, n := utf8.DecodeRune(b); return n > 4 }", "n > 4", "n > 4" + never, "never holds"},
	{"func f(b []byte) bool { r, _ := utf8.DecodeRune(b); return r == 4 }", "r == 4", "r <= 4", ""},
	{"func f(b uint) bool { return bits.Len(b) <= 64 }", "bits.Len(b) <= 64", "bits.Len(b) <= 64" + always, "always holds"},
	{"func f(a, b []int) bool { return copy(a, b) == 0 }", "copy(a, b) == 0", "copy(a, b) <= 0", "never negative"},

	// Fields and other variables that are loaded again, with nothing in between that could change them.
	{"type T struct{ n int }\nfunc f(t T) int { if t.n == 0 { t.n = 9 } else if t.n < 0 { t.n = 8 }; return t.n }", "t.n < 0", "t.n <= 0", "`t.n` is never `0` here"},
	{"type T struct{ n int }\nfunc f(t *T) bool { return t.n == 0 || t.n < 0 }", "t.n < 0", "t.n <= 0", "`t.n` is never `0` here"},
	{"type T struct{ n int }\nfunc f(t *struct{ T }) bool { switch { case t.n == 0: return true; case t.n < 0: return false }; return true }", "t.n < 0", "t.n <= 0", "`t.n` is never `0` here"},
	{"var n int\nfunc f() bool { return n == 0 || n < 0 }", "n < 0", "n <= 0", "`n` is never `0` here"},
	{"type T struct{ s []int }\nfunc f(t *T, i int) bool { return i >= len(t.s) || i == len(t.s) }", "i == len(t.s)", "i == len(t.s)" + never, "never holds"},
	{"type T struct{ p *T; n int }\nfunc f(t *T) bool { return t.p.n == 0 || t.p.n < 0 }", "t.p.n < 0", "t.p.n <= 0", "is never `0` here"},
	{"type T struct{ n int }\nfunc f(t *T) bool { if t.n == 0 { return true }; g(); return t.n < 0 }\nfunc g() {}", "t.n < 0", "t.n <= 0", ""},
	{"type T struct{ n int }\nfunc f(t, u *T) bool { if t.n == 0 { return true }; u.n = 0; return t.n < 0 }", "t.n < 0", "t.n <= 0", ""},
	{"type T struct{ n int }\nfunc f(t *T, c chan int) bool { if t.n == 0 { return true }; <-c; return t.n < 0 }", "t.n < 0", "t.n <= 0", ""},
	{"type T struct{ n int }\nfunc f(t *T) bool { for t.n != 0 { if t.n < 0 { t.n = 0 } }; return t.n < 0 }", "t.n < 0 }", "t.n <= 0 }", ""},
	{"type T struct{ n, m int }\nfunc f(t *T) bool { return t.m == 0 || t.n < 0 }", "t.n < 0", "t.n <= 0", ""},
	{"type T struct{ n int }\nfunc f(t []T, i, j int) bool { return t[i].n == 0 || t[j].n < 0 }", "t[j].n < 0", "t[j].n <= 0", ""},

	// io.ReadFull fills the slice or returns an error.
	{"func f(r io.Reader) bool { b := make([]byte, 8); n, err := io.ReadFull(r, b); if err != nil { return false }; return n != 8 }", "n != 8", "n != 8" + never, "`n != 8` never holds here"},
	{"func f(r io.Reader) bool { var b [8]byte; n, err := io.ReadFull(r, b[:4]); if err != nil { return false }; return n < 4 }", "n < 4", "n < 4" + never, "`n < 4` never holds here"},
	{"func f(r io.Reader) bool { var b [8]byte; n, err := io.ReadFull(r, b[:4]); if err != nil { return false }; return n < 8 }", "n < 8", "n < 8" + never, ""},
	{"func f(r io.Reader) bool { b := make([]byte, 8); n, err := io.ReadFull(r, b); return n != 8 && err == io.EOF }", "n != 8", "n != 8" + never, ""},
	{"func f(r io.Reader, k int) bool { b := make([]byte, k); n, err := io.ReadFull(r, b); if err != nil { return false }; return n != 8 }", "n != 8", "n != 8" + never, ""},

	// Bounds that follow from lengths, types and operators.
	{"func f(s []int) bool { return len(s) == 0 }", "len(s) == 0", "len(s) <= 0", "`len(s)` is never negative, so both conditions are always the same"},
	{"func f(s []int) bool { return len(s) == 0 }", "len(s) == 0", "len(s) < 1", "`len(s)` is between 0 and"},
	{"func f(s []int) bool { return len(s) == 0 }", "len(s) == 0", "len(s) < 2", ""},
	{"func f(s map[int]int) bool { return len(s) > 0 }", "len(s) > 0", "len(s) != 0", "never negative"},
	{"func f(s []int) bool { return len(s) > 0 }", "len(s) > 0", "len(s) >= 0", ""},
	{"type T struct{}\nfunc (T) Len() int { return n }\nvar n = -1\nfunc f(s T) bool { return s.Len() == 0 }", "s.Len() == 0", "s.Len() <= 0", ""},
	{"func f(s sort.Interface) bool { return s.Len() == 0 }", "s.Len() == 0", "s.Len() <= 0", ""},
	{"func f(s *strings.Builder) bool { return s.Len() == 0 }", "s.Len() == 0", "s.Len() <= 0", "(*strings.Builder).Len never returns less than 0"},
	{"func f(x uint) bool { return x == 0 }", "x == 0", "x <= 0", "`x` is never negative here"},
	{"func f(p *int) bool { return uintptr(unsafe.Pointer(p)) == 0 }", "uintptr(unsafe.Pointer(p)) == 0", "uintptr(unsafe.Pointer(p)) <= 0", "never negative"},
	{"type U uint8\nfunc f(x U) bool { return x <= 255 }", "x <= 255", "x <= 255" + always, "always holds"},
	{"func f(x *struct{ n uint8 }) bool { return x.n > 255 }", "x.n > 255", "x.n > 255" + never, "never holds"},
	{"func f(x int) bool { return x == 0 }", "x == 0", "x <= 0", ""},
	{"func f(x uint) bool { return int(x) == 0 }", "int(x) == 0", "int(x) <= 0", ""},
	{"func f(x uint32) bool { return int64(x) == 0 }", "int64(x) == 0", "int64(x) <= 0", "never negative"},
	{"func f(s []int) bool { return uint8(len(s)) == 0 }", "uint8(len(s)) == 0", "uint8(len(s)) < 0", ""},
	{"func f(x uint8) bool { return x+1 == 0 }", "x+1 == 0", "x+1 == 0" + never, ""}, // the addition overflows
	{"func f(x uint8) bool { return int(x)+1 == 0 }", "int(x)+1 == 0", "int(x)+1 == 0" + never, "never holds"},
	{"func f(s []int) bool { return len(s)+1 <= 0 }", "len(s)+1 <= 0", "len(s)+1 <= 0" + never, ""}, // equivalent, but not proved: the addition might overflow
	{"func f(s []int) bool { return len(s)-1 < -1 }", "len(s)-1 < -1", "len(s)-1 < -1" + never, "never holds"},
	{"func f(x int) bool { return -x >= 0 || x >= 0 }", "-x >= 0 || x >= 0", "(-x >= 0 || x >= 0) || true", ""}, // false for the least integer
	{"func f(x int) bool { return x%4 > 3 }", "x%4 > 3", "x%4 > 3" + never, "never holds"},
	{"func f(x int) bool { return x%4 < 0 }", "x%4 < 0", "x%4 < 0" + never, ""},
	{"func f(x uint) bool { return x%4 > 2 }", "x%4 > 2", "x%4 > 2" + never, ""},
	{"func f(x int) bool { return x&15 >= 0 }", "x&15 >= 0", "x&15 >= 0" + always, "always holds"},
	{"func f(x int) bool { return x&-15 >= 0 }", "x&-15 >= 0", "x&-15 >= 0" + always, ""},
	{"func f(x uint8) bool { return x>>4 > 15 }", "x>>4 > 15", "x>>4 > 15" + never, "never holds"},
	{"func f(x int8) bool { return x>>4 < -7 }", "x>>4 < -7", "x>>4 < -7" + never, ""},
	{"func f(x uint8) bool { return x<<4 > 0xF0 }", "x<<4 > 0xF0", "x<<4 > 0xF0" + never, ""}, // equivalent, but not proved: the shift may overflow
	{"func f(x uint8, n uint) bool { return int(x)>>n > 255 }", "int(x)>>n > 255", "int(x)>>n > 255" + never, "never holds"},
	{"func f(x, y uint8) bool { return int(x)|int(y) > 255 }", "int(x)|int(y) > 255", "int(x)|int(y) > 255" + never, "never holds"},
	{"func f(x uint8) bool { return int(x)/3 > 85 }", "int(x)/3 > 85", "int(x)/3 > 85" + never, "never holds"},
	{"func f(x uint8, y int) bool { return int(x)/y > 255 }", "int(x)/y > 255", "int(x)/y > 255" + never, ""},
	{"func f(x, y int) bool { return min(x, y, 5) > 5 }", "min(x, y, 5) > 5", "min(x, y, 5) > 5" + never, "never holds"},
	{"func f(s string, i int) bool { return s[i] >= 0x80 }", "0x80", "0x81", ""},
	{"func f(s string) (n int) { for i := range s { if i < 0 { n++ } }; return n }", "i < 0", "i < 0" + never, "never holds"},
	{"func f(s string) (n int) { for _, r := range s { if r < 0 { n++ } }; return n }", "r < 0", "r < 0" + never, "never holds"},
	{"func f(m map[int]int) (n int) { for i := range m { if i < 0 { n++ } }; return n }", "i < 0", "i < 0" + never, ""},
	{"func f(x float64) bool { return x < 1 }", "x < 1", "!(x >= 1)", ""},
	{"func f(x float64) bool { return x == x }", "x == x", "x == x" + always, ""},
	{"func f(x float64) bool { if x < 0 { return true }; return x < 0 }", "return x < 0", "return x < 0" + never, ""},

	// Boolean variables that earlier checks decide.
	{"func f(a, b bool) bool { if !a || !b { return false }; return a && b }", "a && b", "a || b", "`a` and `b` always hold here"},
	{"func f(a, b bool) bool { if !a || !b { return false }; return a && b }", "a && b", "(a && b) || true", "`a && b` always holds here: an earlier condition decides it"},
	{"func f(a, b bool) bool { if a || b { return false }; return a || b }", "a || b", "a && b", "`a` and `b` never hold here"},
	{"func f(a, b bool) bool { if a && b { if a || b { return true } }; return false }", "a || b", "a && b", "`a` and `b` always hold here"},
	{"func f(a, b bool) bool { if !a { return false } else if b { return a && b }; return true }", "a && b", "a || b", "`a` and `b` always hold here"},
	{"func f(a, b bool) bool { for { if !a { break }; if !b { continue }; return (a && b) }; return true }", "a && b", "a || b", "`a` and `b` always hold here"},
	{"func f(a, b bool) bool { if !a { panic(1) }; if !b { return true }; return a == true && b }", "a == true && b", "a == true || b", ""},
	{"func f(a, b bool) bool { if a { return a || b }; return false }", "a || b", "(a || b) || true", "`a || b` always holds here"},
	{"func f(a bool, m map[int]bool) bool { _, ok := m[1]; if !ok { return false }; return a && ok }", "ok", "ok || true", "`ok` always holds here"},
	{"func f(a, b bool) bool { return a && (a || b) }", "a || b", "(a || b) || true", "`a || b` always holds here"},
	{"func f(a, b bool) bool { if !a || !b { return false }; a = g(); return a && b }; func g() bool { return false }", "a && b", "a || b", ""},
	{"func f(a, b bool) bool { if !a || !b { return false }; g(&a); return a && b }; func g(*bool) {}", "a && b", "a || b", ""},
	{"func f(a, b bool) bool { if !a && !b { return false }; return a && b }", "a && b", "a || b", ""},
	{"func f(a, b bool) bool { if !a || !b { println() }; return a && b }", "a && b", "a || b", ""},
	{"func f(a bool) bool { if a { goto l }; if !a { return false }\nl:\n return !a }", "!a", "!a || true", ""},
	{"func f(b bool) (a bool) { defer func() { if a { return }; b = a && b }(); return true }", "a && b", "a || b", ""},
	{"func f(a bool) bool { if !a { return false }; return a && g() }; func g() bool { println(); return true }", "a && g()", "a || g()", ""},
	{"func f(a bool) func() bool { if !a { return nil }; return func() bool { return a } }", "a", "a || true", "`a` always holds here"}, // nothing sets it later
	{"func f(a bool) func() bool { if !a { return nil }; g := func() bool { return a }; a = false; return g }", "a", "a || true", ""},
	{"var a bool\nfunc f(b bool) bool { if !a { return false }; return a && b }", "a && b", "(a && b) || true", ""},

	// Conditions that earlier conditions decide.
	{"func f(x int) bool { if x < 0 { return true }; return x == 0 }", "x == 0", "x <= 0", "`x` is never negative here"},
	{"func f(x int) bool { if x <= 0 { return true }; return x == 1 }", "x == 1", "x <= 1", "`x` is never less than `1` here"},
	{"func f(x int) bool { if x < 0 && g() { return true }; return x == 0 }\nfunc g() bool { return true }", "x == 0", "x <= 0", ""},
	{"func f(x int) bool { if x < 0 { x = -x }; return x == 0 }", "x == 0", "x <= 0", ""},              // the least integer stays negative
	{"func f(x int) bool { if x < 0 { x = 0 }; return x == 0 }", "return x == 0", "return x <= 0", ""}, // it replaces a statement, not only the condition
	{"func f(x int) bool { if x < 0 { x = 0 }; return x == 0 }", "x == 0", "x <= 0", "`x` is never negative here"},
	{"func f(x *int) bool { if *x < 0 { return true }; return *x == 0 }", "*x == 0", "*x <= 0", "`*x` is never negative here"},
	{"func f(x int) bool { return x == 3 || x > 3 }", "x > 3", "x >= 3", "`x` is never `3` here"},
	{"func f(x int) bool { return x == 3 || x > 4 }", "x > 4", "x >= 4", ""},
	{"func f(x int) bool { g := func() { x-- }; if x < 0 { return true }; g(); return x == 0 }", "x == 0", "x <= 0", ""},
	{"func f(s []int) bool { if len(s) == 0 { return true }; return len(s) == 1 }", "len(s) == 1", "len(s) <= 1", "`len(s)` is never less than `1`"},
	{"func f(m map[int]int) bool { if len(m) == 0 { return true }; g(m); return len(m) == 1 }\nfunc g(m map[int]int) {}", "len(m) == 1", "len(m) <= 1", ""},
	{"func f(s []int) bool { if len(s) == 0 { return true }; s = s[1:]; return len(s) == 1 }", "len(s) == 1", "len(s) <= 1", ""},
	{"func f(x, y int) bool { if x > y { return true }; return x == y }", "x == y", "x >= y", "`x` is never greater than `y` here"},
	{"func f(x, y int) bool { if x > y { return true }; y--; return x == y }", "x == y", "x >= y", ""},
	{"func f(x, y int) bool { if x > y { return true }; return x < 5 && x == y }", "x < 5 && x == y", "x < 5 || x == y", ""},
	{"func f(s []int) bool { return len(s) < 0 || len(s) < -1 }", "len(s) < 0 || len(s) < -1", "(len(s) < 0 || len(s) < -1) && false", "never holds here: `len(s)`"},
	{"func f(s []int, b bool) bool { return b && !(len(s) >= 0) }", "b && !(len(s) >= 0)", "b && !(len(s) >= 0)" + never, "never holds here: `len(s)` is never negative"},
	{"func f(s []int, b bool) bool { return b || len(s) >= 0 }", "b || len(s) >= 0", "b || len(s) >= 0" + always, "always holds here: `len(s)` is never negative"},
	{"func f(s []int, b bool) bool { return b && len(s) >= 0 }", "b && len(s) >= 0", "(b && len(s) >= 0) || true", ""},
	{"func f(s []int) bool { const false = true; return len(s) < 0 }", "len(s) < 0", "len(s) < 0" + never, ""},

	// Loops.
	{"func f(n int) (s int) { i := 0; for i < 10 { s += n; i++ }; return s + i }", "i < 10", "i != 10", "`i` is never greater than `10` here"},
	{"func f(n int) (s int) { i := 0; for i < 10 { s += n; i += 2 }; return s + i }", "i < 10", "i != 10", ""}, // equivalent, but not proved
	{"func f(n int) (s int) { i := 0; for i < 9 { s += n; i += 2 }; return s + i }", "i < 9", "i != 9", ""},
	{"func f(n int) (s int) { for n > 0 { s += n; n-- }; return s }", "n > 0", "n != 0", ""},
	{"func f(n uint) (s uint) { for n > 0 { s += n; n-- }; return s }", "n > 0", "n != 0", "`n` is never negative"},
	{"func f(n []int) (s int) { for i := len(n); i > 0; i-- { s += n[i-1] }; return s }", "i > 0", "i != 0", "`i` is never negative here"},
	{"func f(n []int) (s int) { for i := len(n) - 1; i >= 0; i-- { s += n[i] }; return s }", "i >= 0", "i != -1", "`i` is between"},
	{"func f(n []int) (s int) { for i := 0; i < len(n); i++ { s += n[i] }; return s }", "i < len(n)", "i != len(n)", "`i` is never greater than `len(n)` here"},
	{"func f(n string) int { i := 0; for i < len(n) && n[i] == ' ' { i++ }; return i }", "i < len(n)", "i != len(n)", "never greater"},
	{"func f(n string) int { i := 0; for i < len(n) && n[i] == ' ' { i++ }; if i < len(n) { return 0 }; return 1 }", "if i < len(n)", "if i < len(n) || true", ""},
	{"func f(n string) int { i := 0; for i < len(n) && n[i] == ' ' { i++ }; return g(i == len(n)) }\nfunc g(bool) int { return 0 }", "i == len(n)", "i >= len(n)", "never greater"},
	{"func f(n []int) (s int) { for i := 0; i < len(n); i++ { n = n[1:] }; return s }", "i < len(n)", "i != len(n)", ""},
	{"func f(n []int) (s int) { for i := 0; i < len(n); i++ { s += n[i]; i++ }; return s }", "i < len(n)", "i != len(n)", ""},
	{"func f(n int) (s int) { for i := 0; i < n; i++ { n-- }; return s }", "i < n", "i != n", ""},
	{"func f(n int) (s int) { i := 9; if n > 9 { goto b }\na:\n\ti++\nb:\n\tif i < n { goto a }; return i }", "if i < n", "if i != n", ""}, // it replaces more than the condition
	{"func f(n int) (s int) { i := 9; if n > 9 { goto b }\na:\n\ti++\nb:\n\tif i < n { goto a }; return i }", "i < n", "i != n", ""},       // the loop can be entered in two places
	{"func f(n, m int) (s int) { for i := m; i < n; i++ { s += i }; return s }", "i < n", "i != n", ""},
	{"func f(n, m int) (s int) { if m > n { return }; for i := m; i < n; i++ { s += i }; return s }", "i < n", "i != n", "never greater"},
	{"func f(n, m uint8) (s uint8) { if m > n { return }; for i := m; i <= n; i++ { s += i }; return s }", "i <= n", "i != n+1", ""},
	{"func f(n []int) int { i := 0; func() { i += 9 }(); for i < len(n) { i++ }; return i }", "i < len(n)", "i != len(n)", ""},
	{"func f(n []int) (s int) { for i := range n { if i < len(n) { s++ } }; return s }", "i < len(n)", "i < len(n)" + always, "`i < len(n)` always holds here: `i` is always less than `len(n)` here"},
	{"func f(n []int) (s int) { for i := range n { if i > len(n)-1 { s++ } }; return s }", "i > len(n)-1", "i > len(n)-1" + never, ""}, // equivalent, but not proved
	{"func f(n [][]int) (s int) { i := 0; for _, m := range n { for i < len(m) { i++ } }; return i }", "i < len(m)", "i != len(m)", ""},
	{"func f(n int) (s int) { for i := range n { if i < 0 { s++ } }; return s }", "i < 0", "i < 0" + never, "never holds"},
	{"func f(n int) (s int) { for i := 0; ; i++ { if i < 0 { return s }; s += n } }", "i < 0", "i < 0" + never, ""}, // i overflows
	{"func f(n int) (s int) { for i := 0; i != n; i++ { if i < 0 { return s }; s += n }; return 0 }", "i < 0", "i < 0" + never, ""},
	{"func f(n []int) (s int) {\n\ti := 0\nloop:\n\tif i < len(n) { i++; goto loop }; return i\n}", "i < len(n)", "i != len(n)", "never greater"},

	// Results of functions of the package.
	{"func g(s string) int { if s == `` { return 3 }; return len(s) }\nfunc f(s string) bool { return g(s) == 0 }", "g(s) == 0", "g(s) <= 0", "never negative"},
	{"func g(s string) (n int, ok bool) { n = len(s); return n, n > 2 }\nfunc f(s string) bool { n, _ := g(s); return n == 0 }", "n == 0", "n <= 0", "never negative"},
	{"func g(s string) (n int) { defer func() { n = -1 }(); return len(s) }\nfunc f(s string) bool { return g(s) == 0 }", "g(s) == 0", "g(s) <= 0", ""},
	{"func g(n int) int { if n > 9 { return g(n-1) }; return 9 }\nfunc f(n int) bool { return g(n) == 9 }", "g(n) == 9", "g(n) <= 9", ""}, // equivalent, but not proved: g is recursive
	{"var g = func() int { return 1 }\nfunc f() bool { return g() == 0 }", "g() == 0", "g() <= 0", ""},
	{"type T struct{}\nfunc (T) g() int { return 1 }\nfunc f(i interface{ g() int }) bool { return i.g() == 0 }", "i.g() == 0", "i.g() <= 0", ""},
	{"func g() int\nfunc f() bool { return g() == 0 }", "g() == 0", "g() <= 0", ""}, // g has no body in Go

	// Generic functions and function literals.
	{"func f[T any](s []T) bool { return len(s) == 0 }", "len(s) == 0", "len(s) <= 0", "never negative"},
	{"func f[T interface{ Len() int }](x T) bool { if any(x) == nil { return false }; return true }", "any(x) == nil", "any(x) == nil" + never, ""}, // T may be an interface
	{"func f[T int | float64](x T) bool { if x < 0 { return true }; return x == 0 }", "x == 0", "x <= 0", ""},
	{"func f[T uint8 | uint16](x T) bool { return x == 0 }", "x == 0", "x <= 0", ""},
	{"var f = func(s []int) bool { return len(s) == 0 }", "len(s) == 0", "len(s) <= 0", "never negative"},
	{"func f() func(s []int) bool { return func(s []int) bool { return len(s) == 0 } }", "len(s) == 0", "len(s) <= 0", "never negative"},

	// No condition is replaced, or the new condition is not one that can be compared with it.
	{"func f(x uint) uint { return x + 1 }", "1", "2", ""},
	{"func f(s []int) bool { return len(s) == 0 }", "len(s) == 0", "cap(s) <= 0", ""},
	{"func f(s []int) bool { return len(s) == 0 }", "len(s) == 0", "len(s) == 0 && true", ""},
	{"func f(s []int) bool { return len(s) >= 0 }", "len(s) >= 0", "func() bool { return false }() || true", ""},
	{"func f(x uint8) bool { return x < 200 }", "200", "300", ""},
	{"func g() int { n++; return 1 }\nvar n int\nfunc f(s []int) bool { return len(s) < g() }", "len(s) < g()", "len(s) < 1", ""},
}

var branches = []example{
	// Maxima and minima.
	{"func f(s []int) (m int) { for _, x := range s { if x > m { m = x } }; return m }", "x > m", "x >= m", "where `x` equals `m`, both branches do the same"},
	{"func f(s []string) (m string) { for _, x := range s { if x > m { m = x } }; return m }", "x > m", "x >= m", "both branches"},
	{"func f(s []float64) (m float64) { for _, x := range s { if x > m { m = x } }; return m }", "x > m", "x >= m", ""},
	{"func f(s []int) (m, i int) { for j, x := range s { if x > m { m, i = x, j } }; return m, i }", "x > m", "x >= m", ""},
	{"func f(s []int) (m int) { for _, x := range s { if x > m { m = x + 1 } }; return m }", "x > m", "x >= m", ""},
	{"type T struct{ m int }\nfunc (t *T) f(x int) { if x > t.m { t.m = x } }", "x > t.m", "x >= t.m", ""}, // t.m is memory, not a variable
	{"func f(s []int) (m int) { defer func() { m++ }(); for _, x := range s { if x > m { m = x } }; return m }", "x > m", "x >= m", ""},
	{"func f(a, b int) int { if a < b { return a }; return b }", "a < b", "a <= b", "where `a` equals `b`, both branches do the same"},
	{"func f(a, b string) string { if a < b { return a }; return b }", "a < b", "a <= b", "both branches"},
	{"func f(a, b float64) float64 { if a < b { return a }; return b }", "a < b", "a <= b", ""},
	{"func f(a, b int) (int, bool) { if a < b { return a, true }; return b, false }", "a < b", "a <= b", ""},
	{"func f(a, b int) any { if a < b { return a }; return b }", "a < b", "a <= b", ""},
	{"type T int\nfunc f(a, b T) T { if a < b { return a }; return b }", "a < b", "a <= b", "both branches"},
	{"func f(a, b int) int { if a < b { return a }; return b }", "a < b", "a != b", ""},
	{"func f(a, b int) int { if a < b { g(); return a }; return b }\nfunc g() {}", "a < b", "a <= b", ""},
	{"func f(a, b int) int { if a < b { return 1 }; if a > b { return -1 }; return 0 }", "a < b", "a <= b", ""},
	{"func f(n int) int { if n < 0 { n = 0 }; return n }", "n < 0", "n <= 0", "where `n` equals `0`, both branches do the same"},
	{"func f(n int) int { if n < 0 { n = 1 }; return n }", "n < 0", "n <= 0", ""},
	{"func f(n int) int { if n < 0 { return 0 }; return n }", "n < 0", "n <= 0", "both branches"},
	{"func f(n int) int { if n < 0 { n = -n }; return n }", "n < 0", "n <= 0", "both branches"},
	{"func f(n, m int) int { if n > 0 { m += n }; return m }", "n > 0", "n >= 0", "both branches"},
	{"func f(n, m int) int { if n > 0 { m /= n }; return m }", "n > 0", "n >= 0", ""},
	{"func f(s []int, n int) []int { if len(s) > n { s = s[:n] }; return s }", "len(s) > n", "len(s) >= n", "both branches"},
	{"func f(s string) string { if len(s) > 9 { s = s[:9] }; return s }", "len(s) > 9", "len(s) >= 9", "both branches"},
	{"func f(s string) string { if len(s) > 9 { s = s[:8] }; return s }", "len(s) > 9", "len(s) >= 9", ""},
	{"func f(s []int, n int) []int { if len(s) > n { s = s[:n:n] }; return s }", "len(s) > n", "len(s) >= n", ""},
	{"func f(s *[4]int, n int) []int { t := s[:]; if n < 4 { t = s[:n] }; return t }", "n < 4", "n <= 4", ""},
	{"func f(s []int, n int) []int { if n > 0 { s = s[n:] }; return s }", "n > 0", "n >= 0", "both branches"},
	{"func f(a, b *int) *int { if a == b { return a }; return b }", "a == b", "a == b" + never, "where `a == b` is true, both branches do the same"},
	{"func f(a, b any) any { if a == b { return a }; return b }", "a == b", "a == b" + never, ""},
	{"func f(a, b int) int { x := a < b; if x { return a }; return b }", "a < b", "a <= b", "both branches"},
	{"func f(a, b int) (int, bool) { x := a < b; if x { return a, x }; return b, x }", "a < b", "a <= b", ""},

	{"func f(a, b int) (int, int) { if a < b { a, b = b, a }; return a, b }", "a < b", "a <= b", "both branches"},
	{"func f(s []int) (m, l int) { for _, x := range s { if x > m { m, l = x, m } }; return m, l }", "x > m", "x >= m", ""},
	{"func f(s []int, b bool) (m int) { for _, x := range s { if x > m { if b { m = x } } }; return m }", "x > m", "x >= m", ""}, // equivalent, but not proved
	{"func f(s []int) (r int) { last := 0; for _, x := range s { y := x + 1; if last == x { continue }; last = y; r += y }; return r }", "last == x", "last == x" + never, ""},
	{"func f(s []int) (r int) { last := 0; for _, x := range s { if x == 0 { continue }; r += last; last = x }; return r }", "x == 0", "x == 0" + never, ""},
	{"func f(x int32) int64 { if x == 0 { return 0 }; return int64(x) * 3 }", "x == 0", "x == 0" + never, "both branches do the same"},
	{"func f(x uint8) uint8 { if x == 0 { return 255 }; return x - 1 }", "x == 0", "x == 0" + never, ""}, // equivalent, but not proved: x - 1 overflows
	{"func f(x int) int { if x == 0 { return 0 }; return 10 / x }", "x == 0", "x == 0" + never, ""},
	{"func f(x int) int { if x == 0 { return 0 }; return 10 << x }", "x == 0", "x == 0" + never, ""},
	{"func f(p *int) int { if p == nil { return 0 }; return *p }", "p == nil", "p == nil" + never, ""},
	{"func f(p *int, x int) int { if x == 0 { return 0 }; return x * *p }", "x == 0", "x == 0" + never, ""},
	{"func f(a, b [2]any) [2]any { if a == b { return a }; return b }", "a == b", "a == b" + never, ""},
	{"func f(n int, s []int) int { if n <= 0 { return 0 }; for n > 0 { n-- }; return n }", "n <= 0", "n <= 0" + never, ""}, // n may be negative
	{"func f(n uint) uint { if n <= 0 { return 0 }; for n > 0 { n-- }; return n }", "n <= 0", "n <= 0" + never, "both branches do the same"},

	// This one is not equivalent: the next iteration computes v anew.
	{"func f(a, b int) int { k := 0; for { v := a * k; if k == 1 { return v }; if a == b { k = 1; continue }; return v } }", "a == b", "a == b" + never, ""},

	// Guards for a case in which the code after them does the same.
	{"func f(s []int) []int { if len(s) == 0 { return nil }; var t []int; for _, x := range s { t = append(t, x) }; return t }", "len(s) == 0", "len(s) == 0" + never,
		"where `len(s) == 0` is true, both branches do the same"},
	{"func f(s []int) []int { if len(s) == 0 { return nil }; t := []int{}; for _, x := range s { t = append(t, x) }; return t }", "len(s) == 0", "len(s) == 0" + never, ""},
	{"func f(s []int) []int { if len(s) == 0 { return nil }; g(); var t []int; for _, x := range s { t = append(t, x) }; return t }\nfunc g() {}", "len(s) == 0", "len(s) == 0" + never, ""},
	{"func f(s []int) bool { if len(s) < 1 { return true }; for i := 0; i < len(s); i++ { if s[i] > 1 { return false } }; return true }", "len(s) < 1", "len(s) < 1" + never, "both branches do the same"},
	{"func f(s []int) bool { if s == nil { return true }; for _, x := range s { if x > 1 { return false } }; return true }", "s == nil", "s == nil" + never, "both branches do the same"},
	{"func f(s []int) bool { if s != nil { for _, x := range s { if x > 1 { return false } } }; return true }", "s != nil", "s != nil" + always, "where `s != nil` is false, both branches do the same"},
	{"func f(s string) bool { if s == `` { return true }; return len(s) == 0 }", "s == ``", "s == ``" + never, ""}, // equivalent, but not proved: the result is a comparison
	{"func f(s string) int { if s == `` { return 0 }; n := 0; for i := 0; i < len(s); i++ { n += int(s[i]) }; return n }", "s == ``", "s == ``" + never, "both branches do the same"},
	{"func f(s []int) int { if len(s) == 0 { return 0 }; return s[0] }", "len(s) == 0", "len(s) == 0" + never, ""},
	{"func f(s []int) int { if len(s) <= 1 { return 0 }; n := 0; for range s { n++ }; return n }", "len(s) <= 1", "len(s) <= 1" + never, ""},
	{"func f(n int) int { if n < 5 { return 1 }; if n >= 5 { return 2 }; return 3 }", "n < 5", "n < 5" + never, ""},
	{"func f(n int) int { if n < 5 { return 3 }; if n >= 5 { return 2 }; return 3 }", "n < 5", "n < 5" + never, "both branches do the same"},
	{"func f(n int) int { if n < 5 { return 3 }; for { n++ } }", "n < 5", "n < 5" + never, ""},
	{"func f(err error) error { if err == nil { return nil }; return err }", "err == nil", "err == nil" + never, "both branches do the same"},
	{"func f(err error) error { if err != nil { return err }; return nil }", "err != nil", "err != nil" + never, ""},
	{"func f(s []int) (n int) { for _, x := range s { if x == 0 { continue }; n += x }; return n }", "x == 0", "x == 0" + never, "both branches do the same"},
	{"func f(s []int) (n int) { for _, x := range s { if x == 0 { break }; n += x }; return n }", "x == 0", "x == 0" + never, ""},
	{"func f(n int) (m int) { switch n { case 1: m = 3; if n == 1 { break }; case 2: m = 4 }; return m }", "n == 1", "n == 1" + never, "both branches do the same"},
	{"func f(s []int) (n int) { for _, x := range s { n += x; if x == 0 { continue } }; return n }", "x == 0", "x == 0" + never, "both branches do the same"},
	{"func f(s []int) (n int) { for _, x := range s { if x == 0 { continue }; n += g(x) }; return n }\nfunc g(x int) int { return x }", "x == 0", "x == 0" + never, ""},
	{"func f(s []int) (n, m int) { for _, x := range s { m = n; if x == 0 { continue }; n = 1 }; return n, m }", "x == 0", "x == 0" + never, ""},
	{"func f(t int, s []int) (n int) { for _, x := range s { y := x * 2; if x == 0 { n = y; continue }; n = y }; return n }", "x == 0", "x == 0" + never, "both branches do the same"},
	{"func f(s []int) bool { defer g(); if len(s) == 0 { return true }; for range s { }; return true }\nfunc g() {}", "len(s) == 0", "len(s) == 0" + never, ""},
}

// changes are mutants that undo a part of a change: before is new code, after the old. Both may hold code around it.
var changes = []example{
	{"func g() (int, error)\nfunc f(n int) int { switch n { case 1: _, err := g(); if err != nil { break }\n case 2: n++; }; return n }", "if err != nil { break }\n case", "case", "where `err != nil` is true, both branches do the same"},
	{"func g() (int, error)\nfunc f(n int) int { switch n { case 1: t, err := g(); if err != nil { break }\n n = t; case 2: n++; }; return n }", "if err != nil { break }\n n", "n", ""},
	{"func f(n uint) uint { if n < 0 { return 3 }\n return n }", "if n < 0 { return 3 }\n", "", "`n < 0` never holds here"},
	{"func f(n uint) uint { if n < 1 { return 3 }\n return n }", "if n < 1 { return 3 }\n", "", ""},
	{"func f(n uint) uint { if n < 0 { return 3 }\n return n }", "if n < 0 { return 3 }\n return n", "return n + 1", ""}, // it undoes more than the check
	{"func f(n uint) uint { if n < 0 { return 3 } else { n = 2 }\n return n }", "if n < 0 { return 3 } else { n = 2 }", "", ""},
	{"func f(n uint) uint { if n < 1 { n = 7 } else if n < 0 { return 3 }\n return n }", " else if n < 0 { return 3 }", "", ""}, // the if statement is not in a list of statements
	{"func g() uint\nfunc f(n uint) uint { if g() < 0 { return 3 }\n return n }", "if g() < 0 { return 3 }\n", "", ""},
	{"func f(n []uint) { if n[0] < 0 { return }\n }", "if n[0] < 0 { return }\n", "", ""}, // n[0] may panic

	// The same conditions in another form.
	{"func f(a, b, c bool) int { if !a || (!b && c) { return 1 }\n return 2 }", "!a || (!b && c)", "!(a && (b || !c))", "the conditions are the same as before, in another form"},
	{"func f(a, b int) int { if a != b || a != 3 { return 1 }\n return 2 }", "a != b || a != 3", "!(a == b && a == 3)", "the conditions are the same as before, in another form"},
	{"func f(a, b bool) int { if !a || !b { return 1 }\n return 2 }", "!a || !b", "!(a || b)", ""},
	{"func f(a, b, c bool) int { if a && (b || c) { return 1 }\n return 2 }", "a && (b || c)", "a && b || c", ""},
	{"func f(a, b float64) int { if a >= b { return 1 }\n return 2 }", "a >= b", "!(a < b)", ""},
	{"func f(a, b bool) int { if a == true && b { return 1 }\n return 2 }", "a == true && b", "a && b", "the conditions are the same as before, in another form"},
	{"func f(a, b bool) int { if !a { return 1 }\n return 2 }", "!a", "a == false", "the same as before"},
	{"func f(a, b bool) int { for !(a && b) { return 1 }\n return 2 }", "!(a && b)", "(a && b) != true", "the same as before"},
	{"func f(a, b bool) int { if a { return 1 }\n return 2 }", "a", "(!!a)", "the same as before"},
	{"func f(a, b bool) int { if a { return 1 }\n return 2 }", "a", "a == false", ""},
	{"func f(a, b, c bool) int { if (a || b) && c { return 1 }\n return 2 }", "(a || b) && c", "a || b && c", ""},
	{"func f(a any) int { if a == true { return 1 }\n return 2 }", "a == true", "a != false", ""}, // a may be neither true nor false
	{"func f(a bool) any { return a }", "return a", "return a == true", ""},                       // no condition; "a == true" as a result may lose the type of a
	{"func f(a bool) int { true := false; if a == true { return 1 }\n return 2 }", "a == true", "a", ""},
}

var errorChecks = []example{
	{"func f(b *bytes.Buffer) error { if _, err := b.WriteString(`x`); err != nil { return err }; return nil }", "err != nil", "err != nil" + never,
		"`err != nil` never holds here: (*bytes.Buffer).WriteString always returns nil for `err`"},
	{"func f(b *strings.Builder) error { err := b.WriteByte(1); if err != nil { return err }; return nil }", "err != nil", "err != nil" + never, "never holds"},
	{"func f(b io.Writer) error { if _, err := b.Write(nil); err != nil { return err }; return nil }", "err != nil", "err != nil" + never, ""},
	{"func f(b hash.Hash) error { if _, err := b.Write(nil); err != nil { return err }; return nil }", "err != nil", "err != nil" + never, "a hash.Hash never returns an error"},
	{"func f(b *bytes.Buffer) error { if _, err := b.ReadByte(); err != nil { return err }; return nil }", "err != nil", "err != nil" + never, ""},
	{"func g(n int) (int, error) { if n > 1 { return 0, nil }; return n, nil }\nfunc f() error { _, err := g(1); if err != nil { return err }; return nil }", "err != nil", "err != nil" + never,
		"`err != nil` never holds here: g always returns nil for `err`"},
	{"func g(n int) (int, error) { if n > 1 { return 0, io.EOF }; return n, nil }\nfunc f() error { _, err := g(1); if err != nil { return err }; return nil }", "err != nil", "err != nil" + never, ""},
	{"func h() error { return nil }\nfunc g() error { return h() }\nfunc f() error { if err := g(); err != nil { return err }; return nil }", "err != nil", "err != nil" + never, "never holds"},
	{"func g() (err error) { defer func() { err = io.EOF }(); return nil }\nfunc f() error { if err := g(); err != nil { return err }; return nil }", "err != nil", "err != nil" + never, ""},
	{"type E struct{}\nfunc (*E) Error() string { return `` }\nfunc g() *E { return nil }\nfunc f() error { var err error = g(); if err != nil { return err }; return nil }", "err != nil", "err != nil" + never, ""},
	{"type E struct{}\nfunc (*E) Error() string { return `` }\nfunc g() error { var e *E; return e }\nfunc f() error { if err := g(); err != nil { return err }; return nil }", "err != nil", "err != nil" + never, ""},
	{"var g = func() error { return nil }\nfunc f() error { if err := g(); err != nil { return err }; return nil }", "err != nil", "err != nil" + never, ""},
	{"type G interface{ g() error }\ntype T struct{}\nfunc (T) g() error { return nil }\nfunc f(x G) error { if err := x.g(); err != nil { return err }; return nil }", "err != nil", "err != nil" + never, ""},
	{"func g(n int) error { if n > 0 { return g(n - 1) }; return nil }\nfunc f() error { if err := g(9); err != nil { return err }; return nil }", "err != nil", "err != nil" + never, "never holds"},
	{"func g() error { panic(1) }\nfunc f() error { if err := g(); err != nil { return err }; return nil }", "err != nil", "err != nil" + never, ""},
	{"func g() error { defer func() { recover() }(); panic(1) }\nfunc f() error { if err := g(); err != nil { return err }; return nil }", "err != nil", "err != nil" + never, ""}, // equivalent, but not proved
	{"func f(g func() error) error { err := g(); if err != nil { return err }; if err != nil { panic(err) }; return nil }", "if err != nil { panic", "if err != nil && false { panic", ""},
	{"func f(g func() error) error { err := g(); if err != nil { return err }; if  err != nil { panic(err) }; return nil }", " err != nil { panic", " err != nil && false { panic", ""},
	{"func f(g func() error) error { err := g(); if err != nil { return err }; if nil != err { panic(err) }; return nil }", "nil != err", "nil != err" + never, "`nil != err` never holds here: `err` is always nil here"},
	{"func f(g func() error) error { err := g(); if err == nil { return nil }; if nil != err { return err }; return nil }", "nil != err", "nil != err" + always, "`err` is never nil here"},
	{"var err error\nfunc f() error { if err != nil { return err }; if nil != err { panic(err) }; return nil }", "nil != err", "nil != err" + never, ""},
}

func TestConditionsThatAreAlwaysTheSame(t *testing.T) { check(t, conditions) }
func TestBranchesThatComeToTheSame(t *testing.T)      { check(t, branches) }
func TestPartsOfAChangeThatMakeNoDifference(t *testing.T) {
	check(t, changes, func(m *mutate.Mutant) { m.Hunk, m.Form = &mutate.Hunk{}, mutate.Form{} })
}
func TestErrorsThatAreNeverThere(t *testing.T) { check(t, errorChecks) }

// check checks the reason that is found for the mutant of each example, after adjust has changed the mutant.
func check(t *testing.T, list []example, adjust ...func(*mutate.Mutant)) {
	t.Helper()
	eachPackage(t, len(list), func(i int) string { return list[i].src }, func(i int, p *Package, src string) {
		m := mutantOf(t, src, list[i].before, list[i].after)
		for _, change := range adjust {
			change(m)
		}
		got := p.reason(p.pkg.CompiledGoFiles[0], m)
		if got == "" != (list[i].want == "") || !strings.Contains(got, list[i].want) {
			t.Errorf("%s\n%q as %q: %q, want %q", list[i].src, m.Original, m.Replacement, got, list[i].want)
		}
	})
}

// eachPackage loads n examples at once, each as a package of its own. It calls do with each package and its source.
func eachPackage(t *testing.T, n int, example func(i int) string, do func(i int, p *Package, src string)) {
	t.Helper()
	dir := stabledir.Make(t)
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.22\n")
	for i := range n {
		write(t, filepath.Join(dir, fmt.Sprintf("p%03d", i), "p.go"), source(example(i)))
		write(t, filepath.Join(dir, fmt.Sprintf("p%03d", i), "p.s"), "")
	}
	for _, pkg := range load(t, dir, "./...") {
		var i int
		fmt.Sscanf(slash.Base(pkg.PkgPath), "p%d", &i)
		p, err := New(pkg)
		if err != nil {
			t.Fatal(example(i), err)
		}
		do(i, p, source(example(i)))
	}
}

// The search for proofs must not panic, whatever the code. The test calls reason, since Reason recovers from panics.
func TestAllMutantsOfRealCodeCanBeLookedAt(t *testing.T) {
	proved := 0
	for _, pkg := range load(t, ".", "golang.org/x/tools/go/packages", "golang.org/x/mod/semver", "github.com/yuin/goldmark/parser", "github.com/yuin/goldmark/util") {
		p, err := New(pkg)
		if err != nil {
			t.Fatal(err)
		}
		for i, file := range pkg.Syntax {
			src, err := os.ReadFile(pkg.CompiledGoFiles[i])
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range file.Decls {
				decl, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				f := &mutate.Function{Source: src, Fset: pkg.Fset, Pkg: pkg.Types, Info: pkg.TypesInfo, Syntax: file, Decl: decl}
				mutants := mutate.Mutants(f)
				for j := range mutants {
					if p.reason(pkg.CompiledGoFiles[i], &mutants[j]) != "" {
						proved++
					}
				}
			}
		}
	}
	if proved < 20 {
		t.Errorf("%d mutants are proved to be equivalent", proved)
	}
}

func TestWhatCannotBeLookedAtIsNoReason(t *testing.T) {
	dir := t.TempDir()
	const src = "package p\n\nfunc f(s []int) bool { return len(s) == 0 }\n"
	file := filepath.Join(dir, "good", "p.go")
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.22\n")
	write(t, file, src)
	write(t, filepath.Join(dir, "bad", "p.go"), "package p\n\nfunc f() int { return x }\n")
	if _, err := New(load(t, dir, "./bad")[0]); err == nil {
		t.Error("a package with errors has an SSA form")
	}
	p, err := New(load(t, dir, "./good")[0])
	if err != nil {
		t.Fatal(err)
	}
	m := mutantOf(t, src, "len(s) == 0", "len(s) <= 0")
	if p.Reason(file, m) == "" {
		t.Error("this one has a reason")
	}
	for name, change := range map[string]func(m *mutate.Mutant){
		"no expression":   func(m *mutate.Mutant) { m.Replacement = "len(s) <=" },
		"other offsets":   func(m *mutate.Mutant) { m.Offset++; m.Original = m.Original[1:] },
		"behind the file": func(m *mutate.Mutant) { m.Offset, m.EndOffset = 1000, 1011 },
		"another text":    func(m *mutate.Mutant) { m.Original = "" },
		"no whole":        func(m *mutate.Mutant) { m.Form.Kind = mutate.Anything },
	} {
		odd := *m
		change(&odd)
		if why := p.Reason(file, &odd); why != "" {
			t.Errorf("%s: %s", name, why)
		}
	}
	if why := p.Reason("elsewhere.go", m); why != "" {
		t.Error(why)
	}
}

// source returns a file with the declarations and the imports that they need.
func source(declarations string) string {
	src := "package p\n\n"
	for _, imp := range []string{"bytes", "cmp", "hash", "io", "math/bits", "slices", "sort", "strings", "unicode/utf8", "unsafe"} {
		if strings.Contains(declarations, slash.Base(imp)+".") {
			src += fmt.Sprintf("import %q\n", imp)
		}
	}
	return src + "\n" + declarations + "\n"
}

// mutantOf returns the mutant of src that replaces the last occurrence of before by after.
func mutantOf(t *testing.T, src, before, after string) *mutate.Mutant {
	t.Helper()
	at := strings.LastIndex(src, before)
	if at < 0 {
		t.Fatalf("%q is not in %s", before, src)
	}
	return &mutate.Mutant{
		Offset: at, EndOffset: at + len(before), Original: before, Replacement: after, Form: mutate.Form{Kind: mutate.Rewrites},
	}
}

func load(t *testing.T, dir string, patterns ...string) []*packages.Package {
	t.Helper()
	list, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: dir}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
