//go:build go1.21

package loop

// inputs makes mutated inputs from a list of entries.
type inputs struct {
	loop    *loop
	entries []*entry
	left    int // inputs still to be made from the loop's parent
}

// next returns a new input.
func (s *inputs) next() []any {
	l := s.loop
	if s.left == 0 {
		l.parent, s.left = l.schedule.pick(s.entries)
	}
	s.left--
	other := l.corpus[l.random.Below(len(l.corpus))]
	return l.mutator.Mutate(l.parent.values, other.values)
}
