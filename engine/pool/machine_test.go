package pool

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

func TestWhatARunOpensOutsideOfTheCopyIsOfTheMachine(t *testing.T) {
	t.Setenv("SOME_VARIABLE", "")
	t.Setenv("TMPDIR", "/tmp")
	machine := t.TempDir()
	tree := filepath.Join(machine, "tree")
	dir := filepath.Join(tree, "p")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(lines string) string {
		return "PASS\n# test log\nopen " + machine + "\ngetenv " + wire.RunBegins + "\n" + lines + "getenv " + wire.RunEnds + "\nopen " + machine + "\n"
	}
	for name, tt := range map[string]struct {
		log  string
		want bool
	}{
		"nothing":              {run(""), false},
		"a file of the tree":   {run("open testdata/a.txt\nopen ..\nopen .\n"), false},
		"by its whole path":    {run("open " + dir + "\n"), false},
		"one of the copy":      {run("open /tmp/mutantfuzz-scratch-1/tmp\n"), false},
		"a folder":             {run("getenv HOME\nopen " + machine + "\n"), true},
		"by a relative path":   {run("open ../..\n"), true},
		"what is not there":    {run("open " + machine + "/none\nopen ../../none\n"), false},
		"only looked at":       {run("stat " + machine + "\n"), false},
		"a device":             {run("open /dev/null\n"), false},
		"a variable":           {run("getenv SOME_VARIABLE\n"), true},
		"one that is not set":  {run("getenv SOME_OTHER_VARIABLE\n"), false},
		"the temporary folder": {run("getenv TMPDIR\n"), false},
	} {
		if got := readsMachine(tt.log, dir, tree); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
