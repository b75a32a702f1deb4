//go:build go1.21

package runtime

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

// pick chooses an entry by energy, once for a batch of picks: the sum over a
// corpus costs more than a small run.
func (l *loop) pick(entries []*entry) *entry {
	// Some picks look away from the change: what leads to it in another way may
	// start from anywhere.
	directed := !l.random.oneIn(4)
	var sum float64
	for _, e := range entries {
		sum += e.energy(directed)
	}
	at := sum * float64(l.random.word()>>11) / (1 << 53)
	chosen := entries[len(entries)-1]
	for _, e := range entries {
		if at -= e.energy(directed); at < 0 {
			chosen = e
			break
		}
	}
	chosen.picks++
	return chosen
}

// picksTogether is how many inputs are made of an entry before another is
// picked.
const picksTogether = 32

// inputs gives mutated inputs of some entries.
type inputs struct {
	loop    *loop
	entries []*entry
	chosen  *entry
	left    int
}

// next makes an input nobody has a reference to.
func (s *inputs) next() []any {
	if s.left == 0 {
		s.chosen, s.left = s.loop.pick(s.entries), picksTogether
	}
	s.left--
	other := s.loop.corpus[s.loop.random.below(len(s.loop.corpus))]
	return s.loop.mutator.mutate(s.chosen.values, other.values)
}

// sizeOf is the length of an input in bytes: of its text, and 8 for each
// number.
func sizeOf(values []any) int {
	n := 0
	for _, v := range values {
		switch v := v.(type) {
		case []byte:
			n += len(v)
		case string:
			n += len(v)
		default:
			n += 8
		}
	}
	return n
}
