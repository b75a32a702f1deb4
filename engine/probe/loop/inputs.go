//go:build go1.21

package loop

// inputs gives mutated inputs of some entries.
type inputs struct {
	loop    *loop
	entries []*entry
	left    int // to be made of the loop's parent
}

// next makes an input nobody has a reference to.
func (s *inputs) next() []any {
	l := s.loop
	if s.left == 0 {
		l.parent, s.left = l.schedule.pick(s.entries)
	}
	s.left--
	other := l.corpus[l.random.Below(len(l.corpus))]
	return l.mutator.Mutate(l.parent.values, other.values)
}
