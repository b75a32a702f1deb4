package mutate

import (
	"slices"
	"strings"
)

// Category groups operators by how useful reviewers are known to find their
// mutants (Petrović, Ivanković et al.: Practical Mutation Testing at Scale,
// TSE 2021).
type Category string

// The categories. The first five are those of the paper. They are ordered by the
// share of mutants that reviewers found useful: 84, 83, 83, 75 and 75 %. The
// paper has no figures for the others.
const (
	Relational Category = "relational" // comparisons
	Connector  Category = "connector"  // && and ||
	Removal    Category = "removal"    // statements and blocks that no longer run
	Arithmetic Category = "arithmetic" // + - * / % and bit operations
	Unary      Category = "unary"      // ! - ^ ++ --
	Value      Category = "value"      // literals, arguments, results
	Control    Category = "control"    // where a loop continues or ends
	Reversal   Category = "reversal"   // the change under review, undone in part or as a whole
)

// Operator is a rule that makes mutants.
type Operator struct {
	Name     string // as in results.json: lower case, with hyphens
	Category Category
	Doc      string // one paragraph for docs/operators.md
	Before   string // example: a complete Go function
	After    string // a mutant of Before; a test checks that the operator makes it

	// mutate offers the operator's mutants of the site's node. It is called for
	// every node of a function body that can be mutated: see [pass.fixed].
	mutate func(s *site)
}

// Operators returns all operators, sorted by name.
func Operators() []*Operator {
	return slices.SortedFunc(slices.Values(registry), func(a, b *Operator) int {
		return strings.Compare(a.Name, b.Name)
	})
}
