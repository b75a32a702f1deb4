package verdicts

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
)

// suite is an executor of the tests of one package. Each function has one block, and mutant 1 is in the first function.
type suite []suiteTest

// suiteTest is what a test does in the present environment.
type suiteTest struct {
	name  string
	funcs []int // which functions it runs
	skips bool  // ... before it skips the rest of itself
	kills bool  // it fails with the mutant
}

func (s suite) Width() int { return 1 }

func (s suite) Registered(*executor.Suite) (names []string) {
	for _, test := range s {
		names = append(names, test.name)
	}
	return names
}

func (s suite) List(context.Context, *executor.Suite) ([]string, error) {
	return s.Registered(nil), nil
}

func (s suite) Run(_ context.Context, spec executor.Spec) (r executor.Report, err error) {
	for _, test := range s {
		if spec.Tests != nil && !slices.Contains(spec.Tests, test.name) {
			continue
		}
		if test.kills && spec.Mutant > 0 {
			r.Kind, r.Failed = ledger.Test, append(r.Failed, test.name)
		}
		r.Blocks, r.Funcs = append(r.Blocks, test.funcs...), append(r.Funcs, test.funcs...)
	}
	return r, nil
}

func (s suite) Cover(_ context.Context, _ *executor.Suite, tests []string) (map[string]executor.Report, int, error) {
	reports := map[string]executor.Report{}
	for _, test := range s {
		r := executor.Report{Took: time.Millisecond, Blocks: test.funcs}
		if test.skips {
			r.Skipped = []string{test.name}
		}
		reports[test.name] = r
	}
	return reports, len(tests), nil
}

func (s suite) Try(context.Context, *executor.Suite, []executor.Trial) ([]executor.Verdict, bool, error) {
	return nil, false, nil
}

func (s suite) Allow(context.Context, executor.Spec) (bool, error)     { return false, nil }
func (s suite) Blame(context.Context, executor.Spec) ([]string, error) { return nil, nil }
func (s suite) Explain(context.Context, executor.Spec) (e executor.Explanation, err error) {
	return e, nil
}

// analysed judges mutant 1 by a suite, with the verdicts in dir. It returns what comes out, and whether that was looked
// up.
func analysed(t *testing.T, dir string, s suite) (outcome string) {
	t.Helper()
	store, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	book, err := store.Book("context", false)
	if err != nil {
		t.Fatal(err)
	}
	woven := &weave.Woven{}
	b := &bodies{digests: map[string]Key{}}
	for i, name := range []string{"f", "g", "h"} {
		woven.Blocks = append(woven.Blocks, weave.Block{Func: i})
		woven.Funcs = append(woven.Funcs, weave.FuncBlocks{ID: name})
		b.names, b.digests[name] = append(b.names, name), NewKey("the body of "+name)
	}
	c := NewCache(t.Context(), CacheConfig{
		Binaries: &build.Binaries{Woven: woven},
		Mutants:  evidence.Mutants{{Number: 1, Mutant: &weave.Mutant{Mutant: &mutate.Mutant{ID: "1", Function: "f"}}}},
	})
	defer c.Close()
	c.bodies, c.books["p"] = b, &suiteBook{book, map[string]string{}}
	for _, test := range s {
		c.books["p"].texts[test.name] = "the source of " + test.name
	}
	m := &judge.Mutant{Number: 1, Package: "p", Block: 0}
	r, err := judge.Tests(t.Context(), judge.Config{Executor: s, Cache: c, Mutants: []*judge.Mutant{m}, Own: []*executor.Suite{{Package: "p"}}})
	if err != nil {
		t.Fatal(err)
	}
	outcome = "survived"
	if d := r.Decide(m); d.Status != ledger.Survived {
		outcome = "killed by " + d.Test
	}
	if c.Reused() > 0 {
		outcome += ", as before"
	}
	return outcome
}

func TestVerdictsAreOnWhatTestsDoInTheirEnvironment(t *testing.T) {
	unit := suiteTest{name: "TestUnit", funcs: []int{0}}
	tests := map[string]struct {
		then, now suiteTest // what another test does
		want      string
	}{
		"nothing has changed": {suiteTest{funcs: []int{0, 1}}, suiteTest{funcs: []int{0, 1}}, "survived, as before"},
		"a test that was skipped runs the mutant": {
			suiteTest{skips: true}, suiteTest{funcs: []int{0}, kills: true}, "killed by p.TestStore",
		},
		"a test that only returned early runs the mutant": {
			suiteTest{}, suiteTest{funcs: []int{0}, kills: true}, "killed by p.TestStore",
		},
		"a test that ran the mutant and then was skipped goes on": {
			suiteTest{funcs: []int{0}, skips: true}, suiteTest{funcs: []int{0}, kills: true}, "killed by p.TestStore",
		},
		"a test runs one more function": {
			suiteTest{funcs: []int{0}}, suiteTest{funcs: []int{0, 1}, kills: true}, "killed by p.TestStore",
		},
		"a test without the mutant runs less": {suiteTest{funcs: []int{1}}, suiteTest{skips: true}, "survived, as before"},
		"a test that killed is skipped":       {suiteTest{funcs: []int{0}, kills: true}, suiteTest{skips: true}, "survived"},
		"a test that killed runs more": {
			suiteTest{funcs: []int{0}, kills: true}, suiteTest{funcs: []int{0, 1}, kills: true}, "killed by p.TestStore, as before",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			tt.then.name, tt.now.name = "TestStore", "TestStore"
			before := analysed(t, dir, suite{unit, tt.then})
			if got := analysed(t, dir, suite{unit, tt.now}); got != tt.want {
				t.Errorf("%s, and then %s, want %s", before, got, tt.want)
			}
			if got := analysed(t, dir, suite{unit, tt.then}); got != before+", as before" {
				t.Errorf("in the first environment again it is %s, and was %s", got, before)
			}
		})
	}
}

func TestOnlyVariablesOfTheGoCommandChangeTheContext(t *testing.T) {
	of := []string{"CC=x", "CGO_CFLAGS=x", "GO111MODULE=x", "GOFLAGS=x", "GO_EXTLINK_ENABLED=x"}
	others := []string{"CCACHE=x", "GOOGLE_APPLICATION_CREDENTIALS=/tmp/gha-creds-1.json", "GO_PIPELINE_COUNTER=1", "HOME=x"}
	if got, want := buildEnvironment(slices.Concat(others, of)), strings.Join(of, "\n"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
