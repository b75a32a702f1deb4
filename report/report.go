// Package report renders results for people: the body of the pull-request review, the comments at the lines of a diff, the
// terminal summary, and the explanation of a single mutant. Package finding chooses what is shown, and package story puts
// it into words.
//
// Results may come from a build of somebody else's code, so the package treats every string in them as hostile: it writes
// nothing from results but through package prose.
package report

// DefaultLimit is the default limit of a text, in bytes: GitHub refuses or cuts bodies above 65,536 characters.
const DefaultLimit = 60000

// Limits on single pieces of untrusted text, so that none of them takes the room of the others.
const (
	maxExplained   = 60  // lines of the diff in Explain
	maxFolded      = 8   // lines with survivors in the folded list
	maxSurvivors   = 200 // lines with survivors in the job summary
	maxElsewhere   = 40  // those of them that the change does not touch
	maxListed      = 5   // items of a short list, such as new corpus entries that are named
	maxFunctions   = 50  // rows of the table of functions
	maxNotes       = 10
	maxSourceLines = 150 // lines of a test or skeleton
	maxTestWidth   = 800 // runes of a line of a test
)
