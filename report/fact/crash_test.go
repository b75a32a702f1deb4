package fact

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTheLineAtFaultIsThatOfTheStack(t *testing.T) {
	scope := []results.Function{{ID: "p.F", Name: "F", File: "sub/f.go", StartLine: 9, EndLine: 12}, {ID: "p.T.M", Name: "T.M", File: "m.go", StartLine: 3, EndLine: 5}}
	for _, tt := range []struct {
		stack, name string
		line        int
	}{
		{"p.F\n\tsub/f.go:11\n", "F", 11},
		{"p.F(0x1)\n\t/src/sub/f.go:11 +0x1a\n", "F", 11},
		{"p.F[...]\n\tsub/f.go:10\n", "F", 10},
		{"p.F.func1\n\tsub/f.go:12\n", "F", 12},
		{"q.G\n\tg.go:1\np.(*T).M\n\tm.go:4\n", "T.M", 4},
		{"p.F\n\tsub/f.go:99\n", "F", 9},    // not a line of F
		{"p.F\n\tother.go:11\n", "F", 9},    // another file
		{"p.F\n\tnot/sub/f.go:x\n", "F", 9}, // no line number
		{"p.F", "F", 9},
		{"p.Fuzz\n\tsub/f.go:11\n", "", 0}, // another function
	} {
		f, line := Culprit(&results.Results{Scope: scope}, &results.Crash{Stack: tt.stack})
		name := ""
		if f != nil {
			name = f.Name
		}
		if name != tt.name || line != tt.line {
			t.Errorf("%q: %q, line %d; want %q, %d", tt.stack, name, line, tt.name, tt.line)
		}
	}
}

func TestWhatAHarnessCalledIsTheLastFunctionBeforeIt(t *testing.T) {
	for _, tt := range []struct{ stack, want string }{
		{"e.com/a/json-p.(*doc).set\n\tp.go:3\ne.com/a/json-p.Patch.Apply\n\tp.go:9\ne.com/a/json-p.Driver_Patch_Apply.func1\n\tp_test.go:8\n", "Patch.Apply"},
		{"e.com/a/json-p.Apply\n\tp.go:9\ne.com/a/json-p.Driver_Patch_Apply\n\tp_test.go:8\n", "Apply"},
		{"e.com/a/json-p.Apply[...]\n\tp.go:9\ne.com/a/json-p.Driver_Patch_Apply.func1\n", "Apply"},
		{"e.com/a/json-p.glob..func2\n\tp.go:9\ne.com/a/json-p.Driver_Patch_Apply.func1\n", ""},
		{"fmt.Sprint\n\tprint.go:9\ne.com/a/json-p.Driver_Patch_Apply.func1\n", ""},
		{"", ""},
	} {
		if got := Called(&results.Crash{Harness: "e.com/a/json-p.Driver_Patch_Apply", Stack: tt.stack}); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.stack, got, tt.want)
		}
	}
}
