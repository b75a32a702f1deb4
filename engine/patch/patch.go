// Package patch inserts text into Go source files the way a person would: with the imports that the text needs, in the
// import groups that the file has, formatted by gofmt. It also renders the change as a unified diff.
package patch

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/mod/module"
)

// Edit is text to insert into a file.
type Edit struct {
	Path    string   // absolute path of the file
	At      int      // byte offset in the file
	Text    string   // text to insert at that offset
	Decl    bool     // Text is a declaration on lines of its own
	Imports []string // import specifications that Text needs, such as `x "example.com/x"`
}

// Apply returns src with the edits and the imports that they need. If gofmt would leave src as it is, the result is
// formatted too. Otherwise, only declarations can be inserted, and nothing else is reformatted, to keep the diff small.
// Apply fails if src or the result is not valid Go, if src ends before an edit, if an import has another name in src,
// or if src uses the name of an import for another package.
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
			return nil, fmt.Errorf("the file ends before the place of the edit")
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

// Missing returns, sorted, the import specifications of e that src lacks. It fails where [Apply] fails for an import.
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

// specs returns the import specifications of the edits, sorted and without duplicates.
func specs(edits []Edit) (list []string) {
	for _, e := range edits {
		list = append(list, e.Imports...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// importing returns the edit that imports a package. The import joins the last one of the same origin (the standard
// library or elsewhere), or else begins a group of its own. The edit is empty if the file imports the package already.
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
			if usedName(nameOf(s), path) != usedName(name, path) {
				return Edit{}, fmt.Errorf("the file imports %s by another name", path)
			}
			return Edit{}, nil
		}
		if used := usedName(name, path); usedName(nameOf(s), other) == used {
			return Edit{}, fmt.Errorf("the file imports another package as %s", used)
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

// ImportBlock returns the import declaration for the given specifications: the standard library first, then, after an
// empty line, all others. Both groups keep the given order.
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

// grouped reports whether s is in an import declaration with parentheses.
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

// usedName returns the name by which code most likely uses a package that is imported under name, or without a name if
// that is empty: then it is the last element of the path, without a major version.
func usedName(name, importPath string) string {
	if prefix, _, ok := module.SplitPathVersion(importPath); ok {
		importPath = prefix
	}
	return cmp.Or(name, path.Base(importPath))
}

func parseSpec(spec string) (name, path string, err error) {
	quote := strings.IndexByte(spec, '"')
	if quote < 0 {
		return "", "", fmt.Errorf("%q is not an import specification", spec)
	}
	path, err = strconv.Unquote(spec[quote:])
	return strings.TrimSpace(spec[:quote]), path, err
}

// standard reports whether an import path is in the standard library: its first element has no dot.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// EndOfLine returns the offset at which the line that contains offset at ends: that of its line feed, or len(src). Text
// that begins with a line feed can be inserted there.
func EndOfLine(src []byte, at int) int {
	if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(src)
}

// Diff returns the change of a file as a unified diff that git apply accepts. It is empty if nothing changed. The name
// is relative to the root and slash-separated. A nil before makes it the diff of a new file.
func Diff(name string, before, after []byte) string {
	text := string(diff.Diff("a/"+name, before, "b/"+name, after))
	if _, rest, ok := strings.Cut(text, "\n"); ok {
		text = rest // without the first line, "diff a/name b/name"
	}
	if before == nil {
		text = strings.Replace(text, "--- a/"+name+"\n", "--- /dev/null\n", 1)
	}
	return text
}
