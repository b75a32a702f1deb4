package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

const (
	someCommit = "0123456789abcdef0123456789abcdef01234567"
	nextCommit = "89abcdef0123456789abcdef0123456789abcdef"
)

func TestListsOfPullRequestsAreRead(t *testing.T) {
	got, err := parsePulls("\n# ours\na/b.go " + someCommit + "\n  c-d/e_f\t" + nextCommit + " # 12 lines\n\n")
	if want := []pull{{"a/b.go", someCommit}, {"c-d/e_f", nextCommit}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for _, text := range []string{"", "# nothing", "a/b", "a/b 0123456", "a/b/c " + someCommit, "b " + someCommit, "a/b " + someCommit + " x"} {
		if list, err := parsePulls(text); err == nil {
			t.Errorf("%q is read as %v", text, list)
		}
	}
}

func TestEachRepositoryIsBuiltInOnce(t *testing.T) {
	for name, least := range map[string]int{"pulls": 12, "wild": 20} {
		list, err := parsePulls(experiments[name].pulls)
		if err != nil {
			t.Error(err)
		}
		seen := map[string]bool{}
		for _, p := range list {
			seen[p.repo] = true
		}
		if len(seen) != len(list) || len(seen) < least {
			t.Errorf("%s: %d pull requests of %d repositories", name, len(list), len(seen))
		}
	}
}

func TestAListOfTheUsersTakesThePlaceOfThatBuiltIn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(file, []byte("a/b "+someCommit), 0o644); err != nil {
		t.Fatal(err)
	}
	var l lab
	if err := l.choose(experiments["wild"], file); err != nil || len(l.pulls) != 1 || l.pulls[0].repo != "a/b" {
		t.Errorf("chosen: %v, %v", l.pulls, err)
	}
	if err := l.choose(experiments["wild"], file+"2"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestFoldersWithChangedCodeAreThoseOfFilesThatAreBuilt(t *testing.T) {
	got := codeFolders([]string{
		"b/x.go", "a.go", "b/y.go", "c/x_test.go", "d/README.md", "vendor/e/e.go", "f/testdata/f.go", "_g/g.go", ".h/h.go", "i/j/k.go",
	})
	if want := []string{".", "b", "i/j"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// repository makes the repository name, such as "o/n", below a new folder. Of its two commits, the second changes a
// package of a nested module. It returns the folder and the hash of the second commit.
func repository(t *testing.T, name string) (github, commit string) {
	t.Helper()
	github = t.TempDir()
	dir := filepath.Join(github, name)
	for _, files := range []map[string]string{
		{
			"go.mod": "module example.com/m\n\ngo 1.21\n", "m.go": "package m\n",
			"n/go.mod": "module example.com/m/n\n\ngo 1.21\n", "n/p/p.go": "package p\n\nfunc One() int { return 1 }\n",
		},
		{
			"n/p/p.go":      "package p\n\nfunc One() int { return 2 }\n",
			"n/p/p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestOne(t *testing.T) {\n\tif One() != 1 {\n\t\tt.Fail()\n\t}\n}\n",
		},
	} {
		for file, text := range files {
			file = filepath.Join(dir, file)
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range [][]string{
			{"init", "-q"},
			{"add", "-A"},
			{"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "c"},
		} {
			if _, err := git(t.Context(), dir, args...); err != nil {
				t.Fatal(err)
			}
		}
	}
	head, err := git(t.Context(), dir, "rev-parse", "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	return github, strings.TrimSpace(string(head))
}

func TestACheckoutKnowsTheModuleAndThePackagesWithChangedCode(t *testing.T) {
	github, commit := repository(t, "o/n")
	var log bytes.Buffer
	l := &lab{dir: t.TempDir(), log: &log, options: options{limit: time.Minute, github: github}}
	c, err := l.checkOut(t.Context(), pull{"o/n", commit}, "r")
	if err != nil {
		t.Fatal(err)
	}
	if c.module != filepath.Join(c.root, "n") || !slices.Equal(c.packages, []string{"./p"}) {
		t.Errorf("module %s, packages %q", c.module, c.packages)
	}
	_, passes, err := l.plainTest(t.Context(), c)
	if err != nil || passes || !strings.Contains(log.String(), "--- FAIL: TestOne") {
		t.Errorf("a test that fails passes: %t, %v\n%s", passes, err, log.String())
	}
	if err := l.warm(t.Context(), c); err != nil {
		t.Error(err)
	}
	head, err := git(t.Context(), c.root, "rev-parse", "HEAD")
	if got := strings.TrimSpace(string(head)); got != commit || err != nil {
		t.Errorf("after the base was built the checkout is at %s, %v, want %s", got, err, commit)
	}
	if err := l.forget(c.pull); err != nil {
		t.Error(err)
	}
	if left, err := filepath.Glob(filepath.Join(l.dir, "pulls", "*")); len(left) > 0 || err != nil {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

func TestTheExitStatusIsKnownOfCommandsThatEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, stopped := command{args: []string{"go", "version"}}.run(ctx)
	_, failed := command{args: []string{"go", "nonsense"}}.run(t.Context())
	for _, test := range []struct {
		err  error
		want int
	}{{nil, 0}, {failed, 2}, {stopped, -1}, {exec.ErrNotFound, -1}} {
		if got := exitStatus(test.err); got != test.want {
			t.Errorf("of %v: %d, want %d", test.err, got, test.want)
		}
	}
}

// fine returns a pull request for which every claim holds.
func fine() *pulled {
	return &pulled{
		pull: pull{"o/n", someCommit}, passes: true, plain: 2 * time.Second, changed: 15 * time.Second, whole: 20 * time.Second, all: 30 * time.Second,
		judged: 40, onDiff: judgedOnDiff{all: 9, judged: 8}, peer: &rate{judged: 5, whole: 50 * time.Second},
	}
}

func TestClaimsOnPullRequests(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*pulled)
		want   string // empty: every claim holds
	}{
		{"all is well", func(*pulled) {}, ""},
		{"changed lines take too long", func(r *pulled) { r.changed += time.Millisecond }, "changed lines took 15.0 s; claimed: 15.0"},
		{"it is not known how long", func(r *pulled) { r.changed = 0 }, "not known when"},
		{"there are no changed lines", func(r *pulled) { r.changed, r.onDiff = 0, judgedOnDiff{} }, ""},
		{"the peer is quicker", func(r *pulled) { r.peer.whole = 19 * time.Second }, "the whole run took 20.0 s; the peer's: 19.0"},
		{"the peer has nothing to judge", func(r *pulled) { r.peer = &rate{whole: time.Second} }, ""},
		{"the peer is cut off", func(r *pulled) { r.peer = &rate{whole: 19 * time.Second, cut: true} }, "the peer's: 19.0"},
		{"the peer gives nothing", func(r *pulled) { r.peer = nil }, ""},
		{"a changed line is left", func(r *pulled) { r.onDiff.notRun = 1 }, "1 mutants on changed lines not run"},
		{"go test fails", func(r *pulled) { r.passes = false }, "plain go test fails"},
	} {
		r := fine()
		test.change(r)
		got := strings.Join(r.broken(), "\n")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) || got != "" && !strings.HasPrefix(got, "o/n: ") {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestTheRatioIsToWhatThePeerJudged(t *testing.T) {
	r := fine() // judges 2 mutants a second, and the peer 0.1
	if got := r.ratio(); got != 20 {
		t.Errorf("ratio %v, want 20", got)
	}
	r.peer.judged = 0
	if got := r.ratio(); got != 0 {
		t.Errorf("to a peer that judged nothing: %v", got)
	}
	r.peer = nil
	if got := r.ratio(); got != 0 {
		t.Errorf("to no peer: %v", got)
	}
}

func TestRowsOfPullRequests(t *testing.T) {
	for _, test := range []struct {
		change func(*pulled)
		want   string
	}{
		{func(*pulled) {}, "| o/n | 012345678 | 2.0 | 15.0 | 20.0 | 50.0 | 40 | 8 of 9 | 2.0 | 0.10 (5) | 20.0 | 0 | 30.0 |"},
		{func(r *pulled) { r.passes, r.changed, r.peer = false, 0, nil }, "| o/n | 012345678 | 2.0, fails | not known | 20.0 | no result | 40 | 8 of 9 | 2.0 |  |  | 0 | 30.0 |"},
		{func(r *pulled) { r.changed, r.onDiff, r.peer = 0, judgedOnDiff{}, &rate{whole: time.Second, cut: true} },
			"| o/n | 012345678 | 2.0 | none | 20.0 | 1.0 | 40 | 0 of 0 | 2.0 | 0.00 (0, cut off) |  | 0 | 30.0 |"},
	} {
		r := fine()
		test.change(r)
		if got := r.row(); got != test.want {
			t.Errorf("\n%s, want\n%s", got, test.want)
		}
	}
}

// somewhat returns results of a run with eight mutants, six of them on changed lines.
func somewhat() *results.Results {
	mutant := func(status string, tests int, onDiff bool) results.Mutant {
		return results.Mutant{Status: status, Evidence: results.Evidence{Tests: tests, OnDiff: onDiff}}
	}
	return &results.Results{
		Seconds: results.Seconds{Diff: 0.5, Changed: 4},
		Scope:   make([]results.Function, 3), Warnings: []string{"w"},
		Mutants: []results.Mutant{
			mutant(results.Killed, 1, true), mutant(results.Killed, 2, false), mutant(results.Survived, 1, true), mutant(results.Survived, 0, true),
			mutant(results.Ignored, 0, true), mutant(results.Ignored, 3, true), mutant(results.NotRun, 0, true), mutant(results.NotRun, 1, false),
		},
	}
}

func TestMutantsAreCountedByWhatTheResultsSay(t *testing.T) {
	var r pulled
	r.fill(outcome{Results: somewhat(), took: time.Minute})
	if want := (judgedOnDiff{all: 6, judged: 2, notRun: 1}); r.judged != 3 || r.onDiff != want || r.changed != 4500*time.Millisecond || r.whole != time.Minute {
		t.Errorf("%+v, want %+v on changed lines", r, want)
	}
	later := somewhat()
	later.Seconds.Changed = 5
	r.addDependents(outcome{Results: later, took: 2 * time.Minute})
	if r.changed != 5500*time.Millisecond || r.whole != time.Minute || r.all != 2*time.Minute || r.onDiff.notRun != 1 {
		t.Errorf("with dependents: %+v", r)
	}
	unknown := somewhat()
	unknown.Seconds.Changed = 0
	r = pulled{}
	if r.fill(outcome{Results: unknown}); r.changed != 0 {
		t.Errorf("a time that is not known is %s", r.changed)
	}
}

func TestASightingIsCompleteWhereReachedLinesHaveVerdicts(t *testing.T) {
	for _, test := range []struct {
		leave []int // the mutants of somewhat that are left, by index
		want  bool
	}{
		{nil, true},
		{[]int{0, 2, 3, 4}, true}, // two verdicts, one not reached, one ignored on purpose
		{[]int{1, 7}, true},       // on unchanged lines
		{[]int{5}, false},         // ignored, although tests ran it
		{[]int{6}, false},         // not run
	} {
		all := somewhat()
		r := &results.Results{}
		for _, i := range test.leave {
			r.Mutants = append(r.Mutants, all.Mutants[i])
		}
		if got := (&sighting{outcome: outcome{Results: r}}).complete(); got != test.want {
			t.Errorf("with %v: %t", test.leave, got)
		}
	}
	early := &results.Results{Partial: true, Scope: make([]results.Function, 1)}
	if (&sighting{outcome: outcome{Results: early}}).complete() {
		t.Error("a run that did not get to the mutants is complete")
	}
	if (&sighting{}).complete() {
		t.Error("a run without results is complete")
	}
}

func TestRowsOfSightings(t *testing.T) {
	s := &sighting{pull: pull{"o/n", someCommit}, passes: true, outcome: outcome{Results: somewhat(), took: 90 * time.Second, status: 1}}
	if got, want := s.row(), "| o/n | 012345678 | passes | 1 | 90.0 | 3 | 2 | 2 | 2 | 2 | 1 | 2 | 2 | 1 | 2 | 1 |"; got != want {
		t.Errorf("\n%s, want\n%s", got, want)
	}
	without := &sighting{pull: s.pull, outcome: outcome{status: 3}}
	if got, want := strings.Count(without.row(), "|"), strings.Count(s.row(), "|"); got != want || !strings.HasPrefix(without.row(), "| o/n | 012345678 | fails | 3 |") {
		t.Errorf("%d columns, want %d: %s", got, want, without.row())
	}
}

func TestASightingDoesNotHoldWhereAProgramThatPassesCannotBeAnalysed(t *testing.T) {
	for _, test := range []struct {
		passes bool
		status int
		want   bool
	}{{true, 0, true}, {true, 1, true}, {true, 3, false}, {true, 4, false}, {false, 3, true}} {
		s := &sighting{passes: test.passes, outcome: outcome{status: test.status}}
		if got := s.analysed(); got != test.want {
			t.Errorf("go test passes: %t, status %d: %t", test.passes, test.status, got)
		}
	}
}

func TestBrokenClaimsAreListed(t *testing.T) {
	var out bytes.Buffer
	(&lab{out: &out}).reportBroken([]string{"one", "two"})
	if got, want := out.String(), fmt.Sprint("\none\n", "\ntwo\n"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
