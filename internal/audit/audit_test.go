package main

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// module is the program under audit. Its go directive predates type parameters, although the audit adds code that uses
// them.
const module = `
-- go.mod --
module example.com/m

go 1.16
-- m.go --
package m

type Box struct{ n int }

func (b *Box) Put(n int) { b.n = n }

func Fill(to *int, n int) error {
	*to = n
	return nil
}

func Abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

func Limit(n int) (int, error) {
	if n > 100 {
		return 100, nil
	}
	return n, nil
}
-- m_test.go --
package m

import "testing"

func TestAbs(t *testing.T) {
	if Abs(-3) != 3 || Abs(3) != 3 {
		t.Fatal("Abs(3)")
	}
}

func FuzzLimit(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) {
		got, _ := Limit(n)
		if got > 100 {
			t.Fatal(got)
		}
		b := &Box{}
		b.Put(n)
		var to int
		if err := Fill(&to, n); err != nil {
			t.Fatal(err)
		}
	})
}
-- user/user.go --
package user

import "example.com/m"

func Double(n int) int { return 2 * m.Abs(n) }
-- user/user_test.go --
package user

import "testing"

func TestDouble(t *testing.T) {
	if Double(1) != 2 {
		t.Fatal("Double(1)")
	}
}
-- corpus/example.com/m/FuzzLimit/big --
go test fuzz v1
int(200)
-- corpus/example.com/m/FuzzLimit/small --
go test fuzz v1
int(7)
`

// change returns a mutant that replaces the first occurrence of original in m.go.
func change(t *testing.T, id, original, replacement string) results.Mutant {
	t.Helper()
	var src string
	for _, f := range txtar.Parse([]byte(module)).Files {
		if f.Name == "m.go" {
			src = string(f.Data)
		}
	}
	at := strings.Index(src, original)
	if at < 0 {
		t.Fatalf("no %q in the module", original)
	}
	return results.Mutant{
		ID: id, Function: "example.com/m.F", Operator: "any", File: "m.go", Line: 1, Column: 1, EndLine: 1, EndColumn: 1,
		Offset: at, EndOffset: at + len(original), Original: original, Replacement: replacement,
	}
}

// killed, alive and shown give a mutant a verdict. onlyInSuite adds a reason to a kill.

func killed(m results.Mutant, name, entry string) results.Mutant {
	m.Status, m.Stage, m.KilledBy = results.Killed, results.Revealed, &results.KilledBy{By: results.ByTest, Kind: results.KindTest, Name: name, Entry: entry}
	return m
}

func onlyInSuite(m results.Mutant) results.Mutant {
	m.Reason = "fails only when the whole package's tests run"
	return m
}

func alive(m results.Mutant) results.Mutant {
	m.Status, m.Stage = results.Survived, results.Infected
	return m
}

func shown(m results.Mutant, entry, site, call string) results.Mutant {
	m.Status, m.Stage = results.Survived, results.Propagated
	m.ExposedBy = &results.ExposedBy{Harness: "example.com/m.FuzzLimit", Entry: entry, Site: site, Call: call}
	return m
}

// driven makes a generated driver the harness that exposes m.
func driven(m results.Mutant) results.Mutant {
	m.ExposedBy.Harness, m.ExposedBy.Site, m.ExposedBy.Driver = "example.com/m.Driver_Limit", "mutantfuzz_driver1_test.go:9: Limit(n)", true
	return m
}

// withTest adds an offered test to an exposed mutant. The test fails if condition holds.
func withTest(m results.Mutant, condition string) results.Mutant {
	m.ExposedBy.TestFile = "new_test.go"
	m.ExposedBy.Test = "package m\n\nimport \"testing\"\n\nfunc TestNew(t *testing.T) {\n\tif " + condition + " {\n\t\tt.Fatal()\n\t}\n}\n"
	return m
}

const (
	limitSite = "m_test.go:13: Limit(n)"
	putSite   = "m_test.go:18: b.Put(n)"
	fillSite  = "m_test.go:20: Fill(&to, n)"
)

// nightly says that tests also run further cases, which take minutes.
var nightly = flag.Bool("nightly", false, "run what takes minutes, too")

func TestVerdictsThatDoNotHoldAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("builds many test binaries")
	}
	sign := change(t, "sign", "return -n", "return n")
	limit := change(t, "limit", "return 100", "return 101")
	lower := change(t, "lower", "return 100", "return 99")
	same := change(t, "same", "n < 0", "n <= 0")
	broken := change(t, "broken", "return -n", `return "n"`)
	positive := change(t, "positive", "return n\n}\n\nfunc Limit", "return n + 1\n}\n\nfunc Limit")
	put := change(t, "put", "b.n = n", "b.n = 0")
	fill := change(t, "fill", "*to = n", "*to = 0")
	type claim struct {
		name   string
		mutant results.Mutant
		wrong  string // start of the disagreement; empty: the verdict holds
	}
	tests := []claim{
		{"killed by its test", killed(sign, "example.com/m.TestAbs", ""), ""},
		{"the test passes", killed(same, "example.com/m.TestAbs", ""), "example.com/m.TestAbs passes with the mutant"},
		{"a mutant that does not build is no kill", killed(broken, "example.com/m.TestAbs", ""), "the mutant does not build"},
		{"its own package's tests fail", alive(sign), "example.com/m.TestAbs fail with the mutant"},
		{"exposed by entry and call", shown(lower, "big", limitSite, "Limit(200)"), ""},
		{"the call shows nothing", shown(lower, "big", limitSite, "Limit(7)"), callTest + " shows no difference"},
		{"the offered test kills", withTest(shown(lower, "big", limitSite, ""), "got, _ := Limit(200); got != 100"), ""},
		{"the offered test passes with what a driver exposes", driven(withTest(shown(lower, "", "", ""), "false")), "example.com/m.TestNew passes with the mutant"},
	}
	if *nightly {
		tests = append(tests, []claim{
			{"killed by its entry", killed(limit, "example.com/m.FuzzLimit", "big"), ""},
			{"the offered test kills what a driver exposes", driven(withTest(shown(lower, "", "", ""), "got, _ := Limit(200); got != 100")), ""},
			{"the offered test passes", withTest(shown(lower, "big", limitSite, ""), "got, _ := Limit(7); got != 7"), "example.com/m.TestNew passes with the mutant"},
			{"killed by its test among others", onlyInSuite(killed(sign, "example.com/m.TestAbs", "")), ""},
			{"the test passes among others", onlyInSuite(killed(same, "example.com/m.TestAbs", "")), "example.com/m.TestAbs does not fail with the mutant among all tests"},
			{"no such test", killed(sign, "example.com/m.TestNone", ""), "there is no test example.com/m.TestNone"},
			{"the entry passes", killed(limit, "example.com/m.FuzzLimit", "small"), "example.com/m.FuzzLimit/small passes with the mutant"},
			{"survives", alive(same), ""},
			{"a dependent's tests fail too", alive(positive), "example.com/m.TestAbs, example.com/m/user.TestDouble fail"},
			{"the entry shows nothing", shown(lower, "small", limitSite, ""), "FuzzLimit/small shows no difference"},
			{"the call does not compile", shown(lower, "big", limitSite, "Limit(x)"), callTest + " does not build"},
			{"exposed by what the call leaves in its receiver", shown(put, "big", putSite, ""), ""},
			{"exposed by what the call leaves in an argument", shown(fill, "big", fillSite, ""), ""},
			{"a driver exposes what tests kill", driven(shown(sign, "", "", "")), "example.com/m.TestAbs fail"},
			{"the offered test fails anyway", withTest(shown(lower, "big", limitSite, ""), "true"), "example.com/m.TestNew fails without the mutant"},
		}...)
	}
	var mutants []results.Mutant
	for i := range tests {
		tests[i].mutant.ID = tests[i].name
		mutants = append(mutants, tests[i].mutant)
	}
	findings, err := audit(t.Context(), prepare(t, mutants, nil), t.Output())
	if err != nil {
		t.Fatal(err)
	}
	if len(findings) != len(tests) {
		t.Errorf("%d findings on %d mutants", len(findings), len(tests))
	}
	wrong := map[string]string{}
	for _, f := range findings {
		wrong[f.name()] = f.wrong
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := wrong[test.name]; !strings.HasPrefix(got, test.wrong) || test.wrong == "" && got != "" {
				t.Errorf("got %q, want it to begin with %q", got, test.wrong)
			}
		})
	}
}

