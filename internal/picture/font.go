package main

// font is how a text looks.
type font struct {
	size       float64 // pixels
	mono, bold bool
	color      string
}

// width returns the width of s in pixels.
func (f font) width(s string) float64 {
	total := 0.0
	for _, r := range s {
		total += f.advance(r)
	}
	return total * f.size
}

// advance returns the width of a letter as a fraction of the font size.
func (f font) advance(r rune) float64 {
	if f.mono {
		return 0.6
	}
	width := 0.556
	switch {
	case r == '→' || r == '…':
		width = 1
	case r == '·':
		width = 0.278
	case r >= ' ' && int(r-' ') < len(helvetica):
		width = float64(helvetica[r-' ']) / 1000
	}
	if f.bold {
		width *= 1.06
	}
	return width
}

// helvetica has the widths of the letters from ' ' to '~' in thousandths of the font size. They are those of
// Helvetica in Adobe's Core 14 AFM files, which Arial has, too.
var helvetica = [...]int{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // up to /
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // up to ?
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // up to O
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // up to _
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // up to o
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // up to ~
}
