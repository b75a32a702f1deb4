// Package declaration reads the declarations of Go files, and compares those of base and head: which are new, changed,
// gone, moved or renamed.
package declaration

import (
	"bytes"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/sourcediff"
)

// Kind is what a declaration declares.
type Kind int

// The kinds of declarations.
const (
	Func     Kind = iota
	Literals      // the function literals of a package variable
	Value         // a constant, or a variable without its function literals
	Type
)

// Decl is one package-level name of one file. [Compare] fills in how it differs from the base.
type Decl struct {
	Kind     Kind
	Name     string // Func, Type.Method, or the name of the constant, variable or type
	File     *File
	Node     ast.Node // *ast.FuncDecl, *ast.ValueSpec or *ast.TypeSpec
	First    int      // line numbers, both included
	Last     int
	Constant ast.Expr // of a constant: its value expression, perhaps that of an earlier spec; else nil

	Changed bool  // differs from the base, or is new
	Added   bool  // new
	From    *Decl // its old version in the base, if it changed; nil: unchanged or new

	text         string // its normalised tokens: equal text means an unchanged declaration
	shape        string // of functions: tokens with placeholders for own name and receiver type; empty: no statements
	variable     bool   // of a Value: it is not a constant
	constantType string // source of a constant's type; empty: none
	iota         int    // value of iota for a constant: its index in its group

	renamed   newNames      // if changed: the names that the change only renames
	constants sameConstants // if changed: the constants that stand for literals
}

// IsFunction reports whether d has code to mutate.
func (d *Decl) IsFunction() bool { return d.Kind == Func || d.Kind == Literals }

// Ident returns the identifier that declares d.
func (d *Decl) Ident() *ast.Ident {
	switch n := d.Node.(type) {
	case *ast.FuncDecl:
		return n.Name
	case *ast.TypeSpec:
		return n.Name
	case *ast.ValueSpec:
		for _, id := range n.Names {
			if id.Name == d.Name {
				return id
			}
		}
	}
	return nil
}

// lastName returns the name of a declaration without its receiver type.
func (d *Decl) lastName() string { return d.Name[strings.LastIndex(d.Name, ".")+1:] }

// Span returns the byte range of d in its file.
func (d *Decl) Span() sourcediff.Span {
	offset := func(pos token.Pos) int { return d.File.fset.PositionFor(pos, false).Offset }
	return sourcediff.Span{Start: offset(d.Node.Pos()), End: offset(d.Node.End())}
}

// Column returns where d begins in its line, in bytes from 0.
func (d *Decl) Column() int { return d.File.fset.PositionFor(d.Node.Pos(), false).Column - 1 }

// Lines returns the whole lines that d is on, each with its newline.
func (d *Decl) Lines() [][]byte { return wholeLines(d.File.allLines(), d.First, d.Last) }

// wholeLines returns lines first to last of a file, each with its newline.
func wholeLines(all [][]byte, first, last int) [][]byte {
	lines := all[first-1 : last : last]
	if end := lines[len(lines)-1]; !bytes.HasSuffix(end, []byte("\n")) {
		lines = append(slices.Clone(lines[:len(lines)-1]), append(bytes.Clone(end), '\n'))
	}
	return lines
}

// Grows reports whether the change adds d, or adds tokens to it. A test that only gets other names, strings or
// numbers checks no more of the program than before.
func (d *Decl) Grows() bool {
	return d.Changed && (d.From == nil || strings.Count(d.text, separator) > strings.Count(d.From.text, separator))
}
