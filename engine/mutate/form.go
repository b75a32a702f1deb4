package mutate

import (
	"go/ast"
	"go/token"
)

// Form says what kind of edit a mutant is. Most operators add to the original
// and take nothing away. A program that combines many mutants can switch such
// an edit on and off in place, at a cost that does not grow with the original.
//
// The operator states the form. It is not inferred from the replacement,
// which each operator words in its own way. A form other than the zero value is
// a promise about the program that the replacement makes.
type Form struct {
	Kind FormKind

	// For Adds:
	Offset int    // where the block is inserted: an offset in Source, within the mutant's range
	Block  string // one line, including its braces
}

// FormKind is a kind of edit.
type FormKind int

const (
	// Anything promises nothing: some text replaces another, and neither has to
	// be a complete piece of syntax. It is right for every mutant.
	Anything FormKind = iota
	// Rewrites: both the original and the replacement are a single expression,
	// statement or block. The replacement is reached whenever the original was.
	Rewrites
	// Disables: the original is one or more statements of one list, none of which
	// runs.
	Disables
	// Empties: the original is a block with statements, including its braces. None
	// of the statements runs.
	Empties
	// Adds: one block of statements is added, and all of the original stays. The
	// block stands where a statement of the original begins or ends.
	Adds
)

// disable offers the mutant in which neighbouring statements of one list do not
// run. A single block is still entered, but does nothing. The mutant has no
// probe if probe is nil.
func (s *site) disable(probe *Probe, list ...ast.Stmt) {
	form := Form{Kind: Disables}
	if block, ok := list[0].(*ast.BlockStmt); ok && len(list) == 1 && len(block.List) > 0 {
		form.Kind = Empties
	}
	from, to, before := list[0].Pos(), list[len(list)-1].End(), len(s.mutants)
	s.replace(from, to, "if false { "+s.text(from, to)+" }", form, probe)
	s.leavesOut(before, from, to)
}

// emptyBlock offers the mutant in which the site's block does nothing. The block
// must have statements.
func (s *site) emptyBlock() {
	before := len(s.mutants)
	s.replaceWhole("{ if false "+s.source(s.Node())+" }", Form{Kind: Empties}, nil)
	s.leavesOut(before, s.Node().Pos(), s.Node().End())
}

// add offers the mutant that adds a block at a position in the site's node.
// text is the resulting source of the node, as the operator words it.
func (s *site) add(at token.Pos, block, text string, probe *Probe) {
	s.replaceWhole(text, Form{Kind: Adds, Offset: s.offset(at), Block: block}, probe)
}
