package story

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTestsThatAreFilesOfTheirOwnAreShownAsOneFile(t *testing.T) {
	test := func(file, source string) *results.ExposedBy {
		return &results.ExposedBy{Call: source, TestFile: file, Test: source}
	}
	const (
		first  = "package p\n\nimport (\n\t\"testing\"\n)\n\nfunc TestA(t *testing.T) {\n\tA(t)\n}\n"
		second = "package p\n\nimport (\n\t\"strings\"\n\t\"testing\"\n\n\tm \"example.com/m\"\n)\n\n// TestB is of B.\nfunc TestB(t *testing.T) {\n\tm.B(t) // b\n}\n"
		both   = "package p\n\nimport (\n\t\"strings\"\n\t\"testing\"\n\n\tm \"example.com/m\"\n)\n\nfunc TestA(t *testing.T) {\n\tA(t)\n}\n\n// TestB is of B.\nfunc TestB(t *testing.T) {\n\tm.B(t) // b\n}\n"
	)
	for name, tt := range map[string]struct {
		second *results.ExposedBy
		want   string
	}{
		"of one folder":      {test("d/b_test.go", second), both},
		"of two folders":     {test("e/b_test.go", second), ""},
		"of another package": {test("d/b_test.go", "package p_test\n\nfunc TestB() {}\n"), ""},
		"of one name":        {test("d/b_test.go", "package p\n\nfunc TestA() {}\n"), ""},
		"no Go":              {test("d/b_test.go", "package p\n\nfunc"), ""},
	} {
		list := []*results.ExposedBy{test("d/a_test.go", first), tt.second}
		if got := oneFile(list); got != tt.want {
			t.Errorf("%s: got %s", name, got)
		}
		if together := goWith(list[:1], tt.second); together != (tt.want != "") {
			t.Errorf("%s: together is %t", name, together)
		}
	}
}
