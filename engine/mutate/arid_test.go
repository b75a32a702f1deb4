package mutate

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

const aridHeader = `package p

import (
	"context"
	"errors"
	"expvar"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

const supported, never = true, false

var (
	_ = context.Canceled
	_ = errors.ErrUnsupported
	_ *expvar.Int
	_ flag.Value
	_ fmt.State
	_ io.Writer
	_ log.Logger
	_ slog.Level
	_ os.Signal
	_ runtime.Error
	_ strings.Builder
	_ time.Time
)

type T struct{}

var pool sync.Pool

var (
	lengthCache = map[string]int{}
	known       cacheOfLengths
	lengths     = map[string]int{}
	shared      *cacheOfLengths
)

type cacheOfLengths struct{ sync.Map }

type Parser struct{ cache map[string]int }

type Logger interface{ Info(string, ...any) }

type Command struct{ Use, Short, Name string }

type Usage struct{ Short string }

type Event struct {
	buf  []byte
	w    *int
	done bool
}

type ParseError struct{ Msg string }

type Entry struct {
	Msg string
	n   int
}

`

// The rules by which the mutants of a statement are arid, sorted. "-" stands for mutants that are not arid.
func TestAridCode(t *testing.T) {
	tests := []struct{ name, params, body, want string }{
		{"log", "n int", `log.Println(n+1)`, "logging"},
		{"method of a logger", "l *slog.Logger, n int", `l.Info("x", "n", n+1)`, "logging"},
		{"method of a logger that the package declares and others write", "l Logger, n int", `l.Info("x", n+1)`, "logging"},
		{"print to standard error", "n int", `fmt.Fprintln(os.Stderr, n+1)`, "logging"},
		{"print to a stream for messages", "s struct{ Out, ErrOut io.Writer }, n int", `fmt.Fprintln(s.ErrOut, n+1)`, "logging"},
		{"print to a stream that a function gives", "s interface{ ErrOrStderr() io.Writer }, n int", `fmt.Fprintln(s.ErrOrStderr(), n+1)`, "logging"},
		{"print to a stream for results", "s struct{ Out, ErrOut io.Writer }, n int", `fmt.Fprintln(s.Out, n+1)`, "-"},
		{"print to a writer", "w io.Writer, n int", `fmt.Fprintln(w, n+1)`, "-"},
		{"predeclared print", "n int", `println(n+1)`, "logging"},
		{"metrics", "i *expvar.Int", `i.Add(1)`, "metrics"},
		{"flags", "n *int", `flag.IntVar(n, "n", 1, "")`, "flags"},
		{"sleep", "", `time.Sleep(2 * time.Second)`, "time"},
		{"timer that is let go", "d time.Duration, c chan int", `t := time.NewTimer(d); select { case <-t.C: case <-c: t.Stop() }`, "time"},
		{"timer that calls something is stopped", "c func()", `t := time.AfterFunc(1, c); c(); t.Stop()`, "- time"},
		{"timer that may be another one", "d time.Duration, c func()", `t := time.AfterFunc(d, c); if d > 1 { t = time.NewTimer(d) }; t.Stop()`, "-"},
		{"timer of a caller is stopped", "t *time.Timer", `t.Stop()`, "-"},
		{"ticker is let go", "t *time.Ticker", `t.Stop()`, "time"},
		{"text of help for a command", "c *Command", `*c = Command{Use: "get", Short: "gets it", Name: "get"}`, "- flags"},
		{"text of something else", "e *Usage", `*e = Usage{Short: "gets it"}`, "-"},
		{"constant duration", "g func(time.Duration) int, n *int", `*n = g(2 * time.Second)`, "- time"},
		{"variable duration", "d *time.Duration", `*d = *d + *d`, "-"},
		{"error text", "s string, err *error, n int", `*err = fmt.Errorf("%d", n+1)`, "- error-text"},
		{"error text in a field", "e *ParseError", `*e = ParseError{Msg: "no"}`, "- error-text"},
		{"text in a field of something else", "e *Entry", `*e = Entry{Msg: "no"}`, "-"},
		{"error text in a panic", "s string", `panic("no " + s)`, "- error-text"},
		{"value in a panic", "n int", `panic(n+1)`, "-"},
		{"capacity of a slice", "s *[]int, n int", `*s = make([]int, n, n+1)`, "- capacity"},
		{"length of a slice", "s *[]int, n int", `*s = make([]int, n+1)`, "-"},
		{"size of a map", "m *map[int]int, n int", `*m = make(map[int]int, n+1)`, "- capacity"},
		{"growing", "b *strings.Builder, n int", `b.Grow(n+1)`, "capacity"},
		{"length that is only reserved", "b *strings.Builder, l []string", `n := 1; for _, s := range l { n += len(s) }; b.Grow(n)`, "capacity"},
		{"length that is reserved in two steps", "l []string, s *[]int", `n := len(l); n++; m := n * 2; *s = make([]int, 0, m)`, "- capacity"},
		{"length that is reserved within bounds", "b *strings.Builder, n, most int", `m := n * 2; m = min(m, most); b.Grow(m)`, "capacity"},
		{"length that is also returned", "b *strings.Builder, n *int", `m := 3; m++; b.Grow(m); *n = m`, "- capacity"},
		{"length that decides something else", "b *strings.Builder, n *int", `m := *n; m++; if m > 3 { b.Grow(m) }`, "- capacity"},
		{"results kept in a map", "m map[string]int, k string, g func(string) int", `func() int { if v, ok := m[k]; ok { return v }; v := g(k); m[k] = v; return v }()`, "- cache"},
		{"results kept in a sync.Map", "m *sync.Map, k string, g func(string) any", `func() any { v, ok := m.Load(k); if ok { return v }; v = g(k); m.Store(k, v); return v }()`, "- cache"},
		{"results kept under another key", "m map[string]int, k string, g func(string) int", `func() int { if v, ok := m[k]; ok { return v }; v := g(k); m[k+"x"] = v; return v }()`, "-"},
		{"mark against endless recursion", "m map[string]int, k string, g func(string) int", `func() int { if v, ok := m[k]; ok { return v }; m[k] = 1; v := g(k); return v }()`, "-"},
		{"result stored in a package's cache", "k string, n int", `lengthCache[k] = n + 1`, "cache"},
		{"result stored in a variable of a type for caches", "k string, n int", `known.Store(k, n + 1)`, "cache"},
		{"new cache", "", `lengthCache = map[string]int{}`, "cache"},
		{"new cache without a literal", "", `shared = new(cacheOfLengths)`, "cache"},
		{"copy of a cache", "c *cacheOfLengths", `shared = new(*c)`, "-"},
		{"new map that is no cache", "", `lengths = map[string]int{}`, "-"},
		{"another cache", "m map[string]int", `lengthCache = m`, "-"},
		{"result stored in a map that is no cache", "k string, n int", `lengths[k] = n + 1`, "-"},
		{"result stored in a field that is looked up", "p *Parser, k string", `if _, ok := p.cache[k]; !ok { p.cache[k] = len(k) }`, "cache"},
		{"result stored in a field that is not looked up", "p *Parser, k string", `p.cache[k] = len(k)`, "-"},
		{"key of a cache", "a string, n *int", `k := a + "x"; *n = lengthCache[k]`, "- cache"},
		{"key that is used for more", "a string, s *string", `k := a + "x"; *s = k; lengthCache[k] = 1`, "- cache"},
		{"hint for the compiler", "s []int, n *int", `_ = s[3]; *n = s[0] + s[1]`, "- blank"},
		{"value that a call gives and nobody wants", "g func(int) int, n int", `_ = g(n + 1)`, "-"},
		{"value that is received and nobody wants", "c chan int", `_ = <-c`, "-"},
		{"debug block", "debug bool, n *int", `if debug { *n++ }`, "debug"},
		{"debug block that has an else", "debug bool, n *int", `if debug { *n++ } else { *n-- }`, "-"},
		{"reset before reuse", "e *Event", `e.buf = e.buf[:0]; e.w, e.done = nil, false; pool.Put(e)`, "reset-before-reuse"},
		{"buffer emptied before reuse", "b *strings.Builder", `b.Reset(); pool.Put(b)`, "reset-before-reuse"},
		{"buffer emptied after reuse", "w **strings.Builder", `b := pool.Get().(*strings.Builder); b.Reset(); *w = b`, "- reset-before-reuse"},
		{"buffer emptied that is not reused", "b *strings.Builder", `b.Reset()`, "-"},
		{"reset of another value", "e, o *Event", `o.w = nil; pool.Put(e)`, "- reset-before-reuse"},
		{"other value before reuse", "e *Event, w *int", `e.w = w; pool.Put(e)`, "- reset-before-reuse"},
		{"empty list for nil", "s *[]int", `var l []int; l = []int{}; *s = l`, "- zero-again"},
		{"empty list made for nil", "n int, s *[]int", `var l []int; if n > 1 { l = make([]int, 0) }; *s = append(l, n)`, "- zero-again"},
		{"empty list for what has something", "n int, s *[]int", `var l []int; l = append(l, n); l = []int{}; *s = l`, "-"},
		{"empty list for what a loop fills", "n int, s *[]int", `var l []int; for range n { l = []int{}; l = append(l, n) }; *s = l`, "-"},
		{"empty list for a parameter", "l []int, s *[]int", `l = []int{}; *s = l`, "-"},
		{"empty map for nil", "n int, s *map[int]int", `var m map[int]int; m = map[int]int{}; *s = m`, "-"},
		{"zero for a field of a new struct", "n int, e *Entry", `v := Entry{}; v.n = n; v.Msg = ""; *e = v`, "- zero-again"},
		{"zero for a field of a new pointer", "e **Event", `v := &Event{}; v.done = false; *e = v`, "- zero-again"},
		{"zero for a field that was set", "n int, e *Entry", `v := Entry{}; v.n = n; v.n = 0; *e = v`, "-"},
		{"zero for a field of a struct with values", "n int, e *Entry", `v := Entry{n: n}; v.n = 0; *e = v`, "-"},
		{"zero for a field of a struct that may be changed", "e *Entry, g func(*Entry)", `v := &Entry{}; g(v); v.n = 0; *e = *v`, "-"},
		{"zero for a variable", "n *int", `var v int; v = 0; *n = v`, "- zero-again"},
		{"zero for a variable that was changed", "n *int", `var v int; v++; v = 0; *n = v`, "-"},
		{"zero for a variable that a method may change", "w io.Writer", `var b strings.Builder; b.WriteString("x"); b = strings.Builder{}; io.WriteString(w, b.String())`, "-"},
		{"zero for a result when the function is left", "do func() error) (err error", `defer func() { err = nil }(); return do()`, "-"},
		{"zero for a variable each time a closure runs", "n *int", `var v int; next := func() { v = 0; *n += v; v = *n }; next(); next()`, "-"},
		{"zero for a variable of a closure", "n *int", `func() { var v int; v = 0; *n = v }()`, "- zero-again"},
		{"zero for a variable that a goto leads back to", "n *int", `var v int; again: v = 0; if *n += v; *n < 5 { v = 2; goto again }`, "-"},
		{"list with something for nil", "n int, s *[]int", `var l []int; l = []int{n}; *s = l`, "-"},
		{"failure of what never fails", "b *strings.Builder, n *int", `if _, err := b.WriteString("x"); err != nil { *n++ }`, "- never-fails"},
		{"failure just after", "b *strings.Builder, n *int", `_, err := b.WriteString("x"); if err != nil { *n++ }`, "- never-fails"},
		{"failure of a writer", "w io.Writer, n *int", `if _, err := w.Write(nil); err != nil { *n++ }`, "-"},
		{"success of what never fails", "b *strings.Builder, n *int", `if _, err := b.WriteString("x"); err == nil { *n++ }`, "-"},
		{"work before a branch that logs", "save func(int) error, n int", `if err := save(n + 1); err != nil { log.Print(err) }`, "- logging"},
		{"work for each line of a log", "next func(int) bool, n int", `for next(n + 1) { log.Print(n) }`, "- logging"},
		{"condition of a case that logs", "n int, do func(int)", `switch { case n < 0: log.Print(n); default: do(n) }`, "- logging"},
		{"work of a timer", "d time.Duration, n *int", `time.AfterFunc(d+1, func() { *n++ })`, "- time"},
		{"lazy text of a log", "n int", `slog.Info("x", "n", func() int { return n + 1 })`, "logging"},
		{"growing something with a result", "m interface{ Grow(int) bool }, n int", `if m.Grow(n + 1) { panic(n) }`, "-"},
		{"block of another system", "n *int", `if runtime.GOOS == "none" { *n++ }`, "never-runs-here"},
		{"block that a constant of the package rules out", "n *int", `if *n > 1 && !supported { *n++ }`, "never-runs-here"},
		{"block that a constant and a variable rule out", "n *int", `if (!supported || never) && *n > 1 { *n++ }`, "never-runs-here"},
		{"other block than that of another system", "n *int", `if never || runtime.GOOS == "none" { *n++ } else { *n-- }`, "- never-runs-here"},
		{"block for all systems but another one", "n *int", `if supported { *n++ } else { *n-- }`, "- never-runs-here"},
		{"condition after one that holds everywhere", "n *int", `if supported { *n++ } else if *n > 1 { *n-- }`, "- never-runs-here"},
		{"block that a constant leaves to a variable", "n *int", `if *n > 1 || never { *n++ }`, "-"},
		{"block that a variable may rule out", "n *int, ok bool", `if !ok && supported { *n++ }`, "-"},
		{"block of one rule", "ok bool", `if ok { println(1); log.Print(2) }`, "logging"},
		{"block of two rules", "ok bool", `if ok { println(1); time.Sleep(2) }`, "block"},
		{"block with one live statement", "ok bool, n *int", `if ok { *n++; println(1) }`, "- logging"},
	}
	src := aridHeader
	for i, test := range tests {
		src += fmt.Sprintf("\nfunc f%d(%s) {\n\t%s\n}\n", i, test.params, test.body)
	}
	functions := loadAll(t, src)
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := aridRules(t, functions[i]); got != test.want {
				t.Errorf("rules are %q, want %q", got, test.want)
			}
		})
	}
}

