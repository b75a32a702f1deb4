package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestModulesAreReadFromFlags(t *testing.T) {
	for _, text := range []string{sixModules, peerModules, largeModule} {
		if _, err := parseModules(text); err != nil {
			t.Error(err)
		}
	}
	got, err := parseModules("a.b/c@v1 ./x ./y,d.e/f@v2 .")
	want := []module{{query: "a.b/c@v1", packages: []string{"./x", "./y"}}, {query: "d.e/f@v2", packages: []string{"."}}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(module{})); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for _, text := range []string{"", "a.b/c .", "a.b/c@v1", "a.b/c@v1 .,"} {
		if list, err := parseModules(text); err == nil {
			t.Errorf("%q is read as %v", text, list)
		}
	}
}

func TestUsageErrorsAreTold(t *testing.T) {
	for _, args := range [][]string{nil, {"nothing"}, {"truth", "-nonsense"}, {"truth", "-modules", "x"}, {"wild", "-pulls", "/no/such/file"}} {
		var stderr bytes.Buffer
		if got := run(t.Context(), args, &stderr, &stderr); got != 2 || stderr.Len() == 0 {
			t.Errorf("%q: status %d, %q", args, got, stderr.String())
		}
	}
}

func TestTheSeedDecidesTheDraw(t *testing.T) {
	var pool []claim
	for i := range 50 {
		pool = append(pool, claim{module: i})
	}
	first := draw(pool, 20, 1)
	if !slices.Equal(first, draw(pool, 20, 1)) {
		t.Error("one seed gives two draws")
	}
	if slices.Equal(first, draw(pool, 20, 2)) {
		t.Error("two seeds give one draw")
	}
	if len(first) != 20 || !slices.IsSortedFunc(first, func(a, b claim) int { return a.module - b.module }) {
		t.Errorf("drawn: %v", first)
	}
	if all := draw(pool, 500, 1); !slices.Equal(all, pool) {
		t.Errorf("more than there are: %v", all)
	}
}

func TestClaimsAreVerdictsOfTestsWithAnIDOfTheirOwn(t *testing.T) {
	r := &results.Results{Mutants: []results.Mutant{
		{ID: "a", Status: results.Killed}, {ID: "b", Status: results.Survived}, {ID: "c", Status: results.NotRun},
		{ID: "twin", Status: results.Killed}, {ID: "twin", Status: results.Killed}, {ID: "d", Status: results.Equivalent},
	}}
	want := []claim{{module: 3, id: "a"}, {module: 3, id: "b"}}
	if got := claims(3, r); !slices.Equal(got, want) {
		t.Errorf("claims = %v, want %v", got, want)
	}
}

func TestTheAuditMustSpeakOfEveryMutant(t *testing.T) {
	out := []byte(`{"id":"a","verdict":"survived","wrong":""}` + "\n" + `{"id":"b","verdict":"survived","wrong":"X fails"}` + "\n")
	got, err := disagreements(out, []string{"a", "b"})
	if err != nil || len(got) != 1 || got["b"] != "X fails" {
		t.Errorf("disagreements = %v, %v", got, err)
	}
	if _, err := disagreements(out, []string{"a", "b", "c"}); err == nil || !strings.Contains(err.Error(), "c") {
		t.Errorf("of a missing mutant: %v", err)
	}
	if _, err := disagreements([]byte("no"), nil); err == nil {
		t.Error("what is no JSON is read")
	}
}

func TestWhatNoTestWasRunOnIsToldFromWhatSomeWereRunOn(t *testing.T) {
	usual := &engine.Output{Spared: []string{"1", "2"}, Results: &results.Results{Mutants: []results.Mutant{
		{ID: "1", Status: results.Survived, Stage: results.NotReached},
		{ID: "2", Status: results.Survived, Stage: results.Reached},
		{ID: "3", Status: results.Survived, Stage: results.Reached}, // not spared: some tests ran on it
		{ID: "4", Status: results.Equivalent},
		{ID: "5", Status: results.Killed, Stage: results.Revealed},
	}}}
	p := pruned(usual)
	if len(p.all) != 2 || len(p.some) != 1 || len(p.equivalent) != 1 {
		t.Fatalf("%q", p)
	}
	unpruned := &results.Results{}
	for _, m := range usual.Results.Mutants {
		m.Status, m.KilledBy = results.Killed, &results.KilledBy{Name: "p.TestX"}
		unpruned.Mutants = append(unpruned.Mutants, m)
	}
	got := killedAnyway(slices.Concat(p.all, p.equivalent), unpruned)
	if len(got) != 3 || !strings.HasPrefix(got[0], "1 ") || !strings.HasSuffix(got[2], "p.TestX") {
		t.Errorf("killed anyway: %q", got)
	}
}

