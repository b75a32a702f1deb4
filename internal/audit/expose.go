package main

import (
	"bytes"
	"context"
	_ "embed" // the source of package show
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

//go:embed show/show.go
var showSource []byte

const (
	showMark = "mutantfuzz-audit:"
	callTest = "TestMutantfuzzAudit"
)

// exposes checks the evidence for an exposed mutant. The entry has to make the call at the site differ between
// program and mutant. So do the call and the test that the results offer, if they offer any.
func (a *auditor) exposes(ctx context.Context, m *results.Mutant) (wrong string, err error) {
	if m.ExposedBy.Driver || m.ExposedBy.InTest {
		return a.driven(ctx, m)
	}
	s, err := a.site(ctx, m)
	if err != nil {
		return "", err
	}
	err = a.withEntry(ctx, m.File, m.ExposedBy.Harness, m.ExposedBy.Entry, func() error {
		wrong, err = a.entryDiffers(ctx, m, s)
		return err
	})
	if wrong != "" || err != nil {
		return wrong, err
	}
	if m.ExposedBy.Call != "" {
		if wrong, err = a.callDiffers(ctx, m, s); wrong != "" || err != nil {
			return wrong, err
		}
	}
	if m.ExposedBy.Test != "" {
		pkg := strings.TrimSuffix(s.pkg.PkgPath, "_test")
		if rel := path.Dir(m.ExposedBy.TestFile); filepath.Dir(s.file) != a.tree.path(rel) {
			return fmt.Sprintf("the offered test belongs to %s, not beside %s", rel, m.ExposedBy.Site), nil
		}
		return a.testKills(ctx, m, pkg)
	}
	return "", nil
}

// driven checks the evidence for a mutant that a generated driver or a call in a test exposes. What was run then
// is not in the source. So the tests have to pass with the mutant, and the test that the results offer, if any,
// has to tell it from the program.
func (a *auditor) driven(ctx context.Context, m *results.Mutant) (wrong string, err error) {
	if wrong, err = a.survives(ctx, m); wrong != "" || err != nil || m.ExposedBy.Test == "" {
		return wrong, err
	}
	out, stderr, err := a.gotest(m.ExposedBy.TestFile).command(ctx, "list", "-e", ".")
	if err != nil {
		return "", fmt.Errorf("go list: %w\n%s", err, stderr)
	}
	return a.testKills(ctx, m, strings.TrimSpace(string(out)))
}

// site is the observed call, in a test file.
type site struct {
	file string // absolute
	src  []byte
	pkg  *packages.Package
	call *ast.CallExpr
}

var sitePattern = regexp.MustCompile(`^(.+?):(\d+): (.*)$`)

// site finds the call that the results name, in the test package as it is in the tree.
func (a *auditor) site(ctx context.Context, m *results.Mutant) (*site, error) {
	parts := sitePattern.FindStringSubmatch(m.ExposedBy.Site)
	if parts == nil {
		return nil, fmt.Errorf("site %q names no call", m.ExposedBy.Site)
	}
	s := &site{file: a.tree.path(parts[1])}
	cfg := &packages.Config{
		Context: ctx, Dir: filepath.Dir(s.file), Tests: true,
		Mode: packages.NeedName | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedFiles |
			packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
	}
	list, err := packages.Load(cfg, ".")
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		for i, name := range p.CompiledGoFiles {
			if name == s.file && s.find(p, p.Syntax[i], parts[2], parts[3]) {
				return s, nil
			}
		}
	}
	return nil, fmt.Errorf("there is no call %q", m.ExposedBy.Site)
}

// find looks for a call that begins on the given line and whose source, on one line, is text.
func (s *site) find(p *packages.Package, f *ast.File, line, text string) bool {
	src := p.Fset.File(f.FileStart)
	var err error
	if s.src, err = os.ReadFile(s.file); err != nil {
		return false
	}
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && s.call == nil && strconv.Itoa(src.Line(call.Pos())) == line {
			if got := string(s.src[src.Offset(call.Pos()):src.Offset(call.End())]); strings.Join(strings.Fields(got), " ") == text {
				s.pkg, s.call = p, call
			}
		}
		return s.call == nil
	})
	return s.call != nil
}

