//go:build go1.21

package loop

import (
	"sort"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/input"
)

// favouring is the default scheduler. Mutants are fuzzed in
// rounds, each of which spends half of what is left. Entries are picked by
// energy. Which mutants an input is run on is Mu2's choice with a filter of our own: an
// input that covers or infects something new is run on all mutants it could
// kill; any other on the ten of them that ran least, and only while the mutants
// have run no more often than the original, because running mutants on every
// input starves the search.
type favouring struct {
	random *input.Random
	round  []*mutant // that have not had their turn in this round
}

// turn gives every mutant its turn in rank order. Later rounds start from what
// earlier ones learned (the cumulative mode of Groce et al.: First, Fuzz the
// Mutants, FUZZING 2022). Switching mutants costs nothing here, so all are
// fuzzed and not a sample.
func (f *favouring) turn(open func() []*mutant) (m *mutant, oneIn int) {
	if len(f.round) == 0 {
		if f.round = open(); len(f.round) == 0 {
			return nil, 0
		}
	}
	m, oneIn = f.round[0], 2*len(f.round)
	f.round = f.round[1:]
	return m, oneIn
}

// picksTogether is how many inputs are made of an entry before another is
// picked: the sum over a corpus costs more than a small run.
const picksTogether = 32

// pick chooses an entry by energy.
func (f *favouring) pick(entries []*entry) (e *entry, inputs int) {
	// Some picks ignore how near the change is: another path to it may start from
	// any entry.
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

// energy is how often an entry is picked relative to others. What brought new
// coverage, infections, kills or exposures is favoured (μZest's P rewards
// kills so; Qian et al., Internetware 2022), and loses the favour as it is
// used up. Long and slow inputs count less: in the same time short ones run
// more often and find more. Directed, entries that run changed code count more,
// for that is what the budget is for (directed fuzzing, with the simplest of distances;
// Böhme, Pham, Nguyen, Roychoudhury: Directed Greybox Fuzzing, CCS 2017).
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

// nearFavour is how many times more an entry counts that runs changed code; one
// call away it is half as much.
const nearFavour = 8

// witnessFavour is how many times more an entry counts whose outcome the
// change has altered.
const witnessFavour = 4

// credit favours the entry that has brought something, not its parent.
func (f *favouring) credit(e *entry, gain int) { e.gain += gain }

// leastExecuted is how many mutants an input with nothing new is run on.
const leastExecuted = 10

func (f *favouring) choose(news bool, soFar tally, killable func() []*mutant) []*mutant {
	switch {
	case news:
		return killable()
	case soFar.mutants <= soFar.originals:
		return leastExecutedOf(killable())
	}
	return nil
}

// leastExecutedOf gives the mutants that ran least (Mu2's k-least-executed
// filter), in rank order where they ran as often.
func leastExecutedOf(mutants []*mutant) []*mutant {
	sort.SliceStable(mutants, func(i, j int) bool { return mutants[i].execs < mutants[j].execs })
	return mutants[:min(len(mutants), leastExecuted)]
}
