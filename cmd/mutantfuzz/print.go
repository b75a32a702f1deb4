package main

import (
	"fmt"
	"io"
	"math"

	"github.com/mutantfuzz/mutantfuzz/report/prose"
)

// The functions in this file make foreign text harmless before it reaches a log or a terminal: names, messages of
// the go command and of git, output of the analysed tests.

// say prints a line about the work to standard error.
func (c *Command) say(line string) {
	fmt.Fprintf(c.Stderr, "mutantfuzz: %s\n", harmless(line))
}

// complain prints an error to standard error.
func (c *Command) complain(err error) {
	fmt.Fprintf(c.Stderr, "%s\n", prose.ManyLines(fmt.Sprintf("mutantfuzz: %v", err)))
}

// show prints text for people to standard output.
func (c *Command) show(text string) error {
	_, err := io.WriteString(c.Stdout, prose.ManyLines(text))
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

// harmless turns text into one line that neither a terminal nor the runner of GitHub Actions takes for a command.
func harmless(line string) string { return prose.OneLine(line, math.MaxInt) }
