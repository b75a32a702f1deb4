package mutate

import (
	"slices"
	"strings"
)

// Category groups operators by what is known of how useful their mutants are
// to reviewers (Petrović, Ivanković et al.: Practical Mutation Testing at
// Scale, TSE 2021).
type Category string

// The categories. The first five are those of the paper, by falling share of
// mutants that reviewers found useful: 84, 83, 83, 75 and 75 %. It has no
// numbers for the others.
const (
	Relational Category = "relational" // comparisons
	Connector  Category = "connector"  // && and ||
	Removal    Category = "removal"    // statements and blocks that no longer run
	Arithmetic Category = "arithmetic" // + - * / % and bit operations
	Unary      Category = "unary"      // ! - ^ ++ --
	Value      Category = "value"      // literals, arguments, results
	Control    Category = "control"    // where a loop goes on or ends
	Reversal   Category = "reversal"   // the change under review, undone in part
)

// Operator is a rule that makes mutants.
type Operator struct {
	Name     string // as in results.json: lower case, with hyphens
	Category Category
	Doc      string // one paragraph for docs/operators.md
	Before   string // example: a complete Go function
	After    string // the same after the mutation; a test checks that Before gives it

	// mutate offers the operator's mutants of one node, the site's. It is
	// called for every node of a function body that is neither a type nor
	// part of a constant declaration.
	mutate func(s *site)
}

// Operators returns all operators, sorted by name.
func Operators() []*Operator {
	return slices.SortedFunc(slices.Values(registry), func(a, b *Operator) int {
		return strings.Compare(a.Name, b.Name)
	})
}
