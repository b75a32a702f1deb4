package prose

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode"
)

// This file makes hostile strings safe for the places where they are shown. Markdown, HTML, links and @mentions have no
// effect inside code spans and code blocks. So foreign text may only pass through Code, HTMLCode, Cell and Fence for
// Markdown and HTML, and through Inline, OneLine and ManyLines for terminals.

// maxRun is the maximum number of backticks or tildes in a row that are shown. A delimiter has to be longer than the
// longest run in the quoted text, but parsers limit its length: cmark-gfm, which GitHub uses, accepts no code span with
// more than 80 backticks and no fence of more than 255.
const maxRun = 8

// Limits on single pieces of foreign text, so that none of them takes the room of the others.
const (
	MaxInline     = 200 // runes of a code span
	MaxLineLength = 300 // runes of a line in a code block
)

// Code returns s as an inline code span on one line. An empty s is shown as
// "(empty)".
func Code(s string) string {
	s = limitRuns(Inline(s))
	if s == "" {
		return "(empty)"
	}
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	pad := ""
	// A span strips one space from both its ends, and a backtick at an end
	// would join the delimiter (CommonMark 0.31, section 6.1).
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") ||
		(strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") && strings.TrimSpace(s) != "") {
		pad = " "
	}
	return ticks + pad + s + pad + ticks
}

// HTMLCode returns s as a <code> element on one line, for places where Markdown is not interpreted, such as in
// <summary>.
func HTMLCode(s string) string {
	return "<code>" + html.EscapeString(Inline(s)) + "</code>"
}

// Cell returns s as a <code> element for a table cell, where a bar would end a code span. Characters with a meaning in
// Markdown become character references.
func Cell(s string) string {
	s = limitRuns(Inline(s))
	if s == "" {
		return "(empty)"
	}
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_[]<>&|~#@:.!$^", r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return "<code>" + b.String() + "</code>"
}

// Fence returns body as a fenced code block, newline included, whose fence is
// longer than any run of backticks in the body.
func Fence(lang, body string) string {
	body = strings.TrimRight(limitRuns(ManyLines(body)), "\n")
	ticks := strings.Repeat("`", max(3, longestRun(body, '`')+1))
	return ticks + lang + "\n" + body + "\n" + ticks + "\n"
}

// ShownAsIs reports whether a code block shows s without any change.
func ShownAsIs(s string) bool { return limitRuns(ManyLines(s)) == s }

// Suggestion returns the Markdown block with which GitHub offers to replace the commented lines by others, for which
// ShownAsIs has to be true.
func Suggestion(lines []string) string {
	text := strings.Join(lines, "\n")
	ticks := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	if len(lines) > 0 {
		text += "\n"
	}
	return ticks + "suggestion\n" + text + ticks + "\n"
}

func longestRun(s string, c rune) int {
	longest, run := 0, 0
	for _, r := range s {
		if r != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// limitRuns cuts runs of more than maxRun backticks or tildes to maxRun of them and "…".
func limitRuns(s string) string {
	return longRuns.ReplaceAllStringFunc(s, func(run string) string { return run[:maxRun] + "…" })
}

var longRuns = regexp.MustCompile(fmt.Sprintf("`{%d,}|~{%[1]d,}", maxRun+1))

// OneLine returns any string in a form fit for a message: on one line, cut with "…" to about n runes, without invisible
// characters, and without anything that a CI runner takes for a command.
func OneLine(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return visible(r)
	}, strings.ToValidUTF8(Shorten(s, n), "\uFFFD"))
	return noCommands(s)
}

// Inline is OneLine for text within a line of prose: it cuts s to about MaxInline runes.
func Inline(s string) string { return OneLine(s, MaxInline) }

// ManyLines returns s with "\n" as the only line break, with no invisible characters but tabs, and with no line that a
// CI runner takes for a command.
func ManyLines(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	s = strings.Map(visibleInLines, s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = noCommands(line)
	}
	return strings.Join(lines, "\n")
}

// visible replaces characters that a reader cannot see: control characters, which steer terminals; format characters,
// which can make code look different from what it is (Boucher, Anderson: Trojan Source, USENIX Security 2023); line
// separators; and characters without a glyph.
func visible(r rune) rune {
	if !unicode.IsGraphic(r) {
		return unicode.ReplacementChar
	}
	return r
}

// visibleInLines is visible, but keeps tabs and line feeds.
func visibleInLines(r rune) rune {
	if r == '\n' || r == '\t' {
		return r
	}
	return visible(r)
}

// noCommands breaks up what a GitHub Actions runner would execute when it sees the line in a log: "::" at its start,
// and "##[" anywhere.
func noCommands(line string) string {
	line = strings.ReplaceAll(line, "##[", "##\u200B[")
	if text := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(text, "::") {
		line = strings.Replace(line, "::", ":\u200B:", 1)
	}
	return line
}

// Shorten cuts s to at most n runes. If it cuts, the last rune is "…".
func Shorten(s string, n int) string {
	last, count := 0, 0 // byte offset of the nth rune
	for i := range s {
		count++
		if count == n {
			last = i
		}
		if count > n {
			return s[:last] + "…"
		}
	}
	return s
}

// ShortenLines cuts s to at most n lines of MaxLineLength runes, and adds a line that says how many it left out.
func ShortenLines(s string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	more := len(lines) - n
	if more > 0 {
		lines = lines[:n]
	}
	for i := range lines {
		lines[i] = Shorten(lines[i], MaxLineLength)
	}
	if more > 0 {
		lines = append(lines, "… "+Plural(more, "more line", "more lines"))
	}
	return strings.Join(lines, "\n")
}

// ShellWord returns s as one word of a POSIX shell.
func ShellWord(s string) string {
	plain := func(r rune) bool {
		return r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./:=,@%+", r))
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