// watched returns the source of the site's file, changed so that the call prints its results, receiver and
// arguments.
func (s *site) watched() ([]byte, error) {
	info := s.pkg.TypesInfo
	callee, ok := typeutil.Callee(info, s.call).(*types.Func)
	if !ok {
		return nil, fmt.Errorf("%s: what is called is not known", s.file)
	}
	edits := map[int]string{} // insertions by offset
	wrap := func(n ast.Node, before, after string) {
		f := s.pkg.Fset.File(n.Pos())
		edits[f.Offset(n.Pos())] += before
		edits[f.Offset(n.End())] = after + edits[f.Offset(n.End())]
	}
	switch n := callee.Signature().Results().Len(); {
	case n == 0:
		wrap(s.call, "", "; mfDone()")
	default:
		wrap(s.call, fmt.Sprintf("mfCall%d(", n), ")")
	}
	for _, arg := range s.call.Args {
		if canWatch(info, arg) {
			wrap(arg, "mfArg(", ")")
		}
	}
	if sel, ok := s.call.Fun.(*ast.SelectorExpr); ok && info.Selections[sel] != nil {
		if _, ok := info.TypeOf(sel.X).Underlying().(*types.Pointer); ok {
			wrap(sel.X, "mfArg(", ")")
		}
	}
	return s.modern(insert(s.src, edits)), nil
}

// canWatch reports whether an argument is a variable or takes an address with "&". The call may change what that
// refers to, and a generic function returns it as it is.
func canWatch(info *types.Info, arg ast.Expr) bool {
	switch arg := arg.(type) {
	case *ast.Ident:
		_, ok := info.Uses[arg].(*types.Var)
		return ok
	case *ast.UnaryExpr:
		return arg.Op == token.AND
	}
	return false
}

// modern returns src with a build constraint, if necessary, that lets a file of an old module call generic
// functions.
func (s *site) modern(src []byte) []byte {
	if m := s.pkg.Module; m == nil || m.GoVersion != "" && !oldVersion(m.GoVersion) || bytes.Contains(src, []byte("//go:build")) {
		return src
	}
	return append([]byte("//go:build go1.21\n\n"), src...)
}

// oldVersion reports whether v, from a go directive, is a version without type parameters.
func oldVersion(v string) bool {
	minor, err := strconv.Atoi(strings.SplitN(v+".0", ".", 3)[1])
	return err == nil && strings.HasPrefix(v, "1.") && minor < 18
}

// insert returns src with texts inserted at their offsets.
func insert(src []byte, texts map[int]string) []byte {
	var out bytes.Buffer
	for i := range len(src) + 1 {
		out.WriteString(texts[i])
		if i < len(src) {
			out.WriteByte(src[i])
		}
	}
	return out.Bytes()
}

// show returns the file with the functions that watched sources call.
func (s *site) show() (name string, src []byte) {
	src = bytes.Replace(showSource, []byte("\npackage show\n"), []byte("\npackage "+s.pkg.Name+"\n"), 1)
	return filepath.Join(filepath.Dir(s.file), "mutantfuzz_audit_show_test.go"), src
}

// entryDiffers checks that the call behaves differently with m than without it when the target runs on its entry.
func (a *auditor) entryDiffers(ctx context.Context, m *results.Mutant, s *site) (string, error) {
	src, err := s.watched()
	if err != nil {
		return "", err
	}
	_, target := splitName(m.ExposedBy.Harness)
	return a.differs(ctx, m, s, s.file, src, target+"/"+m.ExposedBy.Entry)
}

// callDiffers checks that the call that the results offer gives something else with m than without it.
func (a *auditor) callDiffers(ctx context.Context, m *results.Mutant, s *site) (string, error) {
	src, err := s.callTest(m.ExposedBy.Call)
	if err != nil {
		return fmt.Sprintf("the call %s is no Go source: %v", m.ExposedBy.Call, err), nil
	}
	return a.differs(ctx, m, s, filepath.Join(filepath.Dir(s.file), "mutantfuzz_audit_test.go"), src, callTest)
}

