package weave

import (
	"go/build/constraint"
	"go/version"
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
	if c := buildConstraint(f); c != nil {
		expr = "(" + c.String() + ") && " + expr
	}
	header := f.offset(f.syntax.Package)
	rest := strings.TrimPrefix(withoutConstraint(string(f.src[:header])), byteOrderMark)
	f.edits.replace(0, header, "//go:build "+expr+"\n"+lineDirective(filepath.ToSlash(f.path), 1)+rest)
}

// buildConstraint returns the constraint in f's header, from a //go:build line
// or else from all // +build lines.
func buildConstraint(f *file) constraint.Expr {
	var plus constraint.Expr
	for _, group := range f.syntax.Comments {
		if group.Pos() >= f.syntax.Package {
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
