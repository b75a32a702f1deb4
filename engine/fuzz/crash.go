package fuzz

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// addCrash records a failure of the program, one of each kind and place.
func (f *Fuzzer) addCrash(c *claim) {
	crash := *c.verdict.crash
	if slices.ContainsFunc(f.Crashes, func(other results.Crash) bool { return crashKey(&other) == crashKey(&crash) }) {
		return
	}
	f.Crashes = append(f.Crashes, crash)
	c.target.add(c.entry, results.EntryCrash, 0)
}

// crashKey identifies a failure by its kind and the innermost frames.
func crashKey(c *results.Crash) string {
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

// cleanStack returns a stack without what the weaving added, and with file names
// relative to tree.
func cleanStack(stack, tree string) string {
	stack = adapterFrame.ReplaceAllString(stack, "")
	return strings.ReplaceAll(stack, tree+string(filepath.Separator), "")
}
