package story

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// isNewFile reports whether the test that x suggests is a complete file.
func isNewFile(x *results.ExposedBy) bool {
	return strings.HasPrefix(fact.SuggestedTest(x), "package ")
}

// fileFor returns the file that the suggested test belongs in.
func fileFor(x *results.ExposedBy) string {
	if x.Suggestion != nil {
		return x.Suggestion.File
	}
	return x.TestFile
}

// oneFile merges several tests that are complete files into one file. It returns "" if that is not possible, because
// they are in different packages, or share a name.
func oneFile(tests []*results.ExposedBy) string {
	fset := token.NewFileSet()
	var pkg string
	var bodies strings.Builder
	names, imports := map[string]bool{}, map[string]bool{}
	for _, x := range tests {
		source := fact.SuggestedTest(x)
		file, err := parser.ParseFile(fset, "", source, parser.SkipObjectResolution)
		if err != nil || !isNewFile(x) || path.Dir(fileFor(x)) != path.Dir(fileFor(tests[0])) || !ownNames(file, names) {
			return ""
		}
		if pkg = cmp.Or(pkg, file.Name.Name); pkg != file.Name.Name {
			return ""
		}
		end := file.Name.End()
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
				end = d.End()
			}
		}
		for _, spec := range file.Imports {
			imports[source[fset.Position(spec.Pos()).Offset:fset.Position(spec.End()).Offset]] = true
		}
		bodies.WriteString("\n" + strings.Trim(source[fset.Position(end).Offset:], "\n") + "\n")
	}
	return "package " + pkg + "\n\n" + importDecl(slices.Sorted(maps.Keys(imports))) + bodies.String()
}

// importDecl returns a declaration that imports packages, those of the standard library first.
func importDecl(specs []string) string {
	var groups [2]strings.Builder
	for _, spec := range specs {
		first, _, _ := strings.Cut(spec[strings.IndexByte(spec, '"')+1:], "/")
		n := 0
		if strings.Contains(first, ".") {
			n = 1
		}
		groups[n].WriteString("\t" + spec + "\n")
	}
	between := ""
	if groups[0].Len() > 0 && groups[1].Len() > 0 {
		between = "\n"
	}
	return "import (\n" + groups[0].String() + between + groups[1].String() + ")\n"
}

// ownNames adds the functions that a file declares to names, and reports whether none of them was there before.
func ownNames(file *ast.File, names map[string]bool) bool {
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if names[fn.Name.Name] {
			return false
		}
		names[fn.Name.Name] = true
	}
	return true
}
