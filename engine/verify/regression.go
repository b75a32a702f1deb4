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

// regression is a test function that asserts what the program does where a mutant does something else.
type regression struct {
	suggestion.Function
	pkg    string // package whose test binary holds it
	file   string // absolute: the file of its own in which it is checked; the user has no such file
	source []byte // of file
	state  state
	// onlyAlone says that it fails in its place if all tests of the package run: it is not offered.
	onlyAlone bool
	newFile   string // absolute: the file in which it belongs if no file of the user is the place for it
	// asserting returns the test written with functions of a package of testify, imported under the given name; nil: it
	// asserts nothing.
	asserting func(testify string) *regression
	hangs     bool // the test does not end on the program
}

// open builds test binaries of the unmutated program for the packages whose harnesses expose mutants of list.
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

// newRegression returns a test for an exposed mutant that makes the call and checks its results, nil if it cannot be
// written as Go source or there is nothing to check. If the mutant ends in the call instead of returning, making the
// call is enough.
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
		names, checks := suggestion.Assertions(&named, call, s, testify)
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

// withNamedErrors returns o with the returned errors written by the package variables that hold them, where there are
// such variables and the tests can name them.
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

// oldest is the Go version of a module that names none.
const oldest = "1.16"

// testOf returns a test for m with a name, some statements, of which the last is the call at s, and the checks after
// them. It returns nil if the result is not valid Go.
func (v *Verifier) testOf(s *weave.Site, statements []string, checks, name string, m *evidence.Mutant) *regression {
	body, clause := strings.Join(statements, "\n\t")+"\n"+checks, s.PackageName
	r := &regression{pkg: strings.TrimSuffix(s.Package, "_test")}
	r.Name, r.Package = name, s.Package
	if outside, ok := v.external(s, m, body); ok {
		body, clause, r.Package = outside, clause+"_test", s.Package+"_test"
		r.Imports = []string{strconv.Quote(s.Package)} // most files import it without a name, whatever its path ends in
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

// external rewrites the body of a test for m in the package of s for an external test package. ok is false if the tests
// of m's file are internal, or if it cannot be rewritten.
func (v *Verifier) external(s *weave.Site, m *evidence.Mutant, body string) (string, bool) {
	i := slices.IndexFunc(v.Types.Targets, func(p *packages.Package) bool { return p.PkgPath == s.Package })
	if i < 0 || !suggestion.AreExternal(v.Packages[s.Package], m.File) {
		return "", false
	}
	return suggestion.External(body, v.Types.Targets[i].Types)
}

// fileFor returns the name of a new file for r. It is named after source, or after source and the function, or as a
// last resort after the mutant. If r is an internal test and the first of these files exists, the names end in
// _internal_test.go.
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

// exists reports whether a file exists, or may exist.
func exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// testName returns a free name for the test for m: that of the tested function and, if the call has something special,
// words for that, else the name of m's function if that is another one.
func (v *Verifier) testName(m *evidence.Mutant, s *weave.Site) string {
	name, method := v.nameFor(tested(m, s), s), naming.OfTest(m.Function, nil)
	called := regexp.MustCompile(`\b` + regexp.QuoteMeta(m.Function[strings.LastIndexByte(m.Function, '.')+1:]) + `[(\[]`).MatchString
	if of := naming.OfTest(tested(m, s), nil); of != method && (slices.ContainsFunc(m.Exposed.Setup, called) || called(m.Exposed.Call)) {
		// What the function has done is seen by calling another one.
		name = v.nameFor(m.Function, s) + "_" + strings.TrimPrefix(of, "Test")
	}
	plain := name
	if words := v.wordsFor(m); len(words) > 0 {
		name += "_" + naming.Camel(words)
	} else if name == v.nameFor(tested(m, s), s) && naming.OfTest(tested(m, s), nil) != method {
		typed := strings.ReplaceAll(naming.OfMethod(m.Function), "_", "")
		name += "_" + strings.TrimPrefix(cmp.Or(typed, method), "Test")
	}
	// The name may be taken by a test for a method of another type.
	if typed := naming.OfMethod(tested(m, s)); typed != "" && v.taken(name, s) {
		name = typed + strings.TrimPrefix(name, plain)
	}
	return v.free(name, s)
}

// wordsFor returns words for what is special about the call that shows m; there may be none. Single letters say nothing:
// they stand for any text. Nor do several numbers, of which nobody knows what they are.
func (v *Verifier) wordsFor(m *evidence.Mutant) []string {
	c := v.callOf(m)
	if c == nil {
		return nil
	}
	words := v.tablesOfTests().Words(c)
	number := func(w string) bool { return unicode.IsDigit(rune(w[0])) }
	says := func(w string) bool { return len(w) > 1 && !number(w) || len(words) == 1 && number(w) }
	if !slices.ContainsFunc(words, says) {
		return nil
	}
	return words
}

// nameFor returns the name of a test of a function in the package of s.
func (v *Verifier) nameFor(function string, s *weave.Site) string {
	return naming.OfTest(function, program.DeclaredTests(v.Packages[strings.TrimSuffix(s.Package, "_test")]))
}

// free returns name if it is free in the package of s, else name with the first free number from 2 on.
func (v *Verifier) free(name string, s *weave.Site) string {
	numbered := name
	for i := 2; v.taken(numbered, s); i++ {
		numbered = name + "_" + strconv.Itoa(i)
	}
	return numbered
}

// tested returns the function that a test with the call at s is of: the callee or, if that is a standard library
// function that consumes what m's function makes, m's function.
func tested(m *evidence.Mutant, s *weave.Site) string {
	if s.Consumes {
		return m.Function
	}
	return cmp.Or(s.Function, s.Callee)
}

// taken reports whether the package of s has a test of that name, be it under other build constraints, or one is written
// for it.
func (v *Verifier) taken(name string, s *weave.Site) bool {
	path := strings.TrimSuffix(s.Package, "_test")
	same := func(r *regression) bool { return r.Name == name }
	return program.DeclaredTests(v.Packages[path])[name] || slices.Contains(v.Fuzzer.Reach.Excluded(path), name) || slices.Contains(v.crashTests, name) || slices.ContainsFunc(slices.Collect(maps.Values(v.regressions)), same)
}

// offer adds the test for m to its evidence if the test fails on the mutant. If it does not, and what the call was made on
// was not the same with the mutant, then the call is not all that it takes, and is taken back.
func (v *Verifier) offer(ctx context.Context, sl *pool.Slot, m *evidence.Mutant, r *regression, built map[string]string) error {
	failed, err := v.notice(ctx, sl, m, built, r.pkg, []string{r.Name})
	if err != nil {
		return err
	}
	if d := v.Fuzzer.Difference(m); !failed && built[r.pkg] != "" && d.Mutant != nil && !slices.Equal(d.Original.Args, d.Mutant.Args) {
		m.Exposed.Setup, m.Exposed.Call = nil, ""
	}
	if !failed {
		return nil
	}
	m.Exposed.Test, m.Exposed.TestFile = string(r.source), v.Rel(r.newFile)
	return nil
}
