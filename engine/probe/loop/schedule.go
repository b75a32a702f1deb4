//go:build go1.21

package loop

// scheduler decides what the loop runs: in the first stage which mutant is
// fuzzed, in both which entry the next inputs are made of and which mutants they
// are run on. The loop does the runs, sees what they show, and keeps the budget.
// With the same calls a scheduler gives the same answers, so that a seed and a
// budget of runs give the same results; it has no other source of chance than
// the loop's. It is called by one goroutine, before each of some million runs a
// second: what it does for every one has to be cheap.
type scheduler interface {
	// turn gives the mutant to fuzz next in the first stage, and the part of the
	// stage's remaining budget that it may use: one in so many, 1 for all. Open
	// lists, in rank order, the mutants worth a turn, of which it is one. With
	// nil the stage ends.
	turn(open func() []*mutant) (m *mutant, oneIn int)

	// pick gives the entry that the next inputs are made of, and how many of
	// them, 1 or more. Entries has one or more: the corpus, or what infects the
	// mutant whose turn it is.
	pick(entries []*entry) (e *entry, inputs int)

	// choose gives the mutants to run on the input that the original has just
	// run on, if any. News says that the input covers or infects anything new.
	// Killable lists, in rank order, the mutants that could behave differently on
	// it; it takes time for each live mutant.
	choose(news bool, soFar tally, killable func() []*mutant) []*mutant

	// credit says that e, which comes into the corpus now, has brought so many
	// things: new counters and infections, kills, exposures. Its parent is the
	// entry that it was made of.
	credit(e *entry, gain int)
}

// tally is how many runs of a stage counted so far.
type tally struct{ originals, mutants int64 }
