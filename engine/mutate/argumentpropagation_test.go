package mutate

import (
	"slices"
	"testing"
)

func TestArgumentsTakeThePlaceOfWhatIsMadeOfThem(t *testing.T) {
	const header = `package p

import (
	"context"
	"fmt"
	"strings"
	"time"
)

func f(s, u string, list []string, v T, q *T, at time.Time, ctx context.Context, err error, b bool) {
`
	const declarations = `
type T struct{ n int }

func (t *T) With(n int) *T { return t }
func (t T) Twice() T       { return t }
func (t T) Clone() T       { return t }

func pair(a, b string) (string, string) { return a, b }
func join(parts ...string) string       { return "" }
func wrap(err error) error              { return err }
func use(v ...any)                      {}
func not(b bool) bool                   { return !b }
func of(n int, s, u string) string      { return s }

const fixed = " x "

var _ = []any{fmt.Sprint, strings.Trim, time.Now, context.TODO}
`
	for call, want := range map[string][]string{
		"use(strings.TrimSpace(s))":                 {"use(s)"},
		"use(strings.TrimSpace(s + u))":             {"use(s + u)"},
		"use(strings.TrimSpace(s)[1:])":             {"use(s[1:])"},
		"use(of(1, s, u))":                          {"use(of(1, s, u))", "use(s)"},
		"use(at.Truncate(time.Second))":             {"use(at)"},
		"use(q.With(1).With(2))":                    {"use(q.With(2))", "use(q.With(1))"},
		"use(v.Twice())":                            {"use(v)"},
		"use(v.Clone())":                            nil,
		"use(strings.TrimSpace(fixed))":             nil,
		"use(strings.TrimSpace(fmt.Sprint(s)[1:]))": {"use(fmt.Sprint(s)[1:])"},
		"_, _ = pair(s, u)":                         nil,
		"use(join(list...))":                        nil,
		"use(join(s, u))":                           {"use(s)"},
		"use(wrap(err))":                            nil,
		"use(not(b))":                               nil,
		"use(string([]byte(s)))":                    nil,
		"use(context.WithValue(ctx, s, u))":         nil,
		"q.With(1)":                                 nil,
		"(q.With(1))":                               nil,
		"((q.With(1)))":                             nil,
		"defer q.With(1)":                           nil,
		"go of(1, s, u)":                            nil,
		"defer use(of(1, s, u))":                    {"defer use(s)"},
		"defer q.With(1).With(2)":                   {"defer q.With(2)"},
		"use(max(s, u))":                            nil,
	} {
		got := mutantsBy(t, argumentPropagation, header+"\t"+call+"\n}\n"+declarations)
		got = slices.DeleteFunc(got, func(line string) bool { return line == call })
		want = slices.DeleteFunc(want, func(line string) bool { return line == call })
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", call, got, want)
		}
	}
}

