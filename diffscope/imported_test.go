package diffscope

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const beforeImporting = `
-- base/go.mod --
module example.com/m

go 1.26
-- base/m.go --
package m

import (
	"strings"

	"example.com/m/old"
)

func Get(names []string) any {
	if len(names) > old.Limit {
		return old.Lookup(names[0], old.Provider)
	}
	return strings.ToLower(old.Text)
}
-- head/go.mod --
module example.com/m

go 1.26
`

func TestLinesThatSelectFromTheImportInThePlaceOfAnotherAreNotChanged(t *testing.T) {
	for _, tt := range []struct {
		name, head string
		want       []lines
	}{
		{"all lines do", `package m

import (
	"strings"

	"example.com/m/fresh"
)

func Get(names []string) any {
	if len(names) > fresh.Limit {
		return fresh.Lookup(names[0], fresh.Provider)
	}
	return strings.ToLower(fresh.Text)
}
`, nil},
		{"others differ in more", `package m

import (
	"strings"

	"example.com/m/fresh"
)

func Get(names []string) any {
	if len(names) > fresh.Limit {
		return fresh.Lookup(names[1], fresh.Provider)
	}
	return strings.ToLower(fresh.Title)
}
`, []lines{{11, 11}, {13, 13}}},
		{"the other package was imported before", `package m

import "strings"

func Get(names []string) any {
	if len(names) > strings.Limit {
		return strings.Lookup(names[0], strings.Provider)
	}
	return strings.ToLower(strings.Text)
}
`, []lines{{6, 9}}},
		{"the package is still imported", `package m

import (
	"strings"

	"example.com/m/fresh"
	"example.com/m/old"
)

func Get(names []string) any {
	if len(names) > fresh.Limit {
		return old.Lookup(names[0], old.Provider)
	}
	return strings.ToLower(old.Text)
}
`, []lines{{11, 11}}},
		{"a field has the name", `package m

import (
	"strings"

	"example.com/m/fresh"
)

func Get(names []string) any {
	if len(names) > x.fresh.Limit {
		return fresh.Lookup(names[0], fresh.Provider)
	}
	return strings.ToLower(fresh.Text)
}
`, []lines{{10, 10}}},
	} {
		got := changedIn(t, beforeImporting+"-- head/m.go --\n"+tt.head)
		if diff := cmp.Diff(map[string][]lines{"Get": tt.want}, got); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}