// aridRules returns the rules by which mutants of f are arid, sorted and each once. "-" stands for those that are not.
func aridRules(t *testing.T, f *Function) string {
	rules := make(map[string]bool)
	for _, m := range Mutants(f) {
		if (m.Arid == "") != (m.Ignored == "") {
			t.Errorf("%s: arid %q, ignored %q", m.Operator, m.Arid, m.Ignored)
		}
		rules[cmp.Or(m.Arid, "-")] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(rules)), " ")
}

// Every assignment to a field asks for pooled variables, so a long function must not be searched again each time.
func TestAFunctionIsSearchedForPooledVariablesOnce(t *testing.T) {
	f := load(t, "package p\n\nimport \"sync\"\n\nfunc f(pool *sync.Pool, v *int) {\n\tpool.Put(v)\n}\n")
	p := newPass(f)
	v := f.Decl.Body.List[0].(*ast.ExprStmt).X.(*ast.CallExpr).Args[0]
	before := p.isPooled(v)
	f.Decl.Body.List = nil
	if !before || !p.isPooled(v) {
		t.Errorf("it is pooled: %t at first, %t in the end", before, p.isPooled(v))
	}
}

func TestFunctionsNamedAfterALevelOfLoggingLog(t *testing.T) {
	for decl, want := range map[string]string{
		"func Warn(msg string, pairs ...any) {}":                             aridLogging,
		"func Errorf(o any, format string, args ...any) {}":                  aridLogging,
		"func Debugln(args ...interface{}) {}":                               aridLogging,
		"func Errorf(format string, args ...any) (err error) { return nil }": "",
		"func Warn(msg string) {}":                                           "",
		"func Info(names ...string) {}":                                      "",
		"func Information(args ...any) {}":                                   "",
	} {
		f := load(t, "package p\n\n"+decl+"\n")
		if got := aridLevel(f.Info.Defs[f.Decl.Name].(*types.Func)); got != want {
			t.Errorf("%s: rule %q, want %q", decl, got, want)
		}
	}
}

