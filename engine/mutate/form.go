package mutate

import (
	"go/ast"
	"go/token"
)

// Form says what kind of edit a mutant is. Most operators add to the original
// and take nothing away, and whoever builds many mutants into one text can
// switch such an edit on and off where it stands, at a cost that does not grow
// with the original.
//
// The operator states the form, and nobody reads it out of the replacement,
// which each operator words as it likes. A form other than the zero value is a
// promise: what it says is so of the program that the replacement makes.
type Form struct {
	Kind FormKind

	// For Adds:
	Offset int    // in Source, within the mutant's range: where the block stands
	Block  string // one line, braces included
}

// FormKind is a kind of edit.
type FormKind int

const (
	// Anything promises nothing: some text takes the place of some other, and
	// neither has to be a whole of anything. It is right for every mutant.
	Anything FormKind = iota
	// Rewrites: the original is one expression, statement or block, and so is
	// the replacement. Control comes to the one where it came to the other.
	Rewrites
	// Disables: the original is one or more statements of one list, and none of
	// them runs.
	Disables
	// Empties: the original is a block that has statements, with its braces, and
	// none of them runs.
	Empties
	// Adds: statements are added, and all of the original is as it was. They
	// are one block, which stands where a statement of the original begins or
	// one has ended.
	Adds
)

// disable offers the mutant in which statements, which are neighbours in one
// list, do not run. A single block is still entered, and does nothing.
func (s *site) disable(list ...ast.Stmt) {
	form := Form{Kind: Disables}
	if block, ok := list[0].(*ast.BlockStmt); ok && len(list) == 1 && len(block.List) > 0 {
		form.Kind = Empties
	}
	from, to, before := list[0].Pos(), list[len(list)-1].End(), len(s.mutants)
	s.replace(from, to, "if false { "+s.text(from, to)+" }", form, nil)
	s.leavesOut(before, from, to)
}

// emptyBlock offers the mutant in which the site's block, which has
// statements, does nothing.
func (s *site) emptyBlock(probe *Probe) {
	before := len(s.mutants)
	s.replaceWhole("{ if false "+s.source(s.Node())+" }", Form{Kind: Empties}, probe)
	s.leavesOut(before, s.Node().Pos(), s.Node().End())
}

// add offers the mutant that has a block added at a position in the site's
// node. text is the node with the block in it, in the operator's words.
func (s *site) add(at token.Pos, block, text string, probe *Probe) {
	s.replaceWhole(text, Form{Kind: Adds, Offset: s.offset(at), Block: block}, probe)
}
