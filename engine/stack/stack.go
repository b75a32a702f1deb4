// Package stack tells from the stack of a failure where it happened.
package stack

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Place is the place in the program where a crash happened, of a hang the function; empty: its stack tells nothing.
func Place(c *results.Crash) string {
	for line := range strings.Lines(c.Stack) {
		if c.Kind == results.CrashHang {
			return strings.TrimSpace(line)
		}
		if strings.HasPrefix(line, "\t") {
			place, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			return place
		}
	}
	return ""
}

// Key identifies a failure by its kind and the innermost frames.
func Key(c *results.Crash) string {
	var frames []string
	for line := range strings.Lines(c.Stack) {
		if strings.HasPrefix(line, "\t") {
			frames = append(frames, strings.TrimSpace(line))
		}
		if len(frames) == 2 {
			break
		}
	}
	if len(frames) == 0 {
		return c.Harness + " " + c.Kind + " " + c.Message
	}
	return c.Kind + " " + strings.Join(frames, " ")
}

// adapterFrame is a frame of the function that the weaver put between a target
// and the loop.
var adapterFrame = regexp.MustCompile(`(?m)^\S+\.mfzz*a\d+\n\t.*\n?`)

// Clean returns a stack without what the weaving added, and with file names
// relative to tree.
func Clean(stack, tree string) string {
	stack = adapterFrame.ReplaceAllString(stack, "")
	return strings.ReplaceAll(stack, tree+string(filepath.Separator), "")
}

// SamePanic reports whether a run on the base ends in the panic that c is: with the same message, numbers apart, of the
// same statement of the same function. Other failures do not say what is wrong: one assertion may fail for many reasons.
func SamePanic(c *results.Crash, tree string, exit *worker.Exit, baseTree string) bool {
	o := exit.Outcome()
	if c.Kind != results.CrashPanic || o.Kind != results.KindCrash {
		return false
	}
	_, stack, _ := strings.Cut(string(exit.Output), "\ngoroutine ")
	now, before := statementOf(c.Stack, "", tree), statementOf(stack, baseTree+string(filepath.Separator), baseTree)
	return now.text != "" && now == before && panicked(c.Message) == panicked(o.Message)
}

// statement is where a panic began.
type statement struct{ function, file, text string }

// statementOf is the innermost statement on a stack that is in a file of a tree, whose names begin with prefix there;
// without it they are relative.
func statementOf(stack, prefix, tree string) statement {
	function := ""
	for line := range strings.Lines(stack) {
		place, indented := strings.CutPrefix(line, "\t")
		if !indented {
			function = line
			continue
		}
		m := placeIn.FindStringSubmatch(strings.TrimPrefix(strings.TrimSpace(place), prefix))
		if m == nil || filepath.IsAbs(m[1]) {
			continue
		}
		return statement{arguments.ReplaceAllString(strings.TrimSpace(function), ""), m[1], lineOf(filepath.Join(tree, m[1]), m[2])}
	}
	return statement{}
}

// lineOf is a line of a file, without the space around it; "": there is none.
func lineOf(file, number string) string {
	src, err := regular.Source(file)
	n, malformed := strconv.Atoi(number)
	lines := strings.Split(string(src), "\n")
	if err != nil || malformed != nil || n < 1 || n > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n-1])
}

var (
	placeIn   = regexp.MustCompile(`^(.+):(\d+)(?: |$)`) // on a stack, as in "size.go:17 +0x1a"
	arguments = regexp.MustCompile(`\([^()]*\)$`)        // of a call on a stack
	numbers   = regexp.MustCompile(`-?\d+`)
)

// panicked is the first line of a panic's message without its numbers, nor what the runtime and package testing add.
func panicked(message string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(message, "panic: "), "\n")
	first, _, _ = strings.Cut(first, " [recovered")
	return numbers.ReplaceAllString(strings.TrimSpace(first), "0")
}
