package engine

import (
	"context"
	"fmt"
	"go/ast"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
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
			m.unbuilt = m.unbuilt || u.maybeBuilt(b, m)
		}
	}
}

// maybeBuilt reports whether what b has built may hold m.
func (u *unit) maybeBuilt(b *builder, m *mutant) bool {
	pkg := u.packageOf(m)
	return pkg == b.pkg || u.testsReach(u.listing[b.pkg], pkg)
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
		todo := slices.DeleteFunc(u.pending(), func(m *mutant) bool { return !u.maybeBuilt(b, m) })
		if len(todo) == 0 {
			continue
		}
		takes, err := u.surveyBuilder(ctx, b)
		if err != nil {
			return err
		}
		u.progress.Phase("built", len(todo))
		err = each(ctx, u.slots, todo, func(ctx context.Context, sl *slot, m *mutant) error {
			defer u.progress.Step(1)
			return u.runBuilt(ctx, sl, m, b, takes)
		})
		if err != nil {
			return err
		}
	}
	for _, m := range u.pending() {
		m.unbuilt = false
	}
	return nil
}

// surveyBuilder leaves b those tests that pass without a mutant, and returns how long
// they take.
func (u *unit) surveyBuilder(ctx context.Context, b *builder) (takes time.Duration, err error) {
	if err := u.buildDependents(ctx, []string{b.pkg}); err != nil {
		return 0, err
	}
	var passing []string
	for _, name := range b.tests {
		if u.binaries[b.pkg] == "" || slices.Contains(u.quarantinedOf(b.pkg), name) {
			continue
		}
		r, err := executor{u}.Run(ctx, judge.Spec{Suite: &judge.Suite{Package: b.pkg}, Tests: []string{name}})
		if err != nil {
			return 0, err
		}
		if r.Kind == judge.Pass {
			takes += r.Took
			passing = append(passing, name)
		}
	}
	b.tests = passing
	return takes, nil
}

// runBuilt runs m against the tests of b, which kill it if they fail twice.
func (u *unit) runBuilt(ctx context.Context, sl *slot, m *mutant, b *builder, takes time.Duration) error {
	var run testRun
	for i := 0; i < 2 && len(b.tests) > 0 && (i == 0 || run.outcome.Kind != ""); i++ {
		var err error
		if run, err = u.runEdited(ctx, sl, m, b, takes); err != nil {
			return err
		}
	}
	if run.outcome.Kind != "" {
		name := b.tests[0]
		if len(run.outcome.Failed) > 0 {
			name = run.outcome.Failed[0]
		}
		m.kill(results.KilledBy{By: results.ByTest, Kind: run.outcome.Kind, Name: b.pkg + "." + name})
		m.reason, m.built = inBuilt, true
	}
	return nil
}

// runEdited runs the tests of b with m active and in the text of the scratch copy, which
// is put right after the run.
func (u *unit) runEdited(ctx context.Context, sl *slot, m *mutant, b *builder, takes time.Duration) (testRun, error) {
	change := u.change(m)
	text, err := change.Source()
	if err != nil {
		return testRun{}, err
	}
	spec := judge.Spec{Suite: &judge.Suite{Package: b.pkg}, Tests: b.tests, Mutant: m.number, Takes: takes}
	c := executor{u}.command(sl, spec)
	c.Steps = 0
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
