package verify

import (
	"context"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/suggestion"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/witness"
)

// regression is a test function that asserts what the program does where a mutant does
// something else.
type regression struct {
	pkg     string // package whose test binary holds it
	in      string // package that it is in: the same, or its external tests
	name    string
	file    string // absolute, where it is checked in a file of its own; no file of the user's
	source  []byte // of that file
	imports []string
	body    string // what follows its name
	tried   bool   // on the program; so is what does not compile
	passes  bool   // on the program
	newFile string // absolute, where it belongs if no file of the user's is the place for it
}

// text is the function, with an ending added to its name.
func (r *regression) text(ending string) string { return "func " + r.name + ending + r.body }

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
	err := v.openHarnesses(ctx)
	if err != nil {
		return err
	}
	v.original, err = v.BuildTests(ctx, build.TestBuild{Kind: "verify", Overlay: v.harness, Packages: slices.Sorted(maps.Keys(pkgs))})
	return err
}

// openHarnesses makes the woven test files, once.
func (v *Verifier) openHarnesses(ctx context.Context) (err error) {
	if v.harness == nil {
		v.harness, err = v.Harnesses(ctx)
	}
	return err
}

// newRegression writes the test for an exposed mutant, or returns nil where
// the call or its results have no form as Go source.
func (v *Verifier) newRegression(m *evidence.Mutant) *regression {
	o := v.Fuzzer.Difference(m)
	if m.Exposed.Call == "" || o == nil || o.Original == nil {
		return nil
	}
	return v.regressionFor(o, m.Exposed.Setup, m.Exposed.Call, v.testName(m, &v.Woven.Sites[o.Site]), m.ID)
}

// regressionFor writes a test of a name that makes a call and looks at what it gives, for the mutant with an ID. It returns
// nil if there is nothing to look at, or no form for it. Where the program fails in the call, it is enough to make it.
func (v *Verifier) regressionFor(o *witness.Difference, before []string, call, name, id string) *regression {
	s := &v.Woven.Sites[o.Site]
	named := o.Named(v.Woven.Sites)
	names, checks := assertions(&named, call, s.PackageName)
	statement := names + " := " + call
	if checks == "" {
		if o.Ends == "" {
			return nil
		}
		statement = call
	}
	return v.testOf(s, append(slices.Clone(before), statement), checks, name, id)
}

// testOf writes a test of a name, for the mutant with an ID: statements, the last of which is the call at s, and the checks
// after them. It returns nil if that is no Go.
func (v *Verifier) testOf(s *weave.Site, statements []string, checks, name, id string) *regression {
	text := strings.Join(statements, "\n\t") + "\n" + checks
	r := &regression{pkg: strings.TrimSuffix(s.Package, "_test"), in: s.Package, name: name}
	clause := s.PackageName
	if outside, ok := v.external(s, text); ok {
		text, clause, r.in = outside, clause+"_test", s.Package+"_test"
		r.imports = []string{strconv.Quote(s.Package)} // most files give it no name, whatever its path ends in
	}
	r.imports = append(r.imports, s.ImportsFor(text)...)
	slices.Sort(r.imports)
	r.file = filepath.Join(v.Packages[r.pkg].Dir, "mutantfuzz_"+strings.ToLower(id)+"_test.go")
	r.newFile = r.file
	r.body = fmt.Sprintf("(t *testing.T) {\n\t%s}\n", text)
	src, err := format.Source(fmt.Appendf(nil, "package %s\n\n%s\n%s", clause, importBlock(r.imports), r.text("")))
	if err != nil {
		return nil
	}
	r.source = src
	return r
}

// external writes the body of a test of the package of s as one outside of it, if that is where all its tests are, and if
// that can be.
func (v *Verifier) external(s *weave.Site, body string) (string, bool) {
	i := slices.IndexFunc(v.Types.Targets, func(p *packages.Package) bool { return p.PkgPath == s.Package })
	if i < 0 || !suggestion.OnlyExternal(v.Packages[s.Package]) {
		return "", false
	}
	return suggestion.External(body, v.Types.Targets[i].Types)
}

