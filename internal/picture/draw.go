package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
)

// Measures of the picture, in pixels.
const (
	width       = 840
	padding     = 16
	gap         = 14 // between blocks
	lineHeight  = 21
	codeHeight  = 18
	cellPadding = 12
	headHeight  = 40
)

// Colours, those of GitHub on white.
const (
	ink      = "#1f2328"
	grey     = "#59636e"
	border   = "#d1d9e0"
	shade    = "#f6f8fa"
	codeBack = "#eff1f3"
	added    = "#dafbe1"
	removed  = "#ffebe9"
)

var (
	textFont    = font{size: 14, color: ink}
	smallFont   = font{size: 12, color: grey}
	headingFont = font{size: 17.5, bold: true, color: ink}
	sourceFont  = font{size: 12, mono: true, color: ink}
)

// canvas is a picture that is drawn from top to bottom.
type canvas struct {
	bytes.Buffer
	y float64 // where the next block begins
}

// draw returns a picture of a review, in SVG.
func draw(review []byte) ([]byte, error) {
	list, err := blocks(review)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, errors.New("there is nothing to draw")
	}
	c := canvas{y: headHeight + padding}
	c.head()
	for _, b := range list {
		c.block(b)
	}
	height := c.y
	var out bytes.Buffer
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %[1]d %.0[2]f\" role=\"img\">\n", width, height)
	fmt.Fprintf(&out, "<title>A review by mutantfuzz on GitHub</title>\n<style>text{white-space:pre}.s{font-family:-apple-system,BlinkMacSystemFont,'Segoe UI','Noto Sans',Helvetica,Arial,sans-serif}.m{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono','DejaVu Sans Mono',monospace}</style>\n")
	fmt.Fprintf(&out, "<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%.0f\" rx=\"6\" fill=\"#ffffff\" stroke=\"%s\"/>\n", width-1, height-1, border)
	out.Write(c.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes(), nil
}

// head draws the line that says who wrote the review.
func (c *canvas) head() {
	fmt.Fprintf(c, "<path d=\"M1 %d V6.5 a5.5 5.5 0 0 1 5.5 -5.5 H%.1f a5.5 5.5 0 0 1 5.5 5.5 V%[1]d Z\" fill=\"%[3]s\"/>\n", headHeight, width-6.5, shade)
	fmt.Fprintf(c, "<path d=\"M1 %d.5 H%d\" stroke=\"%s\"/>\n", headHeight, width-1, border)
	who := pieces([]span{{text: "github-actions", bold: true}, {text: " bot reviewed this pull request"}}, font{size: 14, color: grey})
	for _, l := range lines(who, width) {
		c.line(l, padding, 25)
	}
}

// block draws b and the gap below it.
func (c *canvas) block(b block) {
	const inner = width - 2*padding
	switch {
	case b.heading != nil:
		c.text(b.heading, headingFont, padding, inner, 24)
	case b.paragraph != nil:
		c.text(b.paragraph, textFont, padding, inner, lineHeight)
	case b.small != nil:
		c.text(b.small, smallFont, padding, inner, codeHeight)
	case b.folded != nil:
		fmt.Fprintf(c, "<path d=\"M%d %.1f l7 4.5 l-7 4.5 Z\" fill=\"%s\"/>\n", padding+2, c.y+5.5, ink)
		c.text(b.folded, textFont, padding+16, inner-16, lineHeight)
	case b.source != nil:
		c.source(b.source)
	case b.rows != nil:
		c.table(b.rows, inner)
	}
	c.y += gap
}

// text draws a text in lines of the given height, each at most width wide.
func (c *canvas) text(spans []span, f font, x, width, height float64) {
	for _, l := range lines(pieces(spans, f), width) {
		c.line(l, x, c.y+height/2+f.size*0.35)
		c.y += height
	}
}

// line draws a line of text at x. y is its baseline.
func (c *canvas) line(l line, x, y float64) {
	for _, p := range l.pieces {
		left, w := x+p.x, p.width
		if p.code {
			fmt.Fprintf(c, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"4\" fill=\"%s\"/>\n", left, y-p.font.size*1.15, w, p.font.size*1.6, codeBack)
			left, w = left+codePadding, w-2*codePadding
		}
		c.word(p.text, p.font, left, y, w)
	}
}

// word draws a text of width w without breaking it.
func (c *canvas) word(s string, f font, x, y, w float64) {
	var escaped strings.Builder
	_ = xml.EscapeText(&escaped, []byte(s)) // a Builder takes everything
	class, weight := "s", ""
	if f.mono {
		class = "m"
	}
	if f.bold {
		weight = " font-weight=\"600\""
	}
	fmt.Fprintf(c, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" font-size=\"%g\"%s fill=\"%s\" textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\">%s</text>\n",
		class, x, y, f.size, weight, f.color, w, escaped.String())
}

// source draws a block of code. Lines that a diff adds or removes have a coloured background.
func (c *canvas) source(list []string) {
	height := float64(len(list)*codeHeight + 2*12)
	fmt.Fprintf(c, "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" rx=\"6\" fill=\"%s\"/>\n", padding, c.y, width-2*padding, height, shade)
	for i, s := range list {
		y := c.y + 12 + float64(i*codeHeight)
		back := map[byte]string{'+': added, '-': removed}[(s + " ")[0]]
		if back != "" {
			fmt.Fprintf(c, "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", padding, y, width-2*padding, codeHeight, back)
		}
		for _, l := range lines([]piece{{text: s, font: sourceFont}}, 1e9) {
			c.line(l, padding+16, y+13)
		}
	}
	c.y += height
}

// table draws a table that is at most all pixels wide.
func (c *canvas) table(rows [][][]span, all float64) {
	widths := columns(rows, textFont, all)
	for i, row := range rows {
		f := textFont
		f.bold = i == 0
		top, height := c.y, 0.0
		for k, cell := range row {
			height = max(height, float64(len(lines(pieces(cell, f), widths[k]-2*cellPadding))*lineHeight+12))
		}
		x := float64(padding)
		for k, cell := range row {
			fmt.Fprintf(c, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"%s\"/>\n", x+0.5, top+0.5, widths[k], height, border)
			c.y = top + 6
			c.text(cell, f, x+cellPadding, widths[k]-2*cellPadding, lineHeight)
			x += widths[k]
		}
		c.y = top + height
	}
}
