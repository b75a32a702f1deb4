package weave

import (
	"slices"
	"testing"
)

func TestVariablesAreNoImports(t *testing.T) {
	s := &Site{Imports: map[string]string{"list": `"container/list"`, "orb": `"orb"`}}
	got := s.ImportsFor("list, err := New(orb.X)\nif want := (orb.Point{}); list.Len() != want.X() {\n}")
	if want := []string{`"orb"`, `"testing"`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestImportsAreThoseThatATestNames(t *testing.T) {
	s := &Site{Imports: map[string]string{"fmt": `"fmt"`, "ber": `"b"`, "über": `über "u"`, "strings": `"strings"`}}
	got := s.ImportsFor("x := f(über.Größe)\nfmt.Print(x)")
	if want := []string{`"fmt"`, `"testing"`, `über "u"`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTextsAndFieldsNameNoImports(t *testing.T) {
	s := &Site{Imports: map[string]string{"fmt": `"fmt"`, "url": `"net/url"`, "time": `"time"`, "strings": `"strings"`}}
	got := s.ImportsFor("got := f(\"fmt.Print\", x.url.Path, `time.Now`) // strings.Split\nfor url := range got {\n\t_ = url\n}")
	if want := []string{`"testing"`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
