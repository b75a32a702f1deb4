package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// The functions in this file make foreign text harmless before it reaches a log or a terminal: names, messages of
// the go command and of git, output of the analysed tests.

// say prints a line about the work to standard error.
func (c *Command) say(line string) {
	fmt.Fprintf(c.Stderr, "mutantfuzz: %s\n", harmless(line))
}

// complain prints an error to standard error.
func (c *Command) complain(err error) {
	fmt.Fprintf(c.Stderr, "%s\n", harmlessLines(fmt.Sprintf("mutantfuzz: %v", err)))
}

// show prints text for people to standard output.
func (c *Command) show(text string) error {
	_, err := io.WriteString(c.Stdout, harmlessLines(text))
	return err
}

// give prints text for another program to standard output. The text stays as it is, unless standard output is a
// terminal.
func (c *Command) give(text string) error {
	if terminal(c.Stdout) != nil {
		return c.show(text)
	}
	_, err := io.WriteString(c.Stdout, text)
	return err
}

// harmless turns text into one line that neither a terminal nor the runner of GitHub Actions takes for a command,
// wherever in a line it is printed. It replaces control characters and invisible ones, such as those that reorder
// others. It breaks up workflow commands in their old form, "##[", which count anywhere in a line.
func harmless(line string) string {
	line = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), r == '\u2028', r == '\u2029':
			return ' '
		case unicode.Is(unicode.Cf, r):
			return unicode.ReplacementChar
		}
		return r
	}, line)
	return strings.ReplaceAll(line, "##[", "# #[")
}

// harmlessLines is harmless for text of several lines. It keeps tabs. It also breaks up workflow commands in
// their new form, "::", which count at the start of a line.
func harmlessLines(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		parts := strings.Split(line, "\t")
		for j := range parts {
			parts[j] = harmless(parts[j])
		}
		line = strings.Join(parts, "\t")
		if start := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(start, "::") {
			line = line[:len(line)-len(start)] + ": :" + start[len("::"):]
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}
