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
