package diffscope

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

func TestVariablesAndFieldsOfTheChangeAreKnown(t *testing.T) {
	dir := repository(t, txtar.Parse([]byte(`
-- base/go.mod --
module example.com/m

go 1.26
-- base/m.go --
package m

var limit = 1

type options struct{ depth int }

func F() {}
-- head/go.mod --
module example.com/m

go 1.26
-- head/m.go --
package m

var limit = 2

var (
	most = 3
	_    = most
)

const least = 1

type options struct {
	depth, width int
	_            int
	extra
}

type extra struct{ Height int }

type size int

func F() { println(most) }
-- head/m_test.go --
package m

var inTest = 1
-- head/q/q_test.go --
package q_test

import "testing"

func TestQ(t *testing.T) {}
`)))
	scope, err := find(t, Config{Dir: dir, Base: "base"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"example.com/m", "example.com/m/q"}, scope.TestedIn); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := []string{"example.com/m.extra.Height", "example.com/m.most", "example.com/m.options.width"}
	if diff := cmp.Diff(want, scope.AddedData); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
