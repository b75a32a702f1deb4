package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The runtime that is woven into test binaries takes over its process. The mutantfuzz program may contain its sources,
// but not link it.
func TestMutantfuzzDoesNotLinkTheRunTime(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	const probe = "github.com/mutantfuzz/mutantfuzz/engine/probe"
	linked := strings.Fields(string(out))
	if !slices.Contains(linked, probe) {
		t.Errorf("%s, which has the sources, is not linked: %q", probe, linked)
	}
	for _, pkg := range linked {
		if strings.HasPrefix(pkg, probe+"/") {
			t.Errorf("%s is linked", pkg)
		}
	}
}

// The table of packages in docs/design.md has to name the actual imports, and each package may only import packages
// above it in the table.
func TestPackageTableHoldsAndDataFlowsOneWay(t *testing.T) {
	const module = "github.com/mutantfuzz/mutantfuzz/"
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}: {{join .Imports " "}}`, module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		path, list, _ := strings.Cut(strings.TrimSpace(line), ": ")
		own := []string{}
		for _, imp := range strings.Fields(list) {
			if short, ok := strings.CutPrefix(imp, module); ok {
				own = append(own, strings.TrimPrefix(short, "engine/"))
			}
		}
		imports[strings.TrimPrefix(path, module)] = own
	}
	doc, err := os.ReadFile("../../docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	above := map[string]bool{}
	row := regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\| [^|]+ \\| ([a-z/, ]*)\\|$")
	for _, cells := range row.FindAllStringSubmatch(string(doc), -1) {
		path := cells[1]
		want, known := imports[path]
		if !known {
			t.Errorf("there is no package %s", path)
			continue
		}
		got := strings.FieldsFunc(cells[2], func(r rune) bool { return r == ',' || r == ' ' })
		if !slices.Equal(got, want) {
			t.Errorf("%s imports %q, and the table says %q", path, want, got)
		}
		for _, imp := range want {
			if !above[imp] {
				t.Errorf("%s imports %s, which is not above it", path, imp)
			}
		}
		above[strings.TrimPrefix(path, "engine/")] = true
		delete(imports, path)
	}
	for path := range imports {
		if !strings.HasPrefix(path, "internal/audit") && !slices.Contains([]string{"internal/evaluate", "internal/realcode", "internal/stabledir", "report/internal/attack", "report/internal/gfm", "report/internal/known", "report/internal/sample"}, path) {
			t.Errorf("%s is not in the table", path)
		}
	}
}
