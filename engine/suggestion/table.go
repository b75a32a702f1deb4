package suggestion

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// table is a composite literal over whose elements a test loops.
type table struct {
	pkg   *packages.Package
	file  *ast.File
	text  text
	rows  *ast.CompositeLit
	row   types.Type // of an element
	key   types.Type // of a map's keys; nil: it is no map
	tests []string   // names of the test functions that use it, that with the loop first
}

// loop is a loop of a test over the rows of a table.
type loop struct {
	*table
	source     text // of the file with the loop
	body       *ast.BlockStmt
	keyVar     types.Object // nil: none
	valueVar   types.Object // nil: none
	collection types.Object // the variable that holds the table; nil: none does
}

// readSource reads one of the user's source files.
func readSource(name string) ([]byte, error) { return regular.Source(name) }

// loops returns the loops over tables in the tests of packages.
func loops(pkgs []*packages.Package) (list []*loop) {
	for _, p := range pkgs {
		names := namesIn(p)
		for _, f := range p.Syntax {
			if !isTestFile(p.Fset.PositionFor(f.FileStart, false).Filename) {
				continue
			}
			t := newText(p, f)
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Body != nil {
					list = append(list, names.loops(f, t, fn)...)
				}
			}
		}
	}
	return list
}

// isTest reports whether go test runs a function of this name as a test with a *testing.T.
func isTest(name string) bool { return strings.HasPrefix(name, "Test") && gotool.IsTest(name) }

// names records where a package declares and uses its package-level functions and variables.
type names struct {
	*packages.Package
	users    map[types.Object][]*ast.FuncDecl // functions that name it, in source order
	declared map[types.Object]declaration     // of variables, and of functions
}

// declaration is where a variable or a function is declared.
type declaration struct {
	file *ast.File
	decl ast.Decl
}

func namesIn(p *packages.Package) *names {
	n := &names{p, map[types.Object][]*ast.FuncDecl{}, map[types.Object]declaration{}}
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				n.add(d)
				n.declared[p.TypesInfo.Defs[d.Name]] = declaration{f, d}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if v, ok := spec.(*ast.ValueSpec); ok {
						for _, id := range v.Names {
							n.declared[p.TypesInfo.Defs[id]] = declaration{f, d}
						}
					}
				}
			}
		}
	}
	return n
}

// add records which package-level objects a function names.
func (n *names) add(fn *ast.FuncDecl) {
	ast.Inspect(fn, func(node ast.Node) bool {
		id, ok := node.(*ast.Ident)
		if !ok {
			return true
		}
		o := n.TypesInfo.Uses[id]
		if o == nil || o.Parent() != n.Types.Scope() {
			return true
		}
		if list := n.users[o]; len(list) == 0 || list[len(list)-1] != fn {
			n.users[o] = append(list, fn)
		}
		return true
	})
}

// tests returns the names of the tests that run fn: its own if it is a test, else those of the tests that name it.
func (n *names) tests(fn *ast.FuncDecl) (list []string) {
	if isTest(fn.Name.Name) {
		return []string{fn.Name.Name}
	}
	for _, test := range n.users[n.TypesInfo.Defs[fn.Name]] {
		if test.Recv == nil && test.Body != nil && isTest(test.Name.Name) {
			list = append(list, test.Name.Name)
		}
	}
	return list
}

// writesOut reports whether some element of the literal contains a literal. Otherwise its elements are values that the
// test has computed, not rows.
func writesOut(rows *ast.CompositeLit) (found bool) {
	for _, row := range rows.Elts {
		ast.Inspect(row, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.BasicLit, *ast.CompositeLit:
				found = true
			}
			return !found
		})
	}
	return found
}

// loops returns the loops over tables in a function of a test file.
func (n *names) loops(f *ast.File, t text, fn *ast.FuncDecl) (list []*loop) {
	tests := n.tests(fn)
	if len(tests) == 0 {
		return nil
	}
	ast.Inspect(fn.Body, func(node ast.Node) bool {
		r, ok := node.(*ast.RangeStmt)
		if !ok {
			return true
		}
		l := &loop{table: &table{pkg: n.Package, file: f, text: t, tests: tests}, source: t, body: r.Body}
		if l.find(r.X, fn, n) && l.typed() && writesOut(l.rows) {
			l.keyVar, l.valueVar = l.variable(r.Key), l.variable(r.Value)
			list = append(list, l)
		}
		return true
	})
	return list
}

// variable returns the variable that the key or value of a range statement declares or sets.
func (l *loop) variable(e ast.Expr) types.Object {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	return l.pkg.TypesInfo.ObjectOf(id)
}

// find sets the table of the loop to what x stands for: a literal, the value of a variable, or what a call returns. It
// reports whether it has found one.
func (l *loop) find(x ast.Expr, fn *ast.FuncDecl, n *names) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.CompositeLit:
		l.rows = x
		return true
	case *ast.CallExpr:
		return isTest(fn.Name.Name) && l.given(x, n)
	case *ast.Ident:
		l.collection = l.pkg.TypesInfo.ObjectOf(x)
		v, ok := l.collection.(*types.Var)
		if !ok {
			return false
		}
		if v.Parent() != l.pkg.Types.Scope() {
			switch value := ast.Unparen(valueIn(fn.Body, v, l.pkg.TypesInfo, x.Pos())).(type) {
			case *ast.CompositeLit:
				l.rows = value
			case *ast.CallExpr:
				return isTest(fn.Name.Name) && l.given(value, n)
			}
			return l.rows != nil
		}
		return isTest(fn.Name.Name) && l.shared(v, n)
	}
	return false
}

