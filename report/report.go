// Package report turns results into text for people: the body of the pull-request review, the terminal summary, and the
// explanation of a single mutant.
//
// Results may come from a build of somebody else's code, so the package treats every string in them as hostile: sentences
// are built as in package prose, and nothing from results is written without it.
package report

// DefaultLimit is the default limit of a text, in bytes: GitHub refuses or cuts bodies above 65,536 characters.
const DefaultLimit = 60000

// Limits on single pieces of untrusted text, so that none of them takes the room of the others.
const (
	maxDiffLines   = 30 // lines of a diff
	maxDrawnAbove  = 8  // lines of a diff above a table of edits
	maxExplained   = 60 // lines of the diff in Explain
	maxStackLines  = 20
	maxFolded      = 8   // lines with survivors in the folded list
	maxSurvivors   = 200 // lines with survivors in the job summary
	maxListed      = 5   // new corpus entries that are named
	maxFunctions   = 50  // rows of the table of functions
	maxNotes       = 10
	maxSourceLines = 150 // lines of a test or skeleton
	maxTestWidth   = 800 // runes of a line of a test
)
