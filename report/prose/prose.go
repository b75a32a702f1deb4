// Package prose puts words, numbers and foreign text together: sentences for people, lists of names, counts, and code that
// is shown beside them.
//
// Results may come from a build of somebody else's code, so every string in them is foreign. In a [Text] only the words of
// this program are plain text. All else is set apart as code, which can do no harm where it is shown.
package prose

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Text is one or more sentences. Plain words are this program's own, and foreign text is set apart as code. The zero value
// says nothing.
type Text []span

type span struct {
	text string
	code bool // text comes from the results and is untrusted
}

// Say returns format with each %s replaced by the corresponding foreign string. Their numbers must match. format must
// only contain this program's own words and numbers.
func Say(format string, foreign ...string) Text {
	var p Text
	for i, words := range strings.Split(format, "%s") {
		if i > 0 {
			p = append(p, span{foreign[i-1], true})
		}
		if words != "" {
			p = append(p, span{words, false})
		}
	}
	return p
}

// And returns p followed by q, with a space between them unless one says nothing.
func (p Text) And(q Text) Text {
	if len(p) == 0 || len(q) == 0 {
		return slices.Concat(p, q)
	}
	return slices.Concat(p, Text{{" ", false}}, q)
}

// Plus returns p followed by words of this program, without a space between them.
func (p Text) Plus(words string) Text { return slices.Concat(p, Text{{words, false}}) }

// Reworded returns p with other words of this program in place of some.
func (p Text) Reworded(old, now string) Text {
	q := slices.Clone(p)
	for i := range q {
		if !q[i].code {
			q[i].text = strings.ReplaceAll(q[i].text, old, now)
		}
	}
	return q
}

// Quotes reports whether p has any foreign text.
func (p Text) Quotes() bool { return slices.ContainsFunc(p, func(s span) bool { return s.code }) }

// Explained returns p followed by q after a colon, if there is a q.
func (p Text) Explained(q Text) Text {
	if len(q) == 0 {
		return p
	}
	return slices.Concat(p, Text{{":", false}}).And(q)
}

// Cells returns p for a table cell, with foreign text as code.
func (p Text) Cells() string { return p.with(Cell) }

// HTML returns p for places where Markdown is not interpreted, with foreign text as code.
func (p Text) HTML() string { return p.with(HTMLCode) }

// with returns p with foreign text formatted by code.
func (p Text) with(code func(string) string) string {
	var b strings.Builder
	for _, s := range p {
		if s.code {
			b.WriteString(code(s.text))
		} else {
			b.WriteString(s.text)
		}
	}
	return b.String()
}

// Markdown returns p with foreign text in code spans.
func (p Text) Markdown() string { return p.with(Code) }

// Plain returns p for a terminal, with foreign text between the given marks.
func (p Text) Plain(open, end string) string {
	var b strings.Builder
	for _, s := range p {
		if s.code {
			b.WriteString(open + Inline(s.text) + end)
		} else {
			b.WriteString(s.text)
		}
	}
	return b.String()
}

// Quotation marks for foreign text, on terminals without colours.
const (
	OpenMark = "‘"
	EndMark  = "’"
)

// Wrapped returns p for a terminal as Plain does, with line breaks at the spaces between its own words, so that lines
// have at most width columns if possible. It never breaks foreign text, whose spaces may matter. The marks count as
// OpenMark and EndMark do: if others have no width, the lines are broken in the same places.
func (p Text) Wrapped(width int, open, end string) string {
	var b strings.Builder
	column := 0
	for _, word := range p.words() {
		n := utf8.RuneCountInString(word.Plain(OpenMark, EndMark))
		if column > 0 && column+1+n > width {
			b.WriteByte('\n')
			column = 0
		}
		if column > 0 {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(noCommands(word.Plain(open, end)))
		column += n
	}
	return b.String()
}

// words splits p at the spaces between its own words.
func (p Text) words() (all []Text) {
	var word Text
	flush := func() {
		if len(word) > 0 {
			all = append(all, word)
		}
		word = nil
	}
	for _, s := range p {
		if s.code {
			word = append(word, s)
			continue
		}
		for i, part := range strings.Split(s.text, " ") {
			if i > 0 {
				flush()
			}
			if part != "" {
				word = append(word, span{part, false})
			}
		}
	}
	flush()
	return all
}
