package driver

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/driver/seed"
	"github.com/mutantfuzz/mutantfuzz/engine/driver/usage"
	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// maxDynamic bounds the types from the package and its tests that a value in an empty interface may have.
const maxDynamic = 24

// everyday are types that code for any value is likely to distinguish. seed.Kinds come first, since seeds number them.
var everyday = append(slices.Clone(seed.Kinds),
	types.Typ[types.Int64], types.Typ[types.Uint8],
	types.Typ[types.Int8], types.Typ[types.Uint64], types.Typ[types.Float32], types.Typ[types.Int32], types.Typ[types.Uint],
	testfile.BytesType, types.NewSlice(testfile.StringType), types.NewSlice(types.Typ[types.Int]), types.NewSlice(emptyInterface),
	types.NewMap(testfile.StringType, emptyInterface), types.NewMap(testfile.StringType, testfile.StringType), types.NewPointer(types.Typ[types.Int]), testfile.ErrorType,
)

var emptyInterface = types.NewInterfaceType(nil, nil)

// maxNested is how many of the everyday types a value nested in a value of any type may have.
const maxNested = 4

// anything makes a value in an empty interface: nil, or of one of many types. If the package imports reflect, it may be
// a struct with the fields of two struct types. It takes two fields to see whether code goes on after the first.
func (m *maker) anything(name string) string {
	v := m.Fresh(orElse(name, "value"))
	m.do("var %s interface{}", v)
	list := everyday[:maxNested]
	outermost := !m.dynamic
	if outermost {
		list = slices.Concat(everyday, m.dynamicTypes())
		m.dynamic, m.anys = true, true
		defer func() { m.dynamic = false }()
	}
	cases, n := m.cases(len(list), 1, len(list), func(i int) bool {
		expr, ok := m.present("dynamic", list[i])
		m.do("%s = %s", v, expr)
		return ok
	})
	choose := fmt.Sprintf("switch %s {\n%s}", m.readUpTo(n), cases)
	if !outermost || !m.reflects() {
		m.do("%s", choose)
		return v
	}
	again, before := m.Fresh("again"), m.Fresh("before")
	m.do("for %[1]s := true; %[1]s; {\n%[2]s := %[3]s\n%[3]s = nil\n%[4]s\n%[3]s, %[1]s = %[5]s\n}", again, before, v, choose, m.read(fmt.Sprintf("joined(%s, %s)", before, v)))
	return v
}

// dynamicTypes returns types for values in empty interfaces besides everyday ones: those that tests pass to fn, those
// that tests naming fn put into other empty interfaces, and those in the package's type switches and assertions. For
// packages that use reflection, struct types follow.
func (m *maker) dynamicTypes() (list []types.Type) {
	var given, other []types.Type
	for info, body := range m.writer.testsOf(m.fn) {
		ast.Inspect(body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			for _, e := range usage.Boxed(info, n) {
				typ, writable := usage.WithoutLocals(types.Default(info.TypeOf(e)))
				switch {
				case !writable || !m.writer.imports(typ):
				case ok && mentions(call.Fun, m.fn):
					given = append(given, typ)
				default:
					other = append(other, typ)
				}
			}
			return true
		})
	}
	for _, typ := range slices.Concat(given, other, m.writer.askedFor()) {
		if len(list) < maxDynamic && !types.IsInterface(typ) && !slices.ContainsFunc(slices.Concat(everyday, list), func(t types.Type) bool { return types.Identical(t, typ) }) {
			list = append(list, typ)
		}
	}
	if m.reflects() {
		list = append(list, m.structs(list)...)
	}
	return list
}

