package weave

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// open reads every file that may be woven. Packages with types come first, so that a package that is also in
// Input.Cover or Input.Tests has them.
func (w *weaver) open() error {
	for _, list := range [][]*packages.Package{w.in.Touched, w.in.Targets} {
		for _, p := range list {
			if err := w.openTyped(p); err != nil {
				return err
			}
		}
	}
	for _, c := range slices.Concat(w.in.Cover, w.in.Tests) {
		if err := w.openCovered(c); err != nil {
			return err
		}
	}
	return nil
}

func (w *weaver) openTyped(p *packages.Package) error {
	onDisk := map[string]bool{}
	for _, name := range p.GoFiles {
		onDisk[name] = true
	}
	version := ""
	if p.Module != nil {
		version = p.Module.GoVersion
	}
	var fresh []*file
	for i, syntax := range p.Syntax {
		name := p.CompiledGoFiles[i]
		if !onDisk[name] || w.files[name] != nil || importsC(syntax) {
			continue
		}
		f, err := w.newFile(name, version, syntax, p.Fset.File(syntax.FileStart))
		if err != nil {
			return err
		}
		f.pkg = p
		fresh = append(fresh, f)
	}
	w.adopt(fresh)
	return nil
}

func (w *weaver) openCovered(c CoverPackage) error {
	fset := token.NewFileSet()
	var fresh []*file
	for _, name := range c.Files {
		if w.files[name] != nil {
			continue
		}
		syntax, err := regular.Parse(fset, name, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if importsC(syntax) {
			continue
		}
		f, err := w.newFile(name, c.GoVersion, syntax, fset.File(syntax.FileStart))
		if err != nil {
			return err
		}
		fresh = append(fresh, f)
	}
	w.adopt(fresh)
	return nil
}

func (w *weaver) newFile(name, version string, syntax *ast.File, tok *token.File) (*file, error) {
	src, given := w.in.Sources[name]
	if !given {
		var err error
		if src, err = regular.Source(name); err != nil {
			return nil, err
		}
	}
	if tok.Size() != len(src) {
		return nil, fmt.Errorf("%s changed while it was read", name)
	}
	rel, err := filepath.Rel(w.in.Root, name)
	if err != nil {
		return nil, err
	}
	return &file{path: name, rel: filepath.ToSlash(rel), src: src, syntax: syntax, tok: tok, goVer: version, needed: map[mutate.Need]bool{}}, nil
}

// adopt adds the files of one package, and picks an alias for the probe that occurs in none of them.
func (w *weaver) adopt(list []*file) {
	alias := "mfz"
	for taken(list, alias) {
		alias += "z"
	}
	for _, f := range list {
		f.alias = alias
		w.files[f.path] = f
		w.order = append(w.order, f)
	}
}

func taken(list []*file, alias string) bool {
	for _, f := range list {
		if bytes.Contains(f.src, []byte(alias)) {
			return true
		}
	}
	return false
}

func importsC(f *ast.File) bool {
	for _, imp := range f.Imports {
		if imp.Path.Value == `"C"` {
			return true
		}
	}
	return false
}

// generated reports whether a file has the comment that marks generated code.
func generated(f *file) bool { return gotool.Generated(f.syntax) }
