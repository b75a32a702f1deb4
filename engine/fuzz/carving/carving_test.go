package carving

import (
	"slices"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

func TestArgumentsOfTestsBecomeSeedsOfDrivers(t *testing.T) {
	places := Places([]string{"s", "n", "data"}, "F(ctx, Level(n), s, list...)", false)
	if !slices.Equal(places, []int{2, 1, -1}) {
		t.Fatalf("places are %v", places)
	}
	for name, test := range map[string]struct {
		args []string
		want string // empty: no entry
	}{
		"constants":                {[]string{"", "5", `"a\n"`}, "go test fuzz v1\nstring(\"a\\n\")\nint8(5)\n[]byte(\"\")\n"},
		"conversions":              {[]string{"", "m.Level(-5)", `m.Name("x")`}, "go test fuzz v1\nstring(\"x\")\nint8(-5)\n[]byte(\"\")\n"},
		"no form as source":        {[]string{"", "5", ""}, ""},
		"too few":                  {[]string{"", "5"}, ""},
		"no constant":              {[]string{"", "x", `"a"`}, ""},
		"another type than wanted": {[]string{"", `"a"`, `"a"`}, ""},
		"out of range":             {[]string{"", "500", `"a"`}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e, ok := Entry([]string{"string", "int8", "[]byte"}, test.args, places)
			if ok != (test.want != "") || string(e.Data) != test.want {
				t.Errorf("got %q", e.Data)
			}
			if ok && e.ID != wire.EntryID(test.want) {
				t.Error("the entry has the ID of another")
			}
		})
	}
}

func TestRowsOfConstantsAreEntries(t *testing.T) {
	rows := [][]string{{`"a"`, "int8(5)"}, {`[]byte("b")`, "n"}}
	list := Entries([]string{"string", "int8", "[]byte"}, rows, true)
	if len(list) != 1 || string(list[0].Data) != "go test fuzz v1\nstring(\"a\")\nint8(5)\n[]byte(\"\")\n" {
		t.Errorf("%+v", list)
	}
}
