// Package report turns results into text for people: the body of the
// pull-request review, the terminal summary, and the story of one mutant.
//
// Results may come from a build of somebody else's code, so every string in
// them is treated as hostile. Sentences are therefore built as prose, in which
// only this package's own words are text and everything else is code.
package report

// Limits that hold unless an option says otherwise.
const (
	DefaultMaxFindings = 3     // findings with an entry of their own
	DefaultLimit       = 60000 // bytes; GitHub refuses or cuts bodies above 65,536 characters
)

// MaxFindings is how many findings have an entry of their own at most, whatever
// an option says: more would not fit into a body together with their history.
const MaxFindings = 100

// Limits on single pieces of untrusted text, so that none of them leaves no room for
// the rest.
const (
	maxInline        = 200 // runes of a code span
	maxDiffLines     = 30  // lines of a diff
	maxDrawnAbove    = 8   // likewise, above a table of edits
	maxExplained     = 60  // lines of the diff of a mutant that is explained by itself
	maxLineLength    = 300 // runes of a line in a code block
	maxStackLines    = 20
	maxStackSearched = 200 // lines of a stack in which the function at fault is looked for
	maxFolded        = 8   // lines with survivors in the folded list
	maxSurvivors     = 200 // lines with survivors in the summary of a job
	maxListed        = 5   // new corpus entries named
	maxCovering      = 20  // new corpus entries that only cover more which are worth committing
	maxFunctions     = 50  // rows of the table of functions
	maxNotes         = 10
	maxSourceLines   = 150 // lines of a test or skeleton
	maxTestWidth     = 800 // runes of a line of a test
)
