package verify

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestATestSaysWhatTheBaseGives(t *testing.T) {
	for output, want := range map[string]string{
		"--- FAIL: TestF (0.00s)\n    mutantfuzz_ab12_test.go:9: F(1) = map[a:b], want map[a:c]\nFAIL\n":     "map[a:b]",
		"    mutantfuzz_ab12_test.go:9: F = 2, want 3\n":                                                     "2",
		"    mutantfuzz_ab12_test.go:9: F(1): result 0 = 2, want 3\n":                                        "2",
		"    mutantfuzz_ab12_test.go:9: F(1) = 2, want 3\n    mutantfuzz_ab12_test.go:12: F(1): too large\n": `2, error("too large")`,
		"    other_test.go:9: F(1) = 2, want 3\n":                                                            "",
		"    mutantfuzz_ab12_test.go:9: F(1): no error\n":                                                    "no error",
		"    mutantfuzz_ab12_test.go:9: F(1) = , want 3\n":                                                   `""`,
		"panic: boom\n": "",
		"    mutantfuzz_ab12_test.go:9: F(1) = name: x\n        size: 3\n        , want y\n":           "",
		"    mutantfuzz_ab12_test.go:9: F(1): result 0 = name: x\n        size: 3\n        , want y\n": "",
	} {
		if got := gives(worker.Exit{Output: []byte(output)}, &results.ExposedBy{Call: "F(1)"}); got != want {
			t.Errorf("%q: %q, want %q", output, got, want)
		}
	}
	asked := &results.ExposedBy{Call: "F(1)", OriginalIs: "p.ErrA"}
	if got, want := gives(worker.Exit{Output: []byte("    mutantfuzz_ab12_test.go:9: F(1) = not found, want ErrA\n")}, asked), `error("not found")`; got != want {
		t.Errorf("of a test that asks for an error: %q, want %q", got, want)
	}
}
