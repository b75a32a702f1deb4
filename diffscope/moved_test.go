package diffscope

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// lines is Lines, to be written without the names of its fields.
type lines struct{ First, Last int }

// changedLines returns the changed lines of a function.
func changedLines(f Function) (list []lines) {
	for _, l := range f.Changed {
		list = append(list, lines(l))
	}
	return list
}

// changedIn returns the changed lines of each function in scope, by name. archive has a base and a head.
func changedIn(t *testing.T, archive string) map[string][]lines {
	t.Helper()
	dir := repository(t, txtar.Parse([]byte(archive)))
	scope, err := find(t, Config{Dir: dir, Base: "base"})
	if err != nil {
		t.Fatal(err)
	}
	changed := map[string][]lines{}
	for _, f := range scope.Functions {
		changed[f.Name] = changedLines(f)
	}
	return changed
}

const beforeMoving = `
-- base/go.mod --
module example.com/m

go 1.26
-- base/m.go --
package m

func Sum(list []int, limit int) (sum int) {
	for _, number := range list {
		if number > limit {
			number = limit
		}
		sum += number
	}
	return sum
}
-- head/go.mod --
module example.com/m

go 1.26
`

func TestLinesMovedToANewFunctionAreNotChanged(t *testing.T) {
	got := changedIn(t, beforeMoving+`
-- head/m.go --
package m

func Sum(list []int, limit int) (sum int) {
	for _, number := range list {
		sum += clamped(number, limit)
	}
	return sum
}
-- head/clamped.go --
package m

func clamped(number, limit int) int {
	if number > limit {
		number = limit
	}
	return max(number, 0)
}
`)
	if diff := cmp.Diff(map[string][]lines{"Sum": {{5, 5}}, "clamped": {{3, 3}, {7, 8}}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestIndentedLinesAreNotChanged(t *testing.T) {
	got := changedIn(t, beforeMoving+`
-- head/m.go --
package m

func Sum(list []int, limit int) (sum int) {
	for _, number := range list {
		if limit > 0 {
			if number > limit {
				number = limit
			}
		}
		sum += number
	}
	return sum
}
`)
	if diff := cmp.Diff(map[string][]lines{"Sum": {{5, 5}}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestShortLinesAreNotMoved(t *testing.T) {
	got := changedIn(t, beforeMoving+`
-- head/m.go --
package m

func Sum(list []int, limit int) (sum int) {
	for _, number := range list {
		sum += min(number, limit)
	}
	return sum
}

func count(sum, number int) int {
	sum += number
	return sum
}
`)
	if diff := cmp.Diff(map[string][]lines{"Sum": {{5, 5}}, "count": {{10, 13}}}, got); diff != "" {
		t.Error(diff)
	}
}

// realigned has a composite literal that gofmt has realigned, and a string whose blanks count. (§ is a backquote.)
var realigned = strings.ReplaceAll(`
-- base/go.mod --
module example.com/m

go 1.26
-- base/m.go --
package m

type Options struct {
	Name, Prefix, Suffix string
	OnlyIfEmpty          bool
}

func Copy(o Options) Options {
	return Options{
		Name:   o.Name,
		Prefix: o.Prefix + "x",
		Suffix: o.Suffix,
	}
}

func Text() string {
	return §a
  b§
}
-- head/go.mod --
module example.com/m

go 1.26
-- head/m.go --
package m

type Options struct {
	Name, Prefix, Suffix string
	OnlyIfEmpty          bool
}

func Copy(o Options) Options {
	return Options{
		Name:        o.Name,
		Prefix:      o.Prefix + "x",
		OnlyIfEmpty: o.OnlyIfEmpty,
		Suffix:      o.Suffix,
	}
}

func Text() string {
	return §a
    b§
}
`, "§", "`")

func TestLinesThatAreAlignedAnewAreNotChanged(t *testing.T) {
	if diff := cmp.Diff([]lines{{12, 12}}, changedIn(t, realigned)["Copy"]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestHunksAreNotLargerBecauseLinesAreAlignedAnew(t *testing.T) {
	scope, err := find(t, Config{Dir: repository(t, txtar.Parse([]byte(realigned))), Base: "base"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Hunk{{File: "m.go", First: 12, Count: 1}, {File: "m.go", First: 19, Count: 1, Old: "  b`\n"}}
	if diff := cmp.Diff(want, scope.Hunks); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

const beforeRenamingAndChanging = `
-- base/go.mod --
module example.com/m

go 1.26
-- base/m.go --
package m

import "fmt"

func Print(list []int) { fmt.Println(total(list, 3)) }

func total(list []int, limit int) (sum int) {
	for _, number := range list {
		if number > limit {
			number = limit
		}
		sum += number
	}
	fmt.Println("total", sum)
	return sum
}
-- head/go.mod --
module example.com/m

go 1.26
`

func TestAFunctionThatIsRenamedAndChangedIsNotNew(t *testing.T) {
	got := changedIn(t, beforeRenamingAndChanging+`
-- head/m.go --
package m

import "fmt"

func Print(list []int) { fmt.Println(sumOf(list, 3)) }

func sumOf(list []int, limit int) (sum int) {
	for _, number := range list {
		if number > limit {
			number = limit
		}
		sum += number
	}
	fmt.Println("sum", sum)
	return sum
}
`)
	if diff := cmp.Diff(map[string][]lines{"sumOf": {{14, 14}}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAFunctionThatHasLittleOfADeletedOneIsNew(t *testing.T) {
	got := changedIn(t, beforeRenamingAndChanging+`
-- head/m.go --
package m

import "fmt"

func Print(list []int) { fmt.Println(product(list)) }

func product(list []int) int {
	result := 1
	for _, number := range list {
		result *= number
	}
	fmt.Println("product", result)
	return result
}
`)
	if diff := cmp.Diff(map[string][]lines{"Print": {{5, 5}}, "product": {{7, 14}}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOfEqualLinesTheOneWithTheSameIndentationStays(t *testing.T) {
	got := changedIn(t, `
-- base/go.mod --
module example.com/m

go 1.26
-- base/m.go --
package m

func Load(name string) (*T, error) {
	t, err := parse(tagOf(name))
	if err != nil {
		return nil, err
	}
	return t, nil
}
-- head/go.mod --
module example.com/m

go 1.26
-- head/m.go --
package m

func Load(name string) (*T, error) {
	first, ok := signature(name)
	if ok {
		_, err := parse(first)
		if err != nil {
			return nil, err
		}
	}
	t, err := parse(name)
	if err != nil {
		return nil, err
	}
	return t, nil
}
`)
	if diff := cmp.Diff(map[string][]lines{"Load": {{4, 11}}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestLinesThatAnybodyWritesAreNotMoved(t *testing.T) {
	got := changedIn(t, `
-- base/go.mod --
module example.com/m

go 1.26
-- base/m.go --
package m

func Load(name string) (*T, error) {
	return parse(name)
}

func old() (*T, error) {
	t, err := parse("old")
	if err != nil {
		return nil, err
	}
	return t, nil
}
-- head/go.mod --
module example.com/m

go 1.26
-- head/m.go --
package m

func Load(name string) (*T, error) {
	err := check(name)
	if err != nil {
		return nil, err
	}
	return parse(name)
}
`)
	if diff := cmp.Diff(map[string][]lines{"Load": {{4, 6}}}, got); diff != "" {
		t.Error(diff)
	}
}
