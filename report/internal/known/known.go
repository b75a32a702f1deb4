// Package known has what tests of the packages above finding know of it: by what they name findings, and the numbers that
// it goes by.
package known

import (
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
)

// Numbers of inputs that package finding goes by.
const (
	Agreed      = 25_000 // with the same results, old and new agree
	Fuzzed      = 10_000 // a mutant counts as fuzzed
	SparedOften = 1000   // that give the same, it is likely that all do
)

// IDs names findings: mutants by ID, crashes by entry and what mends them, and older tests by name.
func IDs(findings []finding.Finding) string {
	var all []string
	for _, f := range findings {
		if f.Old != nil {
			all = append(all, f.Old.Test)
		} else if f.Crash != nil && f.Mutant != nil {
			all = append(all, f.Crash.Entry+" by "+f.Mutant.ID)
		} else if f.Crash != nil {
			all = append(all, f.Crash.Entry)
		} else {
			all = append(all, f.Mutant.ID)
		}
	}
	return strings.Join(all, " ")
}
