// Package mutate makes mutants: small changes to one function each, described
// as a range of bytes and the text that replaces it.
//
// A mutant never takes away the last use of a variable, an import or a label:
// it wraps what it disables, as in "c && false" or "if false { s }", so
// that the mutated file still compiles (Untch, Offutt, Harrold: Mutation
// Analysis Using Mutant Schemata, ISSTA 1993, for many mutants in one
// program).
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
	ID      string // import/path.Func, import/path.Type.Method, or import/path.variable of a literal
	Nth     int    // how many functions before it have the same ID, as init functions may
	File    string // relative to the root, slash-separated; goes into mutants as it is
	Source  []byte // the file's bytes; offsets refer to it
	Fset    *token.FileSet
	Pkg     *types.Package
	Info    *types.Info
	Syntax  *ast.File
	Decl    *ast.FuncDecl
	Changed []Lines // changed lines within the function, at head
	Fresh   []Span  // what of these lines is new: an edit of anything else on them is of what was there before
	Hunks   []Hunk  // changed regions that overlap the function
	// Imported are the packages that can be imported of those that its file had at the base: import paths by the names that
	// they had there.
	Imported map[string]string
	// Gone are declarations of the base that the package does not have, or not as they were, by name: old lines may need
	// them. Those of methods are called Type.Method.
	Gone map[string]Gone
}

// Declare returns a declaration that stands for a function literal of a package
// variable, to be Function.Decl.
func Declare(lit *ast.FuncLit) *ast.FuncDecl {
	return &ast.FuncDecl{Name: &ast.Ident{NamePos: lit.Pos(), Name: "_"}, Type: lit.Type, Body: lit.Body}
}

// Lines is a range of lines, both ends included.
type Lines struct{ First, Last int }

// Span are the bytes [Start, End) of a source, both 0 where it is empty.
type Span struct{ Start, End int }

// Hunk is a changed region: replacing lines [First, First+Count) by Old
// restores the base there. Where Count is 0, Old belongs before line First.
type Hunk struct {
	First, Count int
	Old          string // whole lines, each with its newline
}

// Gone is a declaration of the base.
type Gone struct {
	Kind token.Token // FUNC, CONST, VAR or TYPE
	// Type is the type of a constant or variable, if it has one, and the parameters and results of a function; Value is
	// the value, the body, or what a type is.
	Type, Value string
	Imported    map[string]string // as of a function
}

// Need is text that a mutant takes elsewhere in its file, in front of what it replaces.
type Need struct {
	Offset int // where it stands
	Text   string
}

// Mutant is one change. Replacing Source[Offset:EndOffset] by Replacement, and adding what it
// needs, makes it.
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
	Before      string   // the lines that it changes, whole, without the last newline
	After       string   // what they become
	Form        Form     // what kind of edit that is; the zero value is right for every mutant
	OnDiff      bool     // overlaps a changed line
	Beside      bool     // ... but nothing of it that is new, or little beside many lines that are not
	Ignored     string   // why it is suppressed; empty: it is not
	Arid        string   // name of the arid rule that suppresses it; empty: none
	Probe       *Probe   // how to see infection; nil: cannot be seen soundly
	Hunk        *Hunk    // for hunk reversal: the hunk undone
	Whole       bool     // for hunk reversal: it undoes all of the change to its function
	Needs       []Need   // for hunk reversal: what old lines cannot do without; in order of their offsets
	BranchEnd   int      // for the condition of an if statement that never holds: where the block ends that begins after it; 0: another mutant
	Case        string   // for what a case does: the head of the case, without its colon; empty: another mutant
	Unread      []string // local variables that nothing reads but the code that the mutant keeps from running
	Else        Span     // for the condition of an if statement that always holds: what is done otherwise, the other branch or what follows; empty: nothing, or another mutant
}

// Apply returns a source text with the mutant in it.
func (m *Mutant) Apply(src []byte) []byte {
	return slices.Concat([]byte(m.Splice(string(src[:m.Offset]), 0)), []byte(m.Replacement), src[m.EndOffset:])
}

// Splice returns a part of the source in front of the mutant, which begins at an offset, with what the mutant needs there.
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
	// then again as Mutated; the mutant infects when the values differ. Both
	// have the same comparable type, no side effect, and evaluating Mutated
	// after the original cannot panic.
	Differs ProbeKind = iota
	// WhenTrue: the mutant infects when the boolean expression [Offset,
	// EndOffset) yields true.
	WhenTrue
	// WhenFalse: the mutant infects when it yields false.
	WhenFalse
)

// Probe shows by a run of the original alone whether a mutant would have
// changed the program's state there (infection, in RIPR). It may say
// "infects" too often, never too rarely.
type Probe struct {
	Kind              ProbeKind
	Offset, EndOffset int    // the expression watched, in Source
	Mutated           string // for Differs
}

// Mutants returns f's mutants in source order: what every registered operator
// makes of f's body, suppressed ones included with Ignored set. Of mutants that
// give the same program, only the one of the most specific operator is kept.
// A function without a body has none.
//
// f must have been type-checked with Info's Types, Defs, Uses, Implicits and
// Selections recorded. Nothing in f is changed, but go/types looks names up in
// f.Pkg, so functions of one package are not to be mutated concurrently.
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
