package weave

import (
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/version"
	"io"
	"path/filepath"
	"strings"
)

// wovenVersion is the language version that woven code needs, for its generic functions.
const wovenVersion = "go1.18"

// byteOrderMark may only stand at the very beginning of a file.
const byteOrderMark = "\ufeff"

// raiseVersion lets a file of a module with an old go directive use generics: it adds a build constraint. A file that
// may use them already is left alone, since a constraint could also lower its version and thereby change its loop
// variables.
func (f *file) raiseVersion() {
	lang := "go" + f.goVer
	if f.goVer == "" {
		lang = "go1.16" // the go command's default for a module without a go directive
	}
	if f.syntax.GoVersion != "" {
		lang = f.syntax.GoVersion
	}
	if version.Compare(lang, wovenVersion) >= 0 {
		return
	}
	expr := "go1.21"
	if c := buildConstraint(f.syntax); c != nil {
		expr = "(" + c.String() + ") && " + expr
	}
	header := f.offset(f.syntax.Package)
	rest := strings.TrimPrefix(withoutConstraint(string(f.src[:header])), byteOrderMark)
	f.edits.replace(0, header, "//go:build "+expr+"\n"+lineDirective(filepath.ToSlash(f.path), 1)+rest)
}

// buildConstraint returns the constraint in f's header, from its //go:build line or else from all // +build lines; nil
// if there is none.
func buildConstraint(f *ast.File) constraint.Expr {
	var plus constraint.Expr
	for _, group := range f.Comments {
		if group.Pos() >= f.Package {
			break
		}
		for _, c := range group.List {
			x, err := constraint.Parse(c.Text)
			switch {
			case err != nil:
			case constraint.IsGoBuild(c.Text):
				return x
			case plus == nil:
				plus = x
			default:
				plus = &constraint.AndExpr{X: plus, Y: x}
			}
		}
	}
	return plus
}

// Constraint returns the build constraint of a Go file: the one in its source, combined with the operating system and
// architecture in its name, as in x_linux_amd64.go. It returns "" if there is none.
func Constraint(name string, src []byte) string {
	var all constraint.Expr
	if f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.PackageClauseOnly|parser.ParseComments); err == nil {
		all = buildConstraint(f)
	}
	for _, tag := range nameTags(name) {
		var one constraint.Expr = &constraint.TagExpr{Tag: tag}
		if all != nil {
			one = &constraint.AndExpr{X: all, Y: one}
		}
		all = one
	}
	if all == nil {
		return ""
	}
	return all.String()
}

// nameTags returns the operating system and architecture that a file is bound to by its name.
func nameTags(name string) (tags []string) {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), ".go"), "_test"), "_")
	for len(parts) > 1 && len(tags) < 2 && bound(parts[len(parts)-1]) {
		tags, parts = append([]string{parts[len(parts)-1]}, tags...), parts[:len(parts)-1]
	}
	return tags
}

// bound reports whether word at the end of a file name restricts the file to a system or architecture. It asks go/build
// whether a system with an unknown name would include such a file.
func bound(word string) bool {
	other := build.Context{GOOS: "other", GOARCH: "other", Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	matches, err := other.MatchFile("", "x_"+word+".go")
	return err == nil && !matches
}

// withoutConstraint replaces each constraint line in a file's header by an empty comment, so that no line moves.
func withoutConstraint(header string) string {
	lines := strings.SplitAfter(header, "\n")
	for i, l := range lines {
		if t := strings.TrimSpace(l); constraint.IsGoBuild(t) || constraint.IsPlusBuild(t) {
			lines[i] = "//\n"
		}
	}
	return strings.Join(lines, "")
}
