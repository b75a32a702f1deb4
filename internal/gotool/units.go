package gotool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// Module is a main module.
type Module struct {
	Path      string
	Dir       string   // absolute
	GoVersion string   // of its go directive, as in "1.16"; empty: none
	Replaces  []string // absolute folders of replace directives that name them by a relative path
}

// Unit is a set of modules that one run of the go command sees together: one
// module, or the modules of a go.work.
type Unit struct {
	Dir     string   // absolute; where the go command runs
	Modules []Module // sorted by Dir
	// Env is what the environment needs in addition: GOWORK=off for a module that is not used by the go.work
	// above it, the GOWORK that the user has set, or a GOFLAGS without the flags that make the go command do
	// something else.
	Env []string
}

// Root returns the root of the repository that dir belongs to: the nearest folder upwards with a .git, else with
// a go.work, else with a go.mod, else dir itself. git reports whether there is a .git. root is absolute and free
// of symbolic links.
func Root(dir string) (root string, git bool, err error) {
	dir, err = filepath.Abs(dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return "", false, err
	}
	for _, marker := range []string{".git", "go.work", "go.mod"} {
		if found := upwards(dir, marker); found != "" {
			return filepath.Dir(found), marker == ".git", nil
		}
	}
	return dir, false, nil
}

// upwards returns the path of the nearest entry called name in dir or the folders above it, or "" if there is
// none.
func upwards(dir, name string) string {
	for {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// Broken is a module that cannot be loaded, below the folder in which the go command runs. The go command does
// not mind as long as it is not run in that module.
type Broken struct {
	Dir string // absolute
	Err error  // why; ErrNoModuleLine: it is no module, and its go.mod only keeps Dir out of the module around it
}

// ErrNoModuleLine says that a go.mod names no module.
var ErrNoModuleLine = errors.New("no module line")

// Units finds the unit of dir and every unit below dir, sorted by folder. A unit is a go.work with all its
// modules, or a module outside of any, alone. Units does not search node_modules and folders that the go command
// ignores: vendor, testdata, and names that start with "_" or ".". dir is absolute. env is the environment of the
// go command; nil means os.Environ(). It is no error if there is no module at all. A broken module below dir that
// is in no workspace of dir is no error either: Units returns it as a Broken.
func Units(ctx context.Context, dir string, env []string) ([]Unit, []Broken, error) {
	inForce, flags, err := Go{Dir: dir, Env: env}.inForce(ctx)
	if err != nil {
		return nil, nil, err
	}
	files, err := moduleFiles(dir)
	if err != nil || len(files) == 0 {
		return nil, nil, err
	}
	// The user may have switched workspaces off or named one that is not in a folder above. That holds for every
	// module.
	u := unitSet{inForce: inForce, forced: inForce != upwards(dir, "go.work")}
	if u.modules, err = readWork(inForce); err != nil {
		return nil, nil, err
	}
	var broken []Broken
	for _, file := range files {
		moduleDir := filepath.Dir(file)
		err := u.add(moduleDir)
		switch {
		case err != nil && moduleDir != dir && below(dir, moduleDir):
			broken = append(broken, Broken{Dir: moduleDir, Err: err})
		case err != nil:
			return nil, nil, err
		}
	}
	if flags, ok := usual(flags); ok {
		for i := range u.units {
			u.units[i].Env = append(u.units[i].Env, "GOFLAGS="+flags)
		}
	}
	return u.sorted(), broken, nil
}

// inForce returns the go.work that holds in the folder, as go env GOWORK prints it, and the GOFLAGS there.
func (g Go) inForce(ctx context.Context) (work, flags string, err error) {
	both, err := g.variable(ctx, "GOWORK", "GOFLAGS")
	work, flags, _ = strings.Cut(both, "\n")
	return work, flags, err
}

// below reports whether path is dir or below it.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// moduleFiles returns the go.mod files below dir, after that of the module around dir if dir has none. A go.work
// above dir without a module in between adds nothing.
func moduleFiles(dir string) ([]string, error) {
	var files []string
	if around := upwards(filepath.Dir(dir), "go.mod"); around != "" {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
			files = append(files, around)
		}
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path != dir && errors.Is(err, fs.ErrPermission):
			return nil // the go command passes it over, too
		case err != nil:
			return err
		case d.IsDir() && path != dir && Ignored(d.Name()):
			return fs.SkipDir
		case d.Name() == "go.mod" && d.Type().IsRegular():
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

// Ignored reports whether a folder of that name is not searched for packages of the module around it. These are
// the folders that the "..." patterns of the go command leave out, and node_modules.
func Ignored(name string) bool {
	switch name {
	case "vendor", "testdata", "node_modules":
		return true
	}
	return strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".")
}

// unitSet collects units. It has each workspace only once.
type unitSet struct {
	inForce string   // path of the go.work that holds in the starting folder; empty or "off": none
	forced  bool     // inForce holds for every module
	modules []Module // of inForce
	units   []Unit
	added   []string // paths of the go.work files whose workspaces are in units
}

// add adds the module in moduleDir: with its workspace if one uses it, else alone.
func (u *unitSet) add(moduleDir string) error {
	alone, err := readModule(moduleDir)
	if err != nil {
		return err
	}
	work, modules := upwards(moduleDir, "go.work"), u.modules
	if u.forced {
		work = u.inForce
	} else if work != u.inForce {
		if modules, err = readWork(work); err != nil {
			return err
		}
	}
	switch {
	case work == "" || work == "off":
		u.units = append(u.units, Unit{Dir: moduleDir, Modules: []Module{alone}})
	case !slices.ContainsFunc(modules, func(m Module) bool { return m.Dir == moduleDir }):
		u.units = append(u.units, Unit{Dir: moduleDir, Modules: []Module{alone}, Env: []string{"GOWORK=off"}})
	case !slices.Contains(u.added, work):
		u.added = append(u.added, work)
		unit := Unit{Dir: filepath.Dir(work), Modules: modules}
		if u.forced {
			unit.Env = []string{"GOWORK=" + work}
		}
		u.units = append(u.units, unit)
	}
	return nil
}

func (u *unitSet) sorted() []Unit {
	slices.SortFunc(u.units, func(a, b Unit) int { return strings.Compare(a.Dir, b.Dir) })
	return u.units
}

// readWork returns the modules of a go.work file. There are none if file is "off" or empty.
func readWork(file string) ([]Module, error) {
	if file == "" || file == "off" {
		return nil, nil
	}
	data, err := regular.Source(file)
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork(file, data, nil)
	if err != nil {
		return nil, &FileError{File: file, Err: err}
	}
	var modules []Module
	for _, use := range work.Use {
		dir := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(file), dir)
		}
		m, err := readModule(filepath.Clean(dir))
		if err != nil {
			return nil, &FileError{File: file, Err: fmt.Errorf("use %s: %w", use.Path, err)}
		}
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b Module) int { return strings.Compare(a.Dir, b.Dir) })
	return modules, nil
}

