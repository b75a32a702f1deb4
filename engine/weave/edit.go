package weave

import (
	"cmp"
	"slices"
)

// edit replaces the bytes [start, end) of a text. If start equals end, it inserts.
type edit struct {
	start, end int
	text       passage
	owner      owner // of everything that a wrap encloses, its own text included; set in both edits of the wrap
	// order sorts edits at the same offset.
	order editOrder
	// extent sorts nested wraps that open or close at the same offset: the wider one opens first and closes last. Of
	// two equally wide ones, the one added first is the outer one.
	extent int
	added  int // index in the list, set by apply; negated for closing edits, which directly follow their opening edit
}

// editOrder is the order of edits at the same offset: what closes first, then what stands between, then what opens.
type editOrder int

const (
	closing editOrder = iota
	between
	opening
)

// edits is a set of changes to one text. Replaced ranges must not overlap.
type edits struct{ list []edit }

func (e *edits) insert(at int, text string) { e.splice(at, plain(text)) }

// splice inserts text, which may have owners, between what closes and what opens at offset at.
func (e *edits) splice(at int, text passage) {
	e.list = append(e.list, edit{start: at, end: at, text: text, order: between})
}

// tail inserts text that continues what ends at offset at, inside of all wraps that close there.
func (e *edits) tail(at int, text string) {
	e.list = append(e.list, edit{start: at, end: at, text: plain(text), order: closing})
}

func (e *edits) replace(start, end int, text string) {
	e.list = append(e.list, edit{start: start, end: end, text: plain(text), order: opening})
}

// lead inserts text before what begins at offset at, inside of all wraps that open there.
func (e *edits) lead(at int, text passage) {
	e.list = append(e.list, edit{start: at, end: at, text: text, order: opening})
}

// wrap inserts before at start and after at end.
func (e *edits) wrap(start, end int, before passage, after string) {
	e.wrapFor(owner{}, start, end, before, after)
}

// wrapFor is like wrap. Everything from before to after belongs to o.
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
	opened := map[int]int{} // offset in the result where a wrap begins, by the index of its opening edit
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
