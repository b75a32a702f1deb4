package suggestion

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// isZero reports whether source is the zero value of its type.
func isZero(source string) bool {
	if source == "nil" || strings.HasSuffix(source, "(nil)") {
		return true
	}
	v := valueOf(source)
	if v == nil || strings.HasPrefix(source, "[]byte(") {
		return false // []byte("") is not nil
	}
	switch v.Kind() {
	case constant.Bool:
		return !constant.BoolVal(v)
	case constant.String:
		return constant.StringVal(v) == ""
	}
	return constant.Sign(v) == 0
}

// constantOf returns the literal in a conversion, as "1" in "int8(1)"; empty: source is no such conversion.
func constantOf(source string) string {
	e, err := parser.ParseExpr(source)
	if err != nil {
		return ""
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || literal(call.Args[0]) == nil {
		return ""
	}
	return source[call.Args[0].Pos()-1 : call.Args[0].End()-1]
}

// check type-checks an expression as it stands in the table.
func (t *table) check(source string) (types.TypeAndValue, error) {
	e, err := parser.ParseExprFrom(token.NewFileSet(), "", source, 0)
	if err != nil {
		return types.TypeAndValue{}, err
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	err = types.CheckExpr(t.pkg.Fset, t.pkg.Types, t.position(), e, info)
	return info.Types[e], err
}

// sentinels maps package variables that hold errors to the texts of these errors.
type sentinels map[*types.Var]string

// sentinelsOf returns the error variables that packages declare by a call with a constant text, as errors.New("text").
func sentinelsOf(pkgs []*packages.Package) sentinels {
	list := sentinels{}
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				if g, ok := d.(*ast.GenDecl); ok {
					list.add(p, g)
				}
			}
		}
	}
	return list
}

func (s sentinels) add(p *packages.Package, g *ast.GenDecl) {
	for _, spec := range g.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || len(v.Names) != len(v.Values) {
			continue
		}
		for i, id := range v.Names {
			call, _ := v.Values[i].(*ast.CallExpr)
			o, _ := p.TypesInfo.Defs[id].(*types.Var)
			if call == nil || o == nil || len(call.Args) == 0 || !isError(o.Type()) {
				continue
			}
			if text := p.TypesInfo.Types[call.Args[0]].Value; text != nil && text.Kind() == constant.String {
				s[o] = constant.StringVal(text)
			}
		}
	}
}

// ErrorNamed returns the variable of a package, as name.Var, that holds the error with the given text. pkg is an import
// path, and inside says that the variable is used within that package. The result is empty if there is no such variable
// or more than one, if other code of the package has the text, too, if t does not have the package, or if the variable
// is used from outside and not exported.
func (t *Tables) ErrorNamed(text, pkg string, inside bool) (name string) {
	for v, of := range t.errors {
		if of != text || v.Pkg().Path() != pkg {
			continue
		}
		if !inside && !v.Exported() {
			return ""
		}
		if qualified := v.Pkg().Name() + "." + v.Name(); name == "" || name == qualified { // the package may be loaded twice, with tests and without
			name = qualified
		} else {
			return ""
		}
	}
	for _, p := range t.pkgs {
		if p.PkgPath == pkg && name != "" && written(p, text) > 1 {
			return ""
		}
	}
	return name
}

// written returns how many string literals in a package, apart from its tests, are equal to text.
func written(p *packages.Package, text string) (n int) {
	for _, f := range p.Syntax {
		if strings.HasSuffix(p.Fset.Position(f.FileStart).Filename, "_test.go") {
			continue
		}
		ast.Inspect(f, func(node ast.Node) bool {
			if lit, ok := node.(*ast.BasicLit); ok && lit.Kind == token.STRING && constant.StringVal(constant.MakeFromLiteral(lit.Value, lit.Kind, 0)) == text {
				n++
			}
			return true
		})
	}
	return n
}

// variable returns the name of the exported variable whose text is the longest that an error's text ends in: errors wrap
// others. It is empty if there is none.
func (s sentinels) variable(text string) (name string) {
	longest := 0
	for v, of := range s {
		if of != "" && v.Exported() && strings.HasSuffix(text, of) && (len(of) > longest || len(of) == longest && v.Name() < name) {
			longest, name = len(of), v.Name()
		}
	}
	return name
}

// expression returns an error to expect in a slot of a table, given the text of the error that the program returns. It
// prefers a variable whose text is the longest within that text, since errors wrap others. Else it takes a neighbour's
// expression; sure is false then, unless that calls errors.New, which gets the text. source is empty if there is none.
func (s sentinels) expression(t *table, path, text string) (source string, sure bool) {
	best := ""
	for v, of := range s {
		if of == "" || len(of) < len(best) || !strings.Contains(text, of) {
			continue
		}
		name := v.Name()
		if q := t.qualifier(v.Pkg()); q != "" {
			name = q + "." + name
		}
		if _, err := t.check(name); err == nil && (len(of) > len(best) || name < source) {
			best, source = of, name
		}
	}
	if source != "" {
		return source, true
	}
	for _, row := range t.neighbours() {
		e := part(t, row, path)
		if e == nil || t.pkg.TypesInfo.Types[e].IsNil() {
			continue
		}
		if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 && fold(t.text.of(call.Fun)) == "errors.New" {
			return "errors.New(" + quoted(text) + ")", true
		}
		return t.text.of(e), false
	}
	return "", false
}
