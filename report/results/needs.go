package results

import (
	"errors"
	"strings"
)

// Needs is what a mutant adds to its file in front of the code that it alters: imports, and declarations at the
// beginning of the function, without which restored old code would not compile. In the JSON form the mutant's range
// starts at the first addition, so that replacing the range makes the whole mutant. Its lines and columns are still
// those of the altered code. In memory, Original and Replacement hold the altered code alone, which is what people
// read.
type Needs struct {
	Added  []Addition `json:"added"`  // sorted by offset, at least one
	Before string     `json:"before"` // the source at head from the first addition to the altered code
}

// Addition is text to insert at an offset of the file at head.
type Addition struct {
	Offset int    `json:"offset"`
	Text   string `json:"text"`
}

var errNeeds = errors.New("malformed results: a mutant does not have what it needs" + rerunHint)

// Whole returns m with its additions included in its range: replacing the bytes [Offset, EndOffset) of File by
// Replacement makes the mutant.
func (m *Mutant) Whole() Mutant {
	whole := *m
	if n := m.Needs; n != nil {
		whole.Offset = n.Added[0].Offset
		whole.Original = n.Before + m.Original
		whole.Replacement = n.with() + m.Replacement
	}
	return whole
}

// with returns n.Before with the additions inserted.
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

// part is the inverse of Whole: it reduces m to the code that it alters. It fails if the texts of m do not begin with
// what Needs says.
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
