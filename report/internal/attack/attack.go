// Package attack has text that tests of the renderers put into results, and checks of what comes out of it.
package attack

import (
	"strings"
	"testing"
	"unicode"
)

// All is foreign text that has an effect in Markdown, in HTML, on terminals or in logs, unless it is shown as code.
var All = []string{
	"@octocat", "```\n@all\n```", "``` `` ` @a", "`", " ` ", "\n\n# heading\n\n@a",
	"</details><script>alert(1)</script>", "</code></summary>@a", "[x](https://example.com)",
	"https://example.com www.example.com", "![x](y)", "<!-- mutantfuzz -->", "-->", "::error::x",
	"\n::set-output name=a::b", "\n##[command]x", "\r::error::x", "\u2028::error::x", "\x1b[2J", "~~~\n@a\n~~~",
	"\\", "\\`@a\\`", "a\\", "|", "$`x`$", "\u202E", "#1", "GH-1", "\xff\xfe", "\n> quote", "\n\n    @a", "\t@a", "~~",
	// Fences and spans around the lengths that cmark-gfm counts up to.
	Ticks(80) + Payload, Ticks(81) + Payload + Ticks(80), Payload + Ticks(160), Ticks(255) + "\n" + Payload,
	Ticks(299) + "\n" + Payload + "\n" + Ticks(300), "x\n" + Ticks(600) + "\n" + Payload, Ticks(9) + Payload + Ticks(8),
	strings.Repeat("~", 300) + "\n" + Payload, "\uFFFE\uE000\U000E0041", "\u200E\u2066@a\u2069", "\u0085@a\u0085",
}

// Payload has an effect on GitHub unless it is in code.
const Payload = " @octocat [x](https://example.com) <img src=\"x\"/> #1 "

// Ticks returns n backticks.
func Ticks(n int) string { return strings.Repeat("`", n) }

// NoSteering checks that all characters of s are visible, apart from tabs, line ends, and U+200B, which package prose
// inserts.
func NoSteering(t *testing.T, s string) {
	t.Helper()
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\u200B", "")
	for line := range strings.Lines(s) {
		for _, c := range strings.TrimSuffix(line, "\n") {
			if !unicode.IsGraphic(c) && c != '\t' {
				t.Fatalf("%U in the line %q", c, line)
			}
		}
	}
}

// NoLogCommands checks that a CI runner finds no command in s when it is logged.
func NoLogCommands(t *testing.T, s string) {
	t.Helper()
	for line := range strings.Lines(s) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
			t.Errorf("workflow command %q", line)
		}
	}
}
