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

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/engine/driver"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// passes is how often in a row a suggested test has to pass.
const passes = 10

// suggested analyses every module with generated drivers and collects the tests that come with exposed mutants.
// It checks each with git and plain go commands alone. The patch has to apply and leave the file as gofmt writes
// it, without a new complaint of go vet. The test has to pass again and again, and to fail with the mutant in the
// source. A new test function is in vain if the package has a table that looks fit for another row: a test calls
// the same function on its rows. That is told from the source text, by code that is not the engine's.
func suggested(ctx context.Context, l *lab) (bool, error) {
	fmt.Fprint(l.out, "| module | exposed | suggested | rows | functions | ... although a table looks fit | sound |\n|---|--:|--:|--:|--:|--:|--:|\n")
	var all tally
	var broken []string
	for i, m := range l.modules {
		left := l.n - all.suggested
		if left <= 0 {
			break
		}
		t, wrong, err := l.suggestedOf(ctx, m, min(left, max(1, 2*left/(len(l.modules)-i))))
		if err != nil {
			return false, fmt.Errorf("%s: %w", m.query, err)
		}
		fmt.Fprintf(l.out, "| %s | %s |\n", m.query, t)
		all.add(t)
		broken = append(broken, wrong...)
	}
	fmt.Fprintf(l.out, "| all | %s |\n", all)
	l.reportBroken(broken)
	return all.suggested > 0 && all.sound == all.suggested && all.rows >= all.inVain, nil
}

// tally counts suggestions.
type tally struct{ exposed, suggested, rows, inVain, sound int }

func (t *tally) add(o tally) {
	t.exposed, t.suggested, t.rows = t.exposed+o.exposed, t.suggested+o.suggested, t.rows+o.rows
	t.inVain, t.sound = t.inVain+o.inVain, t.sound+o.sound
}

// String returns the columns of t in a row of the table.
func (t tally) String() string {
	return fmt.Sprintf("%d | %d | %d | %d | %d | %d", t.exposed, t.suggested, t.rows, t.suggested-t.rows, t.inVain, t.sound)
}

// suggestedOf checks up to n suggestions for m.
func (l *lab) suggestedOf(ctx context.Context, m module, n int) (t tally, wrong []string, err error) {
	r, err := l.withSuggestions(ctx, m, n)
	if err != nil {
		return t, nil, err
	}
	c := &copyOf{module: m, vetted: map[string]string{}}
	if err := c.commit(ctx); err != nil {
		return t, nil, err
	}
	for i := range r.Mutants {
		mutant := &r.Mutants[i]
		if !mutant.Exposed() || !mutant.Verified {
			continue
		}
		t.exposed++
		s := mutant.ExposedBy.Suggestion
		if s == nil {
			continue
		}
		t.suggested++
		fault, err := c.fault(ctx, mutant)
		if err != nil {
			return t, nil, err
		}
		if fault == "" {
			t.sound++
		} else {
			wrong = append(wrong, fmt.Sprintf("%s %s: %s\n%s", m.query, mutant.ID, fault, s.Patch))
		}
		switch {
		case s.Kind == results.SuggestedRow:
			t.rows++
		case fits(filepath.Join(m.dir, filepath.Dir(filepath.FromSlash(s.File))), mutant.ExposedBy.Call, failsNow(mutant)):
			t.inVain++
			fmt.Fprintf(l.log, "%s: a function for %s = %s, else %s\n", m.query, mutant.ExposedBy.Call, mutant.ExposedBy.Original, mutant.ExposedBy.Mutant)
		}
	}
	fmt.Fprintf(l.log, "%s: %s\n", m.query, t)
	return t, wrong, nil
}

// failsNow reports whether the program returns an error on the input that exposes a mutant.
func failsNow(m *results.Mutant) bool {
	return m.ExposedBy.Errors == results.ErrorInOriginal || m.ExposedBy.Errors == results.ErrorInBoth
}

