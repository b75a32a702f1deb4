package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// inDocs matches a command in the documentation: at the start of a line of code, as an item of a YAML list, or as
// inline code in a sentence.
var inDocs = regexp.MustCompile("(?m)(?:^ *|`|- )mutantfuzz( [a-z]+(?: [^\n`#|&]+)?)")

// TestCommandsInTheDocsAreKnown checks that the commands and flags exist that the documentation names.
func TestCommandsInTheDocsAreKnown(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, page := range append(pages, "../../README.md", "../../CONTRIBUTING.md") {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range codeOf(string(data)) {
			for _, match := range inDocs.FindAllStringSubmatch(code, -1) {
				found++
				if err := known(match[1]); err != nil {
					t.Errorf("%s: mutantfuzz%s: %v", page, match[1], err)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("%d commands in the documentation", found)
	}
}

var (
	fencedCode = regexp.MustCompile("(?ms)^ *```(?:sh|yaml|text)?\n(.*?)^ *```")
	inlineCode = regexp.MustCompile("`mutantfuzz [^`\n]+`")
)

// codeOf returns the code of a page: all blocks of code, and inline code that is a command.
func codeOf(page string) []string {
	var list []string
	for _, match := range fencedCode.FindAllStringSubmatch(page, -1) {
		list = append(list, match[1])
	}
	return append(list, inlineCode.FindAllString(fencedCode.ReplaceAllString(page, ""), -1)...)
}

// known returns an error if a command line has an unknown command or flag. It does not look at the values of flags.
func known(line string) error {
	line, _, _ = strings.Cut(line, "   ") // lists of commands have explanations after them
	line, _, _ = strings.Cut(line, " -- ")
	root := (&Command{Getenv: func(string) string { return "" }}).root()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("completion")
	args := strings.Fields(line)
	cmd, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	if cmd == root {
		return usagef("unknown command %q", args[0])
	}
	for _, arg := range rest {
		name, _, _ := strings.Cut(strings.TrimRight(arg, ",;."), "=")
		switch flags := cmd.Flags(); {
		case strings.HasPrefix(name, "--") && name != "--" && flags.Lookup(name[2:]) == nil,
			strings.HasPrefix(name, "-") && len(name) == 2 && name != "--" && flags.ShorthandLookup(name[1:]) == nil:
			return usagef("unknown flag %s", name)
		}
	}
	return nil
}
