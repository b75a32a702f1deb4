// Package difference tells in which lines a declaration differs from its version in the base, which of their tokens are
// new, and what undoes each change.
package difference

import (
	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
	"github.com/mutantfuzz/mutantfuzz/diffscope/sourcediff"
)

// Difference is what differs between a declaration and its version in the base.
type Difference struct {
	Lines []Lines           // changed lines, at head, without lines that only moved there
	Fresh []sourcediff.Span // the new code in the changed lines, as byte ranges of the file at head
	Hunks []Hunk            // none if the declaration is new
}

// Lines is a range of lines, both ends included.
type Lines struct{ First, Last int }

// Of returns in what a changed declaration differs. removed holds what the whole change removes.
func Of(d *declaration.Decl, removed *Removal) Difference {
	differs := Difference{Lines: []Lines{{d.First, d.Last}}, Fresh: []sourcediff.Span{d.Span()}}
	if d.From != nil {
		differs.Hunks, differs.Fresh = hunksOf(d)
		differs.Lines = altered(d, wordy(d, headLines(differs.Hunks)))
	}
	if len(differs.Lines) > 0 {
		differs.Lines = removed.without(differs.Lines, d.Lines(), d.First)
	}
	return differs
}
