package fact

import (
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// maxStackSearched is how many lines of a stack are searched for the function at fault.
const maxStackSearched = 200

// Culprit returns the function in scope that a crash's stack names first, and the line in it: the first line of the
// function if the stack has none. f is nil if there is no such function.
func Culprit(r *results.Results, c *results.Crash) (f *results.Function, line int) {
	if c == nil {
		return nil, 0
	}
	lines := 0
	for text := range strings.Lines(c.Stack) {
		text = strings.TrimRight(text, "\n")
		if lines++; lines > maxStackSearched {
			break
		}
		if f != nil {
			return f, lineIn(f, text)
		}
		text = asID.Replace(text)
		i := slices.IndexFunc(r.Scope, func(f results.Function) bool {
			rest, ok := strings.CutPrefix(text, f.ID)
			return ok && f.ID != "" && (rest == "" || strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "[") || strings.HasPrefix(rest, ".func"))
		})
		if i >= 0 {
			f, line = &r.Scope[i], r.Scope[i].StartLine
		}
	}
	return f, line
}

// lineIn returns the line that a place in a stack names, such as "\tsize.go:17 +0x1a", or the first line of f if the
// place is not in f.
func lineIn(f *results.Function, place string) int {
	place, _, _ = strings.Cut(strings.TrimSpace(place), " ")
	file, number, _ := strings.Cut(place, ":")
	line, err := strconv.Atoi(number)
	if err != nil || line < f.StartLine || line > f.EndLine || file != f.File && !strings.HasSuffix(file, "/"+f.File) {
		return f.StartLine
	}
	return line
}

// CalledBy reports whether the stack of a crash says that the harness itself called the function at fault.
func CalledBy(c *results.Crash, f *results.Function) bool {
	found := false
	for text := range strings.Lines(c.Stack) {
		switch text = asID.Replace(text); {
		case strings.HasPrefix(text, "\t"):
		case found:
			return strings.HasPrefix(strings.Replace(text, "_test.", ".", 1), c.Harness+".") // of either test package
		default:
			found = strings.HasPrefix(text, f.ID)
		}
	}
	return false
}

// Called returns the name of the function that the harness called when it failed, such as "List.Next", if that is one of
// the harness's package; else "".
func Called(c *results.Crash) string {
	i := strings.LastIndexByte(c.Harness, '.')
	if i < 0 {
		return ""
	}
	before, pkg := "", c.Harness[:i+1]
	for text := range strings.Lines(c.Stack) {
		text = strings.TrimRight(asID.Replace(text), "\n")
		if text == c.Harness || strings.HasPrefix(text, c.Harness+".") {
			break
		}
		if !strings.HasPrefix(text, "\t") {
			before = text
		}
	}
	name, ok := strings.CutPrefix(before, pkg)
	if !ok || slices.ContainsFunc(strings.Split(name, "."), func(part string) bool { return !token.IsIdentifier(part) }) {
		return "" // of a function literal, for one
	}
	return name
}

// asID converts names of functions in stacks to the form of function IDs: "nats%2ego.(*List[...]).Next" becomes
// "nats.go.List.Next".
var asID = strings.NewReplacer("(*", "", ")", "", "[...]", "", "%2e", ".")
