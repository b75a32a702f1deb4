package diffscope

import (
	"cmp"
	"context"
	"errors"
	"go/token"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/change"
	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
	"github.com/mutantfuzz/mutantfuzz/diffscope/difference"
	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
	"github.com/mutantfuzz/mutantfuzz/diffscope/layout"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Find returns the functions that a change touches, at head, with the reason for each. An empty scope is not an
// error: its Notes say why it is empty. The caller must close the scope. Errors that the user can do something about
// are of type *[Error].
func Find(ctx context.Context, cfg Config) (*Scope, error) {
	f := &finder{
		cfg: cfg, scope: &Scope{}, fset: token.NewFileSet(), packages: map[string]*gotool.Package{},
		files: map[string]*declaration.File{}, before: map[string]*declaration.File{}, syntax: map[*declaration.File]error{},
		found: map[*declaration.Decl]bool{},
	}
	if err := f.find(ctx); err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			err = &fault.Error{Kind: fault.Late, Msg: "time ran out before it was known what the change touches", Err: err,
				Hint: "run that command there; if it ends, raise --time"}
		}
		return nil, errors.Join(err, f.scope.Close())
	}
	return f.scope, nil
}

// finder is the state of one call of Find.
type finder struct {
	cfg      Config
	scope    *Scope
	layout   *layout.Layout
	notes    notes
	fset     *token.FileSet
	files    map[string]*declaration.File // at head, by name
	before   map[string]*declaration.File // changed files at base, by name at head; nil: new, or from another folder
	syntax   map[*declaration.File]error  // the syntax errors of changed files
	packages map[string]*gotool.Package   // by absolute folder
	found    map[*declaration.Decl]bool   // in scope already
	removed  *difference.Removal          // lines that the change removes; nil: not known
	unloaded error                        // why a nested module with functions that belong in scope cannot be loaded
}

// find does the work of Find, from configuration to scope.
func (f *finder) find(ctx context.Context) error {
	c, err := change.Read(ctx, f.source())
	if err != nil {
		return err
	}
	f.scope.change, f.scope.Root, f.scope.Tree, f.scope.Revisions = c, c.Root, c.Tree, c.Revisions
	f.layout, err = layout.New(ctx, f.layoutConfig(c))
	if fault.Is(err, fault.NoModule) && !f.cfg.All && len(c.Files) == 0 {
		f.notes.add(noGoFile, "")
		f.scope.Notes = f.notes.lines()
		return nil // without changed Go files no go.mod is needed
	}
	if err != nil {
		return err
	}
	f.scope.Units = unitsOf(f.layout.Units)
	if f.cfg.All {
		err = f.selectAll(ctx)
	} else {
		err = f.selectChanged(ctx, c)
	}
	if err == nil {
		err = f.leaveBroken(ctx)
	}
	if err != nil {
		return err
	}
	slices.SortFunc(f.scope.Functions, func(a, b Function) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.File, b.File),
			cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.Column, b.Column), strings.Compare(a.ID, b.ID))
	})
	if len(f.scope.Functions) > 0 {
		f.scope.BaseTree, err = c.BaseTree(ctx)
	}
	f.addOutside()
	f.scope.Notes = f.notes.lines()
	return err
}

// source returns where the change comes from.
func (f *finder) source() change.Source {
	return change.Source{
		Dir: f.cfg.Dir, Base: f.cfg.Base, Head: f.cfg.Head, Event: f.cfg.Event, Diff: f.cfg.Diff, HaveDiff: f.cfg.HaveDiff,
		All: f.cfg.All, Env: f.cfg.Env, Note: f.notes.add, Made: f.cfg.Made,
	}
}

// layoutConfig returns which tree to look at, and what is asked for.
func (f *finder) layoutConfig(c *change.Change) layout.Config {
	where := cmp.Or(f.cfg.Dir, ".")
	if f.cfg.Head != "" {
		where += " at " + f.cfg.Head
	}
	return layout.Config{Tree: c.Tree, Dir: c.Dir, Where: where, Packages: f.cfg.Packages, Env: f.cfg.Env, Flags: f.cfg.Flags}
}

// unitsOf returns units as a scope has them.
func unitsOf(list []gotool.Unit) (units []Unit) {
	for _, u := range list {
		unit := Unit{Dir: u.Dir, Env: u.Env}
		for _, m := range u.Modules {
			unit.Modules = append(unit.Modules, Module{Path: m.Path, Dir: m.Dir, Go: m.GoVersion, Replaces: m.Replaces})
		}
		units = append(units, unit)
	}
	return units
}

// addOutside fills in Unit.Outside: tests of modules in other units may run functions in scope.
func (f *finder) addOutside() {
	for i := range f.scope.Units {
		if !slices.ContainsFunc(f.scope.Functions, func(fn Function) bool { return fn.Unit == i }) {
			continue
		}
		importPaths, dirs := f.layout.Outside(i)
		f.scope.Units[i].Outside = importPaths
		for _, dir := range dirs {
			f.notes.add("tests of another module, which are not run", f.layout.Name(dir, ""))
		}
	}
}

// rank returns the sort key that puts functions that only use what changed last.
func rank(f Function) int {
	if f.Reason == results.ReasonUsesChanged {
		return 1
	}
	return 0
}
