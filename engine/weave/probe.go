package weave

import (
	"fmt"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
)

// probeSources returns the files of the probe with the layout of w. importPath is the import path of the probe's
// folder, and file names are relative to that folder.
func probeSources(importPath string, w *Woven) (map[string][]byte, error) {
	sources := map[string][]byte{}
	for name, text := range probe.Sources(importPath) {
		sources[name] = []byte(text)
	}
	if sources[probe.LayoutFile] == nil {
		return nil, fmt.Errorf("the embedded probe has no %s", probe.LayoutFile)
	}
	sources[probe.LayoutFile] = layoutSource(w)
	return sources, nil
}

// layoutSource returns the source of the probe's layout file: the sizes of its arrays and the counters of each
// function.
func layoutSource(w *Woven) []byte {
	var b strings.Builder
	b.WriteString("//go:build go1.21\n\npackage state\n\nconst (\n")
	fmt.Fprintf(&b, "\tNumBlocks = %d\n\tNumFuncs = %d\n\tNumMutants = %d\n)\n\n", w.Layout.Blocks, w.Layout.Funcs, w.Layout.Mutants)
	b.WriteString("var FuncBlocks = [NumFuncs][2]uint32{")
	for _, f := range w.Funcs {
		fmt.Fprintf(&b, "{%d,%d},", f.First, f.End)
	}
	b.WriteString("}\n")
	return []byte(b.String())
}

// StdImports returns the packages of the standard library that the probe and the woven code import. Input.Std must
// contain them.
func StdImports() ([]string, error) {
	const importPath = "probe" // any path will do
	seen := map[string]bool{"testing": true}
	list := []string{"testing"}
	for name, text := range probe.Sources(importPath) {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return nil, err
		}
		for _, imp := range f.Imports {
			name, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return nil, err
			}
			if !seen[name] && !strings.HasPrefix(name, importPath+"/") {
				seen[name] = true
				list = append(list, name)
			}
		}
	}
	return list, nil
}
