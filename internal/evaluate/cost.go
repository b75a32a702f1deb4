package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Claim: the first mutant runs within costFactor times what a plain go test -c of the touched package takes after
// the same kind of edit, plus costExtra.
const (
	costFactor = 1.5
	costExtra  = 10 * time.Second
)

// cost edits two functions of one package of a large module, l.runs times. It measures the time until the first
// mutant runs, and the time that go test -c takes for that package, both with a warm build cache.
func cost(ctx context.Context, l *lab) (bool, error) {
	holds := true
	for _, m := range l.modules {
		lines, err := countLines(m.dir)
		if err != nil {
			return false, err
		}
		if err := prepareCost(ctx, m); err != nil {
			return false, err
		}
		fmt.Fprintf(l.out, "%s, %d lines, two functions of %s:\n\n", m.query, lines, m.packages[0])
		fmt.Fprint(l.out, "| run | go test -c | first mutant | allowed | of it: diff, load, weave, build | built |\n|--:|--:|--:|--:|---|--:|\n")
		for i := range l.runs {
			ok, err := l.costOnce(ctx, m, i)
			if err != nil {
				return false, err
			}
			holds = holds && ok
		}
		fmt.Fprintln(l.out)
	}
	return holds, nil
}

// prepareCost commits the module as it is, so that an edit is a diff, and warms the build cache.
func prepareCost(ctx context.Context, m module) error {
	for _, args := range [][]string{
		{"git", "init", "-q"},
		{"git", "add", "-A"},
		{"git", "-c", "user.name=evaluate", "-c", "user.email=evaluate@example.com", "commit", "-q", "-m", "base"},
		{"go", "build", "./..."},
		{"go", "test", "-c", "-o", os.DevNull, m.packages[0]},
	} {
		if _, err := (command{dir: m.dir, args: args}).run(ctx); err != nil {
			return err
		}
	}
	return nil
}

// costOnce measures once. Each measurement makes two new edits, one for each side, because the build cache knows
// what was built before.
func (l *lab) costOnce(ctx context.Context, m module, i int) (bool, error) {
	dir := filepath.Join(m.dir, m.packages[0])
	if err := editTwo(dir, fmt.Sprint("p", i)); err != nil {
		return false, err
	}
	_, plain, err := command{dir: m.dir, args: []string{"go", "test", "-c", "-o", os.DevNull, m.packages[0]}}.timed(ctx)
	if err != nil {
		return false, err
	}
	if err := editTwo(dir, fmt.Sprint("w", i)); err != nil {
		return false, err
	}
	reached, err := l.untilMutants(ctx, m)
	if err != nil {
		return false, err
	}
	allowed := time.Duration(costFactor*float64(plain)) + costExtra
	first := reached["tests"]
	fmt.Fprintf(l.out, "| %d | %.1f s | %.1f s | %.1f s | %.1f, %.1f, %.1f, %.1f s | %.1f s |\n", i+1, plain.Seconds(), first.Seconds(), allowed.Seconds(),
		(reached["load"] - reached["diff"]).Seconds(), (reached["weave"] - reached["load"]).Seconds(),
		(reached["build"] - reached["weave"]).Seconds(), (reached["baseline"] - reached["build"]).Seconds(), reached["baseline"].Seconds())
	return first <= allowed, nil
}

var phaseLine = regexp.MustCompile(`^mutantfuzz: (\w+)( \(\d+\))?$`)

// untilMutants runs an analysis until the first mutant runs, and then stops it. It returns how long after the
// start of the process each phase began.
func (l *lab) untilMutants(ctx context.Context, m module) (map[string]time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, l.limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, l.binary, "run", "--base=HEAD", "--execs=0", "--fresh", "--corpus=none", "--out="+filepath.Join(l.dir, "cost"))
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "CI=true", "GITHUB_ACTIONS=")
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	reached := map[string]time.Duration{}
	var said []string
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		said = append(said, lines.Text())
		if p := phaseLine.FindStringSubmatch(lines.Text()); p != nil && reached[p[1]] == 0 {
			reached[p[1]] = time.Since(start)
			if p[1] == "tests" {
				cancel()
			}
		}
	}
	err = cmd.Wait()
	if reached["tests"] == 0 {
		return nil, errors.Join(fmt.Errorf("no mutant ran:\n%s", end(strings.Join(said, "\n"))), err)
	}
	return reached, nil
}

// editTwo inserts the statement "_ = mark", with mark as a string, into the two longest functions of the package
// in dir.
func editTwo(dir, mark string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	type place struct {
		file           string
		offset, length int
	}
	var places []place
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		syntax, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				places = append(places, place{file, fset.PositionFor(d.Body.Lbrace, false).Offset + 1, int(d.End() - d.Pos())})
			}
		}
	}
	slices.SortFunc(places, func(a, b place) int { return b.length - a.length })
	if len(places) < 2 {
		return fmt.Errorf("%s has no two functions", dir)
	}
	chosen := places[:2]
	slices.SortFunc(chosen, func(a, b place) int { return b.offset - a.offset }) // last first: offsets stay valid
	for _, p := range chosen {
		src, err := os.ReadFile(p.file)
		if err != nil {
			return err
		}
		text := string(src[:p.offset]) + fmt.Sprintf(" _ = %q;", mark) + string(src[p.offset:])
		if err := os.WriteFile(p.file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// countLines counts the lines of Go source below dir.
func countLines(dir string) (int, error) {
	n := 0
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		src, err := os.ReadFile(name)
		n += strings.Count(string(src), "\n")
		return err
	})
	return n, err
}