func TestALoggerThatHandsOnToAnotherOneIsMutated(t *testing.T) {
	const decl = "package p\n\ntype Logger interface{ Info(string) }\n\ntype namedLogger struct{ Logger; name string }\n\n"
	for function, want := range map[string]string{
		"func (l *namedLogger) Info(text string) { l.Logger.Info(l.name + text) }":                                                                                                              "-",
		"func (s *Server) Start() { s.log.Info(s.name + \" begins\") }\n\ntype Server struct{ log Logger; name string }":                                                                        aridLogging,
		"func (s *Server) Start() { s.log.Info(s.name + \" begins\") }\n\ntype Server struct{ log *textLogger; name string }\n\ntype textLogger int\n\nfunc (*textLogger) Info(text string) {}": "-",
	} {
		if got := aridRules(t, load(t, decl+function+"\n")); got != want {
			t.Errorf("%s: rules %q, want %q", function, got, want)
		}
	}
}

func TestOnlyWhatLooksLikeLoggingIsThatOfALoggerOfThePackage(t *testing.T) {
	for decl, want := range map[string]string{
		"Logger | Info(string, ...any) | Info(s, n+1)":               aridLogging,
		"Logger | Error(error, string, ...any) | Error(err, s, n)":   aridLogging,
		"Logger | Warnf(...interface{}) | Warnf(s, n+1)":             aridLogging,
		"appLogger | Debug(string) | Debug(s)":                       aridLogging,
		"logger | Error(error, string) | Error(err, s)":              aridLogging,
		"app_logger | Info(string) | Info(s)":                        aridLogging,
		"HTTPLogger | Info(string) | Info(s)":                        aridLogging,
		"StdLogger | Println(...interface{}) | Println(s, n+1)":      aridLogging,
		"Logger | Printf(string, ...any) | Printf(s, n+1)":           aridLogging,
		"Logger | Println(...any) int | Println(s, n)":               "-",
		"Printer | Println(...any) | Println(s, n)":                  "-",
		"Logger | Info(string) error | Info(s)":                      "-",
		"Logger | Enabled(int) | Enabled(n)":                         "-",
		"Logger | Info(string, int) | Info(s, n)":                    "-",
		"Logger | Info(string, string) | Info(s, s)":                 "-",
		"Logger | Info(...string) | Info(s)":                         "-",
		"Logger | Info() | Info()":                                   "-",
		"Logger | Error(error) | Error(err)":                         "-",
		"TransactionLogger | WritePut(string, int) | WritePut(s, n)": "-",
		"Blogger | Publish(string) | Publish(s)":                     "-",
		"Blogger | Info(string) | Info(s)":                           "-",
		"blogger | Info(string) | Info(s)":                           "-",
	} {
		part := strings.Split(decl, " | ")
		f := load(t, "package p\n\nfunc f(l "+part[0]+", s string, n int, err error) {\n\tl."+part[2]+"\n}\n\ntype "+part[0]+" interface{ "+part[1]+" }\n")
		if got := aridRules(t, f); got != want {
			t.Errorf("%s: rules %q, want %q", decl, got, want)
		}
	}
	f := load(t, "package p\n\nfunc f(l Logger, s string, n int) int {\n\tif l.Enabled(n) {\n\t\treturn n\n\t}\n\treturn 0\n}\n\ntype Logger interface{ Enabled(int) bool }\n")
	if got := aridRules(t, f); got != "-" {
		t.Errorf("a condition: rules %q", got)
	}
}

