package program

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// built returns a program of packages a, b and c with one function each. b imports a.
func built() *Program {
	p := &Program{Packages: map[string]*gotool.Package{
		"m/a": {ImportPath: "m/a"}, "m/b": {ImportPath: "m/b", Deps: []string{"m/a"}}, "m/c": {ImportPath: "m/c"},
	}}
	for path := range p.Packages {
		f := diffscope.Function{}
		f.Package = path
		p.Functions = append(p.Functions, f)
	}
	return p
}

// left returns the packages that still have functions to mutate, sorted.
func left(p *Program) (paths []string) {
	for _, f := range p.Functions {
		if f.Skipped == "" {
			paths = append(paths, f.Package)
		}
	}
	slices.Sort(paths)
	return paths
}

func TestPackagesThatDoNotBuildAreLeftOutWithWhatDependsOnThem(t *testing.T) {
	compiler := func(header string) error {
		return fmt.Errorf("building: %w", &gotool.BuildError{Packages: []string{"m/a", "m/b", "m/c"}, Output: header + "\nx_test.go:3:1: undefined: x"})
	}
	const because = " is left out, with what depends on it: it or its tests do not build: x_test.go:3:1: undefined: x"
	for name, tt := range map[string]struct {
		err  error
		note string // empty: no package can be left out
		left []string
	}{
		"types":            {&BrokenError{Packages: []string{"m/c"}, Output: "x_test.go:3:1: undefined: x"}, "m/c" + because, []string{"m/a", "m/b"}},
		"external types":   {&BrokenError{Packages: []string{"m/c_test"}, Output: "x_test.go:3:1: undefined: x"}, "m/c" + because, []string{"m/a", "m/b"}},
		"external tests":   {compiler("# m/a_test [m/a.test]"), "m/a" + because, []string{"m/c"}},
		"tests in package": {compiler("# m/b [m/b.test]"), "m/b" + because, []string{"m/a", "m/c"}},
		"a package":        {compiler("# m/a"), "m/a" + because, []string{"m/c"}},
		"what all import":  {compiler("# m/a\nx.go:1:1: x\n# m/c"), "", nil},
		"nobody knows":     {compiler("go: no such tool"), "", nil},
		"another error":    {fmt.Errorf("no space left"), "", nil},
	} {
		p := built()
		note, ok := p.LeaveOut(tt.err)
		switch {
		case tt.left == nil && (ok || len(left(p)) != 3):
			t.Errorf("%s: %q, %v", name, note, left(p))
		case tt.left != nil && (!ok || note != tt.note || !slices.Equal(left(p), tt.left)):
			t.Errorf("%s: %q, %v", name, note, left(p))
		}
		if again, ok := p.LeaveOut(tt.err); ok {
			t.Errorf("%s, again: %q", name, again)
		}
	}
}

func TestALackOfTheMachineIsNoFaultOfPackages(t *testing.T) {
	err := broken([]string{"m/p"}, "link: mapping output file failed: no space left on device")
	if fault := (*BrokenError)(nil); errors.As(err, &fault) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v", err)
	}
	err = broken([]string{"m/p"}, "p.go:1:1: expected 'package'")
	if fault := (*BrokenError)(nil); !errors.As(err, &fault) {
		t.Errorf("%v", err)
	}
}

func TestTheHintAboutADependencyThatDoesNotBuildIsNotAboutTheProgram(t *testing.T) {
	for output, want := range map[string]string{
		"/root/go/pkg/mod/golang.org/x/tools@v0.24.0/internal/t/t.go:64:9: invalid array length": "hint: that is code of a dependency",
		"t/t.go:64:9: undefined: x@v0.2.0/a.go:1":                                                "hint: make \"go vet ./...\" pass first",
	} {
		if got := (&BrokenError{Packages: []string{"p"}, Output: output}).Error(); !strings.Contains(got, want) {
			t.Errorf("%s: %s", output, got)
		}
	}
}