// fileFor names the new file for r: after the file with the mutant, if there is none of that name, else after the function,
// too, and at last after the mutant. Where the file of that name has external tests, and r is none, it is for internal ones.
func (v *Verifier) fileFor(m *evidence.Mutant, r *regression) string {
	base := filepath.Join(filepath.Dir(r.file), strings.TrimSuffix(filepath.Base(m.File), ".go"))
	function, _, _ := strings.Cut(strings.TrimPrefix(r.name, "Test"), "_")
	names := []string{base + "_test.go", base + "_" + strings.ToLower(function) + "_test.go"}
	if exists(names[0]) && !strings.HasSuffix(r.in, "_test") {
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

// importBlock imports packages, those of the standard library first.
func importBlock(specs []string) string {
	var std, others strings.Builder
	for _, spec := range specs {
		b := &std
		if first, _, _ := strings.Cut(strings.Trim(spec[strings.IndexByte(spec, '"'):], `"`), "/"); strings.Contains(first, ".") {
			b = &others
		}
		fmt.Fprintf(b, "\t%s\n", spec)
	}
	if others.Len() > 0 {
		others.WriteString(")\n")
		return "import (\n" + std.String() + "\n" + others.String()
	}
	return "import (\n" + std.String() + ")\n"
}

// testName names the test for m after the function that it calls, and after what is special
// about the call, if anything; where that is taken, after the mutant.
func (v *Verifier) testName(m *evidence.Mutant, s *weave.Site) string {
	plain := "Test" + exportedName(s.Callee)
	name := plain
	if c := v.callOf(m); c != nil {
		if words := suggestion.Camel(c.Words()); words != "" {
			name += "_" + words
		}
	}
	if !v.taken(name, s) {
		return name
	}
	return plain + "_" + m.ID[:min(6, len(m.ID))]
}

// taken reports whether a test of that name is in the package of s, or written for it.
func (v *Verifier) taken(name string, s *weave.Site) bool {
	pkg := v.Packages[strings.TrimSuffix(s.Package, "_test")]
	same := func(r *regression) bool { return r.name == name }
	return program.DeclaredTests(pkg)[name] || slices.ContainsFunc(slices.Collect(maps.Values(v.regressions)), same)
}

// notANumber is how the run-time writes a NaN.
const notANumber = "math.NaN()"

// assertions returns the names for the results of a call and the statements
// that fail where they are not what the program returned; "" where none can
// be written.
func assertions(o *witness.Difference, call, inPackage string) (names, checks string) {
	list := resultNames(o)
	var b strings.Builder
	for i, want := range o.Original.Values {
		if want = witness.Localise(want, inPackage); strings.HasSuffix(want, ")(nil)") {
			want = "nil"
		}
		if want != notANumber && strings.Contains(want, notANumber) { // it equals nothing, not even itself
			want = ""
		}
		name := list[i]
		of := strings.ReplaceAll(call, "%", "%%")
		if name != "got" && name != "err" {
			of += ": result " + strconv.Itoa(i)
		}
		message := strconv.Quote(of + " = %v, want %v")
		isNil := o.Mutant != nil && i < len(o.Mutant.Values) && o.Mutant.Values[i] == "nil"
		text, otherText := errorAt(o.Original, i), errorAt(o.Mutant, i)
		switch {
		case want == notANumber:
			fmt.Fprintf(&b, "\tif !math.IsNaN(%[1]s) {\n\t\tt.Errorf(%[2]s, %[1]s, %[3]q)\n\t}\n", name, message, "NaN")
		case name == "err" && want == "nil":
			fmt.Fprintf(&b, "\tif err != nil {\n\t\tt.Errorf(%s, err)\n\t}\n", strconv.Quote(strings.ReplaceAll(call, "%", "%%")+": %v"))
		case name == "err" && want == "" && isNil:
			fmt.Fprintf(&b, "\tif err == nil {\n\t\tt.Error(%s)\n\t}\n", strconv.Quote(call+": no error"))
		case want == "" && isNil:
			fmt.Fprintf(&b, "\tif %s == nil {\n\t\tt.Errorf(%s, %s, \"not nil\")\n\t}\n", name, message, name)
		case want == "" && otherText != "" && text != otherText:
			fmt.Fprintf(&b, "\tif %[1]s == nil || %[1]s.Error() != %[2]q {\n\t\tt.Errorf(%[3]s, %[1]s, %[2]q)\n\t}\n", name, text, message)
		case want == "":
			list[i] = "_"
		case strings.HasPrefix(want, "[") || strings.Contains(want, "{") || strings.HasSuffix(want, "(nil)"): // what may not be comparable
			fmt.Fprintf(&b, "\tif want := (%s); !reflect.DeepEqual(%s, want) {\n\t\tt.Errorf(%s, %s, want)\n\t}\n", want, name, message, name)
		default:
			shown := want
			if want == "nil" { // which has no type
				shown = strconv.Quote(want)
			}
			fmt.Fprintf(&b, "\tif %s != %s {\n\t\tt.Errorf(%s, %s, %s)\n\t}\n", name, want, message, name, shown)
		}
	}
	return strings.Join(list, ", "), b.String()
}

// resultNames names the results of a call: "err" the last if it is an error on one side, "got"
// the only other one.
func resultNames(o *witness.Difference) []string {
	n := len(o.Original.Values)
	names := make([]string, n)
	others := n
	if errorAt(o.Original, n-1) != "" || errorAt(o.Mutant, n-1) != "" {
		others--
		names[others] = "err"
	}
	for i := range others {
		names[i] = "got"
		if others > 1 {
			names[i] += strconv.Itoa(i)
		}
	}
	return names
}

// errorAt is the text of the i-th result if that is an error, else "".
func errorAt(o *wire.Observation, i int) string {
	if o == nil || i < 0 || i >= len(o.Errors) {
		return ""
	}
	return o.Errors[i]
}

// exportedName is the last part of a callee, fit to follow "Test".
func exportedName(callee string) string {
	name := callee[strings.LastIndex(callee, ".")+1:]
	if i := strings.IndexByte(name, '['); i >= 0 {
		name = name[:i]
	}
	r, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[size:]
}

// offer puts the test for m into its evidence if it fails on the mutant, as it should.
func (v *Verifier) offer(ctx context.Context, sl *pool.Slot, m *evidence.Mutant, r *regression, built map[string]string) error {
	failed, err := v.endsTwice(ctx, sl, built, r.pkg, []string{r.name}, true)
	if err != nil || !failed {
		return err
	}
	rel, err := filepath.Rel(v.Tree, r.file)
	if err != nil {
		return err
	}
	m.Exposed.Test, m.Exposed.TestFile = string(r.source), filepath.ToSlash(rel)
	return nil
}
