// Package mutate makes mutants: small changes to one function each, described
// as a range of bytes and the text that replaces it.
//
// A mutant never takes away the last use of a variable, an import or a label.
// It wraps what it disables, as in "c && false" or "if false { s }", so that
// the mutated file still compiles. For many mutants in one program, see Untch,
// Offutt, Harrold: Mutation Analysis Using Mutant Schemata, ISSTA 1993.
package mutate

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Function is one function to mutate, with its type-checked package.
type Function struct {
	ID      string // import/path.Func, import/path.Type.Method, or for a literal import/path.variable
	Nth     int    // how many functions before it have the same ID, as init functions may
	File    string // relative to the root, slash-separated; copied into mutants
	Source  []byte // the file's content; all offsets refer to it
	Fset    *token.FileSet
	Pkg     *types.Package
	Info    *types.Info
	Syntax  *ast.File
	Decl    *ast.FuncDecl
	Changed []Lines // changed lines within the function, at head
	Fresh   []Span  // the parts of Changed that are new; a span is empty where the change only took something away
	Hunks   []Hunk  // changed regions that overlap the function
	// Imported maps names of packages to import paths: those imports of the file at the base that can be imported at head.
	Imported map[string]string
	// Gone holds, by name, the declarations of the base that the package at head lacks, or has with another signature: old
	// lines may need them. Methods are named Type.Method.
	Gone map[string]Gone
}

// Declare returns a declaration that stands for a function literal of a package
// variable. It serves as Function.Decl.
func Declare(lit *ast.FuncLit) *ast.FuncDecl {
	return &ast.FuncDecl{Name: &ast.Ident{NamePos: lit.Pos(), Name: "_"}, Type: lit.Type, Body: lit.Body}
}

// Lines is a range of lines, both ends included.
type Lines struct{ First, Last int }

// Span is the range of bytes [Start, End) of a source. It is empty if both are equal.
type Span struct{ Start, End int }

// Hunk is a changed region: replacing lines [First, First+Count) by Old
// restores the base there. If Count is 0, Old belongs before line First.
type Hunk struct {
	First, Count int
	Old          string // whole lines, each with its newline
}

// Gone is a declaration of the base.
type Gone struct {
	Kind token.Token // FUNC, CONST, VAR or TYPE
	// Type is the source of a constant's or variable's declared type (may be empty), or of a function's parameters and
	// results. Value is the source of the value, of the function's body, or of the right side of the type declaration.
	Type, Value string
	Imported    map[string]string // as in Function
}

// Need is text that a mutant inserts elsewhere in its file, before what it replaces.
type Need struct {
	Offset int // where Text is inserted
	Text   string
}

// Mutant is one change: it replaces Source[Offset:EndOffset] by Replacement and inserts Needs.
type Mutant struct {
	ID          string // stable across line shifts and reformatting
	Function    string
	Operator    string
	File        string
	Line        int // of Offset, from 1
	Column      int // in bytes, from 1
	EndLine     int
	EndColumn   int
	Offset      int
	EndOffset   int
	Original    string // Source[Offset:EndOffset]
	Replacement string
	Before      string // the whole lines that it changes, without the last newline
	After       string // the same lines after the change
	Form        Form   // what kind of edit it is; the zero value is right for every mutant
	OnDiff      bool   // it overlaps a changed line
	Beside      bool   // OnDiff holds, but the mutant alters nothing new, or several lines few of which are new
	Ignored     string // why it is suppressed; empty: it is not
	Arid        string // name of the arid rule that suppresses it; empty: none
	Probe       *Probe // detects infection; nil: no sound probe exists
	Hunk        *Hunk  // for hunk reversal: the hunk undone
	Whole       bool   // for hunk reversal: it undoes the whole change to its function
	Needs       []Need // for hunk reversal: what the old lines depend on, ordered by offset
	// BranchEnd is for mutants that make the condition of an if statement false: where the block after it ends; else 0.
	BranchEnd int
	Case      string   // for mutants that disable the body of a case: the head of the case without its colon; else empty
	Unread    []string // local variables that are read only by the code that the mutant keeps from running
	// Given is for mutants that make the condition of an if statement constant, if that is about one variable: the source
	// of the expression that the statement before assigned to it; "": none did.
	Given string
	// Else is for mutants that make the condition of an if statement true: the code that this keeps from running, which is
	// the else branch, or what follows if the body ends by leaving. It is empty without such code, and for other mutants.
	Else Span
}

// Apply returns src with the mutant in it.
func (m *Mutant) Apply(src []byte) []byte {
	return slices.Concat([]byte(m.Splice(string(src[:m.Offset]), 0)), []byte(m.Replacement), src[m.EndOffset:])
}

// Splice returns text with the mutant's Needs inserted. The text is a part of the source before the mutant; it begins
// at offset start. Needs before start are left out.
func (m *Mutant) Splice(text string, start int) string {
	var out strings.Builder
	from := 0
	for _, need := range m.Needs {
		if at := need.Offset - start; at >= 0 {
			out.WriteString(text[from:at] + need.Text)
			from = at
		}
	}
	return out.String() + text[from:]
}

// ProbeKind says how a probe decides that a mutant infects the state.
type ProbeKind int

const (
	// Differs: the expression [Offset, EndOffset) is evaluated as written and
	// then again as Mutated; the mutant infects if the values differ. Both have
	// the same comparable type and no side effect, and evaluating Mutated after
	// the original cannot panic.
	Differs ProbeKind = iota
	// WhenTrue: the mutant infects if the boolean expression [Offset,
	// EndOffset) yields true.
	WhenTrue
	// WhenFalse: the mutant infects if the expression yields false.
	WhenFalse
)

// Probe detects in a run of the original whether a mutant would have changed
// the program's state there (infection, in RIPR). It may report infection too
// often, but never misses one.
type Probe struct {
	Kind              ProbeKind
	Offset, EndOffset int    // range of the watched expression in Source
	Mutated           string // for Differs: the mutated expression
}

// Mutants returns f's mutants in source order: all that the registered operators
// make of f's body. Suppressed mutants are included, with Ignored set. Of mutants
// that give the same program, only the first one made is kept: outer nodes come
// before inner ones, and at each node, operators apply in the order of the registry.
// A function without a body has no mutants.
//
// f must have been type-checked with Info's Types, Instances, Defs, Uses, Implicits
// and Selections recorded. Mutants does not change f, but go/types looks names up in
// f.Pkg, so functions of one package must not be mutated concurrently.
func Mutants(f *Function) []Mutant {
	if f.Decl == nil || f.Decl.Body == nil {
		return nil
	}
	p := newPass(f)
	p.run()
	slices.SortStableFunc(p.mutants, func(a, b Mutant) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.EndOffset, b.EndOffset))
	})
	identify(p.mutants, f.Nth)
	return p.mutants
}
