package probe

import (
	"go/build/constraint"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
	"testing"
)

func TestEverySourceIsConstrainedToTheOldestGo(t *testing.T) {
	sources := Sources("example.com/m/probe")
	if sources[LayoutFile] == "" || sources["loop/loop.go"] == "" || sources["wire/job.go"] == "" {
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
	sources := Sources("example.com/m/probe")
	placed := map[string]bool{}
	for name := range sources {
		placed[path.Join("example.com/m/probe", path.Dir(name))] = true
	}
	for name, text := range sources {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if p, _ := strconv.Unquote(i.Path.Value); strings.Contains(p, ".") && !placed[p] {
				t.Errorf("%s imports %s", name, p)
			}
		}
	}
}
