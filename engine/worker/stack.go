package worker

import (
	"regexp"
	"strconv"
)

// sourceLine matches where a frame of a stack is.
var sourceLine = regexp.MustCompile(`(?m)^\t(?:.*[/\\])?([^/\\\n]+\.go):(\d+)(?: |\r?$)`)

// HasStacks reports whether the child has printed stacks of its goroutines, as it does when it is given up, or dies of a fatal error.
func (e Exit) HasStacks() bool { return sourceLine.Match(e.Output) }

// LinesOf are the lines of the file with a name on the stacks that the child has printed, in the order in which they stand there: of each
// goroutine the innermost first.
func (e Exit) LinesOf(file string) (lines []int) {
	for _, m := range sourceLine.FindAllSubmatch(e.Output, -1) {
		if line, err := strconv.Atoi(string(m[2])); err == nil && string(m[1]) == file {
			lines = append(lines, line)
		}
	}
	return lines
}