// prepare writes the module, and results with mutants and crashes. It returns the options to audit all of them.
func prepare(t *testing.T, mutants []results.Mutant, crashes []results.Crash) options {
	t.Helper()
	dir := t.TempDir()
	if err := writeFiles(dir); err != nil {
		t.Fatal(err)
	}
	res := &results.Results{
		Schema: results.Schema, Options: results.Options{Tests: "auto"},
		Scope: []results.Function{{
			ID: "example.com/m.F", Package: "example.com/m", Name: "F", File: "m.go", StartLine: 1, EndLine: 1, Reason: results.ReasonAll,
		}},
		Mutants: mutants, Crashes: crashes,
	}
	data, err := results.Encode(res)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "results.json")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return options{results: file, dir: dir, corpus: filepath.Join(dir, "corpus"), n: len(mutants) + len(crashes), timeout: time.Minute}
}

func writeFiles(dir string) error {
	for _, f := range txtar.Parse([]byte(module)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func TestTreeIsLeftAsItWas(t *testing.T) {
	dir := t.TempDir()
	if err := writeFiles(dir); err != nil {
		t.Fatal(err)
	}
	tree, err := copyTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.close()
	old, added := tree.path("m.go"), tree.path("new/file")
	before, err := os.ReadFile(old)
	if err != nil {
		t.Fatal(err)
	}
	err = tree.with(map[string][]byte{old: []byte("x"), added: []byte("y")}, func() error {
		if got, _ := os.ReadFile(old); string(got) != "x" {
			t.Errorf("m.go reads %q meanwhile", got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if after, _ := os.ReadFile(old); !bytes.Equal(before, after) {
		t.Error("m.go is not as it was")
	}
	if _, err := os.Stat(added); !os.IsNotExist(err) {
		t.Error("the added file is still there")
	}
}

func TestMutantThatDoesNotFitTheTreeIsAnError(t *testing.T) {
	m := alive(change(t, "x", "return -n", "return n"))
	m.Original = "return +n"
	_, err := audit(t.Context(), prepare(t, []results.Mutant{m}, nil), t.Output())
	if err == nil || !strings.Contains(err.Error(), "hint: check the repository out") {
		t.Errorf("got %v", err)
	}
}

func TestMissingEntryIsAnError(t *testing.T) {
	m := killed(change(t, "x", "return 100", "return 101"), "example.com/m.FuzzLimit", "none")
	_, err := audit(t.Context(), prepare(t, []results.Mutant{m}, nil), t.Output())
	if err == nil || !strings.Contains(err.Error(), "entry none of example.com/m.FuzzLimit is missing") {
		t.Errorf("got %v", err)
	}
}

func TestStatusSaysWhetherAllAgree(t *testing.T) {
	agree := finding{verdict: verdict{kind: survived, mutant: &results.Mutant{ID: "one"}}}
	differ := finding{verdict: verdict{kind: crash, crash: &results.Crash{Harness: "m.FuzzX", Entry: "e"}}, wrong: "go test passes"}
	var out bytes.Buffer
	if status := report(&out, []finding{agree}); status != 0 {
		t.Errorf("exit status %d where all agree", status)
	}
	out.Reset()
	if status := report(&out, []finding{agree, differ}); status != 1 {
		t.Errorf("exit status %d where one does not", status)
	}
	if got := out.String(); !strings.Contains(got, "crash of m.FuzzX/e") || !strings.Contains(got, "go test passes") {
		t.Errorf("the disagreement is not named:\n%s", got)
	}
}

func TestNamesAreSplitAtTheTest(t *testing.T) {
	for name, want := range map[string][2]string{
		"example.com/m.TestAbs":                 {"example.com/m", "TestAbs"},
		"gopkg.in/yaml.v3.TestDecode/a.b/c":     {"gopkg.in/yaml.v3", "TestDecode/a.b/c"},
		"example.com/m.FuzzX/0123456789abcdef":  {"example.com/m", "FuzzX/0123456789abcdef"},
		"example.com/m.TestX/example.com.TestY": {"example.com/m", "TestX/example.com.TestY"},
		"example.com/Test.v2.ExampleAbs":        {"example.com/Test.v2", "ExampleAbs"},
		"example.com/m":                         {"example.com/m", ""},
	} {
		if pkg, test := splitName(name); pkg != want[0] || test != want[1] {
			t.Errorf("splitName(%q) = %q, %q", name, pkg, test)
		}
	}
}

func TestDrawIsBoundedAndRepeats(t *testing.T) {
	res := &results.Results{}
	for range 50 {
		res.Mutants = append(res.Mutants, alive(results.Mutant{}), killed(results.Mutant{}, "m.TestX", ""), results.Mutant{Status: results.NotRun})
	}
	draw := func(seed uint64) (list []*results.Mutant) {
		a := &auditor{options: options{n: 10, seed: seed}, res: res}
		for _, v := range a.draw() {
			list = append(list, v.mutant)
		}
		return list
	}
	one, again, other := draw(1), draw(1), draw(2)
	if len(one) != 20 {
		t.Errorf("%d drawn, want 10 of each of two kinds", len(one))
	}
	same := true
	for i := range one {
		if one[i] != again[i] {
			t.Error("the same seed draws others")
		}
		same = same && one[i] == other[i]
	}
	if same {
		t.Error("another seed draws the same")
	}
}

func TestQuarantinedTestsAreKnownByTheWarnings(t *testing.T) {
	a, err := newAuditor(options{dir: t.TempDir()}, &results.Results{Warnings: []string{
		"m.TestFlaky is quarantined, so its result is not used: it is flaky",
		"2 tests of m/p are quarantined, so their results are not used: each of TestA, TestB does not finish in time",
		"5 tests of m/q are quarantined, so their results are not used: each of TestC, TestD, TestE and 2 more fails",
		"the sandbox allows the tests of this module the network: without, TestNet of m fail",
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.tree.close()
	want := []string{"m.TestFlaky", "m/p.TestA", "m/p.TestB", "m/q.TestC", "m/q.TestD", "m/q.TestE"}
	if got := slices.Sorted(maps.Keys(a.quarantined)); !slices.Equal(got, want) {
		t.Errorf("quarantined are %v, want %v", got, want)
	}
}

func TestASubtestFailsTheTestsAroundIt(t *testing.T) {
	run, err := parse([]byte(`{"Action":"fail","Package":"p/q","Test":"TestA/b/c"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"p/q.TestA": true, "p/q.TestA/b": true, "p/q.TestA/b/c": true}
	if !maps.Equal(run.failed, want) {
		t.Errorf("failed are %v", run.failed)
	}
}

func TestAFailureOfTheProgramIsOneOfTheTestThatIsOfferedForIt(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go test")
	}
	// Undoes the change: Limit has no limit, as on the base.
	undone := killed(change(t, "undone", "return 100, nil", "return n, nil"), "example.com/m.TestAbs", "")
	crash := func(condition, mendedBy string) results.Crash {
		return results.Crash{
			Harness: "example.com/m.Driver_Limit", Entry: condition, MendedBy: mendedBy, Kind: results.CrashPanic, Introduced: results.IntroducedUnknown,
			TestFile: "new_test.go",
			Test:     "package m\n\nimport \"testing\"\n\nfunc TestNew(t *testing.T) {\n\tif got, _ := Limit(200); " + condition + " {\n\t\tpanic(got)\n\t}\n}\n",
		}
	}
	want := map[string]string{
		"got == 100":     "",
		"got == 1":       "the offered test passes",
		"got > 1":        "the offered test fails with that part of the change undone, too",
		"got == \"100\"": "the offered test does not build",
	}
	var crashes []results.Crash
	for condition := range want {
		crashes = append(crashes, crash(condition, "undone"))
	}
	findings, err := audit(t.Context(), prepare(t, []results.Mutant{undone}, crashes), t.Output())
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range findings {
		if f.crash == nil {
			continue
		}
		seen++
		if wrong := want[f.crash.Entry]; !strings.HasPrefix(f.wrong, wrong) || wrong == "" && f.wrong != "" {
			t.Errorf("%s: %q, want it to begin with %q", f.crash.Entry, f.wrong, wrong)
		}
	}
	if seen != len(want) {
		t.Errorf("%d crashes are checked, want %d", seen, len(want))
	}
}
