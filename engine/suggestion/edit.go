package suggestion

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/go/packages"
)

// Edit is something to insert into a file, which is named absolutely.
type Edit struct {
	Path    string
	At      int      // offset in bytes
	Text    string   // inserted there
	Decl    bool     // it is a declaration on lines of its own
	Imports []string // import specifications that the file needs then
}

// Apply returns the source of a file with edits in it, formatted by gofmt. Where the source is not formatted so by itself, as
// by an older one, only declarations are inserted, as they are: more than the edit would change else. It fails for other edits
// then, and where an import has a name that the file uses for another one.
func Apply(src []byte, edits ...Edit) ([]byte, error) {
	formatted, err := format.Source(src)
	if err != nil {
		return nil, err
	}
	laidOut := bytes.Equal(formatted, src)
	if !laidOut && slices.ContainsFunc(edits, func(e Edit) bool { return !e.Decl }) {
		return nil, fmt.Errorf("the file is not formatted by gofmt")
	}
	edits = slices.Clone(edits)
	for i, e := range edits {
		if text, err := format.Source([]byte(e.Text)); e.Decl && err == nil {
			edits[i].Text = strings.TrimRight(string(text), "\n")
		}
	}
	for _, spec := range specs(edits) {
		e, err := importing(src, spec)
		if err != nil {
			return nil, err
		}
		edits = append(edits, e)
	}
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.At, b.At) })
	var b bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.At < at || e.At > len(src) {
			return nil, fmt.Errorf("the file is shorter than it was")
		}
		b.Write(src[at:e.At])
		at = e.At
		if !laidOut && e.At == len(src) {
			whole := bytes.TrimRight(b.Bytes(), "\n")
			b.Truncate(len(whole))
			b.WriteString("\n\n" + strings.Trim(e.Text, "\n") + "\n")
			continue
		}
		b.WriteString(e.Text)
	}
	b.Write(src[at:])
	formatted, err = format.Source(b.Bytes())
	if err != nil || laidOut {
		return formatted, err
	}
	return b.Bytes(), nil
}

// Missing are those import specifications of e that a file does not have yet.
func (e Edit) Missing(src []byte) (list []string, err error) {
	for _, spec := range specs([]Edit{e}) {
		added, err := importing(src, spec)
		if err != nil {
			return nil, err
		}
		if added.Text != "" {
			list = append(list, spec)
		}
	}
	return list, nil
}

// specs are the imports of edits, each once.
func specs(edits []Edit) (list []string) {
	for _, e := range edits {
		list = append(list, e.Imports...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// importing makes the edit that imports a package: in the group of imports of the same origin,
// else in a group of its own. It inserts nothing where the file imports the package already.
func importing(src []byte, spec string) (Edit, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.ImportsOnly)
	if err != nil {
		return Edit{}, err
	}
	name, path, err := parseSpec(spec)
	if err != nil {
		return Edit{}, err
	}
	var like, last *ast.ImportSpec
	for _, s := range f.Imports {
		other, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			return Edit{}, err
		}
		if other == path {
			if nameOf(s) != name {
				return Edit{}, fmt.Errorf("the file imports %s by another name", path)
			}
			return Edit{}, nil
		}
		if name != "" && nameOf(s) == name {
			return Edit{}, fmt.Errorf("the file imports another package as %s", name)
		}
		last = s
		if standard(other) == standard(path) {
			like = s
		}
	}
	offset := func(p token.Pos) int { return fset.Position(p).Offset }
	switch {
	case last == nil:
		return Edit{At: offset(f.Name.End()), Text: "\n\nimport " + spec}, nil
	case !grouped(f, last):
		return Edit{At: offset(last.End()), Text: "\nimport " + spec}, nil
	case like != nil:
		return Edit{At: endOfLine(src, offset(like.End())), Text: "\n\t" + spec}, nil
	case standard(path):
		return Edit{At: offset(f.Imports[0].Pos()), Text: spec + "\n\n\t"}, nil
	}
	return Edit{At: endOfLine(src, offset(last.End())), Text: "\n\n\t" + spec}, nil
}

// grouped reports whether an import stands in parentheses.
func grouped(f *ast.File, s *ast.ImportSpec) bool {
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Pos() <= s.Pos() && s.End() <= g.End() {
			return g.Lparen.IsValid()
		}
	}
	return false
}

