package engine_test

import (
	"bytes"
	"fmt"
	"math"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine"
)

// benchModule has fuzz targets from nearly free to slow. The last one needs a *testing.T of its own for every run.
const benchModule = `
-- go.mod --
module example.com/bench

go 1.21
-- bench.go --
package bench

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

func Trivial(b []byte) bool { return len(b) > 3 && b[0] == 'a' }

func Parse(s string) (fields []string) {
	for _, field := range strings.Split(s, ";") {
		if key, value, ok := strings.Cut(field, "="); ok && key != "" {
			fields = append(fields, strings.ToLower(key)+":"+value)
		}
	}
	return fields
}

func Decode(b []byte) (n int) {
	var v map[string]any
	if json.Unmarshal(b, &v) == nil {
		for key := range v {
			n += len(key)
		}
	}
	return n
}

func Store(dir string, b []byte) error {
	return os.WriteFile(filepath.Join(dir, "x"), b, 0o600)
}
-- bench_test.go --
package bench

import "testing"

func FuzzTrivial(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) { Trivial(b) })
}

func FuzzParse(f *testing.F) {
	f.Add("a=b;c=d")
	f.Fuzz(func(t *testing.T, s string) { Parse(s) })
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("{\"a\": [1, 2, {\"b\": null}]}"))
	f.Fuzz(func(t *testing.T, b []byte) { Decode(b) })
}

func FuzzStore(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := Store(t.TempDir(), b); err != nil {
			t.Fatal(err)
		}
	})
}
`

// BenchmarkAgainstGoTestFuzz compares the fuzz loop with go test -fuzz on the same target. It runs the loop with one
// worker for a number of executions that takes some seconds, and then go test -fuzz with one worker for as long. Only
// the loop's executions of the program count, not those of mutants. Building does not count on either side, and
// go test -fuzz does not minimise.
//
//	go test ./engine -run=^$ -bench=AgainstGoTestFuzz -benchtime=1x -count=5
func BenchmarkAgainstGoTestFuzz(b *testing.B) {
	for _, target := range []struct {
		name  string
		execs int64
	}{
		{"Trivial", 8_000_000}, {"Parse", 5_000_000}, {"Decode", 2_000_000}, {"Store", 3_000},
	} {
		b.Run(target.name, func(b *testing.B) {
			var ours, theirs float64
			for b.Loop() {
				dir := writeModule(b, target.name)
				rate, seconds := loopRate(b, dir, target.execs)
				ours += rate
				theirs += goTestRate(b, dir, "Fuzz"+target.name, seconds)
			}
			n := float64(b.N)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ours/n, "loop-execs/s")
			b.ReportMetric(theirs/n, "gotest-execs/s")
			b.ReportMetric(ours/theirs, "ratio")
		})
	}
}

// writeModule writes the module with only one of its targets, and returns its folder.
func writeModule(b *testing.B, target string) string {
	b.Helper()
	other := regexp.MustCompile(`(?s)\nfunc Fuzz(\w+)\(f.*?\n}\n`)
	files := txtar.Parse([]byte(benchModule)).Files
	for i := range files {
		files[i].Data = other.ReplaceAllFunc(files[i].Data, func(decl []byte) []byte {
			if string(other.FindSubmatch(decl)[1]) == target {
				return decl
			}
			return nil
		})
	}
	return writeFiles(b, files)
}

// loopRate analyses the module in dir with one worker. It returns how often the program ran per second of fuzzing, and
// how many seconds the fuzzing took.
func loopRate(b *testing.B, dir string, execs int64) (rate, seconds float64) {
	b.Helper()
	scope, err := diffscope.Find(b.Context(), diffscope.Config{Dir: dir, All: true})
	if err != nil {
		b.Fatal(err)
	}
	defer scope.Close()
	out, err := engine.Run(b.Context(), engine.Config{
		Execs: execs, Workers: 1, Seed: 1, Tests: engine.TestsNone,
	}, scope)
	if err != nil {
		b.Fatal(err)
	}
	res := out.Results
	seconds = res.Seconds.Mutants + res.Seconds.Program
	if res.Stats.Execs == 0 {
		b.Fatalf("nothing was fuzzed: %v", res.Warnings)
	}
	return float64(res.Stats.Execs-res.Stats.MutantExecs) / seconds, seconds
}

var fuzzStatus = regexp.MustCompile(`elapsed: (\w+), execs: (\d+)`)

// goTestRate runs go test -fuzz and returns how often it ran the target per second.
func goTestRate(b *testing.B, dir, target string, seconds float64) float64 {
	b.Helper()
	cmd := exec.Command("go", "test", "-run=^$", "-fuzz=^"+target+"$", "-parallel=1", "-fuzzminimizetime=0x",
		fmt.Sprintf("-fuzztime=%.0fs", math.Max(seconds, 4)), "-test.fuzzcachedir="+b.TempDir())
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	// It sometimes mistakes its own deadline for a failure: golang/go#75804.
	if err != nil && !bytes.Contains(out, []byte("context deadline exceeded")) {
		b.Fatalf("go test -fuzz: %v\n%s", err, out)
	}
	all := fuzzStatus.FindAllSubmatch(out, -1)
	if len(all) == 0 {
		b.Fatalf("go test -fuzz says nothing of executions:\n%s", out)
	}
	last := all[len(all)-1]
	elapsed, err := time.ParseDuration(string(last[1]))
	if err != nil {
		b.Fatal(err)
	}
	execs, err := strconv.ParseFloat(string(last[2]), 64)
	if err != nil {
		b.Fatal(err)
	}
	return execs / elapsed.Seconds()
}
