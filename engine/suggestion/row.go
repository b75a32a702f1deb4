package suggestion

import (
	"cmp"
	"go/ast"
	"go/format"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/patch"
)

// maxRows bounds the rows that Rows returns, since callers have to try each.
const maxRows = 3

// Row is a row for the table of a test.
type Row struct {
	patch.Edit
	Test   string   // the test that loops over the table
	Tests  []string // all tests that use the table, Test among them
	Source string   // the row by itself
}

// Tables are the tables over which the tests of packages loop.
type Tables struct {
	loops  []*loop
	errors sentinels
	pkgs   []*packages.Package
}

// TablesOf finds the tables in packages that were loaded with tests, syntax and types.
func TablesOf(pkgs []*packages.Package) *Tables { return &Tables{loops(pkgs), sentinelsOf(pkgs), pkgs} }

// Rows returns at most three rows for tables of tests that make the call c, the most likely to kill the mutant first.
// No two are for the same test.
func (t *Tables) Rows(c *Call) (rows []Row) {
	var found []*binding
	for _, l := range t.loops {
		ast.Inspect(l.body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f := Callee(l.pkg, call); f != nil && f.Origin().FullName() == c.Callee.Origin().FullName() {
				if b := bind(l, call, c, t.errors); b != nil && b.score > scoreWrong/2 {
					found = append(found, b)
				}
			}
			return true
		})
	}
	slices.SortStableFunc(found, func(a, b *binding) int { return cmp.Compare(b.score, a.score) })
	for _, b := range found {
		r, ok := b.insertion()
		same := func(o Row) bool { return o.Test == r.Test }
		if ok && !slices.ContainsFunc(rows, same) && len(rows) < maxRows {
			rows = append(rows, r)
		}
	}
	return rows
}

// insertion writes the row and finds its place after the last one. It fails if the row cannot be written.
func (b *binding) insertion() (Row, bool) {
	if b.name != "" {
		b.values[b.name] = strconv.Quote(b.rowName())
	}
	last := b.rows.Elts[len(b.rows.Elts)-1]
	source, ok := b.write(b.row, wholeRow, b.neighbours())
	if !ok {
		return Row{}, false
	}
	if b.key != nil {
		key, ok := b.values[mapKey]
		if !ok {
			return Row{}, false
		}
		source = cmp.Or(key, zero(b.key)) + ": " + source
	}
	r := Row{
		Edit: patch.Edit{Path: b.text.file.Name(), At: b.text.offset(last.End()), Text: ", " + source},
		Test: b.tests[0], Tests: b.tests, Source: formatted(source),
	}
	between := string(b.text.src[r.At:b.text.offset(b.rows.Rbrace)])
	if line := strings.IndexByte(between, '\n'); line >= 0 {
		if !strings.HasPrefix(between, ",") {
			return Row{}, false
		}
		r.At, r.Text = r.At+line, "\n"+source+","
	}
	return r, true
}

// part returns the expression at a path in a row; nil: the row has none there.
func part(t *table, row ast.Expr, path string) ast.Expr {
	if path == wholeRow {
		return row
	}
	whole, step := split(path)
	lit := literalOf(part(t, row, whole))
	if lit == nil || !strings.HasPrefix(step, ".") {
		return nil
	}
	s := structOf(t.pkg.TypesInfo.TypeOf(lit))
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == step[1:] {
				return kv.Value
			}
		} else if s != nil && i < s.NumFields() && s.Field(i).Name() == step[1:] {
			return e
		}
	}
	return nil
}

// literalOf returns the composite literal that e is or takes the address of; nil: none.
func literalOf(e ast.Expr) *ast.CompositeLit {
	if e == nil {
		return nil
	}
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok {
		e = u.X
	}
	lit, _ := ast.Unparen(e).(*ast.CompositeLit)
	return lit
}

// write returns the source of what stands at a path, in the form of the first neighbour with a composite literal there.
func (b *binding) write(t types.Type, path string, neighbours []ast.Expr) (string, bool) {
	if source, ok := b.values[path]; ok {
		source = cmp.Or(source, zero(t))
		return source, source != "" && !(source == "nil" && isError(t) && b.allFail(path, neighbours))
	}
	like := b.like(path, neighbours)
	if like == nil {
		return zero(t), zero(t) != ""
	}
	lit := literalOf(like)
	head := ""
	if lit.Type != nil {
		head = b.text.of(lit.Type)
	}
	if _, ok := ast.Unparen(like).(*ast.UnaryExpr); ok {
		head = "&" + head
	}
	parts, ok := b.parts(t, path, lit, neighbours)
	if !ok {
		return "", false
	}
	if len(lit.Elts) > 0 && b.text.line(lit.Lbrace) != b.text.line(lit.Elts[0].Pos()) && len(parts) > 0 {
		return head + "{\n" + strings.Join(parts, ",\n") + ",\n}", true
	}
	return head + "{" + strings.Join(parts, ", ") + "}", true
}