func TestTheLastUseOfADotImportStays(t *testing.T) {
	for body, want := range map[string][]string{
		"return TrimSpace(s)":            nil,
		"return TrimSpace(TrimSpace(s))": {"return TrimSpace(s)"},
		"return TrimSpace(s)\n}\n\nfunc g(s string) string {\n\treturn ToUpper(s)": {"return s"},
		"return TrimSpace(s) + Repeat(s, n)":                                       {"return s + Repeat(s, n)", "return TrimSpace(s) + s"},
		"return TrimSpace(bytes.NewBufferString(s).String())":                      nil,
	} {
		got := mutantsBy(t, argumentPropagation, "package p\n\nimport (\n\t\"bytes\"\n\t. \"strings\"\n)\n\nfunc f(s string, n int) string {\n\t"+body+"\n}\n\n"+
			"var _ = bytes.Equal\n")
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func TestACallThatIsBypassedIsOnlyProbedIfItDoesNoMoreThanToGiveAValue(t *testing.T) {
	const header = "package p\n\nimport (\n\t\"math/bits\"\n\t\"path\"\n\t\"strings\"\n\t\"unicode\"\n)\n\n" +
		"var _, _, _, _ = bits.Len, path.Ext, strings.Index, unicode.IsUpper\n\n" +
		"func f(s, u string, n uint, k int, c rune, q *reader, list []string, keep func(rune) bool, fold func(rune) rune, use func(...any)) {\n\tuse("
	const declarations = ")\n}\n\ntype reader struct{ text string }\n\nfunc (r *reader) next() string { return r.text }\n"
	for call, want := range map[string]string{
		"strings.TrimPrefix(s, u)":                                  "strings.TrimPrefix(s, u) differs from s",
		"strings.TrimPrefix(s, \"x\")":                              "strings.TrimPrefix(s, \"x\") differs from s",
		"strings.TrimPrefix(s, u + \"/\")":                          "strings.TrimPrefix(s, u + \"/\") differs from s",
		"strings.Join(list, s)":                                     "strings.Join(list, s) differs from s",
		"path.Join(s, u)":                                           "path.Join(s, u) differs from s",
		"unicode.ToUpper(c)":                                        "unicode.ToUpper(c) differs from c",
		"bits.RotateLeft(n, k)":                                     "bits.RotateLeft(n, k) differs from n",
		"strings.TrimPrefix(s, q.next())":                           "none",
		"strings.TrimPrefix(s, q.text)":                             "none", // q may be nil
		"strings.TrimPrefix(s, list[k])":                            "none",
		"strings.TrimSpace(q.next())":                               "none",
		"strings.Map(fold, s)":                                      "none",
		"strings.TrimFunc(s, keep)":                                 "none",
		"strings.TrimFunc(s, func(r rune) bool { return keep(r) })": "none",
		"strings.Repeat(s, k)":                                      "none",
		"bits.Rem(n, n, n)":                                         "none",
	} {
		f := load(t, header+call+declarations)
		found := false
		for _, m := range Mutants(f) {
			if m.Operator == argumentPropagation.Name && m.Original == call {
				if found = true; probeText(f, m) != want {
					t.Errorf("%s: probe is %q, want %q", call, probeText(f, m), want)
				}
			}
		}
		if !found {
			t.Errorf("%s: no mutant", call)
		}
	}
}

func TestLiteralsOutOfACallAreInParenthesesWhereABlockFollows(t *testing.T) {
	const declarations = `

type T struct{ n int }

func (v T) positive() bool { return v.n > 0 }
func (v T) list() []int    { return nil }
func (v T) next() T        { return v }

type list []T

type pair[K any] struct{ key K }

func (p pair[K]) set() bool { return true }

func norm(v T) T                   { return v }
func point(v *T) *T                { return v }
func ordered(v list) list          { return v }
func fast(v []T) []T               { return v }
func first(v pair[int]) pair[int]  { return v }
func length(n int) int             { return n }
func is(v T) bool                  { return true }
`
	for statement, want := range map[string]string{
		"if norm(T{n}).positive() {}":                     "if (T{n}).positive() {}",
		"if n > 1 && norm(T{n}).positive() {}":            "if n > 1 && (T{n}).positive() {}",
		"if norm(T{n}.next()).positive() {}":              "if (T{n}.next()).positive() {}",
		"if length(T{n}.n) > 1 {}":                        "if (T{n}.n) > 1 {}",
		"if length(n + T{n}.n) > 1 {}":                    "if (n + T{n}.n) > 1 {}",
		"if x := norm(T{1}); x.positive() {}":             "if x := (T{1}); x.positive() {}",
		"if point(&T{n}).positive() {}":                   "if (&T{n}).positive() {}",
		"if x := point(&T{n}); x.positive() {}":           "if x := (&T{n}); x.positive() {}",
		"if first(pair[int]{n}).set() {}":                 "if (pair[int]{n}).set() {}",
		"for norm(T{n}).positive() {}":                    "for (T{n}).positive() {}",
		"for x := norm(T{n}); x.positive(); {}":           "for x := (T{n}); x.positive(); {}",
		"for ; n > 1; n = norm(T{n}).n {}":                "for ; n > 1; n = (T{n}).n {}",
		"for range norm(T{n}).list() {}":                  "for range (T{n}).list() {}",
		"for range ordered(list{{n}}) {}":                 "for range (list{{n}}) {}",
		"for range fast([]T{{n}}) {}":                     "for range []T{{n}} {}",
		"switch norm(T{n}).n {}":                          "switch (T{n}).n {}",
		"switch x := norm(T{n}); x.n {}":                  "switch x := (T{n}); x.n {}",
		"switch x := norm(T{n}); any(x).(type) {}":        "switch x := (T{n}); any(x).(type) {}",
		"switch n { case norm(T{n}).n: }":                 "switch n { case T{n}.n: }",
		"if is(norm(T{n})) {}":                            "if is(T{n}) {}",
		"if (norm(T{n}).positive()) {}":                   "if (T{n}.positive()) {}",
		"if a[norm(T{n}).n] > 1 {}":                       "if a[T{n}.n] > 1 {}",
		"if func() bool { return norm(T{n}).n > 1 }() {}": "if func() bool { return T{n}.n > 1 }() {}",
		"if n > 1 { n = norm(T{n}).n }":                   "if n > 1 { n = T{n}.n }",
	} {
		f := load(t, "package p\n\nfunc f(n int, a []int) {\n\t"+statement+"\n}"+declarations)
		found := false
		for _, m := range Mutants(f) {
			if m.Operator == argumentPropagation.Name {
				found = found || m.After == "\t"+want
				if err := compiles(f, m.Offset, m.EndOffset, m.Replacement); err != nil {
					t.Errorf("%s: %v", m.After, err)
				}
			}
		}
		if !found {
			t.Errorf("%s: not made", want)
		}
	}
}
