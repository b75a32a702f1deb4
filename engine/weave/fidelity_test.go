package weave

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/cover"
	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

var fidelity = flag.String("fidelity", "", `what TestWovenRealCodePassesItsTests weaves: empty for a few small packages, "all" for many modules from the proxy, or a list as in "module@version pattern,..." or, of modules that "all" has, "module,..."`)

// Limits that keep the whole list within an hour or two.
const (
	// slowTest is how long a test may take plain. Slower tests are logged and not
	// run woven: a few of them would take as long as all the others together.
	slowTest = 3 * time.Second
	// testTime is how long all tests of a package together may take in one run.
	testTime = 5 * time.Minute
)

func TestWovenRealCodePassesItsTests(t *testing.T) {
	if testing.Short() {
		t.Skip("builds several modules")
	}
	compared := map[bool]int{} // number of packages with tests; true: of golang.org/x
	for _, m := range chosenModules(t) {
		t.Run(m.path, func(t *testing.T) {
			f := weaveProject(t, m.project(t), m.patterns)
			countWoven(t, f)
			compared[strings.HasPrefix(m.path, "golang.org/x/")] += comparePackages(t, f)
		})
	}
	t.Logf("%d packages of golang.org/x and %d others were compared", compared[true], compared[false])
	if *fidelity == "all" && (compared[true] < 15 || compared[false] < 20) {
		t.Error("that is too few")
	}
}

// comparePackages compares, plain and woven, the tests of all packages in f that have tests, and returns how many those
// are. The woven source of the other packages has to compile.
func comparePackages(t *testing.T, f *fixture) (compared int) {
	tested := f.withTests(t)
	var untested []string
	for _, p := range f.touched {
		if !tested[p.PkgPath] {
			untested = append(untested, p.PkgPath)
			continue
		}
		compared++
		name, err := filepath.Rel(f.dir, p.Dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.ToSlash(name), func(t *testing.T) { samePassing(t, f, p) })
	}
	f.compiles(t, untested)
	return compared
}

// countWoven logs how many mutants were built, and fails the test if none were, or if too many do not compile.
func countWoven(t *testing.T, f *fixture) {
	built, unviable, left, ignored := 0, 0, 0, 0
	for _, m := range f.woven.Mutants {
		switch {
		case m.Unviable != "":
			t.Logf("%s does not compile: %s", describe(m.Mutant), m.Unviable)
			unviable++
		case m.Ignored != "":
			ignored++
		case m.Left != "":
			left++
		default:
			built++
		}
	}
	for id, why := range f.woven.Skipped {
		t.Logf("%s: %s", id, why)
	}
	t.Logf("%d mutants built, %d unviable, %d left, %d ignored", built, unviable, left, ignored)
	if built == 0 || unviable*50 > built {
		t.Errorf("%d mutants are built, %d do not compile", built, unviable)
	}
}

// withTests returns, by import path, whether each woven package has tests.
func (f *fixture) withTests(t *testing.T) map[string]bool {
	var paths []string
	for _, p := range f.touched {
		paths = append(paths, p.PkgPath)
	}
	list, err := f.tool.List(t.Context(), nil, paths...)
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{}
	for _, p := range list {
		tested[p.ImportPath] = len(p.TestGoFiles)+len(p.XTestGoFiles) > 0
	}
	return tested
}

