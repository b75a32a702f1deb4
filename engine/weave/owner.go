package weave

// owner is what a part of a woven file belongs to. If the type checker refuses the
// part, its owner is left out of the weaving.
type owner struct {
	role   role
	number int // of the mutant, site or adapter; of a function its index
}

// role is what an owner is.
type role int

const (
	_            role = iota // nobody
	aFunction                // a mutated function: its own text and its probed clone
	aSharedClone             // the clone that mutants of a function share
	aPlaced                  // the text of a mutant in a shared clone
	aClone                   // the clone of a mutant
	aProbe                   // the probe of a mutant
	aSite                    // the observation of a call
	anAdapter                // the adapter of a fuzz target
)

// passage is a text with the owners of its parts. It is an [io.Writer].
type passage struct {
	text  []byte
	parts []part // those within others come first
}

// part says that the bytes [start, end) belong to owner.
type part struct {
	start, end int
	owner      owner
}

// plain is a text that nobody owns.
func plain(text string) passage { return passage{text: []byte(text)} }

// Write adds text. It never fails.
func (p *passage) Write(text []byte) (int, error) {
	p.text = append(p.text, text...)
	return len(text), nil
}

// add adds text that nobody owns.
func (p *passage) add(text string) { p.text = append(p.text, text...) }

// append adds q, with its owners.
func (p *passage) append(q passage) {
	before := len(p.text)
	p.text = append(p.text, q.text...)
	for _, inner := range q.parts {
		p.parts = append(p.parts, part{before + inner.start, before + inner.end, inner.owner})
	}
}

// own adds q, with its owners, as a part of o's.
func (p *passage) own(o owner, q passage) {
	start := len(p.text)
	p.append(q)
	p.parts = append(p.parts, part{start, len(p.text), o})
}

// ownerAt returns the owner of the innermost part around the byte at offset.
func (p *passage) ownerAt(offset int) (o owner, ok bool) {
	size := 0
	for _, part := range p.parts {
		if part.start <= offset && offset < part.end && (!ok || part.end-part.start < size) {
			o, size, ok = part.owner, part.end-part.start, true
		}
	}
	return o, ok
}
