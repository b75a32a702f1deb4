// Package patch writes changes of Go source files that a person could have made: something inserted, with the imports that it needs
// in the groups that a file has them in, formatted as gofmt does it, and as a unified diff.
package patch

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Edit is something to insert into a file.
type Edit struct {
	Path    string   // of the file, absolute
	At      int      // offset in bytes
	Text    string   // inserted there
	Decl    bool     // it is a declaration on lines of its own
	Imports []string // import specifications that the file needs then, as in `x "example.com/x"`
}

// Apply returns the source of a file with edits in it, formatted by gofmt. Where the source is not formatted so by itself, as
// by an older one, only declarations are inserted, as they are: more than the edit would change else. It fails for other edits
// then, where an import has a name that the file uses for another one, or another name than in the file, where the file ends before
// an edit, and where it is no Go, before or after.
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

// Missing are those import specifications of e that a file does not have yet, sorted. It fails where [Apply] does for an import.
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
		return Edit{At: EndOfLine(src, offset(like.End())), Text: "\n\t" + spec}, nil
	case standard(path):
		return Edit{At: offset(f.Imports[0].Pos()), Text: spec + "\n\n\t"}, nil
	}
	return Edit{At: EndOfLine(src, offset(last.End())), Text: "\n\n\t" + spec}, nil
}

// ImportBlock is the declaration that imports packages by their specifications: those of the standard library first, then, behind
// an empty line, all others, in either group in the order given.
func ImportBlock(specs []string) string {
	var std, others strings.Builder
	for _, spec := range specs {
		b := &others
		if _, path, err := parseSpec(spec); err == nil && standard(path) {
			b = &std
		}
		fmt.Fprintf(b, "\t%s\n", spec)
	}
	if others.Len() > 0 {
		others.WriteString(")\n")
		return "import (\n" + std.String() + "\n" + others.String()
	}
	return "import (\n" + std.String() + ")\n"
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

// EndOfLine is the offset in a source at which the line ends that an offset is in: before the line feed, or at the end. What begins
// with a line feed can be inserted there.
func EndOfLine(src []byte, at int) int {
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
