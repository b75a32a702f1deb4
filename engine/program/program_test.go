package program

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

func TestAProgramThatTheGoCommandDoesNotListDoesNotBuild(t *testing.T) {
	p := built()
	p.Dir = t.TempDir() // not a module
	p.Tool, p.Modules = gotool.Go{Dir: p.Dir}, []diffscope.Module{{Dir: p.Dir}}
	p.Flags = []string{"-no-such-flag"}
	var broken *BrokenError
	if err := p.List(t.Context()); !errors.As(err, &broken) {
		t.Fatalf("the error is %v", err)
	}
	if !slices.Equal(broken.Packages, []string{"m/a", "m/b", "m/c"}) || !strings.Contains(broken.Output, "no-such-flag") {
		t.Errorf("%v: %s", broken.Packages, broken.Output)
	}
}