func TestWhatAMethodReturnsForChainsIsArid(t *testing.T) {
	for body, want := range map[string]string{
		"func (t *T) F(n int) *T { t.n = n; return t }":                        "- chaining",
		"func (t *T) F(n int) *T { if n > 0 { return t }; t.n = n; return t }": "- chaining",
		"func (t *T) F(n int) *T { t.n = n; return &T{} }":                     "-",
		"func (t *T) F(o *T) *T { t.n++; return o }":                           "-",
		"func (t *T) F() *T { return t }":                                      "-",
	} {
		f := load(t, "package p\n\ntype T struct{ n int }\n\n"+body+"\n")
		if got := aridRules(t, f); got != want {
			t.Errorf("%s: rules %q, want %q", body, got, want)
		}
		for _, m := range Mutants(f) {
			if early := m.Operator == "early-return" || m.Operator == "condition"; early && m.Arid != "" {
				t.Errorf("%s: %s is arid", body, m.Operator)
			}
		}
	}
}

func TestACacheOfResultsIsNotLeftOut(t *testing.T) {
	f := load(t, "package p\n\nfunc f(m map[string]int, k string, g func(string) int) int {\n\tif v, ok := m[k]; ok {\n\t\treturn v\n\t}\n\tv := g(k)\n\tm[k] = v\n\treturn v\n}\n")
	for _, m := range Mutants(f) {
		leavesOut := m.Replacement == "ok && false" || strings.HasPrefix(m.Replacement, "if false { m[k]")
		if leavesOut != (m.Arid == aridMemo) {
			t.Errorf("%s → %s: rule %q", m.Original, m.Replacement, m.Arid)
		}
	}
}