// withSuggestions analyses m. It gets tests suggested for at most n exposed mutants.
func (l *lab) withSuggestions(ctx context.Context, m module, n int) (*results.Results, error) {
	ctx, cancel := context.WithTimeout(ctx, l.limit)
	defer cancel()
	scope, err := diffscope.Find(ctx, diffscope.Config{Dir: m.dir, All: true, Packages: m.packages})
	if err != nil {
		return nil, err
	}
	defer scope.Close()
	fmt.Fprintf(l.log, "%s: fuzzing\n", m.query)
	shown := func(r *results.Results) (all engine.Shown) {
		for i := range r.Mutants {
			if m := &r.Mutants[i]; m.Exposed() && len(all.Confirmed) < n {
				all.Confirmed = append(all.Confirmed, m.ID)
			}
		}
		all.Inputs = all.Confirmed
		return all
	}
	out, err := engine.Run(ctx, engine.Config{
		Tests: engine.Tests(l.tests), Workers: l.workers, Seed: l.seed, Execs: -1, MutantShare: 0.5, Shown: shown,
		Harnesses: []engine.HarnessKind{driver.Kind{}},
	}, scope)
	if err != nil {
		return nil, err
	}
	return out.Results, nil
}

// copyOf is a copy of a module, in which suggestions are tried.
type copyOf struct {
	module
	vetted map[string]string // what go vet says without any suggestion, by folder
}

// commit makes the module a repository, so that it can be restored.
func (c *copyOf) commit(ctx context.Context) error {
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "-A", "-f"},
		{"-c", "user.name=evaluate", "-c", "user.email=evaluate@example.com", "commit", "-q", "-m", "module"},
	} {
		if _, err := git(ctx, c.dir, args...); err != nil {
			return err
		}
	}
	return nil
}

// fault returns what is wrong with the suggestion for a mutant, or "" if nothing is. Afterwards the module is as
// it was.
func (c *copyOf) fault(ctx context.Context, m *results.Mutant) (fault string, err error) {
	defer func() {
		_, restored := git(ctx, c.dir, "reset", "-q", "--hard")
		_, cleaned := git(ctx, c.dir, "clean", "-q", "-f", "-d")
		err = errors.Join(err, restored, cleaned)
	}()
	s := m.ExposedBy.Suggestion
	pkg := "./" + filepath.ToSlash(filepath.Dir(s.File))
	before, err := c.vet(ctx, pkg)
	if err != nil {
		return "", err
	}
	asItWas, err := c.tell(ctx, "gofmt", "-l", filepath.Dir(s.File)) // some modules are not formatted
	if err != nil {
		return "", err
	}
	patch := filepath.Join(filepath.Dir(c.dir), "suggested.patch")
	if err := os.WriteFile(patch, []byte(s.Patch), 0o600); err != nil {
		return "", err
	}
	if _, err := git(ctx, c.dir, "apply", patch); err != nil {
		return err.Error(), ctx.Err()
	}
	if out, err := c.tell(ctx, "gofmt", "-l", s.File); err != nil || !strings.Contains(asItWas, strings.TrimSpace(out)) {
		return "not formatted by gofmt", err
	}
	if after, err := c.tell(ctx, "go", "vet", pkg); err != nil || len(after) > len(before) {
		return "go vet: " + after, err
	}
	test := []string{"go", "test", "-timeout=1m", fmt.Sprintf("-count=%d", passes), "-run=^" + s.Test + "$", pkg}
	if out, err := c.tell(ctx, test...); err != nil || !strings.HasPrefix(out, "ok ") || strings.Contains(out, "no tests to run") {
		return "it does not pass: " + out, err
	}
	if err := c.mutate(m); err != nil {
		return "", err
	}
	if out, err := c.tell(ctx, test...); err != nil || !strings.Contains(out, "FAIL") || strings.Contains(out, "[build failed]") {
		return "it does not fail with the mutant: " + out, err
	}
	return "", nil
}

// vet returns what go vet says of a package without suggestions.
func (c *copyOf) vet(ctx context.Context, pkg string) (string, error) {
	said, known := c.vetted[pkg]
	if known {
		return said, nil
	}
	said, err := c.tell(ctx, "go", "vet", pkg)
	c.vetted[pkg] = said
	return said, err
}

// tell runs a command and returns all that it prints, whatever its exit status.
func (c *copyOf) tell(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = c.dir
	out, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		err = nil
	}
	return string(out), errors.Join(err, ctx.Err())
}

// mutate puts a mutant into the source.
func (c *copyOf) mutate(m *results.Mutant) error {
	name := filepath.Join(c.dir, filepath.FromSlash(m.File))
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	whole := m.Whole()
	m = &whole
	if !bytes.Equal(src[m.Offset:m.EndOffset], []byte(m.Original)) {
		return fmt.Errorf("%s has no %q at %d", m.File, m.Original, m.Offset)
	}
	return os.WriteFile(name, slices.Concat(src[:m.Offset], []byte(m.Replacement), src[m.EndOffset:]), 0o600)
}
