// Package testdiff compares the tests of a package before and after a change.
package testdiff

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Folder holds the test files of a folder, and the tests in them. Files for different platforms, or of the external
// test package, may have tests of the same name.
type Folder struct {
	sources map[string][]byte   // by file name
	names   map[string][]string // of tests, examples and fuzz targets, by file name
	tests   map[string]string   // bodies of the tests named TestXxx in all files, with the methods of suites that they run, without comments
	lines   map[[2]string]int   // where tests, examples and fuzz targets begin, by file name and name
}

// Sources returns the test files in dir by file name. Files that cannot be read are left out.
func Sources(dir string) map[string][]byte {
	sources := map[string][]byte{}
	files, _ := os.ReadDir(dir) // as many as can be read
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		if src, err := regular.Source(filepath.Join(dir, file.Name())); err == nil {
			sources[file.Name()] = src
		}
	}
	return sources
}

// Read reads and parses the test files in dir. Files that cannot be read or parsed are left out.
func Read(dir string) Folder {
	t := Folder{map[string][]byte{}, map[string][]string{}, map[string]string{}, map[[2]string]int{}}
	sources := Sources(dir)
	fset, files := token.NewFileSet(), map[string]*ast.File{}
	for name, src := range sources {
		if file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution); err == nil {
			t.sources[name], files[name] = src, file
		}
	}
	suites := suitesOf(files)
	for _, name := range slices.Sorted(maps.Keys(files)) { // in order, since the bodies of tests of the same name are joined
		for _, fn := range gotool.TestsIn(files[name]) {
			test := fn.Name.Name
			if test == "TestMain" {
				continue
			}
			t.names[name] = append(t.names[name], test)
			t.lines[[2]string{name, test}] = fset.Position(fn.Pos()).Line
			if fn.Body != nil && strings.HasPrefix(test, "Test") {
				t.tests[test] += source(fn.Body) + suites.in(fn.Body)
			}
		}
	}
	return t
}

// source returns a node as source without comments, with a line break at its end.
func source(node ast.Node) string {
	var text bytes.Buffer
	_ = printer.Fprint(&text, token.NewFileSet(), node)
	return text.String() + "\n"
}

// suites has the test methods of types, as source, by type. Packages such as testify's suite run them as parts of the
// test that makes a value of the type.
type suites map[string]string

// suitesOf returns the test methods of all types in files.
func suitesOf(files map[string]*ast.File) suites {
	s := suites{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, decl := range files[name].Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || len(fn.Recv.List) != 1 || fn.Body == nil || !strings.HasPrefix(fn.Name.Name, "Test") {
				continue
			}
			typ := fn.Recv.List[0].Type
			if star, ok := typ.(*ast.StarExpr); ok {
				typ = star.X
			}
			if id, ok := typ.(*ast.Ident); ok {
				s[id.Name] += fn.Name.Name + " " + source(fn.Body)
			}
		}
	}
	return s
}

// in returns the test methods of the types that the body of a test names.
func (s suites) in(body *ast.BlockStmt) (methods string) {
	seen := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !seen[id.Name] {
			seen[id.Name] = true
			methods += s[id.Name]
		}
		return true
	})
	return methods
}

// Changes compares the tests of t with those of there. It maps those that differ to results.TestAltered, and those that
// there does not have to absent. A test is unchanged if there has its body under any name, or has it with further lines
// under the same name, such as rows of a table. A test whose name there does not have counts as altered, too, if a test
// that t does not have consists of the same kinds of tokens: only names and literals differ.
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

// InOtherFiles returns the tests, examples and fuzz targets of t in files that differ in there, or that it does not
// have.
func (t Folder) InOtherFiles(there Folder) (names []string) {
	for _, file := range slices.Sorted(maps.Keys(t.sources)) {
		if !bytes.Equal(t.sources[file], there.sources[file]) {
			names = append(names, t.names[file]...)
		}
	}
	return names
}

// Place returns the name of the first file with a test of t, and the line where the test begins there. file is empty if
// t has no such test.
func (t Folder) Place(test string) (file string, line int) {
	for _, file := range slices.Sorted(maps.Keys(t.names)) {
		if slices.Contains(t.names[file], test) {
			return file, t.lines[[2]string{file, test}]
		}
	}
	return "", 0
}

// Same reports whether t and there both have a test of that name, with the same body.
func (t Folder) Same(there Folder, name string) bool {
	body, found := t.tests[name]
	other, both := there.tests[name]
	return found && both && body == other
}

// leastForm is how many tokens code must have for its form to be characteristic.
const leastForm = 10

// form returns the kinds of the tokens of code, in order; empty: there are too few.
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

// holds reports whether text has all lines of part, in order, perhaps with others between them.
func holds(text, part string) bool {
	rest := strings.Split(part, "\n")
	for line := range strings.SplitSeq(text, "\n") {
		if len(rest) > 0 && line == rest[0] {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

// Instead returns the files, by path, that give the folder dir, which has the test files of now, those of t. Files that
// t does not have get a package clause only.
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