// compiles fails the test if the compiler refuses the woven source of packages. The type checker has accepted it.
func (f *fixture) compiles(t *testing.T, pkgs []string) {
	if len(pkgs) == 0 {
		return
	}
	overlay, err := json.Marshal(map[string]any{"Replace": f.overlay})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	// Unlike go build, this does not link commands.
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-export", "-trimpath", "-overlay=" + file}, pkgs...)...)
	cmd.Dir, cmd.Env = f.dir, f.tool.Env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// samePassing checks that the tests of a package give the same verdicts plain and woven. They run woven three times:
// with no mutant active, with the probed clone of every function, and with the clone that mutants share.
func samePassing(t *testing.T, f *fixture, p *packages.Package) {
	binary, woven := f.build(t, p.PkgPath, false), f.build(t, p.PkgPath, true)
	plain := runTests(t, p, binary, "", "")
	skip := slowTests(t, plain)
	for _, mutant := range []int{wire.Original, wire.Probed, wire.Identity} {
		env := fmt.Sprintf("%s=%d", wire.EnvMutant, mutant)
		got := runTests(t, p, woven, "", skip, env)
		for _, name := range slices.Sorted(maps.Keys(plain.verdicts)) {
			if plain.verdicts[name] == got.verdicts[name] || plain.slow(name) {
				continue
			}
			// A clock or another test may be the cause. Run alone, the woven test has
			// to give the same verdict as the plain one run alone.
			alone := exactly(name)
			want, again := runTests(t, p, binary, alone, "").verdicts[name], runTests(t, p, woven, alone, "", env).verdicts[name]
			measures := measuring[p.PkgPath] != nil && measuring[p.PkgPath].MatchString(name)
			if again != want && !measures {
				t.Errorf("with M=%d %s: %s, plain %s\n%s", mutant, name, again, want, got.output)
			} else {
				t.Logf("with M=%d %s differs as expected of it, or only now and then", mutant, name)
			}
		}
	}
}

// testRun is the result of a run of tests. Its maps are by name of the test.
type testRun struct {
	verdicts map[string]string        // PASS, FAIL or SKIP
	took     map[string]time.Duration // how long they took
	output   string                   // the last 2,000 bytes
}

// slow reports whether a test, or the test of which it is a subtest, is too slow to be compared.
func (r testRun) slow(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	return r.took[top] > slowTest
}

// slowTests returns a pattern for -test.skip that matches the tests that are too slow. It logs them.
func slowTests(t *testing.T, plain testRun) string {
	var slow []string
	for _, name := range slices.Sorted(maps.Keys(plain.took)) {
		if !strings.Contains(name, "/") && plain.slow(name) {
			t.Logf("%s takes %v and is not compared", name, plain.took[name])
			slow = append(slow, exactly(name))
		}
	}
	return strings.Join(slow, "|")
}

// exactly returns a pattern that matches the test name, which may be a subtest's, and no other.
func exactly(name string) string {
	return "^" + strings.ReplaceAll(regexp.QuoteMeta(name), "/", "$/^") + "$"
}

var verdict = regexp.MustCompile(`(?m)^ *--- (PASS|FAIL|SKIP): (\S+) \(([\d.]+s)\)`)

// address matches addresses in the names of subtests. They differ in every build.
var address = regexp.MustCompile(`0x[0-9a-f]{5,}`)

// runTests runs the tests that match only (all, if it is empty), but not those that match skip, unless it is empty.
func runTests(t *testing.T, p *packages.Package, binary, only, skip string, env ...string) testRun {
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), binary, "-test.v", "-test.short", "-test.timeout="+testTime.String(), "-test.run="+only, "-test.skip="+skip)
	cmd.Dir = p.Dir
	cmd.Env = append(append(os.Environ(), env...), "PWD="+cmd.Dir)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = 10 * time.Second // for processes that tests leave behind, which hold the output open
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		t.Fatal(err)
	}
	text := out.String()
	if strings.Contains(text, "\npanic: test timed out after "+testTime.String()) {
		t.Errorf("%s: the tests take longer than %v: %v", p.PkgPath, testTime, env)
	}
	r := testRun{verdicts: map[string]string{}, took: map[string]time.Duration{}, output: text[max(0, len(text)-2000):]}
	for _, m := range verdict.FindAllStringSubmatch(text, -1) {
		name := address.ReplaceAllString(m[2], "0x")
		if r.verdicts[name] != "FAIL" { // several tests may have this name
			r.verdicts[name] = m[1]
		}
		r.took[name], _ = time.ParseDuration(m[3])
	}
	return r
}

func TestCountersAgreeWithGoTestCover(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	f := weaveProject(t, fewModules[0].project(t), []string{"./semver", "./module"})
	for _, p := range f.touched {
		t.Run(p.Name, func(t *testing.T) {
			state, err := worker.NewState(filepath.Join(t.TempDir(), "state"), f.woven.Layout)
			if err != nil {
				t.Fatal(err)
			}
			defer state.Close()
			runTests(t, p, f.build(t, p.PkgPath, true), "", "", wire.EnvState+"="+state.Path())
			compareCoverage(t, f, p, state.Blocks())
		})
	}
}

// compareCoverage checks that the block of each mutant of p was counted exactly when cmd/cover counted its position.
func compareCoverage(t *testing.T, f *fixture, p *packages.Package, counted []int) {
	profile := filepath.Join(t.TempDir(), "cover")
	cmd := exec.Command("go", "test", "-short", "-coverprofile="+profile, p.PkgPath)
	cmd.Dir, cmd.Env = f.dir, f.tool.Env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	profiles, err := cover.ParseProfiles(profile)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[bool]int{}
	for _, m := range f.woven.Mutants {
		rel, err := filepath.Rel(p.Dir, m.File)
		if err != nil || m.Block < 0 || strings.ContainsAny(rel, `/\`) || inPost(p, m) {
			continue
		}
		covered, ok := coveredAt(profiles, p.PkgPath+"/"+rel, m.Line, m.Column)
		if !ok {
			continue
		}
		seen[covered]++
		if reached := slices.Contains(counted, m.Block); reached != covered {
			t.Errorf("%s: counted is %t, but cmd/cover says %t", describe(m.Mutant), reached, covered)
		}
	}
	if seen[true] < 10 || seen[false] < 3 {
		t.Errorf("only %d mutants are covered and %d not", seen[true], seen[false])
	}
}

// inPost reports whether m is in the post statement of a loop. cmd/cover counts it with what precedes the loop, woven
// code with the loop's body.
func inPost(p *packages.Package, m Mutant) (found bool) {
	for _, f := range p.Syntax {
		file := p.Fset.File(f.FileStart)
		if file.Name() != m.File {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if loop, ok := n.(*ast.ForStmt); ok && loop.Post != nil {
				found = found || file.Offset(loop.Post.Pos()) <= m.Offset && m.Offset < file.Offset(loop.Post.End())
			}
			return true
		})
	}
	return found
}

// coveredAt reports whether profiles say that a position was covered. ok is false if no block contains it.
func coveredAt(profiles []*cover.Profile, file string, line, column int) (covered, ok bool) {
	for _, p := range profiles {
		if p.FileName != file {
			continue
		}
		for _, b := range p.Blocks {
			after := b.StartLine < line || b.StartLine == line && b.StartCol <= column
			before := line < b.EndLine || line == b.EndLine && column < b.EndCol
			if after && before {
				return b.Count > 0, true
			}
		}
	}
	return false, false
}
