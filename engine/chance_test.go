package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestOnlyWhatATestMostlySaysCounts(t *testing.T) {
	for _, c := range []struct {
		f                frequency
		fails, passes    bool
		clear, hesitates bool // with what is enough for runs apart, and after runs that disagreed
	}{
		{frequency{passed: 12}, false, true, true, false},
		{frequency{failed: 12}, true, false, true, false},
		{frequency{passed: 25}, false, true, true, true},
		{frequency{passed: 11}, false, true, false, false},
		{frequency{passed: 24, failed: 1}, false, true, false, false},
		{frequency{passed: 97, failed: 3}, false, true, false, false},
		{frequency{passed: 291, failed: 9}, false, true, true, true},
		{frequency{passed: 75, failed: 25}, false, false, true, true},  // two bits
		{frequency{passed: 12, failed: 13}, false, false, true, true},  // one
		{frequency{passed: 13, failed: 87}, true, false, false, false}, // three bits, or the order of a map
		{frequency{passed: 38, failed: 262}, true, false, true, true},  // the same
		{frequency{passed: 76, failed: 224}, false, false, true, true}, // another order
		{frequency{passed: 6, failed: 94}, true, false, true, true},    // a race with the clock
		{frequency{passed: 1, failed: 4}, false, false, false, false},
	} {
		if c.f.fails() != c.fails || c.f.passes() != c.passes {
			t.Errorf("%+v: fails %v, passes %v", c.f, c.f.fails(), c.f.passes())
		}
		if c.f.clear(unanimous) != c.clear || c.f.clear(hesitant) != c.hesitates {
			t.Errorf("%+v: clear %v, %v", c.f, c.f.clear(unanimous), c.f.clear(hesitant))
		}
	}
}

func TestATestRunsTogetherOftenEnoughToDecideOrNot(t *testing.T) {
	for each, want := range map[time.Duration]int{
		0:                      manyTogether,
		time.Microsecond:       manyTogether,
		100 * time.Microsecond: 100,
		time.Millisecond:       together,
		3 * time.Millisecond:   20,
		10 * time.Millisecond:  unanimous,
		80 * time.Millisecond:  unanimous,
		100 * time.Millisecond: 0,
		time.Second:            0,
	} {
		if got := (&test{suite: &suite{}, each: each}).oftenTogether(); got != want {
			t.Errorf("%v: %d times, want %d", each, got, want)
		}
	}
}

func TestWhatTheOrderOfAMapDecidesIsWeighedInOneProcess(t *testing.T) {
	both, all := frequency{passed: 16, failed: 112}, frequency{failed: 128}
	for name, c := range map[string]struct {
		test *test
		f    frequency
		took time.Duration
		want int
	}{
		"passes and fails":                {&test{each: 100 * time.Microsecond}, both, 20 * time.Millisecond, weighingsTogether},
		"slow":                            {&test{each: 20 * time.Millisecond}, both, 0, 50},
		"slow where it fails":             {&test{each: 100 * time.Microsecond}, both, 128 * 10 * time.Millisecond, 100},
		"fails":                           {&test{each: time.Millisecond}, all, 0, 0},
		"cannot run twice":                {&test{}, frequency{}, 0, 0},
		"leaves something to the next":    {&test{each: time.Millisecond, remembers: true}, both, 0, 0},
		"goes by the clock":               {&test{each: time.Millisecond, unsteady: true}, both, 0, 0},
		"seeded by the second, and fails": {&test{duration: 10 * time.Millisecond, seeded: true}, all, 0, 100},
	} {
		c.test.suite = &suite{}
		if got := c.test.inOneProcess(c.f, c.took); got != c.want {
			t.Errorf("%s: %d times, want %d", name, got, c.want)
		}
	}
}

