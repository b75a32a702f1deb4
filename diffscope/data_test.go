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

func TestPackagesWhoseTestsReadChangedDataAreTestedInTheChange(t *testing.T) {
	dir := repository(t, txtar.Parse([]byte(`
-- base/go.mod --
module example.com/m

go 1.21
-- base/m.go --
package m

func F() int { return 1 }
-- base/m_test.go --
package m

const readme = "README.txt"
-- base/cli/cli_test.go --
package cli

const cases = "cases.yaml"
-- base/deep/deep_test.go --
package deep
-- base/idle/idle_test.go --
package idle
-- base/none/none.go --
package none
-- head/go.mod --
module example.com/m

go 1.21
-- head/m.go --
package m

func F() int { return 2 }
-- head/m_test.go --
package m

const readme = "README.txt"
-- head/cli/cli_test.go --
package cli

const cases = "cases.yaml"
-- head/deep/deep_test.go --
package deep
-- head/idle/idle_test.go --
package idle
-- head/none/none.go --
package none
-- head/cli/cases.yaml --
a: 1
-- head/deep/testdata/x/y.golden --
y
-- head/idle/notes.md --
notes
-- head/none/testdata/z --
z
-- head/docs/README.txt --
docs
`)))
	scope, err := find(t, Config{Dir: dir, Base: "base"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"example.com/m/cli", "example.com/m/deep"}, scope.TestedIn); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
