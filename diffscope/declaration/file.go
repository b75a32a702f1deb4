package declaration

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// File is one parsed Go file.
type File struct {
	Name   string // relative to the root, slash-separated
	Src    []byte
	Syntax *ast.File
	Decls  []*Decl // in source order

	fset  *token.FileSet
	lines [][]byte        // see allLines; nil: not split yet
	local map[string]bool // result of locals; nil: not known yet
}

// Parse parses src. If it has syntax errors, the file holds what could be read, and the error comes from go/scanner.
func Parse(fset *token.FileSet, name string, src []byte) (*File, error) {
	syntax, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	f := &File{Name: name, Src: src, fset: fset, Syntax: syntax}
	for _, d := range syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f.addFunc(d)
		case *ast.GenDecl:
			f.addGen(d)
		}
	}
	return f, err
}

// IsTest reports whether the file is a test file.
func (f *File) IsTest() bool { return strings.HasSuffix(f.Name, "_test.go") }

// Dir returns the file's folder, relative to the root.
func (f *File) Dir() string { return path.Dir(f.Name) }

// packageKey identifies a package by its folder. The external test package of a folder is a package of its own.
type packageKey struct {
	dir      string
	external bool
}

func (f *File) packageKey() packageKey {
	return packageKey{f.Dir(), f.IsTest() && strings.HasSuffix(f.Syntax.Name.Name, "_test")}
}

// line returns the line of pos in the file itself, whatever line directives say.
func (f *File) line(pos token.Pos) int { return f.fset.PositionFor(pos, false).Line }

// slice returns the source from one position to another.
func (f *File) slice(from, to token.Pos) []byte {
	tf := f.fset.File(f.Syntax.FileStart)
	return f.Src[tf.Offset(from):tf.Offset(to)]
}

// allLines returns the lines of the file. It splits them once.
func (f *File) allLines() [][]byte {
	if f.lines == nil {
		f.lines = slices.Collect(bytes.Lines(f.Src))
	}
	return f.lines
}

// UsesCgo reports whether the file imports "C".
func (f *File) UsesCgo() bool {
	for _, spec := range f.Syntax.Imports {
		if spec.Path.Value == `"C"` {
			return true
		}
	}
	return false
}

// Imports returns the import paths of a file by local name. An import without a name gets the one that its path
// suggests. Blank and dot imports and "C" are left out.
func (f *File) Imports() map[string]string {
	paths := map[string]string{}
	for _, spec := range f.Syntax.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil || importPath == "C" {
			continue
		}
		name := packageName(importPath)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name != "_" && name != "." {
			paths[name] = importPath
		}
	}
	return paths
}

// majorVersion matches the version suffix of an import path, such as "/v2": package names do not have it.
var majorVersion = regexp.MustCompile(`(/|\.)v[0-9]+$`)

// packageName returns the name that a package most likely has.
func packageName(importPath string) string {
	return path.Base(majorVersion.ReplaceAllString(importPath, ""))
}
