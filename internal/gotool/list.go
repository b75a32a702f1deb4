package gotool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Package is what the go command knows of a package. File names are relative
// to Dir; generated and ignored files are as "go list" documents them.
type Package struct {
	ImportPath     string
	Name           string
	Dir            string // absolute
	ModulePath     string // empty: standard library
	GoFiles        []string
	CgoFiles       []string
	IgnoredGoFiles []string // left out by build constraints
	InvalidGoFiles []string // that do not parse, or belong to another package
	SFiles         []string // assembly
	TestGoFiles    []string
	XTestGoFiles   []string // tests in package Name_test
	// Patterns of go:embed in GoFiles, in TestGoFiles, and in XTestGoFiles. If asked for the files, the go command would
	// call missing ones an error, and list none for tests.
	EmbedPatterns      []string
	TestEmbedPatterns  []string
	XTestEmbedPatterns []string
	Imports            []string // this and the next three are empty with the flag -find
	TestImports        []string
	XTestImports       []string
	Deps               []string // all dependencies, of the package without its tests
	Errors             []string // why the package or a dependency cannot be loaded
}

// TestFiles returns all test files of p.
func (p *Package) TestFiles() []string { return slices.Concat(p.TestGoFiles, p.XTestGoFiles) }

// HasTests reports whether p has test files.
func (p *Package) HasTests() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// listed is a package as "go list -json" prints it.
type listed struct {
	Package
	Module     *struct{ Path string }
	Error      *listError
	DepsErrors []*listError
}

type listError struct {
	ImportStack []string
	Pos         string // "file:line:column", may be empty
	Err         string
}

func (e *listError) String() string {
	said := e.Err
	if strings.Contains(said, "import cycle") && len(e.ImportStack) > 1 {
		said += ": " + strings.Join(e.ImportStack, " imports ")
	}
	if e.Pos == "" {
		return said
	}
	return e.Pos + ": " + said
}

// listFields are the fields to ask for. The go command skips the work that other fields would need.
const listFields = "-json=ImportPath,Name,Dir,Module,GoFiles,CgoFiles,IgnoredGoFiles,InvalidGoFiles,SFiles," +
	"TestGoFiles,XTestGoFiles,EmbedPatterns,TestEmbedPatterns,XTestEmbedPatterns,Imports,TestImports,XTestImports,Deps,Error,DepsErrors"

// List returns the packages that the patterns name, each once, in the order of the go command. flags go before
// the patterns. They are build flags such as -tags=x, or -find, which leaves imports unresolved, so that no
// dependency has to be present. What is wrong with a package is in its Errors. List itself fails only if the go
// command does.
func (g Go) List(ctx context.Context, flags []string, patterns ...string) ([]*Package, error) {
	args := append([]string{"list", "-e", listFields}, flags...)
	args = append(append(args, "--"), patterns...)
	out, err := g.run(ctx, args...)
	if err != nil {
		return nil, err
	}
	var pkgs []*Package
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			return pkgs, nil
		} else if err != nil {
			return nil, fmt.Errorf("output of go list: %w", err)
		}
		pkgs = append(pkgs, l.flat())
	}
}

// flat moves the nested parts of what go list prints into the Package, and returns that.
func (l *listed) flat() *Package {
	p := &l.Package
	if l.Module != nil {
		p.ModulePath = l.Module.Path
	}
	p.Imports, p.Deps = withoutProfiles(p.Imports), withoutProfiles(p.Deps)
	all := l.DepsErrors
	if l.Error != nil {
		all = append([]*listError{l.Error}, all...)
	}
	for _, e := range all {
		if text := strings.TrimSpace(e.String()); !slices.Contains(p.Errors, text) {
			p.Errors = append(p.Errors, text)
		}
	}
	return p
}

// withoutProfiles returns import paths as the source has them. The go command lists "p [q]" for a package p that it
// builds with the profile (default.pgo) of a package main q.
func withoutProfiles(paths []string) []string {
	for i := range paths {
		paths[i], _, _ = strings.Cut(paths[i], " ")
	}
	return paths
}

// Exported is what Exports finds, by import path.
type Exported struct {
	Files    map[string]string // names of the files that hold the export data
	Faults   map[string]string // errors of packages that do not build, but not of those that only import one
	Standard map[string]bool   // packages of the standard library
}

// Exports returns the export data of packages and of all that they import. It compiles what is not in the build
// cache. flags are build flags.
func (g Go) Exports(ctx context.Context, flags, importPaths []string) (*Exported, error) {
	e := &Exported{map[string]string{}, map[string]string{}, map[string]bool{}}
	if len(importPaths) == 0 {
		return e, nil
	}
	args := append([]string{"list", "-e", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{.Standard}}\t{{with .Error}}{{printf \"%q\" (printf \"%s: %s\" .Pos .Err)}}{{end}}"}, flags...)
	out, err := g.run(ctx, append(append(args, "--"), importPaths...)...)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 4 {
			continue
		}
		if fields[1] != "" {
			e.Files[fields[0]] = fields[1]
		}
		if fields[2] == "true" {
			e.Standard[fields[0]] = true
		}
		if fault, err := strconv.Unquote(fields[3]); err == nil {
			e.Faults[fields[0]] = strings.TrimSpace(strings.TrimPrefix(fault, ": "))
		}
	}
	return e, nil
}