func TestTestsThatMayNotAlwaysDoTheSameAreToldBySource(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"p.go": `package p
			import "time"
			var now = time.Now
			type Clock struct{}
			func (Clock) Tell() time.Time { return now() }
			func Age() time.Duration { return time.Minute - time.Duration(Clock{}.Tell().Unix()) }
			func Year(t time.Time) int { return t.Year() }
			func Both(f, g func()) { go f(); g() }`,
		"p_test.go": `package p
			import ("os/exec"; "testing"; "testing/quick"; "time"; "math/rand/v2"; "github.com/brianvoe/gofakeit/v7")
			func TestQuick(t *testing.T) { _ = quick.Check(func(n int) bool { return true }, nil) }
			func TestFake(t *testing.T) { _ = gofakeit.Name() }
			func TestProcess(t *testing.T) { _ = exec.Command("x").Run() }
			func shuffled(n int) []int { return rand.Perm(n) }
			func TestTell(t *testing.T) { _ = Clock{}.Tell() }
			func TestShuffled(t *testing.T) { _ = shuffled(3) }
			func TestBoth(t *testing.T) { Both(func() {}, func() {}) }
			func TestYear(t *testing.T) { _ = Year(time.Unix(0, 0)) }`,
		"x_test.go": `package p_test
			import ("testing"; clock "time")
			func TestSleep(t *testing.T) { clock.Sleep(1) }
			func TestNothing(t *testing.T) { var time struct{ Now int }; _ = time.Now }`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := &gotool.Package{Dir: dir, GoFiles: []string{"p.go"}, TestGoFiles: []string{"p_test.go"}, XTestGoFiles: []string{"x_test.go"}}
	got := unsteady(parsed(p), func(string) bool { return false })
	for name, want := range map[string]bool{
		"TestTell": true, "TestShuffled": true, "TestBoth": true, "TestSleep": true, "TestProcess": true, "TestQuick": true, "TestFake": true, "TestYear": false, "TestNothing": false,
	} {
		if _, ok := got[name]; ok != want {
			t.Errorf("%s: %v, want %v", name, ok, want)
		}
	}
	for name, want := range map[string]bool{"now": true, "Tell": true, "Both": true, "Age": false, "Year": false} {
		if asks(got, name) != want {
			t.Errorf("%s asks by itself: %t", name, !want)
		}
	}
}

func TestSeedsInWholeSecondsAreSeen(t *testing.T) {
	const header = "package p\nimport (\"math/rand\"; \"testing\"; \"time\")\n"
	for _, tt := range []struct {
		body       string
		tests      string // those that seed so
		everywhere bool
	}{
		{`func init() { seed := time.Now().Unix(); rand.Seed(seed) }; func TestA(t *testing.T) {}`, "", true},
		{`func TestMain(m *testing.M) { rand.Seed(time.Now().Unix()); m.Run() }`, "TestMain", true},
		{`var r = rand.New(rand.NewSource(time.Now().UTC().Unix())); func TestA(t *testing.T) { r.Int() }`, "TestA", false},
		{`func TestA(t *testing.T) { rand.Seed(time.Now().Unix()) }; func TestB(t *testing.T) {}`, "TestA", false},
		{`func TestA(t *testing.T) { rand.Seed(time.Now().UnixNano()) }`, "", false},
		{`func TestA(t *testing.T) { _, _ = time.Now().Unix(), rand.Int() }`, "", false},
		{`func TestA(t *testing.T) { rand.Seed(time.Unix(3, 0).UnixNano()) }`, "", false},
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "p_test.go", header+tt.body, 0)
		if err != nil {
			t.Fatal(err)
		}
		names, everywhere := seeded([]*ast.File{f}, func(string) bool { return false })
		var tests []string
		for name := range names {
			if gotool.IsTest(name) {
				tests = append(tests, name)
			}
		}
		if strings.Join(tests, " ") != tt.tests || everywhere != tt.everywhere {
			t.Errorf("%s: %q, everywhere: %t", tt.body, tests, everywhere)
		}
	}
}

func TestFunctionsThatRangeOverMapsAreSeen(t *testing.T) {
	for body, want := range map[string]bool{
		`for range m {}`: true,
		`func() { for k := range m { _ = k } }()`: true,
		`for range s {}`: false,
		`_ = m[0]`:       false,
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", "package p\ntype M map[int]int\nfunc f(m M, s []int) {"+body+"}", 0)
		if err != nil {
			t.Fatal(err)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
		if _, err := new(types.Config).Check("p", fset, []*ast.File{file}, info); err != nil {
			t.Fatal(err)
		}
		if got := rangesOverMap(info, file.Decls[1].(*ast.FuncDecl)); got != want {
			t.Errorf("%s: %t, want %t", body, got, want)
		}
	}
}

func TestFailuresAreCountedOnlyWhereAllOfThemShow(t *testing.T) {
	failed := "--- FAIL: TestX (0.00s)\n"
	for _, tt := range []struct {
		kind, output string
		want         frequency
	}{
		{"", "", frequency{passed: 9}},
		{results.KindTest, failed + "    --- FAIL: TestX/sub (0.00s)\n--- FAIL: TestXY (0.00s)\n" + failed, frequency{passed: 7, failed: 2}},
		{results.KindTest, "FAIL\n", frequency{}},
		{results.KindTest, failed + strings.Repeat("x", countedOutput) + failed, frequency{}},
		{results.KindCrash, failed, frequency{}},
		{results.KindHang, failed, frequency{}},
	} {
		r := testRun{exit: worker.Exit{Output: []byte(tt.output)}, outcome: worker.Outcome{Kind: tt.kind}}
		if got := r.frequency(&test{name: "TestX"}, 9); got != tt.want {
			t.Errorf("%s, %d bytes of output: %+v, want %+v", tt.kind, len(tt.output), got, tt.want)
		}
	}
}