// readModule reads the go.mod in dir, leniently: only the module's path, its language version and the folders
// that replace modules matter here.
func readModule(dir string) (Module, error) {
	file := filepath.Join(dir, "go.mod")
	data, err := regular.Source(file)
	if err != nil {
		return Module{}, err
	}
	mod, err := modfile.Parse(file, data, nil)
	if err != nil { // it may have what only a newer go command knows
		mod, err = modfile.ParseLax(file, data, nil) // leaves replacements out
	}
	if err == nil && mod.Module == nil {
		err = ErrNoModuleLine
	}
	if err != nil {
		return Module{}, &FileError{File: file, Err: err}
	}
	m := Module{Path: mod.Module.Mod.Path, Dir: dir}
	if mod.Go != nil {
		m.GoVersion = mod.Go.Version
	}
	for _, r := range mod.Replace {
		if modfile.IsDirectoryPath(r.New.Path) && !filepath.IsAbs(r.New.Path) {
			m.Replaces = append(m.Replaces, filepath.Join(dir, filepath.FromSlash(r.New.Path)))
		}
	}
	return m, nil
}

// FileError is a file of the analysed program that is at fault: a go.mod or go.work that makes no sense, or a
// file that is not regular.
type FileError struct {
	File string
	Err  error
}

// Error returns the file and the fault.
func (e *FileError) Error() string {
	if said := e.Err.Error(); strings.HasPrefix(said, e.File+":") {
		return said
	}
	return fmt.Sprintf("%s: %v", e.File, e.Err)
}

// Unwrap returns the fault.
func (e *FileError) Unwrap() error { return e.Err }
