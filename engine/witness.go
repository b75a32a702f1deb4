package engine

import (
	"bytes"
	"context"
	"fmt"
	"go/format"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/engine/verify"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
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
func callText(callee string, recv bool, args []string) string {
	for _, a := range args {
		if a == "" {
			return ""
		}
	}
	if recv {
		i := strings.LastIndex(callee, ".")
		if i < 0 || len(args) == 0 {
			return ""
		}
		callee = "(" + args[0] + ")" + callee[i:]
		args = args[1:]
	}
	return callee + "(" + strings.Join(args, ", ") + ")"
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
// mutants of list, and writes a test for each such mutant.
func (v *verifier) open(ctx context.Context, list []*mutant) error {
	var pkgs []string
	for _, m := range list {
		if m.exposedBy == nil {
			continue
		}
		if t := v.harnessOf(m); t != nil && !slices.Contains(pkgs, t.Package) {
			pkgs = append(pkgs, t.Package)
		}
		if r := v.newRegression(m); r != nil {
			v.of[m.number] = r
		}
	}
	if len(pkgs) == 0 {
		return nil
	}
	var err error
	v.original, err = v.builder.Build(ctx, nil, nil, pkgs)
	return err
}

// newRegression writes the test for an exposed mutant, or returns nil where
// the call or its results have no form as Go source.
func (v *verifier) newRegression(m *mutant) *regression {
	o := v.sites[m.number]
	if m.exposedBy.Call == "" || o == nil || o.original == nil {
		return nil
	}
	s := &v.woven.Sites[o.site]
	names, checks := assertions(o, m.exposedBy.Call)
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
func assertions(o *observed, call string) (names, checks string) {
	var list []string
	var b strings.Builder
	for i, want := range o.original.Values {
		name := fmt.Sprintf("got%d", i)
		if len(o.original.Values) == 1 {
			name = "got"
		}
		becameNil := o.mutant != nil && i < len(o.mutant.Values) && o.mutant.Values[i] == "nil"
		message := strconv.Quote(strings.ReplaceAll(call, "%", "%%") + ": result " + strconv.Itoa(i) + " = %v, want %v")
		switch {
		case want == "" && becameNil:
			fmt.Fprintf(&b, "\tif %s == nil {\n\t\tt.Errorf(%s, %s, \"not nil\")\n\t}\n", name, message, name)
		case want == "":
			name = "_"
		case strings.HasPrefix(want, "[") || strings.Contains(want, "{"):
			fmt.Fprintf(&b, "\tif want := %s; !reflect.DeepEqual(%s, want) {\n\t\tt.Errorf(%s, %s, want)\n\t}\n", want, name, message, name)
		default:
			fmt.Fprintf(&b, "\tif %s != %s {\n\t\tt.Errorf(%s, %s, %s)\n\t}\n", name, want, message, name, printable(want))
		}
		list = append(list, name)
	}
	return strings.Join(list, ", "), b.String()
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

// regression checks the test for m: it has to pass on the program and fail on
// the mutant. Only then is it offered.
func (v *verifier) regression(ctx context.Context, sl *slot, m *mutant) error {
	r := v.of[m.number]
	if r == nil {
		return nil
	}
	files := map[string][]byte{r.file: r.source}
	for _, change := range []*verify.Change{nil, v.change(m)} {
		built, err := v.builder.Build(ctx, change, files, []string{r.pkg})
		if err != nil {
			return ctxCause(ctx) // a test that does not build is not offered
		}
		failed, err := v.failsTwice(ctx, sl, built[r.pkg], r.pkg, []string{r.name})
		if err != nil {
			return err
		}
		if (failed != "") != (change != nil) {
			return nil
		}
	}
	m.exposedBy.Test = string(r.source)
	rel, err := filepath.Rel(v.scope.Tree, r.file)
	m.exposedBy.TestFile = filepath.ToSlash(rel)
	return err
}

// ctxCause returns why ctx ended, or nil if it has not.
func ctxCause(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
