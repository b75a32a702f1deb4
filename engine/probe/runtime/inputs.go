//go:build go1.21

package runtime

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
	other := l.corpus[l.random.below(len(l.corpus))]
	return l.mutator.mutate(l.parent.values, other.values)
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
