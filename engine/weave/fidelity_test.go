package weave

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/cover"
	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

var fidelity = flag.String("fidelity", "", `what TestWovenRealCodePassesItsTests weaves: empty for a few small packages, "all" for many modules from the proxy, or a list as in "module@version pattern,..."`)

// realModule is a module whose packages are woven: a dependency of ours, or
// any version of a module.
type realModule struct {
	path, version string // no version: the one in go.mod
	patterns      []string
}

var fewModules = []realModule{
	{"golang.org/x/mod", "", []string{"./semver", "./module"}},
	{"golang.org/x/sync", "", []string{"./errgroup", "./singleflight"}},
	{"github.com/bluekeyes/go-gitdiff", "", []string{"./gitdiff"}},
}

var manyModules = append(fewModules,
	realModule{"golang.org/x/text", "v0.31.0", []string{"./..."}},
	realModule{"golang.org/x/net", "v0.47.0", []string{"./html", "./idna", "./http2/...", "./dns/...", "./publicsuffix", "./webdav/...", "./trace", "./bpf"}},
	realModule{"golang.org/x/tools", "v0.39.0", []string{"./go/ast/...", "./container/...", "./cover", "./txtar", "./go/cfg", "./internal/diff/..."}},
	realModule{"golang.org/x/image", "v0.33.0", []string{"./..."}},
	realModule{"golang.org/x/crypto", "v0.45.0", []string{"./ssh/...", "./cryptobyte/...", "./openpgp/...", "./bcrypt", "./blake2b", "./chacha20poly1305", "./nacl/..."}},
	realModule{"golang.org/x/exp", "v0.0.0-20251113190631-e25ba8c21ef6", []string{"./slices", "./maps", "./apidiff", "./ebnf", "./jsonrpc2", "./rand", "./utf8string"}},
	realModule{"golang.org/x/time", "v0.14.0", []string{"./..."}},
	realModule{"github.com/google/go-cmp", "v0.7.0", []string{"./..."}},
	realModule{"github.com/BurntSushi/toml", "v1.5.0", []string{"./..."}},
	realModule{"github.com/yuin/goldmark", "v1.7.13", []string{"./..."}},
	realModule{"github.com/pelletier/go-toml/v2", "v2.2.4", []string{"./..."}},
	realModule{"github.com/spf13/cobra", "v1.10.1", []string{"./..."}},
	realModule{"github.com/spf13/pflag", "v1.0.10", []string{"./..."}},
	realModule{"github.com/google/uuid", "v1.6.0", []string{"./..."}},
	realModule{"github.com/tidwall/gjson", "v1.18.0", []string{"./..."}},
	realModule{"github.com/Masterminds/semver/v3", "v3.4.0", []string{"./..."}},
	realModule{"github.com/dlclark/regexp2", "v1.11.5", []string{"./..."}},
	realModule{"github.com/gorilla/mux", "v1.8.1", []string{"./..."}},
	realModule{"gopkg.in/yaml.v3", "v3.0.1", []string{"./..."}},
	realModule{"github.com/klauspost/compress", "v1.18.1", []string{"./flate", "./huff0", "./fse", "./snappy", "./gzip"}},
)

func chosenModules(t *testing.T) []realModule {
	switch *fidelity {
	case "":
		return fewModules
	case "all":
		return manyModules
	}
	var list []realModule
	for _, item := range strings.Split(*fidelity, ",") {
		fields := strings.Fields(item)
		name, version, _ := strings.Cut(fields[0], "@")
		if len(fields) < 2 {
			t.Fatalf("%q has no pattern", item)
		}
		list = append(list, realModule{name, version, fields[1:]})
	}
	return list
}

func TestWovenRealCodePassesItsTests(t *testing.T) {
	if testing.Short() {
		t.Skip("builds several modules")
	}
	for _, m := range chosenModules(t) {
		t.Run(m.path, func(t *testing.T) {
			f := weaveModule(t, copyModule(t, m), m.path, m.patterns...)
			countWoven(t, f)
			for _, p := range f.touched {
				t.Run(p.Name, func(t *testing.T) { samePassing(t, f, p) })
			}
		})
	}
}

