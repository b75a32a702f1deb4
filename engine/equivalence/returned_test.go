package equivalence

import (
	"fmt"
	"go/ast"
	"os"
	slash "path"
	"path/filepath"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

func TestErrorsThatAreNilAnywayMayBeReturnedAsNil(t *testing.T) {
	list := []struct {
		src    string
		proved int // of the mutants that return nil in place of an error in f
	}{
		{"func f(b *bytes.Buffer) error { _, err := b.Write(nil); return err }", 1},
		{"func f(b *bytes.Buffer) (int, error) { n, err := b.Write(nil); return n, err }", 1},
		{"func f(w io.Writer) error { _, err := w.Write(nil); return err }", 0},
		{"func f(b *bytes.Buffer) (err error) { defer func() { err = io.EOF }(); _, err = b.Write(nil); return err }", 0},
		{"func g() error { return nil }\nfunc f() error { return g() }", 0},
		{"func g() error { return nil }\nfunc f() error { err := g(); return err }", 1},
		{"func f(g func() error) error { err := g(); if err != nil { return err }; return err }", 0}, // the first is an error, the second is not mutated
		{"func f(b *bytes.Buffer) func() error { return func() error { _, err := b.Write(nil); return err } }", 1},
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.22\n")
	for i, e := range list {
		write(t, filepath.Join(dir, fmt.Sprintf("p%03d", i), "p.go"), source(e.src))
		write(t, filepath.Join(dir, fmt.Sprintf("p%03d", i), "p.s"), "")
	}
	for _, pkg := range load(t, dir, "./...") {
		var i int
		fmt.Sscanf(slash.Base(pkg.PkgPath), "p%d", &i)
		p, err := New(pkg)
		if err != nil {
			t.Fatal(list[i].src, err)
		}
		src, err := os.ReadFile(pkg.CompiledGoFiles[0])
		if err != nil {
			t.Fatal(err)
		}
		proved := 0
		for _, d := range pkg.Syntax[0].Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Name.Name != "f" {
				continue
			}
			for _, m := range mutate.Mutants(&mutate.Function{Source: src, Fset: pkg.Fset, Pkg: pkg.Types, Info: pkg.TypesInfo, Syntax: pkg.Syntax[0], Decl: decl}) {
				if m.Operator == "error-return" && p.reason(pkg.CompiledGoFiles[0], &m) != "" {
					proved++
				}
			}
		}
		if proved != list[i].proved {
			t.Errorf("%s\nproved of %d, want %d", list[i].src, proved, list[i].proved)
		}
	}
}