// structs returns struct types for code that walks fields: with an unexported field of a type in list with methods, one
// of this package and one of another, or else a string; and with two exported fields, if list has no such type.
func (m *maker) structs(list []types.Type) (structs []types.Type) {
	add := func(fields ...*types.Var) { structs = append(structs, types.NewStruct(fields, nil)) }
	field := func(name string, typ types.Type) *types.Var {
		return types.NewField(token.NoPos, m.Pkg, name, typ, false)
	}
	for _, own := range []bool{false, true} {
		i := slices.IndexFunc(list, func(typ types.Type) bool {
			named, ok := types.Unalias(typ).(*types.Named)
			return ok && named.NumMethods() > 0 && (named.Obj().Pkg() == m.Pkg) == own
		})
		if i >= 0 {
			add(field("field", list[i]))
		}
	}
	if len(structs) == 0 {
		add(field("field", testfile.StringType))
	}
	if !slices.ContainsFunc(list, func(typ types.Type) bool {
		u, ok := typ.Underlying().(*types.Struct)
		return ok && u.NumFields() > 1 && u.Field(0).Exported() && u.Field(1).Exported()
	}) {
		add(field("A", testfile.StringType), field("B", types.Typ[types.Int]))
	}
	return structs
}

// reflects reports whether the package imports package reflect.
func (m *maker) reflects() bool {
	return slices.ContainsFunc(m.writer.pkg.Types.Imports(), func(p *types.Package) bool { return p.Path() == "reflect" })
}

// imports reports whether the package may import what typ needs: its dependencies, and standard library packages that
// its tests use. Other packages that an external test imports may themselves import the package.
func (w *writer) imports(typ types.Type) (ok bool) {
	if w.imported == nil {
		w.imported = map[string]bool{w.pkg.PkgPath: true}
		packages.Visit([]*packages.Package{w.pkg}, nil, func(p *packages.Package) { w.imported[p.PkgPath] = true })
		packages.Visit(w.tests, nil, func(p *packages.Package) {
			if p.Module == nil {
				w.imported[p.PkgPath] = true
			}
		})
	}
	ok = true
	types.TypeString(typ, func(p *types.Package) string {
		ok = ok && w.imported[p.Path()]
		return ""
	})
	return ok
}

// testsOf yields the body of each test function or helper that mentions fn, with the type information of its package.
func (w *writer) testsOf(fn *types.Func) iter.Seq2[*types.Info, *ast.BlockStmt] {
	return func(yield func(*types.Info, *ast.BlockStmt) bool) {
		for _, pkg := range w.tests {
			for _, d := range functionsIn(pkg) {
				if isTestFile(pkg, d) && mentions(d.Body, fn) && !yield(pkg.TypesInfo, d.Body) {
					return
				}
			}
		}
	}
}

// functionsIn returns the declarations of functions in a package that have a body.
func functionsIn(pkg *packages.Package) (list []*ast.FuncDecl) {
	for _, f := range pkg.Syntax {
		for _, decl := range f.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Body != nil {
				list = append(list, d)
			}
		}
	}
	return list
}

// isTestFile reports whether a declaration is in a test file.
func isTestFile(pkg *packages.Package, d ast.Node) bool {
	return strings.HasSuffix(pkg.Fset.PositionFor(d.Pos(), false).Filename, "_test.go")
}

// mentions reports whether an identifier in body has the name of fn.
func mentions(body ast.Node, fn *types.Func) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == fn.Name()
		return !found
	})
	return found
}

// askedFor returns the types in the package's type switches and assertions, outside of its tests.
func (w *writer) askedFor() (list []types.Type) {
	if w.asked != nil {
		return w.asked
	}
	add := func(e ast.Expr) {
		if typ := w.pkg.TypesInfo.TypeOf(e); typ != nil && !types.IsInterface(typ) && typ != types.Typ[types.UntypedNil] {
			list = append(list, typ)
		}
	}
	for _, f := range w.pkg.Syntax {
		if strings.HasSuffix(w.pkg.Fset.PositionFor(f.Pos(), false).Filename, "_test.go") {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeAssertExpr:
				if n.Type != nil {
					add(n.Type)
				}
			case *ast.TypeSwitchStmt:
				for _, c := range n.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						add(e)
					}
				}
			}
			return true
		})
	}
	w.asked = append([]types.Type{}, list...)
	return list
}
