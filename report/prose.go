package report

import (
	"slices"
	"strings"
)

// prose is one or more sentences. Plain words are this package's own, and foreign text is set apart as code.
type prose []span

type span struct {
	text string
	code bool // text comes from the results and is untrusted
}

// say returns format with each %s replaced by the corresponding foreign string. Their numbers must match. format must
// only contain this package's own words and numbers.
func say(format string, foreign ...string) prose {
	var p prose
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

// and returns p followed by q after a space.
func (p prose) and(q prose) prose {
	if len(p) == 0 || len(q) == 0 {
		return slices.Concat(p, q)
	}
	return slices.Concat(p, prose{{" ", false}}, q)
}

// explained returns p followed by q after a colon, if there is a q.
func (p prose) explained(q prose) prose {
	if len(q) == 0 {
		return p
	}
	return slices.Concat(p, prose{{":", false}}).and(q)
}

// cells returns p for a table cell, with foreign text as code.
func (p prose) cells() string { return p.with(cell) }

// html returns p for places where Markdown is not interpreted, with foreign text as code.
func (p prose) html() string { return p.with(htmlCode) }

// with returns p with foreign text formatted by code.
func (p prose) with(code func(string) string) string {
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

// markdown returns p with foreign text in code spans.
func (p prose) markdown() string { return p.with(code) }

// plain returns p for a terminal, with foreign text between the given marks.
func (p prose) plain(open, end string) string {
	var b strings.Builder
	for _, s := range p {
		if s.code {
			b.WriteString(open + oneLine(s.text) + end)
		} else {
			b.WriteString(s.text)
		}
	}
	return b.String()
}