// callTest returns the source of a test that makes a call and shows its results.
func (s *site) callTest(call string) ([]byte, error) {
	expr, err := parser.ParseExpr(call)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "//go:build go1.21\n\npackage %s\n\nimport (\n\t\"testing\"\n", s.pkg.Name)
	for _, spec := range s.imports(expr) {
		fmt.Fprintf(&b, "\t%s\n", spec)
	}
	statement := "mfDone(" + call + ")"
	if callee, ok := typeutil.Callee(s.pkg.TypesInfo, s.call).(*types.Func); ok && callee.Signature().Results().Len() == 0 {
		statement = call
	}
	fmt.Fprintf(&b, ")\n\nfunc %s(*testing.T) {\n\t%s\n}\n", callTest, statement)
	return format.Source(b.Bytes())
}

// imports returns the import specs that expr needs, among the imports of the site's package.
func (s *site) imports(expr ast.Expr) []string {
	var specs []string
	ast.Inspect(expr, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		id, ok := sel.X.(*ast.Ident)
		for p, imp := range s.pkg.Imports {
			if spec := id.String() + " " + strconv.Quote(p); ok && imp.Name == id.Name && id.Name != "testing" && !slices.Contains(specs, spec) {
				specs = append(specs, spec)
			}
		}
		return true
	})
	return specs
}

// differs runs a test of the site's package twice on the program and twice on the mutant, with one file added or
// replaced. It checks that what is shown is the same each time but differs between program and mutant.
func (a *auditor) differs(ctx context.Context, m *results.Mutant, s *site, file string, src []byte, test string) (string, error) {
	show, showSrc := s.show()
	pkg := strings.TrimSuffix(s.pkg.PkgPath, "_test")
	var shown [2][2]string
	for i := range shown {
		files := map[string][]byte{file: src, show: showSrc}
		if i == 1 {
			mutated, err := a.tree.mutate(m)
			if err != nil {
				return "", err
			}
			files[a.tree.path(m.File)] = mutated
		}
		for k := range shown[i] {
			var run *testRun
			err := a.tree.with(files, func() (err error) {
				run, err = a.gotest(m.File).run(ctx, "-run="+exact(test), pkg)
				return err
			})
			if err != nil {
				return "", err
			}
			if run.unbuilt {
				return test + " does not build:\n" + run.text(), nil
			}
			shown[i][k] = marked(run.output[pkg])
		}
	}
	before, after := shown[0], shown[1]
	switch {
	case before[0]+after[0] == "":
		return fmt.Sprintf("%s does not reach %s", test, m.ExposedBy.Site), nil
	case before[0] != before[1] || after[0] != after[1]:
		return fmt.Sprintf("%s shows something else every time:\n%s\n%s", test, before, after), nil
	case before[0] == after[0]:
		return fmt.Sprintf("%s shows no difference:\n%s", test, before[0]), nil
	}
	return "", nil
}

// marked returns the lines that package show printed, without their mark.
func marked(output string) string {
	var lines []string
	for line := range strings.Lines(output) {
		if text, ok := strings.CutPrefix(line, showMark); ok {
			lines = append(lines, text)
		}
	}
	return strings.Join(lines, "")
}

// offered matches the test function of a file that the results offer.
var offered = regexp.MustCompile(`(?m)^func (Test[_\p{L}\p{Nd}]+)\(`)

// testKills checks that the test that the results offer for a package passes without m and fails with it.
func (a *auditor) testKills(ctx context.Context, m *results.Mutant, pkg string) (wrong string, err error) {
	name := a.tree.path(m.ExposedBy.TestFile)
	found := offered.FindStringSubmatch(m.ExposedBy.Test)
	if found == nil {
		return "the offered test has no test function", nil
	}
	err = a.tree.with(map[string][]byte{name: []byte(m.ExposedBy.Test)}, func() error {
		wrong, err = a.kills(ctx, m, pkg, pkg+"."+found[1], exact(found[1]))
		return err
	})
	return wrong, err
}
