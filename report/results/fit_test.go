package results

import (
	"fmt"
	"strings"
	"testing"
)

// many returns results with n mutants of a status, as a run leaves them.
func many(n int, status string) *Results {
	r := &Results{Options: Options{Tests: "auto"}}
	for i := range n {
		m := Mutant{
			ID: fmt.Sprintf("%012x", i), Function: "example.com/module/package.Type.Method", Operator: "relational", Category: CategoryRelational,
			File: "package/file.go", Line: 100, Column: 5, EndLine: 102, EndColumn: 20, Offset: 10_000, EndOffset: 10_020,
			Original: "left <= right", Replacement: "left < right", Context: strings.Repeat("\tif left <= right {\n", 3), Status: status,
			Evidence: Evidence{Tests: 5, By: []string{"example.com/module/package.TestMethod"}, Branch: "return"},
		}
		switch status {
		case Killed:
			m.Stage, m.KilledBy = Revealed, &KilledBy{By: ByTest, Kind: KindTest, Name: "example.com/module/package.TestMethod"}
		case Survived:
			m.Stage = Propagated
			m.ExposedBy = &ExposedBy{Harness: "example.com/module/package.FuzzMethod", Entry: "0123456789abcdef", Test: strings.Repeat("source\n", 300), TestFile: "package/x_test.go"}
			m.ExposedBy.Suggestion = &Suggestion{Kind: SuggestedFunction, File: "package/y_test.go", Test: "TestY", Source: "source", Patch: "patch"}
		}
		r.Mutants = append(r.Mutants, m)
	}
	return r
}

// fitted makes r fit, checks that it can be encoded and decoded, and returns what was decoded.
func fitted(t *testing.T, r *Results) *Results {
	t.Helper()
	if err := Fit(r); err != nil {
		t.Fatal(err)
	}
	data, err := Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Decode(data)
	if err != nil {
		t.Fatalf("results of %d bytes: %v", len(data), err)
	}
	return again
}

func TestWhatFitsStaysAsItIs(t *testing.T) {
	r := many(100, Survived)
	r.Skeletons = []Skeleton{{Source: "source"}}
	if again := fitted(t, r); len(again.Warnings) > 0 || len(again.Skeletons) != 1 || again.Mutants[99].Context == "" || again.Mutants[99].ExposedBy.Test == "" {
		t.Errorf("something was left out; warnings %q", again.Warnings)
	}
}

func TestWhatCanBeSparedIsLeftOutBeforeMutantsAre(t *testing.T) {
	crash := Crash{Kind: CrashPanic, Introduced: IntroducedNo, Message: "m", Stack: strings.Repeat("stack\n", 100_000)}
	for name, test := range map[string]struct {
		r     *Results
		check func(*Results) bool
		said  string
	}{
		"skeletons": {&Results{Skeletons: []Skeleton{{Source: strings.Repeat("x\n", 400_000)}}, Crashes: make([]Crash, 11)},
			func(r *Results) bool { return len(r.Skeletons) == 0 && r.Crashes[0].Stack != "" }, "fuzz targets to start from"},
		"stacks": {&Results{Crashes: make([]Crash, 20)}, func(r *Results) bool { return len(r.Crashes) == 20 && r.Crashes[0].Message == "m" }, "stacks of crashes"},
		"tests": {many(3500, Survived), func(r *Results) bool {
			return r.Mutants[0].ExposedBy.Test == "" && r.Mutants[0].ExposedBy.Suggestion == nil && r.Mutants[0].Context != ""
		}, "tests for exposed"},
		"code that nothing runs": {&Results{Scope: unrunFunctions(1000)}, func(r *Results) bool { return len(r.Scope) == 1000 && r.Scope[0].Unrun == nil }, "code that nothing runs"},
		"killed mutants": {many(13_700, Killed), func(r *Results) bool {
			return r.Mutants[0].Context+r.Mutants[0].Evidence.Branch == "" && r.Mutants[0].Replacement != ""
		}, "that did not survive"},
		"too long a text": {&Results{Warnings: []string{strings.Repeat("é", maxString)}}, func(r *Results) bool { return len(r.Warnings) == 2 }, "the beginning of 1 texts"},
	} {
		t.Run(name, func(t *testing.T) {
			test.r.Options.Tests = "auto"
			for i := range test.r.Crashes {
				test.r.Crashes[i] = crash
			}
			n := len(test.r.Mutants)
			r := fitted(t, test.r)
			if !test.check(r) || len(r.Mutants) != n {
				t.Errorf("the wrong things were left out; warnings %.300q", r.Warnings)
			}
			if warnings := strings.Join(r.Warnings, "\n"); !strings.Contains(warnings, test.said) {
				t.Errorf("no warning has %q: %.300q", test.said, warnings)
			}
		})
	}
}

// unrunFunctions returns n functions, each with as much code that nothing runs as results may hold.
func unrunFunctions(n int) []Function {
	var code []Code
	for range MaxUnrun {
		code = append(code, Code{StartLine: 1, EndLine: 1, Source: strings.Repeat("x", MaxCodeBytes)})
	}
	list := make([]Function, n)
	for i := range list {
		list[i] = Function{StartLine: 1, EndLine: 9, Reason: ReasonAdded, Unrun: code}
	}
	return list
}

func TestMoreMutantsThanFitAreAnErrorWithAHint(t *testing.T) {
	err := Fit(many(20_000, Killed))
	if err == nil || !strings.Contains(err.Error(), "20000 mutants") || !strings.Contains(err.Error(), "\nhint: ") {
		t.Errorf("error %v", err)
	}
	if err := Save(openFolder(t), "results.json", many(20_000, Killed)); err == nil {
		t.Error("they are saved")
	}
}

func TestEncodedResultsHoldNoCommandsToRunnersAndTerminals(t *testing.T) {
	r := &Results{Options: Options{Tests: "auto"}, Warnings: []string{"##[add-mask]x \x1b[31m \u009b31m \x7f\n::error::x"}}
	data, err := Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"##[", "\x1b", "\u009b", "\x7f", "\n::"} {
		if strings.Contains(string(data), bad) {
			t.Errorf("%q is in\n%s", bad, data)
		}
	}
	if again, err := Decode(data); err != nil || again.Warnings[0] != r.Warnings[0] {
		t.Errorf("decoded: %v", err)
	}
}

// BenchmarkDecodeLargest measures decoding the largest results.
func BenchmarkDecodeLargest(b *testing.B) {
	r := many(11_000, Killed)
	if err := Fit(r); err != nil { // makes it compact
		b.Fatal(err)
	}
	data, err := Encode(r)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}