func TestDifferencesNameWhatRunsDoNotAgreeOn(t *testing.T) {
	same := map[string]string{"a": "killed", "b": "survived"}
	if got := differences([]map[string]string{same, same}); len(got) != 0 {
		t.Errorf("of equal runs: %q", got)
	}
	other := map[string]string{"a": "killed", "b": "killed", "c": "killed"}
	want := []string{`b: ["survived" "killed"]`, `c: ["" "killed"]`}
	if got := differences([]map[string]string{same, other}); !slices.Equal(got, want) {
		t.Errorf("differences = %q, want %q", got, want)
	}
}

func TestJudgedMutantsAreThoseThatTestsRan(t *testing.T) {
	ran := results.Evidence{Tests: 2}
	r := &results.Results{Mutants: []results.Mutant{
		{Status: results.Killed, Evidence: ran}, {Status: results.Survived, Evidence: ran}, {Status: results.Equivalent, Evidence: ran},
		{Status: results.Survived, Stage: results.Infected}, {Status: results.Killed, Stage: results.Revealed},
		{Status: results.Survived, Stage: results.NotReached}, {Status: results.Unviable}, {Status: results.NotRun, Evidence: ran}, {Status: results.Ignored, Evidence: ran},
	}}
	if got := judged(r); got != 5 {
		t.Errorf("judged = %d, want 5", got)
	}
}

func TestReportsOfPeersAreRead(t *testing.T) {
	got, err := readReport([]byte(`{"elapsed_time": 2.5, "files": [{"mutations": [{"status": "KILLED"}, {"status": "LIVED"},
		{"status": "NOT COVERED"}]}, {"mutations": [{"status": "TIMED OUT"}, {"status": "NOT VIABLE"}]}]}`))
	if want := (rate{judged: 3, tests: 2500 * time.Millisecond}); got != want || err != nil {
		t.Errorf("gremlins: %v, %v, want %v", got, err, want)
	}
	got, err = readOoze([]byte("┃ • Total:      282     ┃\n┃ • Killed:     200  ┃\n"))
	if got.judged != 282 || err != nil {
		t.Errorf("ooze: %v, %v", got, err)
	}
	if got, err := readOoze([]byte("\x1b[1mTotal\x1b[0m:      17 ")); got.judged != 17 || err != nil {
		t.Errorf("ooze in colour: %v, %v", got, err)
	}
	if got, err := readOoze([]byte("a_test.go:3: Total: 9\nTotal:      17 ")); got.judged != 17 || err != nil {
		t.Errorf("ooze after a test that says total: %v, %v", got, err)
	}
	if _, err := readOoze([]byte("FAIL")); err == nil {
		t.Error("ooze without a total is read")
	}
}

func TestSpreadAndMean(t *testing.T) {
	value := func(x float64) float64 { return x }
	if got, want := spreadOf([]float64{3, 1, 2}, value), (spread{1, 2, 3}); got != want {
		t.Errorf("spread = %v, want %v", got, want)
	}
	if got, want := spreadOf([]float64{4, 1, 2, 3}, value), (spread{1, 2.5, 4}); got != want {
		t.Errorf("spread of an even number = %v, want %v", got, want)
	}
	if got := geometricMean([]float64{2, 8}); math.Abs(got-4) > 1e-9 {
		t.Errorf("mean = %v, want 4", got)
	}
}