func TestStringersAreArid(t *testing.T) {
	for src, want := range map[string]string{
		"type T int\nfunc (T) String() string { return \"x\" }":                                                                                                              "stringer",
		"type T int\nfunc (t T) String() string {\n\tif t > 1 {\n\t\treturn \"x\"\n\t}\n\tfor t < 0 {\n\t\tt++\n\t}\n\treturn \"y\"\n}":                                      "stringer",
		"type T int\nfunc (t T) String() string {\n\tif t > 1 {\n\t\treturn \"x\"\n\t}\n\tif t > 0 {\n\t\treturn \"z\"\n\t}\n\tfor t < 0 {\n\t\tt++\n\t}\n\treturn \"y\"\n}": "-",
		"type T int\nfunc (T) GoString() string { return \"x\" }":                                                                                                            "stringer",
		"type T int\nfunc (T) Error() string { return \"x\" }":                                                                                                               "error-text",
		"type T int\nfunc (T) Error(s string) string { return s }":                                                                                                           "-",
		"import \"fmt\"\ntype T int\nfunc (t T) Text(p int) string { return fmt.Sprintf(\"x %d\", p+1) }\nfunc (T) Error() string { return \"x\" }":                          "error-text",
		"import \"fmt\"\ntype T int\nfunc (t T) Text(p int) string { return fmt.Sprintf(\"x %d\", p+1) }":                                                                    "-",
		"type T int\nfunc (t T) Field() string { return \"x\" }\nfunc (T) Error() string { return \"x\" }":                                                                   "-",
		"type T int\nfunc (T) Name() string { return \"x\" }":                                                                                                                "-",
		"func String() string { return \"x\" }":                                                                                                                              "-",
	} {
		if got := aridRules(t, load(t, "package p\n\n"+src+"\n")); got != want {
			t.Errorf("%s: rules are %q, want %q", src, got, want)
		}
	}
}

