package wire

import (
	"strconv"
	"testing"
)

func TestQuoteEscapesWhatCannotBeSeen(t *testing.T) {
	for s, want := range map[string]string{
		"":                 `""`,
		"a\"b\n":           `"a\"b\n"`,
		"Größe 日":          `"Größe 日"`,
		"e\u0301":          "\"e\u0301\"",
		" \u034f":          `" \u034f"`,
		"a\u034fb":         `"a\u034fb"`,
		"\u0301\u0302x":    `"\u0301\u0302x"`,
		"\u3164":           `"\u3164"`,
		"a\n\u05c1a":       `"a\n\u05c1a"`,
		"\x00\u05c1\xff":   `"\x00\u05c1\xff"`,
		"สวัสดี":           `"สวัสดี"`,
		"\U000e0100\u200b": `"\U000e0100\u200b"`,
	} {
		if got := Quote(s); got != want {
			t.Errorf("%+q: %s, want %s", s, got, want)
		}
	}
}

func FuzzQuoteIsReadBack(f *testing.F) {
	f.Add("\u034f\xff\U000e0100")
	f.Fuzz(func(t *testing.T, s string) {
		if got, err := strconv.Unquote(Quote(s)); err != nil || got != s {
			t.Errorf("%q is read back as %q, %v", s, got, err)
		}
	})
}
