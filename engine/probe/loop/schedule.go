//go:build go1.21

package loop

// scheduler decides what the loop runs. In the first stage it chooses the mutant to fuzz. In both stages it chooses
// the entry that the next inputs are made from, and the mutants that they run on. The loop does the runs, sees what
// they show, and keeps the budget.
//
// The same calls get the same answers, so that a seed and a budget of runs give the same results. A scheduler has
// no source of chance other than the loop's. One goroutine calls it before each of some million runs a second, so
// what it does for each run has to be cheap.
type scheduler interface {
	// turn returns the mutant to fuzz next in the first stage. The mutant may use one part in oneIn of
	// the stage's remaining budget; 1 means all. Open returns the mutants worth a turn, in rank order.
	// If m is nil the stage ends.
	turn(open func() []*mutant) (m *mutant, oneIn int)

	// pick returns the entry that the next inputs are made from, and how many of them to make, at least 1. Entries
	// is not empty. It is the corpus, or the entries that infect the mutant whose turn it is.
	pick(entries []*entry) (e *entry, inputs int)

	// choose returns the mutants, if any, to run on the input that the original has just run on. News says that the
	// input covers or infects anything new. Killable returns the mutants that could behave differently on it, in
	// rank order; it takes time for each live mutant.
	choose(news bool, soFar tally, killable func() []*mutant) []*mutant

	// credit notes that e, which is about to enter the corpus, has brought gain things: new counters and
	// infections, kills, exposures.
	credit(e *entry, gain int)
}

// tally is how many runs of the original and of mutants counted so far.
type tally struct{ originals, mutants int64 }
