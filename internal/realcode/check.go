package realcode

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Packages are the import paths of packages with APIs of many kinds.
var Packages = []string{
	"golang.org/x/mod/modfile", "golang.org/x/mod/semver", "golang.org/x/mod/module", "golang.org/x/mod/zip",
	"golang.org/x/tools/go/ast/astutil", "golang.org/x/tools/go/packages", "golang.org/x/tools/cover",
	"golang.org/x/tools/go/types/typeutil", "golang.org/x/sync/errgroup", "golang.org/x/tools/go/cfg",
	"github.com/google/go-cmp/cmp", "github.com/spf13/cobra", "github.com/bluekeyes/go-gitdiff/gitdiff",
	"github.com/santhosh-tekuri/jsonschema/v6", "github.com/getkin/kin-openapi/openapi3", "github.com/schollz/progressbar/v3",
	"encoding/json", "net/http", "net/url", "archive/zip", "go/types", "text/template", "image/png", "net/netip",
	"encoding/asn1", "container/heap", "index/suffixarray", "mime/multipart", "database/sql", "crypto/x509",
	"maps", "iter", "slices", "sync/atomic", "unique", "math/big",
}

// Importer implements types.Importer for packages that were loaded. It maps import paths to packages.
type Importer map[string]*types.Package

// Import returns the package with an import path. The standard library may have it below "vendor/".
func (i Importer) Import(path string) (*types.Package, error) {
	for _, path := range []string{path, "vendor/" + path} {
		if p := i[path]; p != nil {
			return p, nil
		}
	}
	return nil, fmt.Errorf("package %s is not known", path)
}

// forTests are packages that generated test files import.
var forTests = []string{"bufio", "bytes", "context", "errors", "io", "strings", "testing", "testing/fstest", "os/exec", "reflect", "net/http/httptest"}

// Load type-checks the packages that patterns name, which have to be import paths. known also has everything that
// these packages and generated test files import.
func Load(patterns ...string) (list []*packages.Package, known Importer, err error) {
	all, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, append(slices.Clip(patterns), forTests...)...)
	if err != nil {
		return nil, nil, err
	}
	known = Importer{}
	for _, p := range all {
		if len(p.Errors) > 0 {
			return nil, nil, p.Errors[0]
		}
		if slices.Contains(patterns, p.PkgPath) {
			list = append(list, p)
		}
		known.add(p.Types)
	}
	return list, known, nil
}

// add adds a package and, recursively, what it imports.
func (i Importer) add(p *types.Package) {
	if i[p.Path()] == nil {
		i[p.Path()] = p
		for _, imp := range p.Imports() {
			i.add(imp)
		}
	}
}

// Functions returns all functions and methods that p declares.
func Functions(p *packages.Package) (list []*types.Func) {
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				list = append(list, p.TypesInfo.Defs[d.Name].(*types.Func))
			}
		}
	}
	return list
}

// Compile type-checks a package with test files added. The error has the source of the test files that it is
// about.
func Compile(fset *token.FileSet, path string, files []*ast.File, tests []string, known Importer) error {
	files = slices.Clone(files)
	for i, text := range tests {
		f, err := parser.ParseFile(fset, fmt.Sprintf("%d_test.go", i), text, 0)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, text)
		}
		files = append(files, f)
	}
	var list []string
	cfg := types.Config{Importer: known, Error: func(err error) {
		var e types.Error
		if !errors.As(err, &e) {
			list = append(list, err.Error())
			return
		}
		name, line := fset.Position(e.Pos).Filename, fset.Position(e.Pos).Line
		var i int
		if n, _ := fmt.Sscanf(name, "%d_test.go", &i); n == 1 {
			list = append(list, fmt.Sprintf("%d: %s\n%s", line, e.Msg, tests[i]))
		} else {
			list = append(list, err.Error())
		}
	}}
	if _, err := cfg.Check(path, fset, files, nil); err != nil {
		return fmt.Errorf("%s", strings.Join(list, "\n"))
	}
	return nil
}
