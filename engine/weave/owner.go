package weave

// owner is what a part of a woven file belongs to. If the part does not type-check, its owner is left out.
type owner struct {
	role   role
	number int // of the mutant, site or adapter; the index of a function
}

// role is the kind of an owner.
type role int

const (
	_            role = iota // no owner
	aFunction                // a mutated function: its own text and its probed clone
	aSharedClone             // the clone that mutants of a function share
	aPlaced                  // the text of a mutant in a shared clone
	aClone                   // the clone of a mutant
	aProbe                   // the probe of a mutant
	aSite                    // the observation of a call
	anAdapter                // the adapter of a fuzz target
)

// passage is a text whose parts may have owners. *passage is an [io.Writer].
type passage struct {
	text  []byte
	parts []part // inner parts come before the parts that enclose them
}

// part says that the bytes [start, end) of a passage belong to owner.
type part struct {
	start, end int
	owner      owner
}

// plain returns a passage without owners.
func plain(text string) passage { return passage{text: []byte(text)} }

// Write appends text without an owner. It never fails.
func (p *passage) Write(text []byte) (int, error) {
	p.text = append(p.text, text...)
	return len(text), nil
}

// add appends text without an owner.
func (p *passage) add(text string) { p.text = append(p.text, text...) }

// append appends q with its owners.
func (p *passage) append(q passage) {
	before := len(p.text)
	p.text = append(p.text, q.text...)
	for _, inner := range q.parts {
		p.parts = append(p.parts, part{before + inner.start, before + inner.end, inner.owner})
	}
}

// own appends q with its owners, and makes all of it a part of o.
func (p *passage) own(o owner, q passage) {
	start := len(p.text)
	p.append(q)
	p.parts = append(p.parts, part{start, len(p.text), o})
}

// ownerAt returns the owner of the innermost part around the byte at offset. ok is false if there is none.
func (p *passage) ownerAt(offset int) (o owner, ok bool) {
	size := 0
	for _, part := range p.parts {
		if part.start <= offset && offset < part.end && (!ok || part.end-part.start < size) {
			o, size, ok = part.owner, part.end-part.start, true
		}
	}
	return o, ok
}
