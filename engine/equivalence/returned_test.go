package equivalence

import (
	"go/ast"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

func TestErrorsThatAreNilAnywayMayBeReturnedAsNil(t *testing.T) {
	list := []struct {
		src    string
		proved int // how many mutants of f that return nil in place of an error
	}{
		{"func f(b *bytes.Buffer) error { _, err := b.Write(nil); return err }", 1},
		{"func f(b *bytes.Buffer) (int, error) { n, err := b.Write(nil); return n, err }", 1},
		{"func f(w io.Writer) error { _, err := w.Write(nil); return err }", 0},
		{"func f(b *bytes.Buffer) (err error) { defer func() { err = io.EOF }(); _, err = b.Write(nil); return err }", 0},
		{"func g() error { return nil }\nfunc f() error { return g() }", 0},
		{"func g() error { return nil }\nfunc f() error { err := g(); return err }", 1},
		{"func f(g func() error) error { err := g(); if err != nil { return err }; return err }", 0}, // the first is not nil here, the second is not mutated
		{"func f(b *bytes.Buffer) func() error { return func() error { _, err := b.Write(nil); return err } }", 1},
	}
	eachPackage(t, len(list), func(i int) string { return list[i].src }, func(i int, p *Package, src string) {
		pkg, proved := p.pkg, 0
		for _, d := range pkg.Syntax[0].Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok || decl.Name.Name != "f" {
				continue
			}
			for _, m := range mutate.Mutants(&mutate.Function{Source: []byte(src), Fset: pkg.Fset, Pkg: pkg.Types, Info: pkg.TypesInfo, Syntax: pkg.Syntax[0], Decl: decl}) {
				if m.Operator == "error-return" && p.reason(pkg.CompiledGoFiles[0], &m) != "" {
					proved++
				}
			}
		}
		if proved != list[i].proved {
			t.Errorf("%s\nproved of %d, want %d", list[i].src, proved, list[i].proved)
		}
	})
}
