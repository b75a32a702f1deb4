package weave

import (
	"strings"
	"testing"
)

func TestTheOwnerOfAByteIsThatOfTheInnermostPart(t *testing.T) {
	outer, inner, other := owner{aFunction, 1}, owner{aPlaced, 2}, owner{aProbe, 3}
	nobody := owner{}
	tests := map[string]struct {
		edit func(e *edits) // of "abcdef"
		want string         // the woven text
		at   map[string]owner
	}{
		"nothing": {
			func(*edits) {}, "abcdef", map[string]owner{"a": nobody, "f": nobody},
		},
		"what is wrapped, with both ends": {
			func(e *edits) { e.wrapFor(outer, 1, 3, plain("<"), ">") },
			"a<bc>def", map[string]owner{"a": nobody, "<": outer, "b": outer, ">": outer, "d": nobody},
		},
		"one within another": {
			func(e *edits) {
				e.wrapFor(inner, 2, 3, plain("<"), ">")
				e.wrapFor(outer, 1, 5, plain("["), "]")
			},
			"a[b<c>de]f", map[string]owner{"[": outer, "b": outer, "<": inner, "c": inner, ">": inner, "d": outer, "]": outer, "f": nobody},
		},
		"two around the same text": {
			func(e *edits) {
				e.wrapFor(outer, 1, 3, plain("["), "]")
				e.wrapFor(inner, 1, 3, plain("<"), ">")
			},
			"a[<bc>]def", map[string]owner{"[": outer, "<": inner, "b": inner, ">": inner, "]": outer},
		},
		"two that begin together": {
			func(e *edits) {
				e.wrapFor(inner, 1, 2, plain("<"), ">")
				e.wrapFor(outer, 1, 4, plain("["), "]")
			},
			"a[<b>cd]ef", map[string]owner{"[": outer, "<": inner, ">": inner, "c": outer, "]": outer},
		},
		"one beside another": {
			func(e *edits) {
				e.wrapFor(outer, 1, 2, plain("["), "]")
				e.wrapFor(inner, 2, 3, plain("<"), ">")
			},
			"a[b]<c>def", map[string]owner{"[": outer, "]": outer, "<": inner, ">": inner},
		},
		"a wrap without text": {
			func(e *edits) { e.wrapFor(outer, 1, 3, passage{}, "") },
			"abcdef", map[string]owner{"a": nobody, "b": outer, "c": outer, "d": nobody},
		},
		"one as long as what is around it": {
			func(e *edits) {
				e.wrapFor(outer, 1, 3, passage{}, "")
				e.wrapFor(inner, 1, 3, plain("<"), ">")
			},
			"a<bc>def", map[string]owner{"<": inner, "b": inner, ">": inner, "d": nobody},
		},
		"nobody's wrap within": {
			func(e *edits) {
				e.wrapFor(outer, 1, 5, plain("["), "]")
				e.wrap(2, 3, plain("<"), ">")
			},
			"a[b<c>de]f", map[string]owner{"<": outer, "c": outer},
		},
		"owned text in what is inserted, wrapped and led": {
			func(e *edits) {
				between, before, lead := plain("1"), plain("2"), plain("3")
				between.own(inner, plain("(i)"))
				before.own(other, plain("(w)"))
				lead.own(inner, plain("(l)"))
				e.wrapFor(outer, 2, 4, before, ">")
				e.splice(2, between)
				e.lead(3, lead)
			},
			"ab1(i)2(w)c3(l)d>ef", map[string]owner{"1": nobody, "i": inner, "2": outer, "w": other, "c": outer, "3": outer, "l": inner, "d": outer},
		},
		"text that is left out": {
			func(e *edits) {
				e.wrapFor(outer, 3, 5, plain("["), "]")
				e.replace(1, 3, "")
			},
			"a[de]f", map[string]owner{"a": nobody, "[": outer, "f": nobody},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var e edits
			test.edit(&e)
			woven := e.apply([]byte("abcdef"))
			if got := string(woven.text); got != test.want {
				t.Fatalf("woven into %q, want %q", got, test.want)
			}
			ownersAre(t, woven, test.at)
		})
	}
}

// ownersAre checks who owns the first byte of each text in want, and that nobody owns the end of p.
func ownersAre(t *testing.T, p passage, want map[string]owner) {
	t.Helper()
	for text, want := range want {
		at := strings.Index(string(p.text), text)
		got, ok := p.ownerAt(at)
		if got != want || ok != (want != owner{}) {
			t.Errorf("%q at %d belongs to %+v, %t, want %+v", text, at, got, ok, want)
		}
	}
	if o, ok := p.ownerAt(len(p.text)); ok {
		t.Errorf("what follows the text belongs to %+v", o)
	}
}

// A clone is woven by itself and then put into a file. The owners have to move along.
func TestOwnersMoveWithTheirText(t *testing.T) {
	clone, probe, function := owner{aClone, 1}, owner{aProbe, 2}, owner{aFunction, 3}
	var in, out edits
	in.wrapFor(probe, 2, 3, plain("<"), ">")
	dispatch := plain("{")
	dispatch.own(clone, in.apply([]byte("123456")))
	dispatch.add("}")
	out.splice(3, dispatch)
	out.wrapFor(function, 1, 5, passage{}, "")
	out.replace(0, 1, "LONG ")
	file := out.apply([]byte("abcdef"))
	var tail passage
	tail.own(clone, plain("tail"))
	file.append(tail)
	if got, want := string(file.text), "LONG bc{12<3>456}deftail"; got != want {
		t.Fatalf("got %q, want %q", got, want)
	}
	ownersAre(t, file, map[string]owner{
		"LONG": {}, "b": function, "{": function, "1": clone, "<": probe, "3": probe, ">": probe, "4": clone, "}": function, "e": function, "f": {}, "tail": clone,
	})
}
