package layout

import (
	"context"
	"errors"
	"go/token"
	"go/types"
	"os"
	"path/filepath"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// List returns the packages in absolute folders of one unit. Imports are not resolved. If the go command cannot load a
// nested unit, List marks its modules as broken and returns no packages.
func (l *Layout) List(ctx context.Context, unit int, dirs []string) ([]*gotool.Package, error) {
	return l.list(ctx, "-find", unit, l.relative(unit, dirs))
}

// ListLoaded is List for packages and their tests, with imports resolved: what cannot be loaded is in Package.Errors.
func (l *Layout) ListLoaded(ctx context.Context, unit int, dirs []string) ([]*gotool.Package, error) {
	return l.list(ctx, "-test", unit, l.relative(unit, dirs))
}

// All returns every package of a unit, as List does. It asks the go command once per unit.
func (l *Layout) All(ctx context.Context, unit int) (pkgs []*gotool.Package, err error) {
	if pkgs, listed := l.listed[unit]; listed {
		return pkgs, nil
	}
	var dirs []string
	for _, m := range l.Units[unit].Modules {
		dirs = append(dirs, filepath.Join(m.Dir, "..."))
	}
	if pkgs, err = l.list(ctx, "-find", unit, l.relative(unit, dirs)); err == nil {
		l.listed[unit] = pkgs
	}
	return pkgs, err
}

// list is List for patterns of the go command, with a flag of go list.
func (l *Layout) list(ctx context.Context, flag string, unit int, patterns []string) ([]*gotool.Package, error) {
	pkgs, err := l.goIn(unit).List(ctx, append([]string{flag}, l.cfg.Flags...), patterns...)
	if fault.Is(goError(err), fault.Unloadable) && l.Nested(unit) {
		for _, m := range l.Units[unit].Modules {
			l.broken = append(l.broken, gotool.Broken{Dir: m.Dir, Err: err})
		}
		return nil, nil
	}
	return pkgs, goError(err)
}

// relative returns folders as patterns for the go command in a unit.
func (l *Layout) relative(unit int, dirs []string) (patterns []string) {
	for _, dir := range dirs {
		rel, err := filepath.Rel(l.Units[unit].Dir, dir)
		switch {
		case err != nil:
			patterns = append(patterns, dir)
		case rel == ".":
			patterns = append(patterns, ".")
		default:
			patterns = append(patterns, "./"+filepath.ToSlash(rel))
		}
	}
	return patterns
}

// Exports returns packages by import path, as code in the unit sees them. It leaves out those that do not compile,
// and returns nil if the go command fails.
func (l *Layout) Exports(ctx context.Context, unit int, importPaths []string) (map[string]*types.Package, error) {
	exported, err := l.goIn(unit).Exports(ctx, l.cfg.Flags, importPaths)
	if err != nil {
		return nil, ctx.Err()
	}
	data, seen := gotool.NewExportData(exported.Files, token.NewFileSet()), map[string]*types.Package{}
	for _, path := range importPaths {
		if p, err := data.Import(path); err == nil {
			seen[path] = p
		}
	}
	return seen, nil
}

// goIn returns the go command for a unit.
func (l *Layout) goIn(unit int) gotool.Go {
	env := l.cfg.Env
	if env == nil {
		env = os.Environ()
	}
	u := l.Units[unit]
	return gotool.Go{Dir: u.Dir, Env: append(env[:len(env):len(env)], u.Env...)}
}

// goError turns an error of the go command into an *[fault.Error] of the right kind. It returns an error that is neither the
// program's fault nor a missing command as it is.
func goError(err error) error {
	var command *gotool.CommandError
	var file *gotool.FileError
	switch {
	case errors.Is(err, gotool.ErrNoGo):
		return &fault.Error{Kind: fault.NoGo, Msg: "cannot load packages", Err: err}
	case errors.Is(err, regular.ErrNot):
		return &fault.Error{Kind: fault.Unloadable, Msg: "cannot load packages", Err: err,
			Hint: "it is no regular file, so the go command could wait for it, or read it without end; remove it, or replace it by a file"}
	case errors.As(err, &command), errors.As(err, &file):
		return fault.NotLoaded(err)
	}
	return err
}
