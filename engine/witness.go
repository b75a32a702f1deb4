package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// argSources returns the arguments of an observed call as Go source, the
// receiver first where it is observed; "" for one without such a form.
func argSources(s *weave.Site, observed []string) []string {
	var args []string
	next := func() string {
		if len(observed) == 0 {
			return ""
		}
		a := observed[0]
		observed = observed[1:]
		return a
	}
	if s.Recv {
		args = append(args, next())
	}
	for _, a := range s.Args {
		if a.Const != "" {
			args = append(args, a.Const)
		} else {
			args = append(args, next())
		}
	}
	return args
}

// callText writes a call with literal arguments, or "" where an argument or
// the receiver has no literal form.
func callText(s *weave.Site, observed []string) string {
	args := argSources(s, observed)
	for i, a := range args {
		if a == "" {
			return ""
		}
		args[i] = localise(a, s.PackageName)
	}
	callee := s.Callee
	if s.Recv {
		i := strings.LastIndex(callee, ".")
		if i < 0 || len(args) == 0 {
			return ""
		}
		callee = "(" + args[0] + ")" + callee[i:]
		args = args[1:]
	}
	return callee + "(" + strings.Join(args, ", ") + ")"
}

// effect says what an observed call did: its results and, where other shows
// something else, what it left of the receiver and the arguments.
func effect(s *weave.Site, o, other *wire.Observation) string {
	if o == nil {
		return "(the call is not made)"
	}
	text := o.Text
	for i, after := range o.After {
		if after != "" && (other == nil || i >= len(other.After) || other.After[i] != after) {
			text += fmt.Sprintf("; %s becomes %s", operand(s, i), after)
		}
	}
	return strings.TrimPrefix(text, "; ")
}

// maxEffect is how much is shown of what a call did, in bytes.
const maxEffect = 200

// apart shortens two texts, if they are too long, to where they differ first
// and what stands around it.
func apart(a, b string) (string, string) {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(0, i-maxEffect/2)
	if i < maxEffect/2+maxEffect/4 {
		from = 0
	}
	return window(a, from), window(b, from)
}

// window cuts maxEffect bytes from about the offset on out of a text, between
// its characters.
func window(s string, from int) string {
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	to := min(len(s), from+maxEffect)
	for to < len(s) && !utf8.RuneStart(s[to]) {
		to--
	}
	text := s[from:to]
	if from > 0 {
		text = "…" + text
	}
	if to < len(s) {
		text += "…"
	}
	return text
}

// operand names the i-th observed operand of a call.
func operand(s *weave.Site, i int) string {
	if s.Recv {
		if i == 0 {
			return "the receiver"
		}
		i--
	}
	for n, a := range s.Args {
		if a.Const != "" {
			continue
		}
		if i == 0 {
			return fmt.Sprintf("argument %d", n+1)
		}
		i--
	}
	return "an argument"
}

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
func (v *verifier) open(ctx context.Context, list []*mutant) error {
	var pkgs []string
	files := map[string][]byte{}
	need := func(pkg string) {
		if !slices.Contains(pkgs, pkg) {
			pkgs = append(pkgs, pkg)
		}
	}
	for _, m := range list {
		if m.exposedBy == nil {
			continue
		}
		if t := v.harnessOf(m); t != nil {
			need(t.Package)
		}
		if r := v.newRegression(m); r != nil {
			v.of[m.number] = r
			files[r.file] = r.source
			need(r.pkg)
		}
	}
	if len(pkgs) == 0 {
		return nil
	}
	var err error
	var broken *gotool.BuildError
	for {
		v.original, err = v.builder.Build(ctx, nil, files, pkgs)
		// The compiler names at least one of the tests that are to blame.
		if !errors.As(err, &broken) || !v.dropBroken(broken.Output, files) {
			return err
		}
	}
}

// dropBroken drops the tests whose files the compiler complains of.
func (v *verifier) dropBroken(output string, files map[string][]byte) bool {
	dropped := false
	for n, r := range v.of {
		if strings.Contains(output, filepath.Base(r.file)) {
			delete(v.of, n)
			delete(files, r.file)
			dropped = true
		}
	}
	return dropped
}

