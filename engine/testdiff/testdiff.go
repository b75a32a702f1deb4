// Package testdiff compares the tests of a package before and after a change.
package testdiff

import (
	"bytes"
	"go/parser"
	"go/printer"
	"go/scanner"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Folder is the test files in a folder, and the tests in them by name.
type Folder struct {
	sources map[string][]byte   // by name of the file
	names   map[string][]string // of tests, examples and fuzz targets, likewise
	tests   map[string]string   // their source without layout and comments
	lines   map[string]int      // where they begin
}

// Sources reads the test files in a folder, by name. What cannot be read is passed over.
func Sources(dir string) map[string][]byte {
	sources := map[string][]byte{}
	names, _ := filepath.Glob(filepath.Join(dir, "*_test.go")) // the pattern is right
	for _, name := range names {
		if src, err := regular.Source(name); err == nil {
			sources[filepath.Base(name)] = src
		}
	}
	return sources
}

// Read reads and parses them. What cannot be parsed is passed over.
func Read(dir string) Folder {
	t := Folder{map[string][]byte{}, map[string][]string{}, map[string]string{}, map[string]int{}}
	for name, src := range Sources(dir) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		t.sources[name] = src
		for _, fn := range gotool.TestsIn(file) {
			test := fn.Name.Name
			if test == "TestMain" {
				continue
			}
			t.names[name] = append(t.names[name], test)
			t.lines[test] = fset.Position(fn.Pos()).Line
			if fn.Body != nil && strings.HasPrefix(test, "Test") {
				var text bytes.Buffer
				_ = printer.Fprint(&text, token.NewFileSet(), fn.Body)
				t.tests[test] = text.String()
			}
		}
	}
	return t
}

// Changes says which tests of t are others in there, or missing: absent is what such a one is called.
// One that is there under another name is neither, nor is one that only has more to do there, such
// as further rows of a table. One that is there under another name, with other names and literals in it, is another one.
func (t Folder) Changes(there Folder, absent string) map[string]string {
	bodies, mine := map[string]bool{}, map[string]bool{}
	for _, body := range there.tests {
		bodies[body] = true
	}
	for _, body := range t.tests {
		mine[body] = true
	}
	forms := map[string]bool{} // of tests that only there has
	for name, body := range there.tests {
		if _, both := t.tests[name]; !both && !mine[body] {
			forms[form(body)] = true
		}
	}
	changes := map[string]string{}
	for name, body := range t.tests {
		switch other, found := there.tests[name]; {
		case bodies[body] || found && holds(other, body):
		case found, form(body) != "" && forms[form(body)]:
			changes[name] = results.TestAltered
		default:
			changes[name] = absent
		}
	}
	return changes
}

// InOtherFiles are the tests, examples and fuzz targets of t in files that are other ones there, or missing.
func (t Folder) InOtherFiles(there Folder) (names []string) {
	for _, file := range slices.Sorted(maps.Keys(t.sources)) {
		if !bytes.Equal(t.sources[file], there.sources[file]) {
			names = append(names, t.names[file]...)
		}
	}
	return names
}

// Place is where a test of t is: the name of the file, and the line. The file is empty if t has no such test.
func (t Folder) Place(test string) (file string, line int) {
	for file, names := range t.names {
		if slices.Contains(names, test) {
			return file, t.lines[test]
		}
	}
	return "", 0
}

// Same reports whether a test of t is there, too, and does the same.
func (t Folder) Same(there Folder, name string) bool {
	body, found := t.tests[name]
	other, both := there.tests[name]
	return found && both && body == other
}

// leastForm is how many tokens code needs to have for its form to say anything.
const leastForm = 10

// form is what kinds of tokens code has; empty: it has few.
func form(code string) string {
	file := token.NewFileSet().AddFile("", -1, len(code))
	var s scanner.Scanner
	s.Init(file, []byte(code), nil, 0)
	var kinds []string
	for {
		_, kind, _ := s.Scan()
		if kind == token.EOF {
			break
		}
		kinds = append(kinds, kind.String())
	}
	if len(kinds) < leastForm {
		return ""
	}
	return strings.Join(kinds, " ")
}

// holds reports whether a text has all lines of a part, in order.
func holds(text, part string) bool {
	rest := strings.Split(part, "\n")
	for line := range strings.SplitSeq(text, "\n") {
		if len(rest) > 0 && line == rest[0] {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

// Instead are files for a folder that has now: the test files of t, and nothing in place of
// others.
func (t Folder) Instead(now Folder, dir string) map[string][]byte {
	files := map[string][]byte{}
	for name, src := range now.sources {
		if t.sources[name] == nil {
			file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.PackageClauseOnly)
			if err == nil {
				files[filepath.Join(dir, name)] = []byte("package " + file.Name.Name + "\n")
			}
		}
	}
	for name, src := range t.sources {
		files[filepath.Join(dir, name)] = src
	}
	return files
}