// shared finds the literal of a package variable, and the tests that use it. It reports false if functions other than
// tests use the table, since a new row may mean something else there.
func (l *loop) shared(v *types.Var, n *names) bool {
	place, ok := n.declared[v]
	if !ok {
		return false
	}
	l.rows, _ = ast.Unparen(valueIn(place.decl, v, l.pkg.TypesInfo, place.decl.End())).(*ast.CompositeLit)
	return l.usedByTests(v, place, n)
}

// given finds the literal that a call returns. The callee is a function without parameters that only returns the
// literal, or append; among the arguments of append the last suitable call counts.
func (l *loop) given(call *ast.CallExpr, n *names) bool {
	id, _ := ast.Unparen(call.Fun).(*ast.Ident)
	if id == nil {
		return false
	}
	o := l.pkg.TypesInfo.Uses[id]
	if o == types.Universe.Lookup("append") {
		tests := slices.Clone(l.tests)
		for _, arg := range slices.Backward(call.Args) {
			if inner, ok := ast.Unparen(arg).(*ast.CallExpr); ok && l.given(inner, n) {
				return true
			}
			l.tests = slices.Clone(tests)
		}
		return false
	}
	place := n.declared[o]
	fn, ok := place.decl.(*ast.FuncDecl)
	if !ok || fn.Recv != nil || fn.Body == nil || fn.Type.Params.NumFields() > 0 || len(fn.Body.List) != 1 {
		return false
	}
	r, ok := fn.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return false
	}
	l.rows, _ = ast.Unparen(r.Results[0]).(*ast.CompositeLit)
	return l.usedByTests(o, place, n)
}

// usedByTests adds the tests that name o, which is declared at place and holds or returns the rows. It reports false if
// the rows are not known or not in a test file, or if functions name o that go test does not run.
func (l *loop) usedByTests(o types.Object, place declaration, n *names) bool {
	l.file, l.text = place.file, newText(l.pkg, place.file)
	for _, fn := range n.users[o] {
		switch name := fn.Name.Name; {
		case fn.Recv == nil && isTest(name):
			if !slices.Contains(l.tests, name) {
				l.tests = append(l.tests, name)
			}
		case fn.Recv != nil || !gotool.IsTest(name) && !strings.HasPrefix(name, "Benchmark"):
			return false
		}
	}
	return l.rows != nil && isTestFile(l.text.file.Name())
}

// valueIn returns the expression that v is last assigned before a position, in source order; nil: that is not known.
func valueIn(n ast.Node, v types.Object, info *types.Info, before token.Pos) (found ast.Expr) {
	take := func(name, value ast.Expr) {
		if id, ok := name.(*ast.Ident); ok && info.ObjectOf(id) == v && id.Pos() < before {
			found = value
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) {
					take(n.Lhs[i], n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i := range n.Names {
				if len(n.Names) == len(n.Values) {
					take(n.Names[i], n.Values[i])
				}
			}
		}
		return true
	})
	return found
}

// typed sets the types of the table's keys and rows. It reports false if the table cannot get another row, as an array
// of fixed length.
func (t *table) typed() bool {
	switch u := t.pkg.TypesInfo.TypeOf(t.rows).Underlying().(type) {
	case *types.Slice:
		t.row = u.Elem()
	case *types.Array:
		a, ok := t.rows.Type.(*ast.ArrayType)
		if !ok {
			return false
		}
		if _, open := a.Len.(*ast.Ellipsis); !open {
			return false
		}
		t.row = u.Elem()
	case *types.Map:
		t.key, t.row = u.Key(), u.Elem()
	default:
		return false
	}
	return true
}

// neighbours returns the existing rows, the last first.
func (t *table) neighbours() (list []ast.Expr) {
	for _, e := range slices.Backward(t.rows.Elts) {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		list = append(list, e)
	}
	return list
}

// keys returns the keys of a map's rows, the last first.
func (t *table) keys() (list []ast.Expr) {
	for _, e := range slices.Backward(t.rows.Elts) {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			list = append(list, kv.Key)
		}
	}
	return list
}

// position returns the position in the source for which the values of a row are type-checked.
func (t *table) position() token.Pos { return t.rows.Rbrace }

// qualifier returns the name by which the file of the table qualifies what package p declares; empty for the package of
// the table.
func (t *table) qualifier(p *types.Package) string {
	if p == t.pkg.Types {
		return ""
	}
	for scope := t.pkg.Types.Scope().Innermost(t.position()); scope != nil; scope = scope.Parent() {
		for _, name := range scope.Names() {
			if imported, ok := scope.Lookup(name).(*types.PkgName); ok && imported.Imported() == p {
				return name
			}
		}
	}
	return p.Name()
}

// structOf returns the struct that t is or points to; nil: none.
func structOf(t types.Type) *types.Struct {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, _ := t.Underlying().(*types.Struct)
	return s
}
