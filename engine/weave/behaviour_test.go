package weave

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/stabledir"
)

// The modules in testdata are woven with all their functions mutated. The same
// binary also holds plain copies of the woven packages. In the k-th copy, every
// file contains its k-th mutant. Each exported function with one int parameter is
// a case, which is called with small numbers. Its result, or the text and position
// of its panic, has to be the same woven and plain. Therefore no file may depend on
// mutated code of another file.

const (
	inputs    = 12      // each case is called with 0 to inputs-1
	stepBound = "50000" // steps of a whole process; the cases take a few thousand
	stepPanic = "the step bound was exceeded"
	byDay     = 12 // without -nightly, every byDay-th mutant of the module modern runs
)

var nightly = flag.Bool("nightly", false, "run what takes minutes, too")

func TestWovenMutantsBehaveAsPlainOnes(t *testing.T) {
	pinnedOnly := map[string]string{"example.com/modern/p/directive.pinned": "the directive //go:nosplit forbids it"}
	tests := map[string]struct {
		module  string
		apart   bool
		skipped map[string]string
	}{
		"of today's language":  {"modern", false, pinnedOnly},
		"of an old language":   {"old", false, map[string]string{}},
		"in clones of its own": {"modern", true, pinnedOnly},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && test.module == "modern" {
				t.Skip("compiles hundreds of packages")
			}
			if test.apart && !*nightly {
				t.Skip("takes minutes; -nightly runs it")
			}
			b := weaveBehaviour(t, test.module, project{apart: test.apart})
			b.enough(t)
			if diff := cmp.Diff(test.skipped, b.woven.Skipped); diff != "" {
				t.Errorf("functions left out (-want +got):\n%s", diff)
			}
			original := b.run(t, "0", "", nil)
			if len(original) < 10*inputs {
				t.Fatalf("only %d outcomes", len(original))
			}
			t.Run("no mutant active", func(t *testing.T) {
				equal(t, original, b.runCopies(t, b.copyOf(0, nil)))
			})
			t.Run("probed", func(t *testing.T) { equal(t, b.run(t, "-1", "", nil), original) })
			t.Run("identity", func(t *testing.T) { equal(t, b.run(t, "-2", "", nil), original) })
			mutants := b.runMutants(t)
			t.Run("one mutant active", func(t *testing.T) { b.comparePlain(t, mutants) })
			t.Run("infection", func(t *testing.T) { b.compareMarks(t, original, mutants) })
		})
	}
}

// outcomes are the results of calls by "file:function(input)", after "k:" for the k-th copy.
type outcomes map[string]string

// behaviour is a woven module with its plain copies in one binary.
type behaviour struct {
	*fixture
	module string
	binary string
	files  []string            // slash-separated, relative to the module
	mutant map[string][]int    // numbers of the mutants to run, by file
	cases  map[string][]string // names of the cases, by file
	byNum  map[int]*Mutant     // the mutants to run, by number
	pkgOf  map[string]*packages.Package
}

// weaveBehaviour weaves the module name of testdata as p says, and builds it together with its plain copies.
func weaveBehaviour(t *testing.T, name string, p project) *behaviour {
	p.dir, p.module, p.env = stabledir.Make(t), "example.com/"+name, alone
	if err := os.CopyFS(p.dir, os.DirFS(filepath.Join("testdata", name))); err != nil {
		t.Fatal(err)
	}
	addOddFiles(t, p.dir)
	b := &behaviour{
		fixture: weaveProject(t, p, []string{"./p/..."}), module: p.module,
		mutant: map[string][]int{}, cases: map[string][]string{}, byNum: map[int]*Mutant{}, pkgOf: map[string]*packages.Package{},
	}
	b.collect(t)
	b.writeCopies(t)
	b.writeDriver(t)
	b.binary = b.build(t, p.module+"/drive", true)
	return b
}

