package gotool

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"os"

	"golang.org/x/tools/go/gcexportdata"
)

// NewInfo returns a types.Info that keeps everything that go/types finds out.
func NewInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		FileVersions: map[*ast.File]string{},
	}
}

// ExportData reads packages from the files that Exports names. It reads each package once, so that all packages
// share one set of types. It must not be used by several goroutines at once.
type ExportData struct {
	files    map[string]string
	fset     *token.FileSet
	packages map[string]*types.Package
}

// NewExportData returns an ExportData for the packages in files, by import path. Their positions are in fset.
func NewExportData(files map[string]string, fset *token.FileSet) *ExportData {
	return &ExportData{files, fset, map[string]*types.Package{"unsafe": types.Unsafe}}
}

// Packages returns the packages that were read, and those of other packages that they refer to.
func (e *ExportData) Packages() iter.Seq[*types.Package] { return maps.Values(e.packages) }

// Import returns the package with an import path. It returns an error if there is no file for the package, for
// example because it does not compile, or if the file cannot be read.
func (e *ExportData) Import(path string) (*types.Package, error) {
	if p := e.packages[path]; p != nil && p.Complete() {
		return p, nil
	}
	if e.files[path] == "" {
		return nil, fmt.Errorf("package %s could not be compiled", path)
	}
	f, err := os.Open(e.files[path])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	//lint:ignore SA1019 up to Go 1.26 go list names archives of the compiler
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(r, e.fset, e.packages, path)
}
