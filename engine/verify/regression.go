package verify

import (
	"cmp"
	"context"
	"errors"
	"go/version"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/suggestion"
	"github.com/mutantfuzz/mutantfuzz/engine/suggestion/naming"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/witness"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// regression is a test function that asserts what the program does where a mutant does
// something else.
type regression struct {
	suggestion.Function
	pkg    string // package whose test binary holds it
	file   string // absolute, where it is checked in a file of its own; no file of the user's
	source []byte // of that file
	state  state
	// onlyAlone says that it fails in its place where all tests of the package run: it is not offered.
	onlyAlone bool
	newFile   string // absolute, where it belongs if no file of the user's is the place for it
	// asserting writes it with the functions of a package of testify, which a file imports as is said; nil: it asserts nothing.
	asserting func(testify string) *regression
}

// open builds the original's binaries of the packages whose harnesses expose mutants of list.
func (v *Verifier) open(ctx context.Context, list []*evidence.Mutant) error {
	pkgs := map[string]bool{}
	for _, m := range list {
		if m.Exposed == nil {
			continue
		}
		if t := v.targetOf(m); t != nil {
			pkgs[t.Package] = true
		}
	}
	if len(pkgs) == 0 {
		return nil
	}
	if v.harness == nil {
		var err error
		if v.harness, err = v.Harnesses(ctx); err != nil {
			return err
		}
	}
	var err error
	v.original, err = v.BuildTests(ctx, build.TestBuild{Kind: "verify", Overlay: v.harness, Packages: slices.Sorted(maps.Keys(pkgs))})
	return err
}

// newRegression writes the test for an exposed mutant, which makes the call and looks at what it gives.
// It returns nil if there is nothing to look at, or no form for it as Go source. Where the program fails
// in the call, it is enough to make it.
func (v *Verifier) newRegression(m *evidence.Mutant) *regression {
	o := v.Fuzzer.Difference(m)
	call := m.Exposed.Call
	if call == "" || o == nil || o.Original == nil {
		return nil
	}
	s := &v.Woven.Sites[o.Site]
	named := v.withNamedErrors(o.Named(v.Woven.Sites), m, s)
	name := v.testName(m, s)
	write := func(testify string) *regression {
		names, checks := suggestion.Assertions(&named, call, s.PackageName, s.Fails, testify)
		statement := names + " := " + call
		if checks == "" {
			if o.Ends == "" || testify != "" {
				return nil
			}
			statement = call
		}
		return v.testOf(s, append(slices.Clone(m.Exposed.Setup), statement), checks, name, m)
	}
	r := write("")
	if r != nil {
		r.asserting = write
	}
	return r
}

// withNamedErrors is o of m, at s, with the variables of the package that hold the errors which the program returns, where there are such
// and the tests can name them.
func (v *Verifier) withNamedErrors(o witness.Difference, m *evidence.Mutant, s *weave.Site) witness.Difference {
	if len(o.Original.Errors) != len(o.Original.Values) {
		return o
	}
	pkg := strings.TrimSuffix(s.Package, "_test")
	inside := pkg == s.Package && !suggestion.AreExternal(v.Packages[pkg], m.File)
	original := *o.Original
	original.Values = slices.Clone(original.Values)
	for i, text := range original.Errors {
		if text != "" && original.Values[i] == "" {
			original.Values[i] = v.tablesOfTests().ErrorNamed(text, pkg, inside)
		}
	}
	o.Original = &original
	return o
}

// oldest is the version of Go that a module without one is built by.
const oldest = "1.16"

// testOf writes a test of a name, for m: statements, the last of which is the call at s, and the checks
// after them. It returns nil if that is no Go.
func (v *Verifier) testOf(s *weave.Site, statements []string, checks, name string, m *evidence.Mutant) *regression {
	body, clause := strings.Join(statements, "\n\t")+"\n"+checks, s.PackageName
	r := &regression{pkg: strings.TrimSuffix(s.Package, "_test")}
	r.Name, r.Package = name, s.Package
	if outside, ok := v.external(s, m, body); ok {
		body, clause, r.Package = outside, clause+"_test", s.Package+"_test"
		r.Imports = []string{strconv.Quote(s.Package)} // most files give it no name, whatever its path ends in
	}
	if version.Compare("go"+cmp.Or(v.GoVersion(r.pkg), oldest), "go1.18") < 0 {
		body = suggestion.WithoutAny(body)
	}
	r.Body, r.Imports = suggestion.Elided(body), append(r.Imports, s.ImportsFor(body)...)
	slices.Sort(r.Imports)
	r.file = filepath.Join(v.Packages[r.pkg].Dir, "mutantfuzz_"+strings.ToLower(m.ID)+"_test.go")
	r.newFile = r.file
	src, err := regular.Source(v.Path(m.File))
	if err != nil {
		return nil
	}
	r.Constraint = weave.Constraint(m.File, src)
	if r.source, err = r.File(clause); err != nil {
		return nil
	}
	return r
}

// external writes the body of a test for m, of the package of s, as one outside of it, if that is where the tests are, and if
// that can be.
func (v *Verifier) external(s *weave.Site, m *evidence.Mutant, body string) (string, bool) {
	i := slices.IndexFunc(v.Types.Targets, func(p *packages.Package) bool { return p.PkgPath == s.Package })
	if i < 0 || !suggestion.AreExternal(v.Packages[s.Package], m.File) {
		return "", false
	}
	return suggestion.External(body, v.Types.Targets[i].Types)
}

// fileFor names the new file for r: after a file with source, if there is none of that name, else after the function,
// too, and at last after the mutant. Where the file of that name has external tests, and r is none, it is for internal ones.
func (v *Verifier) fileFor(source string, r *regression) string {
	base := filepath.Join(filepath.Dir(r.file), strings.TrimSuffix(filepath.Base(source), ".go"))
	function, _, _ := strings.Cut(strings.TrimPrefix(r.Name, "Test"), "_")
	names := []string{base + "_test.go", base + "_" + strings.ToLower(function) + "_test.go"}
	if exists(names[0]) && !strings.HasSuffix(r.Package, "_test") {
		names = []string{base + "_internal_test.go", base + "_" + strings.ToLower(function) + "_internal_test.go"}
	}
	for _, name := range names {
		taken := func(o *regression) bool { return o != r && o.newFile == name }
		if !exists(name) && !slices.ContainsFunc(slices.Collect(maps.Values(v.regressions)), taken) {
			return name
		}
	}
	return r.file
}

// exists reports whether there is something of a name, or may be.
func exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// testName names the test for m after the function that it is of, and after what is special
// about the call, if anything; where that is taken, with a number.
func (v *Verifier) testName(m *evidence.Mutant, s *weave.Site) string {
	name, method := v.nameFor(tested(m, s), s), naming.OfTest(m.Function, nil)
	called := regexp.MustCompile(`\b` + regexp.QuoteMeta(m.Function[strings.LastIndexByte(m.Function, '.')+1:]) + `[(\[]`).MatchString
	if of := naming.OfTest(tested(m, s), nil); of != method && (slices.ContainsFunc(m.Exposed.Setup, called) || called(m.Exposed.Call)) {
		name = v.nameFor(m.Function, s) + "_" + strings.TrimPrefix(of, "Test") // what a function has done is seen by another one
	}
	plain := name
	if c := v.callOf(m); c != nil {
		if words := c.Words(); slices.ContainsFunc(words, func(w string) bool { return len(w) > 1 || unicode.IsDigit(rune(w[0])) }) { // letters stand for any text
			name += "_" + naming.Camel(words)
		}
	}
	if typed := naming.OfMethod(tested(m, s)); typed != "" && v.taken(name, s) { // by a method of another type, perhaps
		name = typed + strings.TrimPrefix(name, plain)
	}
	return v.free(name, s)
}

// nameFor is the name of a test of a function in the package of s.
func (v *Verifier) nameFor(function string, s *weave.Site) string {
	return naming.OfTest(function, program.DeclaredTests(v.Packages[strings.TrimSuffix(s.Package, "_test")]))
}

// free is a name with the first number from 2 on, if any, that no test has in the package of s.
func (v *Verifier) free(name string, s *weave.Site) string {
	numbered := name
	for i := 2; v.taken(numbered, s); i++ {
		numbered = name + "_" + strconv.Itoa(i)
	}
	return numbered
}

// tested is what a test with the call at s is of: the callee, or what a function of the standard library shows of m's.
func tested(m *evidence.Mutant, s *weave.Site) string {
	if s.Consumes {
		return m.Function
	}
	return cmp.Or(s.Function, s.Callee)
}

// taken reports whether a test of that name is in the package of s, or written for it.
func (v *Verifier) taken(name string, s *weave.Site) bool {
	pkg := v.Packages[strings.TrimSuffix(s.Package, "_test")]
	same := func(r *regression) bool { return r.Name == name }
	return program.DeclaredTests(pkg)[name] || slices.ContainsFunc(slices.Collect(maps.Values(v.regressions)), same)
}

// offer puts the test for m into its evidence if it fails on the mutant, as it should.
func (v *Verifier) offer(ctx context.Context, sl *pool.Slot, m *evidence.Mutant, r *regression, built map[string]string) error {
	failed, err := v.notice(ctx, sl, m, built, r.pkg, []string{r.Name})
	if err != nil || !failed {
		return err
	}
	m.Exposed.Test, m.Exposed.TestFile = string(r.source), v.Rel(r.newFile)
	return nil
}
