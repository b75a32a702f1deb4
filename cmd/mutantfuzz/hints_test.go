package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// literals calls f with every string literal in the Go files of this module, except tests, e2e and the internal folder
// at the root.
func literals(t *testing.T, f func(place, text string)) {
	t.Helper()
	root := filepath.Join("..", "..")
	files := token.NewFileSet()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := d.Name()
		if d.IsDir() && (base == "testdata" || base == "e2e" || base == "internal" && filepath.Dir(name) == root || strings.HasPrefix(base, ".") && name != root) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Error(err)
				}
				f(files.Position(lit.Pos()).String(), text)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// These match the ways in which messages name our own commands and flags. Elsewhere, mutantfuzz is the subject of a
// sentence, and flags are those of git.
var (
	commandLine = regexp.MustCompile("(?:[\"`:|] ?|\n +)mutantfuzz ([a-z-]+)|^mutantfuzz ([a-z-]+)[^\n]*$")
	flagOfUsage = regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z-]+)`)
	flagOfHint  = regexp.MustCompile(`(?:^|[\s"(])--([a-z][a-z-]*)`)
	flagOfOurs  = regexp.MustCompile(`(?:pass|with|use|drop|leave out|name one with) --([a-z][a-z-]*)`)
)

func TestMessagesNameCommandsAndFlagsThatExist(t *testing.T) {
	c := Command{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard, Getenv: func(string) string { return "" }}
	root := c.root()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	commands, flags := []string{}, []string{"help"}
	for _, cmd := range root.Commands() {
		commands = append(commands, cmd.Name())
		for _, match := range flagOfUsage.FindAllStringSubmatch(cmd.Flags().FlagUsages(), -1) {
			flags = append(flags, match[1])
		}
	}
	seen := 0
	literals(t, func(place, text string) {
		for _, match := range commandLine.FindAllStringSubmatch(text, -1) {
			if seen++; !slices.Contains(commands, match[1]+match[2]) {
				t.Errorf("%s: there is no command %q, of which it says %q", place, match[1]+match[2], text)
			}
		}
		_, hint, _ := strings.Cut(text, "hint: ")
		for _, match := range slices.Concat(flagOfHint.FindAllStringSubmatch(hint, -1), flagOfOurs.FindAllStringSubmatch(text, -1)) {
			if !slices.Contains(flags, match[1]) {
				t.Errorf("%s: there is no flag --%s, of which it says %q", place, match[1], text)
			}
		}
	})
	if seen < 10 {
		t.Errorf("only %d commands are in messages: they are not found", seen)
	}
}
