package declaration

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/sourcediff"
)

// separator is between the tokens of texts and shapes.
const separator = sourcediff.Separator

// addFunc adds a function or method. It skips those named "_", which cannot run.
func (f *File) addFunc(d *ast.FuncDecl) {
	if d.Name.Name == "_" {
		return
	}
	name, recv := d.Name.Name, ""
	if d.Recv != nil && len(d.Recv.List) > 0 {
		recv = receiverType(d.Recv.List[0].Type)
		name = recv + "." + name
	}
	f.add(Func, name, d, sourcediff.Tokens(f.slice(d.Type.Pos(), d.End()), nil), f.shape(d, recv))
}

// receiverType returns the type name in a receiver's type: "List" for "*List[T]".
func receiverType(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// addGen adds the names of a const, var or type declaration.
func (f *File) addGen(d *ast.GenDecl) {
	var last *ast.ValueSpec // the last spec with values; specs without values repeat it
	for i, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			f.add(Type, spec.Name.Name, spec, sourcediff.Tokens(f.slice(spec.Pos(), spec.End()), nil), "")
		case *ast.ValueSpec:
			if d.Tok == token.CONST {
				if len(spec.Values) > 0 || last == nil {
					last = spec
				}
				f.addConsts(spec, last, i)
			} else {
				f.addVars(spec)
			}
		}
	}
}

// addConsts adds the constants of spec. source is the spec that gives their type and values. If a value uses iota,
// the text includes the number, so that a constant that moved within its group counts as changed.
func (f *File) addConsts(spec, source *ast.ValueSpec, iota int) {
	for i, name := range spec.Names {
		text := f.typeText(source)
		var constant ast.Expr
		if i < len(source.Values) {
			constant = source.Values[i]
			value := sourcediff.Tokens(f.slice(source.Values[i].Pos(), source.Values[i].End()), nil)
			if strings.Contains(separator+value+separator, separator+"iota"+separator) {
				value += separator + strconv.Itoa(iota)
			}
			text += "=" + value
		}
		d := f.add(Value, name.Name, spec, text, "")
		d.Constant, d.iota = constant, iota
		if source.Type != nil {
			d.constantType = string(f.slice(source.Type.Pos(), source.Type.End()))
		}
	}
}

// typeText returns the tokens of the type that spec declares, or "".
func (f *File) typeText(spec *ast.ValueSpec) string {
	if spec.Type == nil {
		return ""
	}
	return sourcediff.Tokens(f.slice(spec.Type.Pos(), spec.Type.End()), nil)
}

// addVars adds each variable of spec as a value, and the function literals in its value, if any, as code. It skips
// variables named "_", which cannot be used.
func (f *File) addVars(spec *ast.ValueSpec) {
	for i, name := range spec.Names {
		if name.Name == "_" {
			continue
		}
		values := spec.Values
		if len(values) == len(spec.Names) {
			values = values[i : i+1]
		}
		data, code := f.typeText(spec), ""
		for _, v := range values {
			d, c := f.withoutLiterals(v)
			data += "=" + d
			code += c
		}
		f.add(Value, name.Name, spec, data, "").variable = true
		if code != "" {
			f.add(Literals, name.Name, spec, code, code)
		}
	}
}

// withoutLiterals returns the tokens of a value with a placeholder for each outermost function literal, and the
// tokens of these literals.
func (f *File) withoutLiterals(value ast.Expr) (data, code string) {
	from := value.Pos()
	ast.Inspect(value, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		data += sourcediff.Tokens(f.slice(from, lit.Pos()), nil) + separator + "func" + separator
		code += sourcediff.Tokens(f.slice(lit.Pos(), lit.End()), nil) + separator
		from = lit.End()
		return false
	})
	return data + sourcediff.Tokens(f.slice(from, value.End()), nil), code
}

func (f *File) add(kind Kind, name string, node ast.Node, text, shape string) *Decl {
	d := &Decl{
		Kind: kind, Name: name, File: f, Node: node, text: text, shape: shape,
		First: f.line(node.Pos()), Last: f.line(min(node.End(), f.Syntax.FileEnd)), // a file may be cut off
	}
	f.Decls = append(f.Decls, d)
	return d
}
