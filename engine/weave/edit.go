package weave

import (
	"cmp"
	"slices"
	"strings"
)

// edit replaces the bytes [start, end) of a text; an insertion where start and
// end are equal.
type edit struct {
	start, end int
	text       string
	// order sorts edits at one offset: what closes comes before what stands
	// between, and that before what opens.
	order editOrder
	// extent sorts nested wraps that open or close at one offset: the wider
	// one opens first and closes last. Of two as wide, the one added first is
	// the outer one.
	extent int
	added  int // place in the list, set by apply; negative for what closes
}

type editOrder int

const (
	closing editOrder = iota
	between
	opening
)

// edits is a set of changes to one text. Insertions commute; replaced ranges
// must not overlap.
type edits struct{ list []edit }

func (e *edits) insert(at int, text string) {
	e.list = append(e.list, edit{start: at, end: at, text: text, order: between})
}

// tail inserts text that continues what ends at offset at, before anything that
// was wrapped around it closes.
func (e *edits) tail(at int, text string) {
	e.list = append(e.list, edit{start: at, end: at, text: text, order: closing})
}

func (e *edits) replace(start, end int, text string) {
	e.list = append(e.list, edit{start: start, end: end, text: text, order: opening})
}

// lead inserts text that stands before what begins at offset at, within all
// that is wrapped around it.
func (e *edits) lead(at int, text string) {
	e.list = append(e.list, edit{start: at, end: at, text: text, order: opening})
}

// wrap puts before and after around [start, end).
func (e *edits) wrap(start, end int, before, after string) {
	e.list = append(e.list,
		edit{start: start, end: start, text: before, order: opening, extent: -(end - start)},
		edit{start: end, end: end, text: after, order: closing, extent: end - start})
}

// apply returns text with every edit made.
func (e *edits) apply(text []byte) string {
	list := slices.Clone(e.list)
	for i := range list {
		list[i].added = i
		if list[i].order == closing {
			list[i].added = -i
		}
	}
	slices.SortFunc(list, func(a, b edit) int {
		return cmp.Or(
			cmp.Compare(a.start, b.start),
			cmp.Compare(a.order, b.order),
			cmp.Compare(a.extent, b.extent),
			cmp.Compare(a.added, b.added))
	})
	var b strings.Builder
	at := 0
	for _, ed := range list {
		b.Write(text[at:ed.start])
		b.WriteString(ed.text)
		at = ed.end
	}
	b.Write(text[at:])
	return b.String()
}
