package report

import (
	"html"
	"strings"
	"unicode"
)

// This file is what stands between hostile strings and the places they are
// shown in. Inside code spans and code blocks Markdown, HTML, links and
// @mentions are inert, so those are the only ways out for foreign text.

// code returns s as an inline code span on one line. An empty s is shown as
// "(empty)".
func code(s string) string {
	s = oneLine(s)
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

// htmlCode returns s as a <code> element on one line, for places where
// Markdown is not read, such as within <summary>.
func htmlCode(s string) string {
	return "<code>" + html.EscapeString(oneLine(s)) + "</code>"
}

// fence returns body as a fenced code block, newline included, whose fence is
// longer than any run of backticks in the body.
func fence(lang, body string) string {
	body = strings.TrimRight(manyLines(body), "\n")
	ticks := strings.Repeat("`", max(3, longestRun(body, '`')+1))
	return ticks + lang + "\n" + body + "\n" + ticks + "\n"
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

// oneLine returns s without line breaks and control characters, shortened to
// maxInline runes.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return visible(r)
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return noCommands(shorten(s, maxInline))
}

// manyLines returns s with "\n" as the only line break, without control
// characters but tabs, and with no line that a CI runner takes for a command.
func manyLines(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return visible(r)
	}, s)
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = noCommands(line)
	}
	return strings.Join(lines, "\n")
}

// visible replaces what a reader cannot see: control characters, which steer
// terminals, and format characters, which can make code read differently from
// what it is (Boucher, Anderson: Trojan Source, USENIX Security 2023).
func visible(r rune) rune {
	if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
		return '\uFFFD'
	}
	return r
}

// noCommands breaks up what the runner of GitHub Actions would execute when it
// sees the line in a log: "::" at its start, and "##[" anywhere.
func noCommands(line string) string {
	line = strings.ReplaceAll(line, "##[", "##\u200B[")
	if text := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(text, "::") {
		line = strings.Replace(line, "::", ":\u200B:", 1)
	}
	return line
}

// shorten cuts s to at most n runes, the last of which is then "…".
func shorten(s string, n int) string {
	last, count := 0, 0 // where the nth rune starts
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

// shortenLines cuts s to at most n lines of maxLineLength runes and says how
// many lines it left out.
func shortenLines(s string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	more := len(lines) - n
	if more > 0 {
		lines = lines[:n]
	}
	for i := range lines {
		lines[i] = shorten(lines[i], maxLineLength)
	}
	if more > 0 {
		lines = append(lines, "… "+plural(more, "more line", "more lines"))
	}
	return strings.Join(lines, "\n")
}

// shellQuote returns s as one word of a POSIX shell.
func shellQuote(s string) string {
	plain := func(r rune) bool {
		return r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-./:", r))
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