func TestZerosBesideFalseAreArid(t *testing.T) {
	for results, want := range map[string]string{
		"0, false":     "- beside-false", // the mutants of false itself are not arid
		"1, false":     "-",
		"0, true":      "-",
		"0, n < 0":     "-",
		"n + 1, false": "-",
	} {
		src := "package p\n\nfunc f(n int) (int, bool) {\n\treturn " + results + "\n}\n"
		if got := aridRules(t, load(t, src)); got != want {
			t.Errorf("return %s: rules are %q, want %q", results, got, want)
		}
	}
}

func TestDirectivesSilenceMutants(t *testing.T) {
	tests := map[string]struct {
		function string
		want     map[int]string // reasons by line; line 4 is the body's first
	}{
		"none":                 {"func f(n *int) {\n\t*n++\n}", map[int]string{4: ""}},
		"at the end of a line": {"func f(n *int) {\n\t*n++ //mutantfuzz:ignore just so\n\t*n--\n}", map[int]string{4: "just so", 5: ""}},
		"on the line above":    {"func f(n *int) {\n\t//mutantfuzz:ignore just so\n\t// More.\n\t*n++\n\t*n--\n}", map[int]string{6: "just so", 7: ""}},
		"without a reason":     {"func f(n *int) {\n\t*n++ //mutantfuzz:ignore\n}", map[int]string{4: "no reason given"}},
		"of another name":      {"func f(n *int) {\n\t*n++ //mutantfuzz:ignored\n}", map[int]string{4: ""}},
		"in the doc comment":   {"// Doc.\n//\n//mutantfuzz:ignore all of it\nfunc f(n *int) {\n\t*n++\n}", map[int]string{7: "all of it"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for _, m := range Mutants(load(t, "package p\n\n"+test.function+"\n")) {
				if want, ok := test.want[m.Line]; !ok || m.Ignored != want || m.Arid != "" {
					t.Errorf("line %d: ignored for %q, want %q", m.Line, m.Ignored, want)
				}
			}
		})
	}
}

