package rank

import "math/bits"

// Weights of the parts of a distance, as in universalmutator. (The paper prints max for the part about lines; the code
// caps it instead, as the paper's text says.)
const (
	editWeight   = 5.0
	sourceWeight = 0.1
	mutantWeight = 0.1
	fileWeight   = 0.5  // for items in different files
	lineWeight   = 0.25 // for lines more than nearLines apart
	nearLines    = 10
	maxDistance  = editWeight + sourceWeight + mutantWeight + fileWeight
)

// measure computes the distances of other items from one item.
type measure struct {
	from                 *features
	edit, source, mutant *pattern
}

func newMeasure(f *features) measure {
	return measure{from: f, edit: newPattern(f.edit), source: newPattern(f.source), mutant: newPattern(f.mutant)}
}

// distance returns a value from 0, for items with the same features, to maxDistance.
func (m measure) distance(to *features) float64 {
	d := editWeight*(1-m.edit.ratio(to.edit)) +
		sourceWeight*(1-m.source.ratio(to.source)) +
		mutantWeight*(1-m.mutant.ratio(to.mutant))
	lines := max(m.from.line-to.line, to.line-m.from.line)
	switch {
	case m.from.file != to.file:
		return d + fileWeight
	case lines > nearLines:
		return d + lineWeight
	}
	return d + lineWeight*float64(lines)/(nearLines+1)
}

// patternSize is how many bytes of a text are compared: one for each bit of a word.
const patternSize = 64

// clip cuts a text to its first patternSize bytes.
func clip(s string) string { return s[:min(len(s), patternSize)] }

// pattern is a text prepared for comparison with other texts.
type pattern struct {
	length    int
	positions [256]uint64 // for each byte value, the set of its positions in the text
}

// newPattern prepares a text of at most patternSize bytes for comparison.
func newPattern(s string) *pattern {
	p := &pattern{length: len(s)}
	for i := range len(s) {
		p.positions[s[i]] |= 1 << i
	}
	return p
}

// ratio returns the Levenshtein ratio of the pattern and s: twice the length of their longest common subsequence
// divided by the sum of their lengths. It is 1 for equal texts and 0 for texts with nothing in common.
func (p *pattern) ratio(s string) float64 {
	if p.length+len(s) == 0 {
		return 1
	}
	return 2 * float64(p.common(s)) / float64(p.length+len(s))
}

// common returns the length of the longest common subsequence by Hyyrö's bit-parallel algorithm (Bit-Parallel
// LCS-length Computation Revisited, AWOCA 2004), which computes a column of the table in a few operations on one word.
func (p *pattern) common(s string) int {
	v := ^uint64(0)
	for i := range len(s) {
		u := v & p.positions[s[i]]
		v = (v + u) | (v - u)
	}
	return bits.OnesCount64(^v)
}
