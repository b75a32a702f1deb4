package diffscope

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
	"github.com/mutantfuzz/mutantfuzz/diffscope/layout"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// leaveOutBroken returns the reason to leave out the functions of dir, a folder in a broken module.
func (f *finder) leaveOutBroken(dir string) string {
	b := f.layout.BrokenAt(dir)
	switch {
	case !f.layout.Wanted(dir, layout.Place{Module: gotool.Module{Dir: b.Dir}}):
		return notAsked
	case errors.Is(b.Err, gotool.ErrNoModuleLine):
		return keptOut
	}
	return inBroken
}

// noteBroken notes that name is left out because the go command cannot load it, and keeps the first such error.
func (f *finder) noteBroken(why error, name string) {
	if f.unloaded == nil {
		f.unloaded = why
	}
	said := strings.Join(strings.Fields(why.Error()), " ")
	said = strings.ReplaceAll(said, f.scope.Tree+string(filepath.Separator), "")
	f.notes.add("left out, since the go command cannot load it ("+said+")", name)
}

// leaveBroken removes from the scope the functions in nested modules that the go command cannot load. It returns an
// error if something could not be loaded and the scope is empty.
func (f *finder) leaveBroken(ctx context.Context) error {
	for unit := range f.layout.Units {
		if f.layout.Nested(unit) {
			if err := f.tryLoading(ctx, unit); err != nil {
				return err
			}
		}
	}
	if f.unloaded != nil && len(f.scope.Functions) == 0 {
		return fault.NotLoaded(f.unloaded)
	}
	return nil
}

// tryLoading has the go command list the packages of one unit that have functions in scope, tests included. It drops
// the functions of packages that do not load.
func (f *finder) tryLoading(ctx context.Context, unit int) error {
	folders := map[string]bool{}
	for _, fn := range f.scope.Functions {
		if dir := filepath.Dir(fn.Path); fn.Unit == unit {
			folders[dir] = true
		}
	}
	if len(folders) == 0 {
		return nil
	}
	pkgs, err := f.layout.ListLoaded(ctx, unit, slices.Sorted(maps.Keys(folders)))
	if err != nil {
		return err
	}
	why := map[string]error{}
	for dir := range folders {
		if b := f.layout.BrokenAt(dir); b != nil {
			why[dir] = b.Err
		}
	}
	for _, p := range pkgs {
		if len(p.Errors) > 0 && folders[p.Dir] && why[p.Dir] == nil {
			// p may be a test variant, whose import path is not one that users write.
			why[p.Dir] = fmt.Errorf("%s: %s", f.packages[p.Dir].ImportPath, p.Errors[0])
		}
	}
	f.drop(why)
	return nil
}

// drop removes the functions and hunks of folders from the scope. why maps an absolute folder to the error to note.
func (f *finder) drop(why map[string]error) {
	files := map[string]bool{}
	f.scope.Functions = slices.DeleteFunc(f.scope.Functions, func(fn Function) bool {
		err := why[filepath.Dir(fn.Path)]
		if err != nil && !files[fn.File] {
			files[fn.File] = true
			f.noteBroken(err, fn.File)
		}
		return err != nil
	})
	f.scope.Hunks = slices.DeleteFunc(f.scope.Hunks, func(h Hunk) bool { return files[h.File] })
}
