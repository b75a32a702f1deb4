package worker

import (
	"regexp"
	"strconv"
)

// sourceLine matches the line of a stack frame that has the file and line number.
var sourceLine = regexp.MustCompile(`(?m)^\t(?:.*[/\\])?([^/\\\n]+\.go):(\d+)(?: |\r?$)`)

// HasStacks reports whether the child has printed stacks of its goroutines, as it does when we give it up, or when it
// dies of a fatal error.
func (e Exit) HasStacks() bool { return sourceLine.Match(e.Output) }

// LinesOf returns the lines of a file, given by its base name, on the stacks that the child has printed. They are in
// the order of the output: for each goroutine, the innermost frame first.
func (e Exit) LinesOf(file string) (lines []int) {
	for _, m := range sourceLine.FindAllSubmatch(e.Output, -1) {
		if line, err := strconv.Atoi(string(m[2])); err == nil && string(m[1]) == file {
			lines = append(lines, line)
		}
	}
	return lines
}