// allFail reports whether all neighbours expect an error at a path. A row that expects none does not belong among them.
func (b *binding) allFail(path string, neighbours []ast.Expr) bool {
	return !slices.ContainsFunc(neighbours, func(n ast.Expr) bool {
		e := part(b.table, n, path)
		return e == nil || b.pkg.TypesInfo.Types[e].IsNil()
	})
}

// like returns the first composite literal that a neighbour has at a path; nil: none.
func (b *binding) like(path string, neighbours []ast.Expr) ast.Expr {
	for _, n := range neighbours {
		if e := part(b.table, n, path); literalOf(e) != nil {
			return e
		}
	}
	return nil
}

// parts returns the elements of a literal in the form of lit.
func (b *binding) parts(t types.Type, path string, lit *ast.CompositeLit, neighbours []ast.Expr) (list []string, ok bool) {
	s := structOf(t)
	if s == nil {
		return b.elements(t, path)
	}
	keyed := len(lit.Elts) == 0
	if !keyed {
		_, keyed = lit.Elts[0].(*ast.KeyValueExpr)
	}
	if keyed {
		return b.keyed(s, path, lit, neighbours)
	}
	for f := range s.Fields() {
		source, ok := b.write(f.Type(), path+"."+f.Name(), neighbours)
		if !ok {
			return nil, false
		}
		list = append(list, source)
	}
	return list, true
}

// keyed returns fields with their names: first those of lit, in its order, then others. A zero field is written only if
// all neighbours write it, and beside an error only if it is an operand.
func (b *binding) keyed(s *types.Struct, path string, lit *ast.CompositeLit, neighbours []ast.Expr) (list []string, ok bool) {
	var fields []*types.Var
	for f := range s.Fields() {
		fields = append(fields, f)
	}
	place := func(f *types.Var) int {
		i := slices.IndexFunc(lit.Elts, func(e ast.Expr) bool {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok {
				return false
			}
			id, ok := kv.Key.(*ast.Ident)
			return ok && id.Name == f.Name()
		})
		if i < 0 {
			return len(lit.Elts)
		}
		return i
	}
	slices.SortStableFunc(fields, func(x, y *types.Var) int { return cmp.Compare(place(x), place(y)) })
	for _, f := range fields {
		p := path + "." + f.Name()
		source, set := b.values[p]
		if !set && !b.inside(p) || set && source == "" && (b.call.Fails() && !b.operandAt[p] || !b.everywhere(p, neighbours)) {
			continue
		}
		source, ok := b.write(f.Type(), p, neighbours)
		if !ok {
			return nil, false
		}
		list = append(list, f.Name()+": "+source)
	}
	return list, true
}

// inside reports whether something within what is at a path has a value that is not zero.
func (b *binding) inside(path string) bool {
	for p, source := range b.values {
		if below(p, path) && source != "" {
			return true
		}
	}
	return false
}

// everywhere reports whether all neighbours write what is at a path.
func (b *binding) everywhere(path string, neighbours []ast.Expr) bool {
	return !slices.ContainsFunc(neighbours, func(n ast.Expr) bool { return part(b.table, n, path) == nil })
}

// elements returns the elements of a slice or an array.
func (b *binding) elements(t types.Type, path string) (list []string, ok bool) {
	var of types.Type
	switch u := t.Underlying().(type) {
	case *types.Slice:
		of = u.Elem()
	case *types.Array:
		of = u.Elem()
	default:
		return nil, false
	}
	count := 0
	for p := range maps.Keys(b.values) {
		if strings.HasPrefix(p, path+"[") {
			count++
		}
	}
	for i := range count {
		source, set := b.values[elementOf(path, i)]
		if source = cmp.Or(source, zero(of)); !set || source == "" {
			return nil, false
		}
		list = append(list, source)
	}
	return list, count > 0
}

// zero returns the zero value of a type as a literal; empty: the literal needs the name of the type.
func zero(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsString != 0:
			return `""`
		case info&types.IsBoolean != 0:
			return "false"
		case info&types.IsNumeric != 0:
			return "0"
		}
	case *types.Pointer, *types.Slice, *types.Map, *types.Signature, *types.Chan, *types.Interface:
		return "nil"
	}
	return ""
}

// formatted returns a row as gofmt writes it.
func formatted(row string) string {
	const before, after = "package p\n\nvar rows = list{\n", ",\n}\n"
	src, err := format.Source([]byte(before + row + after))
	if err != nil {
		return row
	}
	lines := strings.TrimSuffix(strings.TrimPrefix(string(src), before), ",\n}\n")
	return strings.TrimPrefix(strings.ReplaceAll(lines, "\n\t", "\n"), "\t")
}