func TestVariablesNamedAsEmptyAreZeroValues(t *testing.T) {
	for name, want := range map[string]bool{"NilVal": false, "EmptyList": false, "zero": false, "Nilly": true, "DefaultVal": true} {
		f := load(t, "package p\n\ntype V struct{ n int }\n\nvar "+name+" V\n\nfunc f() V {\n\treturn "+name+"\n}\n")
		found := slices.ContainsFunc(Mutants(f), func(m Mutant) bool { return m.Operator == "return-value" })
		if found != want {
			t.Errorf("%s: another value is returned: %v, want %v", name, found, want)
		}
	}
}

func TestResultsBesideAnErrorStay(t *testing.T) {
	for body, altered := range map[string]bool{
		"if err != nil {\n\t\treturn s, err\n\t}":              false,
		"if err != nil && s != \"\" {\n\t\treturn s, err\n\t}": false,
		"if err != nil || s != \"\" {\n\t\treturn s, err\n\t}": true, // err may be nil
		"if err == nil {\n\t\treturn s, err\n\t}":              true,
		"if other != nil {\n\t\treturn s, err\n\t}":            true,
		"return s, err": true,
	} {
		f := load(t, "package p\n\nfunc f(g func() (string, error), other error) (string, error) {\n\ts, err := g()\n\t"+body+"\n\treturn \"\", other\n}\n")
		found := slices.ContainsFunc(Mutants(f), func(m Mutant) bool { return m.Operator == "return-value" })
		if found != altered {
			t.Errorf("%s: another value is returned: %v, want %v", body, found, altered)
		}
	}
	count := load(t, "package p\n\nfunc f(g func() (int, error)) (int, error) {\n\tn, err := g()\n\tif err != nil {\n\t\treturn n, err\n\t}\n\treturn 0, nil\n}\n")
	if !slices.ContainsFunc(Mutants(count), func(m Mutant) bool { return m.Operator == "return-value" }) {
		t.Error("a count beside an error is left as it is")
	}
	for result, altered := range map[string]bool{"s, ErrBounds": false, "s, nil": true} {
		f := load(t, "package p\n\nfunc f(s string) (string, error) {\n\treturn "+result+"\n}\n\ntype bounds struct{}\n\nfunc (bounds) Error() string { return \"\" }\n\nvar ErrBounds = bounds{}\n")
		if found := slices.ContainsFunc(Mutants(f), func(m Mutant) bool { return m.Operator == "return-value" }); found != altered {
			t.Errorf("%s: another value is returned: %v, want %v", result, found, altered)
		}
	}
}