// copyModule copies a module out of the module cache, in which the go command
// refuses overlays.
func copyModule(t *testing.T, m realModule) string {
	query := m.path
	if m.version != "" {
		query += "@" + m.version
	}
	out, err := exec.Command("go", "mod", "download", "-json", query).Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", query, err, out)
	}
	var info struct{ Dir string }
	if err := json.Unmarshal(out, &info); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), path.Base(m.path))
	if err := os.CopyFS(dir, os.DirFS(info.Dir)); err != nil {
		t.Fatal(err)
	}
	// The cache is read-only, and so is the copy.
	err = filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(name, 0o755)
	})
	if err != nil {
		t.Fatal(err)
	}
	// Modules from before modules have a go.mod in the proxy's mind only.
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+m.path+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// countWoven says how many mutants were built, and fails if that is too few.
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

// samePassing compares the tests of a package plain, woven with no mutant
// active, with the probed clone of every function, and with the clone that
// mutants share.
func samePassing(t *testing.T, f *fixture, p *packages.Package) {
	binary := f.build(t, p.PkgPath, false)
	if binary == "" {
		t.Skip("has no tests of its own")
	}
	woven := f.build(t, p.PkgPath, true)
	plain := runTests(t, p, binary, "")
	for _, mutant := range []int{probe.Original, probe.Probed, probe.Identity} {
		env := fmt.Sprintf("%s=%d", probe.EnvMutant, mutant)
		got := runTests(t, p, woven, "", env)
		for _, name := range slices.Sorted(maps.Keys(plain)) {
			if plain[name] == got[name] || strings.HasSuffix(name, outputOf("")) {
				continue
			}
			// Clocks and other tests may be to blame. By itself it has to do as
			// the plain one does by itself.
			alone := "^" + strings.ReplaceAll(regexp.QuoteMeta(name), "/", "$/^") + "$"
			output := got[outputOf(name)]
			want, got := runTests(t, p, binary, alone)[name], runTests(t, p, woven, alone, env)[name]
			if got != want {
				t.Errorf("with M=%d %s: %s, plain %s\n%s", mutant, name, got, want, output)
			} else {
				t.Logf("with M=%d %s differs only beside other tests\n%s", mutant, name, output)
			}
		}
	}
}

var verdict = regexp.MustCompile(`(?m)^ *--- (PASS|FAIL|SKIP): (\S+)`)

// outputOf is where runTests keeps what a failed test printed.
func outputOf(test string) string { return test + " output" }

// runTests returns PASS, FAIL or SKIP of the tests that match only, all if it
// is empty.
func runTests(t *testing.T, p *packages.Package, binary, only string, env ...string) map[string]string {
	var out bytes.Buffer
	cmd := exec.CommandContext(context.Background(), binary, "-test.v", "-test.short", "-test.timeout=5m", "-test.run="+only)
	cmd.Dir = p.Dir
	cmd.Env = append(append(os.Environ(), env...), "PWD="+cmd.Dir)
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	results := map[string]string{}
	for _, m := range verdict.FindAllStringSubmatch(out.String(), -1) {
		results[m[2]] = m[1]
		if m[1] == "FAIL" {
			results[outputOf(m[2])] = tail(out.String())
		}
	}
	return results
}

func tail(s string) string { return s[max(0, len(s)-2000):] }

func TestCountersAgreeWithGoTestCover(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	f := weaveModule(t, copyModule(t, fewModules[0]), fewModules[0].path, "./semver", "./module")
	for _, p := range f.touched {
		t.Run(p.Name, func(t *testing.T) {
			state, err := worker.NewState(filepath.Join(t.TempDir(), "state"), f.woven.Layout)
			if err != nil {
				t.Fatal(err)
			}
			defer state.Close()
			runTests(t, p, f.build(t, p.PkgPath, true), "", probe.EnvState+"="+state.Path())
			compareCoverage(t, f, p, state.Blocks())
		})
	}
}

// compareCoverage checks for each mutant of p whether its counter counted just
// when cmd/cover's did.
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

// inPost reports whether m stands in the post statement of a loop, which
// cmd/cover counts with what precedes the loop and we count with its body.
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

// coveredAt tells what a profile says of a position.
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
