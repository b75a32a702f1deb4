package main

import "strings"

// piece is a part of a text that is not broken if it fits on one line.
type piece struct {
	text string
	font font
	code bool
	gap  float64 // before it, in pixels, unless it begins a line
}

// line is a line of text, as wide as the pieces on it.
type line struct {
	pieces []placed
	width  float64
}

// placed is a piece at its place in a line.
type placed struct {
	piece
	x, width float64
}

// codePadding is the space on either side of code, in pixels.
const codePadding = 4

// pieces splits spans at their spaces. It does not split code.
func pieces(spans []span, f font) []piece {
	var list []piece
	space := false
	for _, s := range spans {
		style := f
		if s.code {
			style = font{size: f.size * 0.85, mono: true, color: f.color}
		}
		style.bold = f.bold || s.bold
		words := strings.Split(s.text, " ")
		if s.code {
			words = []string{s.text}
		}
		for i, word := range words {
			space = space || i > 0
			if word != "" {
				p := piece{text: word, font: style, code: s.code}
				if space {
					p.gap = f.width(" ")
				}
				list, space = append(list, p), false
			}
		}
	}
	return list
}

// lines breaks pieces into lines that are at most width wide. It breaks a piece that is wider, at a space if it
// can.
func lines(list []piece, width float64) []line {
	all := []line{{}}
	for _, p := range list {
		for p.text != "" {
			now := &all[len(all)-1]
			gap := 0.0
			if len(now.pieces) > 0 {
				gap = p.gap
			}
			w := p.width()
			switch {
			case now.width+gap+w <= width:
				now.pieces = append(now.pieces, placed{p, now.width + gap, w})
				now.width += gap + w
				p.text = ""
			case len(now.pieces) > 0:
				all = append(all, line{})
			default:
				head := p
				head.text = p.beginning(width)
				now.pieces, now.width = append(now.pieces, placed{head, 0, head.width()}), width
				p.text = strings.TrimLeft(strings.TrimPrefix(p.text, head.text), " ")
			}
		}
	}
	return all
}

// beginning returns as much of p as fits into a width, up to a space if there is one, but at least one letter.
func (p piece) beginning(width float64) string {
	runes := []rune(p.text)
	for len(runes) > 1 && (piece{text: string(runes), font: p.font, code: p.code}).width() > width {
		runes = runes[:len(runes)-1]
	}
	if i := strings.LastIndexByte(string(runes), ' '); i > 0 {
		return string(runes)[:i]
	}
	return string(runes)
}

// width returns the width of p in pixels, with the padding of code.
func (p piece) width() float64 {
	w := p.font.width(p.text)
	if p.code {
		w += 2 * codePadding
	}
	return w
}

// columns returns the widths of a table's columns. It narrows the widest ones until all columns together are at
// most all pixels wide.
func columns(rows [][][]span, f font, all float64) []float64 {
	var widths []float64
	for n, row := range rows {
		f.bold = n == 0
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], lines(pieces(cell, f), 1e9)[0].width+2*cellPadding+1)
		}
	}
	for {
		total, widest := 0.0, 0
		for i, w := range widths {
			total += w
			if w > widths[widest] {
				widest = i
			}
		}
		if total <= all {
			return widths
		}
		widths[widest] -= 1
	}
}
