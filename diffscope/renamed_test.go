package diffscope

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const beforeRenaming = `
-- base/go.mod --
module example.com/m

go 1.26
-- base/m.go --
package m

type T struct{ n int }

func (t *T) Find(list []T, n int) int {
	for i, e := range list {
		if e.n == n {
			return i
		}
		if e.n == limit {
			break
		}
	}
	return -n
}

const limit = 9
-- head/go.mod --
module example.com/m

go 1.26
`

func TestLinesWithRenamedVariablesAreNotChanged(t *testing.T) {
	got := changedIn(t, beforeRenaming+`
-- head/m.go --
package m

type T struct{ n int }

func (s *T) Find(list []T, wanted int) int {
	for i, entry := range list {
		if entry.n == wanted {
			return i
		}
		if entry.n > limit {
			break
		}
	}
	return -wanted
}

const limit = 9
`)
	if diff := cmp.Diff(map[string][]lines{"T.Find": {{10, 10}}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnotherVariableIsAChange(t *testing.T) {
	got := changedIn(t, beforeRenaming+`
-- head/m.go --
package m

type T struct{ n int }

func (t *T) Find(list []T, n int) int {
	for i, e := range list {
		if e.n == i {
			return i
		}
		if e.n == limit {
			break
		}
	}
	return -limit
}

const limit = 9
`)
	if diff := cmp.Diff(map[string][]lines{"T.Find": {{7, 7}, {14, 14}}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestCallsOfRenamedFunctionsAreNotChanged(t *testing.T) {
	got := changedIn(t, `
-- base/go.mod --
module example.com/m

go 1.26
-- base/m.go --
package m

func Notification(s string) int { return len(s) }

func Send(s string) int {
	if s == "" {
		return Notification("-")
	}
	text := s + s
	return Notification(text) + 1
}
-- head/go.mod --
module example.com/m

go 1.26
-- head/m.go --
package m

func Notify(s string) int { return len(s) }

func Send(s string) int {
	if s == "" {
		return Notify("-")
	}
	message := s + s
	return Notify(message) + 2
}
`)
	if diff := cmp.Diff(map[string][]lines{"Send": {{10, 10}}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestLinesWithAConstantForALiteralAreNotChanged(t *testing.T) {
	for declared, want := range map[string]lines{"const least = 3": {9, 9}, "const least int = 3": {9, 9}, "const least = 1 + 2": {6, 9}} {
		got := changedIn(t, strings.ReplaceAll(aConstant, "const least = 3", declared))
		if first := got["F"][0]; first.First != want.First {
			t.Errorf("%s: %v", declared, got)
		}
	}
}

const aConstant = `
-- base/go.mod --
module example.com/m

go 1.26
-- base/m.go --
package m

func F(b []byte) bool {
	if len(b) < 3 {
		return false
	}
	return len(b) > 5
}
-- head/go.mod --
module example.com/m

go 1.26
-- head/m.go --
package m

const least = 3

func F(b []byte) bool {
	if len(b) < least {
		return false
	}
	return len(b) >= 5
}
`

func TestConstantsForLiteralsAreKnownBesideTextsBetweenBackquotes(t *testing.T) {
	for text, want := range map[string]int{"`^[1-9]`": 9, "`\nlen(b) < 3`": 6} {
		archive := strings.ReplaceAll(aConstant, "return false", "return string(b) == "+text)
		if first := changedIn(t, archive)["F"][0]; first.First != want {
			t.Errorf("with %q the change begins in line %d, want %d", text, first.First, want)
		}
	}
}
