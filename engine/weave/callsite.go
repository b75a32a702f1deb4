package weave

import (
	"bytes"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// countsAllocations reports whether tests in f's folder count allocations. A function whose calls can be watched passes
// its arguments to the probe, which moves them to the heap, and such tests would see that.
func (w *weaver) countsAllocations(f *file) bool {
	dir := filepath.Dir(f.path)
	counts, known := w.counting[dir]
	if !known {
		names, _ := filepath.Glob(filepath.Join(dir, "*_test.go")) // fails for a malformed pattern only
		counts = slices.ContainsFunc(names, func(name string) bool {
			src, err := regular.Source(name)
			return err == nil && bytes.Contains(src, []byte("AllocsPer"))
		})
		w.counting[dir] = counts
	}
	return counts
}

// addCallSite adds the site that stands for all calls of a mutated function, and returns its index.
func (w *weaver) addCallSite(fn *function) int {
	f := fn.file
	site := Site{
		File: f.rel, Line: f.line(fn.start), Callee: fn.decl.Name.Name, Recv: fn.sig.receiver != "", Results: fn.sig.results,
		Package: fn.source.Pkg.Path(), PackageName: f.syntax.Name.Name, Imports: importsOf(fn),
	}
	if site.Recv {
		site.Callee = fn.sig.receiver + "." + site.Callee
	}
	names := make([]string, len(fn.sig.params))
	obj, _ := fn.source.Info.Defs[fn.decl.Name].(*types.Func)
	if obj != nil {
		site.Returned, site.Receiver = w.returned(obj, site.Package), w.receiver(obj, site.Package)
		site.Fails, site.Basic = returnsError(obj.Signature()), basicResults(obj)
	}
	for i, p := range fn.sig.params {
		names[i] = p
		arg := SiteArg{}
		if obj != nil { // a function called _ has no object
			arg = w.siteArg(obj, i, true, site.Package)
		}
		site.Args = append(site.Args, arg)
		site.Spread = site.Spread || strings.HasSuffix(p, "...")
	}
	site.Source = site.Callee + "(" + strings.Join(names, ", ") + ")"
	w.out.Sites = append(w.out.Sites, site)
	return len(w.out.Sites) - 1
}

// importsOf returns the import specifications of fn's file by local name.
func importsOf(fn *function) map[string]string {
	named := map[string]string{}
	for _, spec := range fn.file.syntax.Imports {
		if spec.Name != nil {
			named[spec.Name.Name] = spec.Name.Name + " " + spec.Path.Value
		} else if pkg, ok := fn.source.Info.Implicits[spec].(*types.PkgName); ok {
			named[pkg.Name()] = spec.Path.Value
		}
	}
	return named
}
