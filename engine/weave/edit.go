package weave

import (
	"cmp"
	"slices"
)

// edit replaces the bytes [start, end) of a text; an insertion where start and
// end are equal.
type edit struct {
	start, end int
	text       passage
	owner      owner // of all from one edit of a wrap to the other; set in both
	// order sorts edits at one offset: what closes comes before what stands
	// between, and that before what opens.
	order editOrder
	// extent sorts nested wraps that open or close at one offset: the wider
	// one opens first and closes last. Of two as wide, the one added first is
	// the outer one.
	extent int
	added  int // place in the list, set by apply; negative for what closes, next to what it closes
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

func (e *edits) insert(at int, text string) { e.splice(at, plain(text)) }

// splice inserts text that may have owners.
func (e *edits) splice(at int, text passage) {
	e.list = append(e.list, edit{start: at, end: at, text: text, order: between})
}

// tail inserts text that continues what ends at offset at, before anything that
// was wrapped around it closes.
func (e *edits) tail(at int, text string) {
	e.list = append(e.list, edit{start: at, end: at, text: plain(text), order: closing})
}

func (e *edits) replace(start, end int, text string) {
	e.list = append(e.list, edit{start: start, end: end, text: plain(text), order: opening})
}

// lead inserts text that stands before what begins at offset at, within all
// that is wrapped around it.
func (e *edits) lead(at int, text passage) {
	e.list = append(e.list, edit{start: at, end: at, text: text, order: opening})
}

// wrap puts before and after around [start, end).
func (e *edits) wrap(start, end int, before passage, after string) {
	e.wrapFor(owner{}, start, end, before, after)
}

// wrapFor is wrap for an owner, to whom all belongs from before to after.
func (e *edits) wrapFor(o owner, start, end int, before passage, after string) {
	e.list = append(e.list,
		edit{start: start, end: start, text: before, owner: o, order: opening, extent: -(end - start)},
		edit{start: end, end: end, text: plain(after), owner: o, order: closing, extent: end - start})
}

// apply returns text with every edit made.
func (e *edits) apply(text []byte) (woven passage) {
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
	at := 0
	opened := map[int]int{} // where wraps begin, by the place of the edit that opens them
	for _, ed := range list {
		woven.text = append(woven.text, text[at:ed.start]...)
		if ed.order == opening {
			opened[ed.added] = len(woven.text)
		}
		woven.append(ed.text)
		if ed.order == closing && ed.owner != (owner{}) {
			woven.parts = append(woven.parts, part{opened[-ed.added-1], len(woven.text), ed.owner})
		}
		at = ed.end
	}
	woven.text = append(woven.text, text[at:]...)
	return woven
}
