package weave

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// addSentinels makes the exported error variables that d, a declaration of f, declares known to the run-time, so that
// it sees which of them an error is. Only packages with types have them. It does so at the end of the same file: then
// package variables are initialised in the same order as without it.
func (w *weaver) addSentinels(f *file, d *ast.GenDecl) {
	if f.pkg == nil || d.Tok != token.VAR {
		return
	}
	for _, spec := range d.Specs {
		for _, name := range spec.(*ast.ValueSpec).Names {
			if isSentinel(f.pkg.TypesInfo.Defs[name]) {
				f.addSentinel(f.pkg.TypesInfo.Defs[name], name.Name)
			}
		}
	}
}

// addSentinels makes the exported error variables of the package under test known, and those of the program's packages
// that it imports, as far as the first file with a target or driver can name them. Harnesses compare no others, so that a
// build that only weaves them sees the same.
func (t *targetWeaver) addSentinels() {
	if len(t.loops) == 0 {
		return
	}
	f, tested, qualifier := t.loops[0].fn.file, t.pkg.Types, ""
	if path, external := strings.CutSuffix(t.pkg.PkgPath, "_test"); external {
		if tested, qualifier = t.imported(f, path); tested == nil {
			return
		}
	}
	f.addSentinelsOf(tested, qualifier)
	for i, pkg := range tested.Imports() {
		if t.in.Own(pkg.Path()) && importable(t.pkg, pkg.Path()) == pkg {
			alias := fmt.Sprintf("%si%d", f.alias, i)
			if f.addSentinelsOf(pkg, alias+".") {
				f.edits.insert(f.offset(f.syntax.Name.End()), fmt.Sprintf(";import %s %q", alias, pkg.Path()))
			}
		}
	}
}

// addSentinelsOf makes the exported error variables of a package known. It reports whether there are any. qualifier is
// what f puts before their names.
func (f *file) addSentinelsOf(pkg *types.Package, qualifier string) (found bool) {
	for _, name := range pkg.Scope().Names() {
		if obj := pkg.Scope().Lookup(name); isSentinel(obj) {
			f.addSentinel(obj, qualifier+name)
			found = true
		}
	}
	return found
}

// imported returns the package that f imports from a path, and what f puts before its names; nil if it does not import
// it under a name of its own.
func (t *targetWeaver) imported(f *file, path string) (pkg *types.Package, qualifier string) {
	for _, spec := range f.syntax.Imports {
		name := t.pkg.TypesInfo.PkgNameOf(spec)
		if value, err := strconv.Unquote(spec.Path.Value); err == nil && value == path && name != nil && name.Name() != "." && name.Name() != "_" {
			return name.Imported(), name.Name() + "."
		}
	}
	return nil, ""
}

// isSentinel reports whether obj is an exported variable of type error.
func isSentinel(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.Exported() && types.Identical(v.Type(), types.Universe.Lookup("error").Type())
}

// addSentinel makes a variable known. expression denotes it in f.
func (f *file) addSentinel(variable types.Object, expression string) {
	f.uses = true
	pkg := variable.Pkg()
	f.tail.add(fmt.Sprintf("\nvar _ = %s.Sentinel(%q,%q,&%s)\n", f.alias, pkg.Name()+"."+variable.Name(), pkg.Path(), expression))
}
