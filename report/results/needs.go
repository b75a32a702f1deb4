package results

import (
	"errors"
	"strings"
)

// Needs is what a mutant adds to its file in front of the code that it alters: imports, and declarations in the beginning of
// the function, without which old code would not compile. In the JSON form the mutant's range begins at the first of
// these, so that replacing it is all that it takes to make the mutant; its lines and columns are those of the code that
// it alters. Results that are in memory have that code alone for Original and Replacement: it is what there is to read.
type Needs struct {
	Added  []Addition `json:"added"`  // in order of their offsets, one at least
	Before string     `json:"before"` // the source at head from the first of them to the code that is altered
}

// Addition is text that stands at an offset of the file at head.
type Addition struct {
	Offset int    `json:"offset"`
	Text   string `json:"text"`
}

var errNeeds = errors.New("malformed results: a mutant does not have what it needs" + rerunHint)

// Whole returns m with all that it takes in its range: replacing the bytes [Offset, EndOffset) of File by Replacement makes it.
func (m *Mutant) Whole() Mutant {
	whole := *m
	if n := m.Needs; n != nil {
		whole.Offset = n.Added[0].Offset
		whole.Original = n.Before + m.Original
		whole.Replacement = n.with() + m.Replacement
	}
	return whole
}

// with is the source before the code that is altered, with what is added to it.
func (n *Needs) with() string {
	var out strings.Builder
	from := 0
	for _, a := range n.Added {
		at := min(max(a.Offset-n.Added[0].Offset, from), len(n.Before))
		out.WriteString(n.Before[from:at] + a.Text)
		from = at
	}
	return out.String() + n.Before[from:]
}

// part takes from m, which is as Whole returns it, all but the code that it alters. It fails where its texts do not begin
// with what it needs.
func (m *Mutant) part() error {
	n := m.Needs
	if n == nil {
		return nil
	}
	if len(n.Added) == 0 {
		return errNeeds
	}
	original, ok := strings.CutPrefix(m.Original, n.Before)
	replacement, too := strings.CutPrefix(m.Replacement, n.with())
	if !ok || !too || n.Added[0].Offset != m.Offset {
		return errNeeds
	}
	m.Offset, m.Original, m.Replacement = m.Offset+len(n.Before), original, replacement
	return nil
}
