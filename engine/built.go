package engine

import (
	"context"
	"fmt"
	"go/ast"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// Tests of a program like to have the go command build it, and then run that. It
// builds what lies in the tree, in which there is no mutant. So these tests judge
// once more what nothing else has killed, with the mutant in the text of the
// scratch copy, as under a plain go test.

// inBuilt is the reason given with such a kill.
const inBuilt = "in the program that the test has the go command build"

// builder is the package of a program whose tests have the go command build it.
type builder struct {
	pkg   string
	tests []string // those that lead to the go command
}

// due is what of mutant.due the tests of b count under.
func (b *builder) due() string { return b.pkg + " as it is built" }

// findBuilders finds the builders among packages, and notes for every mutant which
// it has yet to pass.
func (u *unit) findBuilders(pkgs []string) {
	for _, pkg := range pkgs {
		if u.listing[pkg].Name != "main" {
			continue
		}
		files := parsed(u.listing[pkg])
		b := &builder{pkg: pkg}
		for name := range distances(files, u.isOwn, callGo(files)) {
			if gotool.IsTest(name) && (u.cfg.SkipTests == nil || !u.cfg.SkipTests.MatchString(name)) {
				b.tests = append(b.tests, name)
			}
		}
		if len(b.tests) == 0 {
			continue
		}
		slices.Sort(b.tests)
		u.builders = append(u.builders, b)
		for _, m := range u.pending() {
			if path := u.packageOf(m); path == pkg || u.testsReach(u.listing[pkg], path) {
				m.due[b.due()] = len(b.tests)
			}
		}
	}
}

// callGo returns the names that files declare of what runs the go command.
func callGo(files []*ast.File) (names []string) {
	for _, f := range files {
		imports := importNames(f)
		for _, d := range f.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && runsGo(call, imports) {
					names = append(names, declared(d)...)
				}
				return true
			})
		}
	}
	return names
}

// runsGo reports whether a call is exec.Command("go", ...), or the same with a
// context.
func runsGo(call *ast.CallExpr, imports map[string]string) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := f.X.(*ast.Ident)
	return ok && imports[x.Name] == "os/exec" && slices.ContainsFunc(call.Args[:min(len(call.Args), 2)], func(arg ast.Expr) bool {
		text, ok := arg.(*ast.BasicLit)
		return ok && (text.Value == `"go"` || text.Value == "`go`")
	})
}

// judgeByBuilt lets the builders judge what is pending.
func (u *unit) judgeByBuilt(ctx context.Context) error {
	for _, b := range u.builders {
		todo := slices.DeleteFunc(u.pending(), func(m *mutant) bool { return m.due[b.due()] == 0 })
		if len(todo) == 0 {
			continue
		}
		tests, err := u.surveyBuilder(ctx, b)
		if err != nil {
			return err
		}
		u.progress.Phase("built", len(todo))
		err = each(ctx, u.slots, todo, func(ctx context.Context, sl *slot, m *mutant) error {
			defer u.progress.Step(1)
			return u.runBuilt(ctx, sl, m, b, tests)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// surveyBuilder returns those tests of b that pass without a mutant.
func (u *unit) surveyBuilder(ctx context.Context, b *builder) (tests []*test, err error) {
	if err := u.buildDependents(ctx, []string{b.pkg}); err != nil || u.binaries[b.pkg] == "" {
		return nil, err
	}
	sl := u.slots.take()
	defer u.slots.give(sl)
	s := &suite{pkg: b.pkg, dir: u.listing[b.pkg].Dir, binary: u.binaries[b.pkg]}
	for _, name := range b.tests {
		t := &test{suite: s, name: name}
		if u.aside[t.String()] != "" {
			continue
		}
		run, err := u.surveyRun(ctx, sl, 1, t)
		if err != nil {
			return nil, err
		}
		if run.outcome.Kind == "" {
			t.duration = run.exit.Duration
			tests = append(tests, t)
		}
	}
	return tests, nil
}

// runBuilt runs m against tests of b, which kill it if they fail twice.
func (u *unit) runBuilt(ctx context.Context, sl *slot, m *mutant, b *builder, tests []*test) error {
	var run testRun
	for i := 0; i < 2 && len(tests) > 0 && (i == 0 || run.outcome.Kind != ""); i++ {
		var err error
		if run, err = u.runEdited(ctx, sl, m, tests); err != nil {
			return err
		}
	}
	delete(m.due, b.due())
	if run.outcome.Kind != "" {
		m.kill(killedBy(tests, run.outcome))
		m.reason, m.built = inBuilt, true
	}
	return nil
}

// runEdited runs tests with m active and in the text of the scratch copy, which is
// put right after the run.
func (u *unit) runEdited(ctx context.Context, sl *slot, m *mutant, tests []*test) (testRun, error) {
	change := u.change(m)
	text, err := change.Source()
	if err != nil {
		return testRun{}, err
	}
	var d time.Duration
	for _, t := range tests {
		d += t.duration
	}
	c := u.testCommand(sl, m.number, 0, u.wall(d), tests...)
	exit, err := insist(func() (worker.Exit, error) {
		if err := sl.scratch.Write(change.Path, text); err != nil {
			return worker.Exit{}, fmt.Errorf("cannot put a mutant into the scratch copy: %w", err)
		}
		return u.execOnce(ctx, sl, c)
	})
	if err == nil && exit.Cause == worker.Cancelled {
		err = context.Cause(ctx)
	}
	return testRun{exit: exit, outcome: exit.Outcome()}, err
}
