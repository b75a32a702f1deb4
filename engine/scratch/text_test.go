package scratch

import (
	"path/filepath"
	"testing"
)

func TestNoTextNamesACopy(t *testing.T) {
	root := sampleTree(t)
	c := newCopyOf(t, root)
	for text, want := range map[string]string{
		`error("no ` + filepath.Join(c.Dir(root), "a", "b.txt") + `")`: `error("no ./a/b.txt")`,
		`"file://` + c.Dir(root) + `/x.json"`:                          `"file:./x.json"`,
		filepath.Join(c.Tmp(), "y"):                                    "./tmp/y",
		"/tmp/other/mutantfuzz":                                        "/tmp/other/mutantfuzz",
	} {
		if got := Portable(text); got != want || Mentioned(text) != (text != want) {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}
