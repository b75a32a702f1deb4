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
