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

// wovenVersion is the language version that woven code needs: type inference
// for generic functions.
const wovenVersion = "go1.18"

// byteOrderMark is allowed at the beginning of a file only.
const byteOrderMark = "\ufeff"

// raiseVersion lets a file of a module with an old go directive use generics,
// by a build constraint of its own. A file that may use them already is left
// alone: a constraint could lower its version too, and change what its loops
// mean.
func (f *file) raiseVersion() {
	lang := "go" + f.goVer
	if f.goVer == "" {
		lang = "go1.16" // what the go command takes a module without directive for
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

// buildConstraint returns the constraint in f's header, from a //go:build line
// or else from all // +build lines.
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

// Constraint is the build constraint of a Go file with a name, and its source: that of the source, and that of systems and architectures that its
// name ends in; empty: there is none.
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

// nameTags are the systems and architectures that the name of a file binds it to.
func nameTags(name string) (tags []string) {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), ".go"), "_test"), "_")
	for len(parts) > 1 && len(tags) < 2 && bound(parts[len(parts)-1]) {
		tags, parts = append([]string{parts[len(parts)-1]}, tags...), parts[:len(parts)-1]
	}
	return tags
}

// bound reports whether a file whose name ends in a word is for a system or an architecture: it is none for any other.
func bound(word string) bool {
	other := build.Context{GOOS: "other", GOARCH: "other", Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	matches, err := other.MatchFile("", "x_"+word+".go")
	return err == nil && !matches
}

// withoutConstraint turns the constraint lines of a file's header into ordinary
// comments of the same length in lines.
func withoutConstraint(header string) string {
	lines := strings.SplitAfter(header, "\n")
	for i, l := range lines {
		if t := strings.TrimSpace(l); constraint.IsGoBuild(t) || constraint.IsPlusBuild(t) {
			lines[i] = "//\n"
		}
	}
	return strings.Join(lines, "")
}
