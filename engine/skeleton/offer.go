package skeleton

import (
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// maxOffered bounds the skeletons that one analysis offers.
const maxOffered = 3

// Offer returns skeletons for functions in scope that no fuzz target has reached, at most three. reached holds IDs.
// object returns the package and the object of a function, nil if a test cannot call it. A skeleton has the build
// constraint of the file with the function.
func Offer(functions []diffscope.Function, reached map[string]bool, object func(*diffscope.Function) (*types.Package, *types.Func)) []results.Skeleton {
	var list []results.Skeleton
	for i := range functions {
		f := &functions[i]
		if f.Skipped != "" || reached[f.ID] || len(list) == maxOffered {
			continue
		}
		pkg, fn := object(f)
		source, ok := Source(pkg, fn)
		if !ok {
			continue
		}
		if src, err := regular.Source(f.Path); err == nil {
			if constraint := weave.Constraint(f.Path, src); constraint != "" { // other builds do not have the function
				source = "//go:build " + constraint + "\n\n" + source
			}
		}
		name := FileName(fn, func(name string) bool {
			_, err := os.Stat(filepath.Join(filepath.Dir(f.Path), name))
			return err == nil || slices.ContainsFunc(list, func(s results.Skeleton) bool { return path.Base(s.File) == name })
		})
		list = append(list, results.Skeleton{Function: f.ID, File: path.Join(path.Dir(f.File), name), Source: source})
	}
	return list
}
