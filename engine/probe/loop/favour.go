//go:build go1.21

package loop

import (
	"sort"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/input"
)

// favouring is the default scheduler. It fuzzes mutants in rounds, each of which may spend half of what is left,
// in equal shares. It picks entries by their energy. It chooses the mutants that an input runs on like Mu2, with a filter of
// our own. An input that covers or infects something new runs on all mutants it could kill. Any other runs on the
// ten of them that ran least, and only while mutants have not run more often than the original: running mutants on
// every input starves the search.
type favouring struct {
	random *input.Random
	round  []*mutant // mutants that have not had their turn in this round
	size   int       // how many the round began with
}

// turn gives every mutant its turn in rank order. Later rounds start from what earlier ones learned (the cumulative
// mode of Groce et al.: First, Fuzz the Mutants, FUZZING 2022). Switching mutants costs nothing here, so all of
// them are fuzzed and not a sample.
func (f *favouring) turn(open func() []*mutant) (m *mutant, oneIn int) {
	if len(f.round) == 0 {
		if f.round = open(); len(f.round) == 0 {
			return nil, 0
		}
		f.size = len(f.round)
	}
	// With n mutants a share is 1/(2n) of the budget at the start of the round. The share of the mutant after i
	// others is 1/(2n-i) of what these leave.
	m, oneIn = f.round[0], f.size+len(f.round)
	f.round = f.round[1:]
	return m, oneIn
}

// picksTogether is how many inputs are made from an entry before another is picked. Summing over the corpus for
// each input would cost more than a small run.
const picksTogether = 32

// pick chooses an entry with a probability in proportion to its energy.
func (f *favouring) pick(entries []*entry) (e *entry, inputs int) {
	// Some picks ignore how near an entry is to the change: another path to it may start from any entry.
	directed := !f.random.OneIn(4)
	var sum float64
	for _, e := range entries {
		sum += e.energy(directed)
	}
	at := sum * float64(f.random.Word()>>11) / (1 << 53)
	chosen := entries[len(entries)-1]
	for _, e := range entries {
		if at -= e.energy(directed); at < 0 {
			chosen = e
			break
		}
	}
	chosen.picks++
	return chosen, picksTogether
}

// energy returns how often an entry is picked relative to others. An entry that brought new coverage, infections,
// kills or exposures is favoured, and loses the favour as it is used up (μZest's P rewards kills in this way;
// Qian et al., Internetware 2022). Long and slow inputs count less, because in the same time short ones run more
// often and find more. If directed is set, entries that run changed code count more, because that is what the
// budget is for (directed fuzzing, with the simplest of distances; Böhme, Pham, Nguyen, Roychoudhury: Directed
// Greybox Fuzzing, CCS 2017).
func (e *entry) energy(directed bool) float64 {
	favour := 1 + 8*float64(min(e.gain, 8))/float64(1+e.picks)
	size := 1 + float64(e.size)/64
	time := 1 + float64(e.steps)/4096
	if directed && e.distance >= 0 {
		favour *= float64(int(nearFavour) >> e.distance)
	}
	if directed && e.witness {
		favour *= witnessFavour
	}
	return favour / (size * time)
}

// nearFavour is the factor by which an entry counts more if it runs changed code. The factor
// halves with each step away.
const nearFavour = 8

// witnessFavour is the factor by which an entry counts more if the change has altered its outcome.
const witnessFavour = 4

// credit favours the entry that has brought something, not the one it was made from.
func (f *favouring) credit(e *entry, gain int) { e.gain += gain }

// leastExecuted is how many mutants an input with nothing new runs on.
const leastExecuted = 10

// choose returns all killable mutants if there is news. Otherwise it returns the least executed ones, or none if
// mutants have run more often than the original.
func (f *favouring) choose(news bool, soFar tally, killable func() []*mutant) []*mutant {
	switch {
	case news:
		return killable()
	case soFar.mutants <= soFar.originals:
		return leastExecutedOf(killable())
	}
	return nil
}

// leastExecutedOf returns the mutants that ran least (Mu2's k-least-executed filter). Mutants that ran
// equally often are in rank order.
func leastExecutedOf(mutants []*mutant) []*mutant {
	sort.SliceStable(mutants, func(i, j int) bool { return mutants[i].execs < mutants[j].execs })
	return mutants[:min(len(mutants), leastExecuted)]
}
