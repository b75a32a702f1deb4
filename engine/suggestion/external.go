package suggestion

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/locals"
)

// AreExternal reports whether tests of what a file declares belong to the external test package, such as name_test. The
// test file that is named after the file decides. If there is none, they do only if all tests of the package are
// external.
func AreExternal(p *gotool.Package, file string) bool {
	if p == nil || len(p.XTestGoFiles) == 0 {
		return false
	}
	own := strings.TrimSuffix(filepath.Base(file), ".go") + "_test.go"
	return len(p.TestGoFiles) == 0 || slices.Contains(p.XTestGoFiles, own)
}

// External returns statements of a function body in pkg as its external tests write them: with the name of pkg before
// what pkg declares. ok is false if they use unexported names, or if it is not certain what they use.
func External(statements string, pkg *types.Package) (external string, ok bool) {
	const before = "package p\nfunc f() {\n"
	src := before + statements + "\n}\n"
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil || pkg == nil {
		return "", false
	}
	q := qualifier{scope: pkg.Scope(), local: locals.In(f)}
	ast.Inspect(f.Decls[0].(*ast.FuncDecl).Body, q.visit)
	if q.inside || q.local[pkg.Name()] {
		return "", false
	}
	var b strings.Builder
	at := len(before)
	slices.Sort(q.names)
	for _, name := range slices.Compact(q.names) {
		offset := int(name) - int(f.FileStart)
		b.WriteString(src[at:offset] + pkg.Name() + ".")
		at = offset
	}
	b.WriteString(src[at:])
	return strings.TrimSuffix(b.String(), "\n}\n"), true
}

// qualifier finds the names that other packages have to qualify with the name of the package.
type qualifier struct {
	scope  *types.Scope
	local  map[string]bool // names that the statements declare
	names  []token.Pos
	inside bool // something is used that other packages cannot use, or perhaps not
}

func (q *qualifier) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		q.inside = q.inside || !n.Sel.IsExported()
		ast.Inspect(n.X, q.visit)
		return false
	case *ast.KeyValueExpr:
		key, isName := n.Key.(*ast.Ident)
		if !isName {
			return true
		}
		// A field, or the key of a map: only types would tell.
		q.inside = q.inside || !key.IsExported() || q.scope.Lookup(key.Name) != nil
		ast.Inspect(n.Value, q.visit)
		return false
	case *ast.Ident:
		if q.local[n.Name] || q.scope.Lookup(n.Name) == nil {
			return true
		}
		q.inside = q.inside || !n.IsExported()
		q.names = append(q.names, n.Pos())
	}
	return true
}
