package stack

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestStacksNameTheUsersFilesOnly(t *testing.T) {
	got := Clean("m.f\n\t/r/f.go:3\nm.mfza0\n\t/r/f_test.go:59\n", "/r")
	if want := "m.f\n\tf.go:3\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFailuresInOneLineOfTheStandardLibraryAreToldApart(t *testing.T) {
	in := func(frames string) *results.Crash {
		return &results.Crash{Kind: results.CrashPanic, Stack: "strings.Repeat\n\t/go/src/strings/strings.go:624 +0x1\n" + frames}
	}
	left, center := in("m.PadLeft\n\tm.go:3 +0x2\n"), in("m.Center\n\tm.go:4 +0x3\n")
	if got := Place(left); got != "m.go:3" {
		t.Errorf("the place is %q", got)
	}
	if got := Place(in("")); got != "/go/src/strings/strings.go:624" {
		t.Errorf("outside of the tree the place is %q", got)
	}
	deeper := func(c *results.Crash) *results.Crash {
		c.Stack = "strconv.formatBits\n\t/go/src/strconv/itoa.go:90\n" + c.Stack
		return c
	}
	if Key(deeper(left)) == Key(deeper(center)) {
		t.Error("two functions fail in the same way")
	}
}

func TestAPanicIsOlderIfTheBasePanicsInTheSameStatement(t *testing.T) {
	tree, base := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		filepath.Join(tree, "m.go"): "package m\n\n// new\n\n\treturn s[n]\n\treturn t[n]\n",
		filepath.Join(base, "m.go"): "package m\n\n\t\treturn s[n]\n\treturn u[n]\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	output := func(message, function, line string) string {
		return "--- FAIL: FuzzAt (0.00s)\npanic: " + message + " [recovered, repanicked]\n\ngoroutine 7 [running]:\n" +
			"testing.tRunner.func1.2({0x1, 0x2})\n\t/go/src/testing/testing.go:1 +0x1\npanic({0x1?, 0x2?})\n\t/go/src/runtime/panic.go:2 +0x1\n" +
			function + "\n\t" + filepath.Join(base, "m.go") + ":" + line + " +0x1d\nexample.com/m.FuzzAt.func1(...)\n\t" + filepath.Join(base, "m_test.go") + ":9\n"
	}
	crash := results.Crash{
		Kind: results.CrashPanic, Message: "runtime error: index out of range [-1]",
		Stack: "strings.Index\n\t/go/src/strings/strings.go:5\nexample.com/m.(*T).At\n\tm.go:5\nexample.com/m.FuzzAt.func1\n\tm_test.go:9\n",
	}
	other := crash
	other.Stack = "example.com/m.(*T).At\n\tm.go:6\n"
	failure := crash
	failure.Kind = results.CrashFailure
	const at = "example.com/m.(*T).At(0xc000012345, {0x1, 0x2})"
	for name, tt := range map[string]struct {
		crash  results.Crash
		output string
		want   bool
	}{
		"the same":                       {crash, output("runtime error: index out of range [-1]", at, "3"), true},
		"other numbers":                  {crash, output("runtime error: index out of range [7]", at, "3"), true},
		"another message":                {crash, output("runtime error: slice bounds out of range [-1:]", at, "3"), false},
		"another line of the function":   {crash, output("runtime error: index out of range [-1]", at, "4"), false},
		"another function":               {crash, output("runtime error: index out of range [-1]", "example.com/m.At(...)", "3"), false},
		"a line that the change altered": {other, output("runtime error: index out of range [-1]", at, "4"), false},
		"an assertion":                   {failure, output("runtime error: index out of range [-1]", at, "3"), false},
		"no stack":                       {crash, "panic: runtime error: index out of range [-1]\n", false},
	} {
		exit := worker.Exit{Cause: worker.Exited, Code: 2, Output: []byte(tt.output)}
		if got := SamePanic(&tt.crash, tree, &exit, base); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if SamePanic(&crash, tree, &worker.Exit{Cause: worker.Exited, Output: []byte(output("runtime error: index out of range [-1]", at, "3"))}, base) {
		t.Error("a base that passes has the failure")
	}
}
