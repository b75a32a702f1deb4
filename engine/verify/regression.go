package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/fuzz"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// regression is a test that asserts what the program does where a mutant does
// something else.
type regression struct {
	pkg    string // package whose test binary holds it
	name   string
	file   string // absolute, where it is checked; no file of the user's
	source []byte
}

// open builds the original's binaries of the packages whose harnesses expose
// mutants of list, with a test for each such mutant.
func (v *Verifier) open(ctx context.Context, list []*evidence.Mutant) error {
	pkgs := map[string]bool{}
	files := map[string][]byte{}
	for _, m := range list {
		if m.Exposed == nil {
			continue
		}
		if t := v.targetOf(m); t != nil {
			pkgs[t.Package] = true
		}
		if r := v.newRegression(m); r != nil {
			v.regressions[m.Number] = r
			files[r.file] = r.source
			pkgs[r.pkg] = true
		}
	}
	if len(pkgs) == 0 {
		return nil
	}
	var err error
	if v.harness == nil {
		if v.harness, err = v.Harnesses(ctx); err != nil {
			return err
		}
	}
	var broken *gotool.BuildError
	for {
		v.original, err = v.BuildTests(ctx, build.TestBuild{
			Kind: "verify", Overlay: v.harness, Files: files, Packages: slices.Sorted(maps.Keys(pkgs)),
		})
		// The compiler names at least one of the tests that are to blame.
		if !errors.As(err, &broken) || !v.dropBroken(broken.Output, files) {
			return err
		}
	}
}

// dropBroken drops the tests whose files the compiler complains of.
func (v *Verifier) dropBroken(output string, files map[string][]byte) bool {
	dropped := false
	for n, r := range v.regressions {
		if strings.Contains(output, filepath.Base(r.file)) {
			delete(v.regressions, n)
			delete(files, r.file)
			dropped = true
		}
	}
	return dropped
}

// newRegression writes the test for an exposed mutant, or returns nil where
// the call or its results have no form as Go source.
func (v *Verifier) newRegression(m *evidence.Mutant) *regression {
	o := v.Fuzzer.Difference(m)
	if m.Exposed.Call == "" || o == nil || o.Original == nil {
		return nil
	}
	s := &v.Woven.Sites[o.Site]
	names, checks := assertions(o, m.Exposed.Call, s.PackageName)
	if checks == "" {
		return nil
	}
	r := &regression{
		pkg:  strings.TrimSuffix(s.Package, "_test"),
		name: v.testName(m, s, o.Original.Args),
	}
	r.file = filepath.Join(v.Packages[r.pkg].Dir, "mutantfuzz_"+strings.ToLower(m.ID)+"_test.go")
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\n%s\nfunc %s(t *testing.T) {\n\t%s := %s\n%s}\n",
		s.PackageName, importBlock(s.ImportsFor(m.Exposed.Call+checks)), r.name, names, m.Exposed.Call, checks)
	src, err := format.Source(b.Bytes())
	if err != nil {
		return nil
	}
	r.source = src
	return r
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

// testName names the test for m after the function that it calls, and after what it passes.
func (v *Verifier) testName(m *evidence.Mutant, s *weave.Site, args []string) string {
	pkg := v.Packages[strings.TrimSuffix(s.Package, "_test")]
	name := "Test" + exportedName(s.Callee) + "_" + wordsOf(args)
	taken := func(r *regression) bool { return r.name == name }
	if wordsOf(args) != "" && !program.DeclaredTests(pkg)[name] && !slices.ContainsFunc(slices.Collect(maps.Values(v.regressions)), taken) {
		return name
	}
	return strings.TrimSuffix(name, "_") + "_" + m.ID[:min(6, len(m.ID))]
}

// maxTestName is how many letters of arguments the name of a test has.
const maxTestName = 24

// wordsOf are the first letters and digits in values, as part of an identifier.
func wordsOf(values []string) string {
	var b strings.Builder
	start := true
	for _, r := range conversion.ReplaceAllString(strings.Join(values, " "), " ") {
		switch {
		case r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			start = true
			continue
		case start:
			r = unicode.ToUpper(r)
		}
		start = false
		if b.WriteRune(r); b.Len() == maxTestName {
			break
		}
	}
	return b.String()
}

// conversion matches what values are converted by, which says little of them.
var conversion = regexp.MustCompile(`(?:\[\]byte|\b(?:string|bool|byte|rune|u?int(?:8|16|32|64)?|float(?:32|64)))\(|\\(?:x|u|U)`)

// assertions returns the names for the results of a call and the statements
// that fail where they are not what the program returned; "" where none can
// be written.
func assertions(o *fuzz.Difference, call, inPackage string) (names, checks string) {
	list := resultNames(o)
	var b strings.Builder
	for i, want := range o.Original.Values {
		if want = fuzz.Localise(want, inPackage); strings.HasSuffix(want, ")(nil)") {
			want = "nil"
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
		case strings.HasPrefix(want, "[") || strings.Contains(want, "{"):
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
func resultNames(o *fuzz.Difference) []string {
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

// failsTwice reports whether a test that was built in fails twice.
func (v *Verifier) failsTwice(ctx context.Context, sl *pool.Slot, built map[string]string, r *regression) (bool, error) {
	for range 2 {
		run, err := v.runRebuilt(ctx, sl, built[r.pkg], r.pkg, []string{r.name})
		if err != nil || !run.Failed() {
			return false, err
		}
	}
	return true, nil
}

// regressionOf is the test for m if it passes on the program, as it should; nil: there is none.
func (v *Verifier) regressionOf(ctx context.Context, sl *pool.Slot, m *evidence.Mutant) (*regression, error) {
	r := v.regressions[m.Number]
	if r == nil {
		return nil, nil
	}
	if failed, err := v.failsTwice(ctx, sl, v.original, r); failed || err != nil {
		return nil, err
	}
	return r, nil
}

// offer puts the test for m, if there is one, into its evidence if it fails on the mutant, as
// it should.
func (v *Verifier) offer(ctx context.Context, sl *pool.Slot, m *evidence.Mutant, r *regression, built map[string]string) error {
	if r == nil || built[r.pkg] == "" {
		return nil
	}
	failed, err := v.failsTwice(ctx, sl, built, r)
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