func TestVariablesThatAreNeverSetAreZeroValues(t *testing.T) {
	for body, want := range map[string]bool{
		"var z T; return z":                             false,
		"var z T; use(z); if z == nil { }; return z":    false,
		"var z T; z = other(); return z":                true,
		"z := other(); return z":                        true,
		"var z T = other(); return z":                   true,
		"var z T; set(&z); return z":                    true,
		"var z T; z.M(); return z":                      true,
		"var z T; for _, z = range []T{} { }; return z": true,
		"var z T; func() { z = other() }(); return z":   true,
	} {
		source := "package p\n\ntype T *int\n\nfunc use(T) {}\nfunc set(*T) {}\nfunc other() T { return new(int) }\n\nfunc f() T {\n\t" + body + "\n}\n"
		if strings.Contains(body, "z.M()") {
			source = "package p\n\ntype T struct{ n int }\n\nfunc (t *T) M() { t.n++ }\n\nfunc f() T {\n\t" + body + "\n}\n"
		}
		found := false
		for _, f := range loadAll(t, source) {
			if f.Decl.Name.Name == "f" {
				for _, m := range Mutants(f) {
					found = found || m.Operator == "return-value" && strings.Contains(m.Original, "return z")
				}
			}
		}
		if found != want {
			t.Errorf("%s: replaced: %v", body, found)
		}
	}
}

func TestLengthThatAnotherFunctionReservesIsACapacity(t *testing.T) {
	const helpers = "\n\nfunc reserve(b *strings.Builder, n int) { n = max(n, 1); b.Grow(n) }\n\nfunc write(b *strings.Builder, n int) { b.Grow(n); b.WriteString(strings.Repeat(` `, n)) }\n"
	for call, want := range map[string]string{"reserve(b, m)": "- capacity", "write(b, m)": "-"} {
		f := load(t, "package p\n\nimport \"strings\"\n\nfunc f(b *strings.Builder, n int) {\n\tm := n * 2\n\tm++\n\t"+call+"\n}"+helpers)
		if got := aridRules(t, f); got != want {
			t.Errorf("%s: rules are %q, want %q", call, got, want)
		}
	}
	f := load(t, "package p\n\nfunc reserve(l *[]int, n int) {\n\tn = max(n, 1)\n\t*l = make([]int, 0, n)\n}\n")
	if got, want := aridRules(t, f), "- capacity"; got != want {
		t.Errorf("a parameter that is reserved: rules are %q, want %q", got, want)
	}
}

func TestPrintFunctionsOfPackagesForTracingLog(t *testing.T) {
	anything := types.NewVar(0, nil, "args", types.NewSlice(types.NewInterfaceType(nil, nil)))
	for _, tt := range []struct{ path, name, want string }{
		{"example.com/git/trace", "Printf", "logging"},
		{"example.com/git/trace", "Write", ""},
		{"example.com/git/index", "Printf", ""},
	} {
		fn := types.NewFunc(0, types.NewPackage(tt.path, path.Base(tt.path)), tt.name, types.NewSignatureType(nil, nil, nil, types.NewTuple(anything), nil, true))
		p := &pass{Function: &Function{Pkg: types.NewPackage("example.com/git/plumbing", "plumbing")}}
		if got := p.aridCallee(fn); got != tt.want {
			t.Errorf("%s.%s: %q, want %q", tt.path, tt.name, got, tt.want)
		}
	}
}