func nameOf(s *ast.ImportSpec) string {
	if s.Name == nil {
		return ""
	}
	return s.Name.Name
}

func parseSpec(spec string) (name, path string, err error) {
	quote := strings.IndexByte(spec, '"')
	if quote < 0 {
		return "", "", fmt.Errorf("%q imports nothing", spec)
	}
	path, err = strconv.Unquote(spec[quote:])
	return strings.TrimSpace(spec[:quote]), path, err
}

// standard reports whether a path is one of the standard library.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// endOfLine is the offset at which the line ends that an offset is in.
func endOfLine(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(src)
}

// Diff returns the change of a file as a unified diff that git apply takes, empty if there is
// none. The name is relative to the root, with slashes; a nil old text stands for a new file.
func Diff(name string, before, after []byte) string {
	text := string(diff.Diff("a/"+name, before, "b/"+name, after))
	if _, rest, ok := strings.Cut(text, "\n"); ok {
		text = rest // without the line that names the command
	}
	if before == nil {
		text = strings.Replace(text, "--- a/"+name+"\n", "--- /dev/null\n", 1)
	}
	return text
}

// Place is the file in which a test of the call belongs, and where in it: after the last test
// there that calls the callee. Ok is false if there is none: then no test of the package that
// the call stands in calls it, no test file is named after source or the file with the callee, and there is no file with tests, or more than one.
// Generated files are left alone.
func Place(pkgs []*packages.Package, c *Call, source, callee string) (path string, at int, ok bool) {
	best, files := 0, 0
	only, end := "", 0
	for _, p := range pkgs {
		if p.PkgPath != c.Package {
			continue
		}
		for _, f := range p.Syntax {
			t := newText(p, f)
			if !isTestFile(t.file.Name()) || t.src == nil || ast.IsGenerated(f) {
				continue
			}
			calls, after := callers(p, f, c)
			rank := min(calls, 100) + 1
			if calls == 0 {
				rank, after = 0, f.FileEnd
			}
			name, place := t.file.Name(), endOfLine(t.src, t.offset(after))
			if hasTests(f) {
				files++
				only, end = name, place
			}
			switch strings.TrimSuffix(name, "_test.go") {
			case strings.TrimSuffix(source, ".go"):
				rank += 2
			case strings.TrimSuffix(callee, ".go"):
				rank++
			}
			if rank > best {
				best, path, at = rank, name, place
			}
		}
	}
	if best == 0 && files == 1 {
		return only, end, true
	}
	return path, at, best > 0
}

// hasTests reports whether a file has a test, or what else go test runs.
func hasTests(f *ast.File) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Recv == nil && isTestName.MatchString(fn.Name.Name)
	})
}

// isTestName matches the names of functions that go test runs.
var isTestName = regexp.MustCompile(`^(Test|Fuzz|Benchmark|Example)($|[^a-z])`)

// callers counts the tests of a file that call the callee, and says where the last one ends.
func callers(p *packages.Package, f *ast.File, c *Call) (n int, end token.Pos) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Recv != nil || !isTest(fn.Name.Name) {
			continue
		}
		found := false
		ast.Inspect(fn.Body, func(node ast.Node) bool {
			if call, ok := node.(*ast.CallExpr); ok && !found {
				callee := Callee(p, call)
				found = callee != nil && callee.Origin().FullName() == c.Callee.Origin().FullName()
			}
			return !found
		})
		if found {
			n, end = n+1, fn.End()
		}
	}
	return n, end
}
