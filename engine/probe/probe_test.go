package probe

import (
	"go/build/constraint"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
)

func TestEverySourceIsConstrainedToTheOldestGo(t *testing.T) {
	sources := Sources("example.com/m/probe")
	if sources[LayoutFile] == "" || sources["loop.go"] == "" || sources["wire/job.go"] == "" {
		t.Fatal("sources are missing")
	}
	for name, text := range sources {
		line, _, _ := strings.Cut(text, "\n")
		expression, err := constraint.Parse(line)
		if err != nil || constraint.GoVersion(expression) != "go1.21" {
			t.Errorf("%s begins with %q", name, line)
		}
		if strings.HasSuffix(name, "_test.go") {
			t.Errorf("%s is no part of the run-time", name)
		}
	}
}

func TestSourcesImportNothingButWhatTheyBring(t *testing.T) {
	for name, text := range Sources("example.com/m/probe") {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if p, _ := strconv.Unquote(i.Path.Value); strings.Contains(p, ".") && p != "example.com/m/probe/wire" {
				t.Errorf("%s imports %s", name, p)
			}
		}
	}
}
