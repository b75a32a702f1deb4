package weave

import (
	"fmt"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
)

// probeSources returns the files of the probe, as they are woven into this binary with
// the probe's folder at importPath. Their names are relative to that folder.
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

// layoutSource is the file that gives the probe its sizes. No array is empty,
// so that pointers to them can be taken whatever was woven.
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

// StdImports are the packages of the standard library that the probe and the
// woven code import; Input.Std must hold them.
func StdImports() ([]string, error) {
	const importPath = "probe" // any will do
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
