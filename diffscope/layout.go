package diffscope

import (
	"cmp"
	"context"
	"errors"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// layout is how the tree is divided into units, modules and packages, and
// which of them are to be mutated.
type layout struct {
	tree     string
	dir      string // the folder asked for
	units    []Unit
	env      []string // nil: os.Environ()
	flags    []string
	patterns []pattern                 // empty: the modules around and below dir
	listed   map[int][]*gotool.Package // results of all, by unit
	broken   []gotool.Broken           // modules below dir that the go command cannot load
}

// newLayout finds the units around and below dir.
func newLayout(ctx context.Context, cfg Config, tree, dir string) (*layout, error) {
	l := &layout{tree: tree, dir: dir, env: cfg.Env, flags: cfg.Flags, listed: map[int][]*gotool.Package{}}
	if err := gotool.CheckFiles(ctx, tree); err != nil {
		return nil, goError(err)
	}
	units, broken, err := gotool.Units(ctx, dir, cfg.Env)
	if err != nil {
		return nil, goError(err)
	}
	l.broken = broken
	if len(units) == 0 && !slices.ContainsFunc(broken, isModule) {
		where := cmp.Or(cfg.Dir, ".")
		if cfg.Head != "" {
			where += " at " + cfg.Head
		}
		return nil, fault.New(fault.NoModule, "go mod init makes one", "no module in, above or below %s", where)
	}
	for _, u := range units {
		unit := Unit{Dir: u.Dir, Env: u.Env}
		for _, m := range u.Modules {
			unit.Modules = append(unit.Modules, Module{Path: m.Path, Dir: m.Dir, Go: m.GoVersion, Replaces: m.Replaces})
		}
		l.units = append(l.units, unit)
	}
	for _, text := range cfg.Packages {
		p, err := newPattern(dir, text)
		if err != nil {
			return nil, err
		}
		l.patterns = append(l.patterns, p)
	}
	return l, nil
}

// pattern is a compiled package pattern of the go command.
type pattern struct {
	folder bool   // matches absolute folders, not import paths
	root   string // if folder: the part before any "..."
	re     *regexp.Regexp
}

// newPattern compiles a pattern relative to dir. A single folder has to exist.
func newPattern(dir, text string) (pattern, error) {
	p := pattern{folder: filepath.IsAbs(text) || text == "." || text == ".." ||
		strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../")}
	if text == "all" {
		text = "..."
	}
	if p.folder {
		if !filepath.IsAbs(text) {
			text = filepath.Join(dir, text)
		}
		if _, err := os.Stat(text); err != nil && !strings.Contains(text, "...") {
			return p, fault.New(fault.BadConfig, "packages are relative to the folder given with -C", "no such package folder: %s", text)
		}
	}
	p.root, _, _ = strings.Cut(text, "...")
	quoted := strings.ReplaceAll(regexp.QuoteMeta(filepath.ToSlash(text)), `\.\.\.`, ".*")
	if root, ok := strings.CutSuffix(quoted, "/.*"); ok {
		quoted = root + "(/.*)?"
	}
	p.re = regexp.MustCompile("^" + quoted + "$")
	return p, nil
}

// place is the unit, module and package of a folder.
type place struct {
	unit       int
	module     Module
	importPath string
}

// place returns the unit, module and import path of a folder of the tree. The module is the nearest one upwards;
// place is not ok if there is none, or if it is broken.
func (l *layout) place(dir string) (place, bool) {
	best := l.moduleAt(dir)
	rel, err := filepath.Rel(best.module.Dir, dir)
	if best.module.Dir == "" || err != nil || l.brokenAt(dir) != nil {
		return place{}, false
	}
	best.importPath = best.module.Path
	if rel != "." {
		best.importPath += "/" + filepath.ToSlash(rel)
	}
	return best, true
}

// moduleAt returns the nearest of the units' modules upwards from a folder, broken or not; the zero value if none.
func (l *layout) moduleAt(dir string) (best place) {
	for i, u := range l.units {
		for _, m := range u.Modules {
			if len(m.Dir) > len(best.module.Dir) && within(m.Dir, dir) {
				best = place{unit: i, module: m}
			}
		}
	}
	return best
}

// brokenAt returns the module that a folder belongs to if that module is broken, else nil.
func (l *layout) brokenAt(dir string) (nearest *gotool.Broken) {
	least := len(l.moduleAt(dir).module.Dir)
	for i, b := range l.broken {
		if len(b.Dir) >= least && within(b.Dir, dir) {
			nearest, least = &l.broken[i], len(b.Dir)
		}
	}
	return nearest
}

// isModule reports whether b is a module, not a folder that a go.mod without a module line keeps out of all modules.
func isModule(b gotool.Broken) bool { return !errors.Is(b.Err, gotool.ErrNoModuleLine) }

// wantedBroken returns the broken modules that the patterns ask for; all if there are no patterns.
func (l *layout) wantedBroken() []gotool.Broken {
	return slices.DeleteFunc(slices.Clone(l.broken), func(b gotool.Broken) bool {
		asked := len(l.patterns) == 0 || slices.ContainsFunc(l.patterns, func(p pattern) bool {
			return p.folder && (p.re.MatchString(filepath.ToSlash(b.Dir)) || within(b.Dir, p.root))
		})
		return !isModule(b) || !asked
	})
}

// nested reports whether a unit is below the folder asked for. The go command works in that folder without the unit.
func (l *layout) nested(unit int) bool {
	dir := l.units[unit].Dir
	return dir != l.dir && within(l.dir, dir)
}

// within reports whether dir is root or below it.
func within(root, dir string) bool {
	rel, err := filepath.Rel(root, dir)
	return err == nil && filepath.IsLocal(rel)
}

// wanted reports whether the package in dir is one of those asked for.
func (l *layout) wanted(dir string, p place) bool {
	if len(l.patterns) == 0 {
		return within(p.module.Dir, l.dir) || within(l.dir, p.module.Dir)
	}
	for _, pattern := range l.patterns {
		subject := p.importPath
		if pattern.folder {
			subject = filepath.ToSlash(dir)
		}
		if pattern.re.MatchString(subject) {
			return true
		}
	}
	return false
}

// ignored reports whether the go command ignores a file because of its name or a folder's, and returns the reason.
func ignored(name string) (string, bool) {
	parts := strings.Split(name, "/")
	for _, dir := range parts[:len(parts)-1] {
		switch {
		case dir == "vendor" || dir == "testdata":
			return "in " + dir, true
		case gotool.Ignored(dir):
			return "in a folder the go command ignores", true
		}
	}
	if base := parts[len(parts)-1]; base[0] == '_' || base[0] == '.' {
		return "a name the go command ignores", true
	}
	return "", false
}

// list returns the packages in folders of one unit; a pattern that ends in "/..." includes the folders below. Imports
// are not resolved. If the go command cannot load a nested unit, list marks its modules as broken and returns no
// packages.
func (l *layout) list(ctx context.Context, unit int, patterns []string) ([]*gotool.Package, error) {
	return l.listWith(ctx, "-find", unit, patterns)
}

// listWith is list with flag instead of -find.
func (l *layout) listWith(ctx context.Context, flag string, unit int, patterns []string) ([]*gotool.Package, error) {
	pkgs, err := l.goIn(unit).List(ctx, append([]string{flag}, l.flags...), patterns...)
	if fault.Is(goError(err), fault.Unloadable) && l.nested(unit) {
		for _, m := range l.units[unit].Modules {
			l.broken = append(l.broken, gotool.Broken{Dir: m.Dir, Err: err})
		}
		return nil, nil
	}
	return pkgs, goError(err)
}

// goIn returns the go command for a unit.
func (l *layout) goIn(unit int) gotool.Go {
	env := l.env
	if env == nil {
		env = os.Environ()
	}
	u := l.units[unit]
	return gotool.Go{Dir: u.Dir, Env: append(env[:len(env):len(env)], u.Env...)}
}

// own reports whether a package may belong to one of the modules.
func (l *layout) own(importPath string) bool {
	return slices.ContainsFunc(l.units, func(u Unit) bool { return u.mayHave(importPath) })
}

// mayHave reports whether an import path lies in one of the unit's modules, whether or not the package exists.
func (u Unit) mayHave(importPath string) bool {
	return slices.ContainsFunc(u.Modules, func(m Module) bool {
		return importPath == m.Path || strings.HasPrefix(importPath, m.Path+"/")
	})
}

// exports returns packages by import path, as code in the unit sees them. It leaves out those that do not compile,
// and returns nil if the go command fails.
func (l *layout) exports(ctx context.Context, unit int, importPaths []string) (stubs, error) {
	exported, err := l.goIn(unit).Exports(ctx, l.flags, importPaths)
	if err != nil {
		return nil, ctx.Err()
	}
	data, seen := gotool.NewExportData(exported.Files, token.NewFileSet()), stubs{}
	for _, path := range importPaths {
		if p, err := data.Import(path); err == nil {
			seen[path] = p
		}
	}
	return seen, nil
}

// relative returns a folder as a pattern for the go command in a unit.
func (l *layout) relative(unit int, dir string) string {
	rel, err := filepath.Rel(l.units[unit].Dir, dir)
	switch {
	case err != nil:
		return dir
	case rel == ".":
		return "."
	}
	return "./" + filepath.ToSlash(rel)
}

// all returns every package of a unit. It asks the go command once per unit.
func (l *layout) all(ctx context.Context, unit int) (pkgs []*gotool.Package, err error) {
	if pkgs, listed := l.listed[unit]; listed {
		return pkgs, nil
	}
	var patterns []string
	for _, m := range l.units[unit].Modules {
		patterns = append(patterns, l.relative(unit, m.Dir)+"/...")
	}
	if pkgs, err = l.list(ctx, unit, patterns); err == nil {
		l.listed[unit] = pkgs
	}
	return pkgs, err
}

// name returns the path of a file in a folder, relative to the tree, slash-separated.
func (l *layout) name(dir, base string) string {
	rel, err := filepath.Rel(l.tree, filepath.Join(dir, base))
	if err != nil {
		return filepath.ToSlash(filepath.Join(dir, base))
	}
	return filepath.ToSlash(rel)
}

// goError turns an error of the go command into an *[Error] of the right kind. It returns an error that is neither the
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