func TestTheBestPeerCounts(t *testing.T) {
	var out bytes.Buffer
	l := &lab{out: &out}
	second := func(judged int) []rate { return []rate{{judged: judged, tests: time.Second, whole: 2 * time.Second}} }
	tests, whole := l.reportSpeed(module{query: "m"}, []tool{ours, {name: "slow"}, {name: "quick"}, {name: "broken"}},
		[][]rate{second(100), second(2), second(5), nil})
	if tests != 20 || whole != 20 || !strings.Contains(out.String(), "| broken | – |") {
		t.Errorf("ratios %v and %v\n%s", tests, whole, out.String())
	}
}

func TestEditsTouchTwoFunctions(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.go")
	src := "package a\n\nfunc A() {\n\tprintln(1)\n}\n\nfunc b() {}\n\nfunc C() {\n\tprintln(1)\n}\n"
	if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := editTwo(dir, "x"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	want := strings.ReplaceAll(src, "() {\n", "() { _ = \"x\";\n")
	if string(got) != want || err != nil {
		t.Errorf("edited: %s, %v", got, err)
	}
	if n, err := countLines(dir); n != 11 || err != nil {
		t.Errorf("%d lines, %v", n, err)
	}
}

func TestARunThatIsCutOffHasTheRateOfItsVerdicts(t *testing.T) {
	clock := time.Unix(0, 0)
	v := verdictLines{verdict: gremlinsVerdict, now: func() time.Time { return clock }}
	for _, text := range []string{
		"Gathering coverage... done\n   KILLED CONDITIONALS_NEGATION at a.go:1:2\n",
		" NOT COVERED CONDITIONALS_NEGATION at a.go:2:2\n      LIV", "ED ARITHMETIC_BASE at a.go:3:2\n",
		"   TIMED OUT ARITHMETIC_BASE at a.go:3:2\nmore",
	} {
		clock = clock.Add(time.Second)
		if _, err := v.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := v.rate(time.Minute)
	want := rate{judged: 3, tests: 4500 * time.Millisecond, whole: time.Minute, cut: true}
	if err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	for line, want := range map[string]bool{
		"laboratory result for 'a.go': Ok[string](--- FAIL: TestA (0.00s)": true,
		"running laboratory tests for 'a.go'":                              false,
	} {
		if got := oozeVerdict.MatchString(line); got != want {
			t.Errorf("%q is a verdict: %t", line, got)
		}
	}
	if _, err := (&verdictLines{n: 1}).rate(time.Minute); err == nil {
		t.Error("one verdict has a rate")
	}
}

func TestFittingTablesAreToldFromTheSource(t *testing.T) {
	for _, tt := range []struct {
		name, call string
		fails      bool
		body       string
		want       bool
	}{
		{"a field", `Parse("x")`, false, "func TestParse() { for _, tt := range tests { Parse(tt.in) } }", true},
		{"the row itself", `p.Parse("x")`, false, "func TestParse() { for in := range tests { Parse(in) } }", true},
		{"an element", `Parse("x")`, false, "func TestParse() { for _, r := range tests { p.Parse(r[0]) } }", true},
		{"a method", `(p.T{}).Parse("x")`, false, "func TestParse() { for _, tt := range tests { tt.t.Parse(tt.in) } }", true},
		{"a method of that name", `Parse("x")`, false, "func TestParse() { for _, tt := range tests { c.Parse(tt.in) } }", false},
		{"more than the field", `Parse("x")`, false, "func TestParse() { for _, tt := range tests { Parse(tt.in + tt.rest) } }", false},
		{"another function", `Parse("x")`, false, "func TestParse() { for _, tt := range tests { Read(tt.in) } }", false},
		{"a benchmark", `Parse("x")`, false, "func BenchmarkParse() { for _, tt := range tests { Parse(tt.in) } }", false},
		{"an error that no row has", `Parse("x")`, true, "func TestParse() { for _, tt := range tests { Parse(tt.in) } }", false},
		{"an error that rows have", `Parse("x")`, true, "func TestParse() { for _, tt := range tests { Parse(tt.in); _ = tt.wantErr } }", true},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "p_test.go"), []byte("package p\n\n"+tt.body+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := fits(dir, tt.call, tt.fails); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}