// newRegression writes the test for an exposed mutant, or returns nil where
// the call or its results have no form as Go source.
func (v *verifier) newRegression(m *mutant) *regression {
	o := v.sites[m.number]
	if m.exposedBy.Call == "" || o == nil || o.original == nil {
		return nil
	}
	s := &v.woven.Sites[o.site]
	names, checks := assertions(o, m.exposedBy.Call, s.PackageName)
	if checks == "" {
		return nil
	}
	r := &regression{
		pkg:  strings.TrimSuffix(s.Package, "_test"),
		name: "Test" + exportedName(s.Callee) + "_" + m.ID[:min(6, len(m.ID))],
	}
	r.file = filepath.Join(v.listing[r.pkg].Dir, "mutantfuzz_"+strings.ToLower(m.ID)+"_test.go")
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport (\n", s.PackageName)
	body := m.exposedBy.Call + checks
	for _, imp := range s.ImportsFor(body) {
		fmt.Fprintf(&b, "\t%s\n", imp)
	}
	fmt.Fprintf(&b, ")\n\nfunc %s(t *testing.T) {\n\t%s := %s\n%s}\n", r.name, names, m.exposedBy.Call, checks)
	src, err := format.Source(b.Bytes())
	if err != nil {
		return nil
	}
	r.source = src
	return r
}

// assertions returns the names for the results of a call and the statements
// that fail where they are not what the program returned; "" where none can
// be written.
func assertions(o *observed, call, inPackage string) (names, checks string) {
	var list []string
	var b strings.Builder
	for i, want := range o.original.Values {
		if want = localise(want, inPackage); strings.HasSuffix(want, ")(nil)") {
			want = "nil"
		}
		name := fmt.Sprintf("got%d", i)
		if len(o.original.Values) == 1 {
			name = "got"
		}
		becameNil := o.mutant != nil && i < len(o.mutant.Values) && o.mutant.Values[i] == "nil"
		text, otherText := errorAt(o.original, i), errorAt(o.mutant, i)
		message := strconv.Quote(strings.ReplaceAll(call, "%", "%%") + ": result " + strconv.Itoa(i) + " = %v, want %v")
		switch {
		case want == "" && becameNil:
			fmt.Fprintf(&b, "\tif %s == nil {\n\t\tt.Errorf(%s, %s, \"not nil\")\n\t}\n", name, message, name)
		case want == "" && otherText != "" && text != otherText:
			fmt.Fprintf(&b, "\tif %[1]s == nil || %[1]s.Error() != %[2]q {\n\t\tt.Errorf(%[3]s, %[1]s, %[2]q)\n\t}\n", name, text, message)
		case want == "":
			name = "_"
		case strings.HasPrefix(want, "[") || strings.Contains(want, "{"):
			fmt.Fprintf(&b, "\tif want := (%s); !reflect.DeepEqual(%s, want) {\n\t\tt.Errorf(%s, %s, want)\n\t}\n", want, name, message, name)
		default:
			fmt.Fprintf(&b, "\tif %s != %s {\n\t\tt.Errorf(%s, %s, %s)\n\t}\n", name, want, message, name, printable(want))
		}
		list = append(list, name)
	}
	return strings.Join(list, ", "), b.String()
}

// errorAt is the text of the i-th result if that is an error, else "".
func errorAt(o *wire.Observation, i int) string {
	if o == nil || i >= len(o.Errors) {
		return ""
	}
	return o.Errors[i]
}

// localise writes the source of a value as it stands in the package itself,
// without the package's own name.
func localise(source, inPackage string) string {
	x, err := parser.ParseExpr(source)
	if err != nil {
		return source
	}
	var e []string
	at := 0
	ast.Inspect(x, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == inPackage {
				e = append(e, source[at:id.Pos()-1])
				at = int(sel.Sel.Pos()) - 1
			}
		}
		return true
	})
	return strings.Join(append(e, source[at:]), "")
}

// printable makes nil an argument that has a type.
func printable(want string) string {
	if want == "nil" {
		return strconv.Quote("nil")
	}
	return want
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

// testFiles returns the file that holds m's test.
func (v *verifier) testFiles(m *mutant) map[string][]byte {
	if r := v.regressionOf(m); r != nil {
		return map[string][]byte{r.file: r.source}
	}
	return nil
}

// passes drops the test for m unless it passes on the program.
func (v *verifier) passes(ctx context.Context, sl *slot, m *mutant) error {
	r := v.regressionOf(m)
	if r == nil {
		return nil
	}
	failed, err := v.failsTwice(ctx, sl, v.original[r.pkg], r.pkg, r.name)
	if failed {
		v.dropTest(m)
	}
	return err
}

func (v *verifier) regressionOf(m *mutant) *regression {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.of[m.number]
}

func (v *verifier) dropTest(m *mutant) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.of, m.number)
}

// fails offers the test for m if it fails on the mutant, as it should.
func (v *verifier) fails(ctx context.Context, sl *slot, m *mutant, built map[string]string) error {
	r := v.regressionOf(m)
	if r == nil || built[r.pkg] == "" {
		return nil
	}
	failed, err := v.failsTwice(ctx, sl, built[r.pkg], r.pkg, r.name)
	if err != nil || !failed {
		return err
	}
	rel, err := filepath.Rel(v.scope.Tree, r.file)
	if err != nil {
		return err
	}
	m.exposedBy.Test, m.exposedBy.TestFile = string(r.source), filepath.ToSlash(rel)
	return nil
}
