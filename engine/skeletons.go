package engine

import (
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/skeleton"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// maxSkeletons bounds how many skeletons one analysis offers.
const maxSkeletons = 3

// skeletons offers fuzz targets for mutated functions that no target reaches.
func (u *unit) skeletons() []results.Skeleton {
	if u.typed == nil {
		return nil // the packages were not loaded
	}
	reached := map[string]bool{}
	for _, t := range u.targets {
		for _, id := range u.reachedBy(t) {
			reached[id] = true
		}
	}
	var list []results.Skeleton
	for i := range u.functions {
		f := &u.functions[i]
		if f.Skipped != "" || reached[f.ID] || len(list) == maxSkeletons {
			continue
		}
		pkg, fn := u.typed.object(f)
		if fn == nil {
			continue
		}
		source, ok := skeleton.Skeleton(pkg, fn)
		if !ok {
			continue
		}
		name := skeleton.FileName(fn, func(name string) bool {
			_, err := os.Stat(filepath.Join(filepath.Dir(f.Path), name))
			return err == nil || slices.ContainsFunc(list, func(s results.Skeleton) bool { return path.Base(s.File) == name })
		})
		list = append(list, results.Skeleton{Function: f.ID, File: path.Join(path.Dir(f.File), name), Source: source})
	}
	return list
}

// object returns the package and the object of a function in scope; nil where
// it has none of its own.
func (t *typed) object(f *diffscope.Function) (*types.Package, *types.Func) {
	list, err := t.functions(f)
	if err != nil || f.Literal {
		return nil, nil
	}
	fn, _ := list[0].Info.Defs[list[0].Decl.Name].(*types.Func)
	return list[0].Pkg, fn
}