// addOddFiles adds files in forms that version control and editors tend to normalise: with CRLF, with a byte order
// mark, without a newline at the end.
func addOddFiles(t *testing.T, dir string) {
	const text = "package odd\n\n// Half halves n.\nfunc Half%s(n int) int {\n\tif n%%2 == 1 { // odd\n\t\tpanic(\"odd\")\n\t}\n\treturn n / 2\n}"
	odd := map[string]string{
		"crlf.go":       strings.ReplaceAll(fmt.Sprintf(text, "CRLF"), "\n", "\r\n") + "\r\n",
		"unfinished.go": fmt.Sprintf(text, "NoNewline"),
		"bom.go":        "\ufeff" + fmt.Sprintf(text, "BOM"),
		"comment.go":    fmt.Sprintf(text, "Comment") + " // no newline behind this",
	}
	if err := os.MkdirAll(filepath.Join(dir, "p", "odd"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range odd {
		if err := os.WriteFile(filepath.Join(dir, "p", "odd", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// collect finds the cases, and the mutants to run among those that were built.
func (b *behaviour) collect(t *testing.T) {
	all := *nightly || b.module != "example.com/modern"
	for _, p := range b.touched {
		for i, name := range p.CompiledGoFiles {
			rel := b.rel(t, name)
			if strings.HasPrefix(rel, "..") {
				continue // generated by cgo
			}
			b.pkgOf[rel] = p
			for _, d := range p.Syntax[i].Decls {
				if d, ok := d.(*ast.FuncDecl); ok && isCase(d) {
					b.cases[rel] = append(b.cases[rel], d.Name.Name)
				}
			}
		}
	}
	b.files = slices.Sorted(maps.Keys(b.cases))
	for i := range b.woven.Mutants {
		m := &b.woven.Mutants[i]
		switch {
		case m.Unviable != "":
			t.Logf("%s does not compile: %s", describe(m.Mutant), m.Unviable)
		case m.Left != "" && b.woven.Skipped[m.Function] == "":
			t.Errorf("%s is not built: %s", describe(m.Mutant), m.Left)
		case m.Left != "" || m.Ignored != "":
		case all || i%byDay == 0:
			rel := b.rel(t, m.File)
			b.byNum[i+1] = m
			b.mutant[rel] = append(b.mutant[rel], i+1)
			if m.Block < 0 {
				t.Errorf("%s has no counter", describe(m.Mutant))
			}
		}
	}
}

// enough fails the test if too few mutants were built or probed, or too many do not compile.
func (b *behaviour) enough(t *testing.T) {
	built, probed, unviable := len(b.byNum), 0, 0
	for _, m := range b.woven.Mutants {
		if m.Unviable != "" {
			unviable++
		}
		if m.Probed {
			probed++
		}
	}
	if built < 100 || probed*5 < built || unviable*50 > built {
		t.Errorf("%d mutants built, %d of them probed, %d unviable", built, probed, unviable)
	}
}

func isCase(d *ast.FuncDecl) bool {
	params := d.Type.Params.List
	if d.Recv != nil || d.Type.TypeParams != nil || !d.Name.IsExported() || len(params) != 1 || len(params[0].Names) > 1 {
		return false
	}
	id, ok := params[0].Type.(*ast.Ident)
	return ok && id.Name == "int"
}

func (b *behaviour) rel(t *testing.T, name string) string {
	rel, err := filepath.Rel(b.dir, name)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(rel)
}

// copies returns the number of mutated copies, which are numbered from 1. Copy 0 is not mutated.
func (b *behaviour) copies() int {
	n := 0
	for _, list := range b.mutant {
		n = max(n, len(list))
	}
	return n
}

func copyDir(k int) string { return fmt.Sprintf("copy%03d", k) }

// writeCopies writes the plain copies.
func (b *behaviour) writeCopies(t *testing.T) {
	for k := range b.copies() + 1 {
		if err := os.CopyFS(filepath.Join(b.dir, copyDir(k), "p"), os.DirFS(filepath.Join(b.dir, "p"))); err != nil {
			t.Fatal(err)
		}
		for file, numbers := range b.mutant {
			if k == 0 || k > len(numbers) {
				continue
			}
			m := b.byNum[numbers[k-1]]
			name := filepath.Join(b.dir, copyDir(k), filepath.FromSlash(file))
			src, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			src = []byte(string(src[:m.Offset]) + m.Replacement + string(src[m.EndOffset:]))
			if err := os.WriteFile(name, src, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// writeDriver writes the package that calls the cases.
func (b *behaviour) writeDriver(t *testing.T) {
	var imports, table strings.Builder
	seen := map[string]string{}
	for k := -1; k <= b.copies(); k++ {
		for _, file := range b.files {
			if k > len(b.mutant[file]) {
				continue
			}
			dir := path.Dir(file)
			if k >= 0 {
				dir = copyDir(k) + "/" + dir
			}
			if seen[dir] == "" {
				seen[dir] = fmt.Sprintf("p%d", len(seen))
				fmt.Fprintf(&imports, "import %s %q\n", seen[dir], b.module+"/"+dir)
			}
			fmt.Fprintf(&table, "\t{%d, %q}: {\n", k, file)
			for _, c := range b.cases[file] {
				fmt.Fprintf(&table, "\t\t{%q, func(n int) string { return fmt.Sprint(%s.%s(n)) }},\n", c, seen[dir], c)
			}
			fmt.Fprintf(&table, "\t},\n")
		}
	}
	text := driver[0] + imports.String() + driver[1] + table.String() + "}\n"
	if err := os.Mkdir(filepath.Join(b.dir, "drive"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "drive", "drive_test.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// driver is the source of the driver in two parts. The imports of the packages go between them, and the entries of the
// table of cases after them.
var driver = [2]string{`package drive

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)
`, `
type job struct {
	Copy   int // -1: the woven packages
	File   string
	Inputs []int
}

type key struct {
	copy int
	file string
}

func TestDrive(t *testing.T) {
	var jobs []job
	list, err := os.ReadFile(os.Getenv("DRIVE_JOBS"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(list, &jobs); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, j := range jobs {
		for _, c := range cases[key{j.Copy, j.File}] {
			for _, n := range j.Inputs {
				name := fmt.Sprintf("%s:%s(%d)", j.File, c.name, n)
				if j.Copy > 0 {
					name = fmt.Sprintf("%d:%s", j.Copy, name)
				}
				all[name] = outcome(c.call, n)
			}
		}
	}
	data, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(os.Getenv("DRIVE_OUT"), data, 0600); err != nil {
		t.Fatal(err)
	}
}

func outcome(call func(int) string, n int) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprintf("panic: %v at %s", r, panicked())
		}
	}()
	return call(n)
}

// panicked is the position of the innermost frame that is not the run-time's.
func panicked() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") || !more {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
	}
}

var cases = map[key][]struct {
	name string
	call func(int) string
}{
`}

// job tells the driver to call all cases of a file with some inputs.
type job struct {
	Copy   int // -1: the woven packages
	File   string
	Inputs []int
}

func allInputs() (list []int) {
	for n := range inputs {
		list = append(list, n)
	}
	return list
}

// run calls the woven cases of a file, or of all files if file is empty, with the inputs in, or with all if there are
// none. The process has M=mutant and, if state is not nil, records in state.
func (b *behaviour) run(t *testing.T, mutant, file string, state *worker.State, in ...int) outcomes {
	t.Helper()
	if len(in) == 0 {
		in = allInputs()
	}
	var jobs []job
	for _, f := range b.files {
		if file == "" || f == file {
			jobs = append(jobs, job{-1, f, in})
		}
	}
	env := []string{wire.EnvMutant + "=" + mutant, wire.EnvSteps + "=" + stepBound}
	if state != nil {
		env = append(env, wire.EnvState+"="+state.Path())
	}
	return b.drive(t, jobs, env)
}

// copyOf returns the jobs for the plain cases of copy k, except those of the files in without.
func (b *behaviour) copyOf(k int, without map[string]bool) (jobs []job) {
	for _, f := range b.files {
		if k <= len(b.mutant[f]) && !without[f] {
			jobs = append(jobs, job{k, f, allInputs()})
		}
	}
	return jobs
}

func (b *behaviour) runCopies(t *testing.T, jobs []job) outcomes {
	t.Helper()
	return b.drive(t, jobs, nil)
}

func (b *behaviour) drive(t *testing.T, jobs []job, env []string) (out outcomes) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "out")
	list, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file+".jobs", list, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(b.binary, "-test.run=^TestDrive$", "-test.timeout=1m")
	cmd.Dir = filepath.Join(b.dir, "drive")
	cmd.Env = append(append(os.Environ(), env...), "DRIVE_JOBS="+file+".jobs", "DRIVE_OUT="+file)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", env, err, text)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// runMutants runs every mutant in a process of its own, and returns the outcomes by the mutant's number.
func (b *behaviour) runMutants(t *testing.T) map[int]outcomes {
	t.Helper()
	all := map[int]outcomes{}
	for file, numbers := range b.mutant {
		for _, n := range numbers {
			all[n] = b.run(t, fmt.Sprint(n), file, nil)
		}
	}
	return all
}

// hangs reports whether the step bound stopped a mutant. Its plain twin cannot be run then: nothing would stop it.
func (o outcomes) hangs() bool {
	for _, text := range o {
		if strings.Contains(text, stepPanic) {
			return true
		}
	}
	return false
}

// comparePlain compares every mutant with its plain twin, and fails the test if too many mutants hang.
func (b *behaviour) comparePlain(t *testing.T, mutants map[int]outcomes) {
	var jobs []job
	want := outcomes{}
	hung := 0
	for k := 1; k <= b.copies(); k++ {
		without := map[string]bool{}
		for file, numbers := range b.mutant {
			if k > len(numbers) {
				continue
			}
			if mutants[numbers[k-1]].hangs() {
				without[file] = true
				hung++
				continue
			}
			for name, text := range mutants[numbers[k-1]] {
				want[fmt.Sprintf("%d:%s", k, name)] = text
			}
		}
		jobs = append(jobs, b.copyOf(k, without)...)
	}
	if hung*10 > len(mutants) {
		t.Errorf("%d of %d mutants hang", hung, len(mutants))
	}
	equal(t, want, b.runCopies(t, jobs))
}

// compareMarks checks that no reached or infected mutant is missed: where the outcome of a mutant differs from the
// original's, its block was counted and, if it is probed, its mark says infected.
func (b *behaviour) compareMarks(t *testing.T, original outcomes, mutants map[int]outcomes) {
	marked, probed := 0, 0
	for n := range inputs {
		state, err := worker.NewState(filepath.Join(t.TempDir(), "state"), b.woven.Layout)
		if err != nil {
			t.Fatal(err)
		}
		b.run(t, "-1", "", state, n)
		marks, reached := state.Marks(), state.Blocks()
		if err := state.Close(); err != nil {
			t.Fatal(err)
		}
		for number, got := range mutants {
			m := b.byNum[number]
			seen := slices.Contains(reached, m.Block)
			if m.Probed {
				probed++
				seen = seen && marks[number]&wire.MarkInfected != 0
			}
			if seen {
				marked++
				continue
			}
			for name, text := range got {
				// Once the bound has stopped a process, it stops it again at every further step.
				stopped := strings.Contains(text, stepPanic)
				if strings.HasSuffix(name, fmt.Sprintf("(%d)", n)) && text != original[name] && !stopped {
					t.Errorf("%s\n%s: %s, not %s, but that was not seen to be reached and infect", describe(m.Mutant), name, text, original[name])
				}
			}
		}
	}
	if marked == 0 || marked == probed {
		t.Errorf("%d of %d marks are set", marked, probed)
	}
}

func describe(m *mutate.Mutant) string {
	return fmt.Sprintf("%s:%d: %s: %s → %s", filepath.Base(m.File), m.Line, m.Operator, m.Original, m.Replacement)
}

// equal checks that woven and plain outcomes are the same.
func equal(t *testing.T, got, want outcomes) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if got[name] != want[name] {
			t.Errorf("%s: woven gives %s, plain %s", name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s was not run plain", name)
		}
	}
}
