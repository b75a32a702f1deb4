// Package stack finds out from the stack trace of a failure where it happened.
package stack

import (
	"cmp"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Place returns where a crash happened: file and line of the innermost frame in the tree, or if there is none of the
// innermost frame; for a hang the function. It returns "" if the stack does not say. Many functions of the tree may fail
// in one place of the standard library.
func Place(c *results.Crash) string {
	first := ""
	for line := range strings.Lines(c.Stack) {
		if c.Kind == results.CrashHang {
			return strings.TrimSpace(line)
		}
		if strings.HasPrefix(line, "\t") {
			place, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			if inTree(place) {
				return place
			}
			first = cmp.Or(first, place)
		}
	}
	return first
}

// inTree reports whether a file of a stack is in the tree: Clean makes the names of these relative.
func inTree(place string) bool { return !filepath.IsAbs(place) }

// Key returns a string that identifies a failure: its kind and its innermost frames, at least two of them and down to the
// first one in the tree. Without frames, it is the harness, the kind and the message.
func Key(c *results.Crash) string {
	var frames []string
	own := false // whether one of frames is in the tree
	for line := range strings.Lines(c.Stack) {
		if strings.HasPrefix(line, "\t") {
			frame := strings.TrimSpace(line)
			frames = append(frames, frame)
			own = own || inTree(frame)
		}
		if own && len(frames) >= 2 {
			break
		}
	}
	if len(frames) == 0 {
		return c.Harness + " " + c.Kind + " " + c.Message
	}
	return c.Kind + " " + strings.Join(frames, " ")
}

// adapterFrame matches the frame of the function that the weaver puts between a target and the fuzz loop.
var adapterFrame = regexp.MustCompile(`(?m)^\S+\.mfzz*a\d+\n\t.*\n?`)

// Clean returns a stack without the frames that weaving added, and with file names relative to tree.
func Clean(stack, tree string) string {
	stack = adapterFrame.ReplaceAllString(stack, "")
	return strings.ReplaceAll(stack, tree+string(filepath.Separator), "")
}

// SamePanic reports whether a run on the base ends in the same panic as c: the messages are equal apart from numbers,
// and the same statement of the same function panics. It is false for other failures, which do not say what is wrong:
// one assertion may fail for many reasons.
func SamePanic(c *results.Crash, tree string, exit *worker.Exit, baseTree string) bool {
	o := exit.Outcome()
	if c.Kind != results.CrashPanic || o.Kind != results.KindCrash {
		return false
	}
	_, stack, _ := strings.Cut(string(exit.Output), "\ngoroutine ")
	now, before := statementOf(c.Stack, "", tree), statementOf(stack, baseTree+string(filepath.Separator), baseTree)
	return now.text != "" && now == before && panicked(c.Message) == panicked(o.Message)
}

// statement is the statement in which a panic began.
type statement struct{ function, file, text string }

// statementOf returns the innermost statement on a stack whose file is in tree. The names of such files begin with
// prefix on the stack; if prefix is empty, they are relative.
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

// lineOf returns the line of a file with the given number, without surrounding space. It returns "" if there is none.
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
	placeIn   = regexp.MustCompile(`^(.+):(\d+)(?: |$)`) // file and line on a stack: "size.go:17 +0x1a"
	arguments = regexp.MustCompile(`\([^()]*\)$`)        // the arguments of a call on a stack
	numbers   = regexp.MustCompile(`-?\d+`)
)

// panicked returns the first line of a panic's message with every number replaced by 0, and without what the runtime
// and package testing add.
func panicked(message string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(message, "panic: "), "\n")
	first, _, _ = strings.Cut(first, " [recovered")
	return numbers.ReplaceAllString(strings.TrimSpace(first), "0")
}
