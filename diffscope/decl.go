package diffscope

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/sourcediff"
)

// separator is between the tokens of texts and shapes.
const separator = sourcediff.Separator

// declKind is what a declaration declares.
type declKind int

const (
	funcDecl    declKind = iota
	literalDecl          // the function literals of a package variable
	valueDecl            // a constant, or a variable without its function literals
	typeDecl
)

// decl is one package-level name of one file, ready to be compared.
type decl struct {
	kind      declKind
	name      string // Func, Type.Method, or the name of the constant, variable or type
	file      *file
	node      ast.Node // *ast.FuncDecl, *ast.ValueSpec or *ast.TypeSpec
	text      string   // its normalised tokens: equal text means an unchanged declaration
	shape     string   // of functions: tokens with placeholders for own name and receiver type; empty: no statements
	first     int      // line numbers, both included
	last      int
	from      *decl         // its old version in the base, if it changed; nil: unchanged or new
	changed   bool          // differs from the base, or is new
	added     bool          // new
	renamed   otherNames    // if changed: the names that the change only renames
	constants sameConstants // if changed: the constants that stand for literals

	variable     bool     // of a valueDecl: it is not a constant
	constant     ast.Expr // of a constant: its value expression, perhaps that of an earlier spec; else nil
	constantType string   // source of a constant's type; empty: none
	iota         int      // value of iota for a constant: its index in its group
}

// function reports whether d has code to mutate.
func (d *decl) function() bool { return d.kind == funcDecl || d.kind == literalDecl }

// span returns the byte range of d in its file.
func (d *decl) span() Span {
	return Span{Start: d.file.fset.PositionFor(d.node.Pos(), false).Offset, End: d.file.fset.PositionFor(d.node.End(), false).Offset}
}

// column returns where d begins in its line, in bytes from 0.
func (d *decl) column() int { return d.file.fset.PositionFor(d.node.Pos(), false).Column - 1 }

// file is one parsed Go file.
type file struct {
	name   string // relative to the root, slash-separated
	src    []byte
	fset   *token.FileSet
	syntax *ast.File
	decls  []*decl
	lines  [][]byte        // see allLines; nil: not split yet
	broken error           // the syntax error in it; nil: none
	local  map[string]bool // result of locals; nil: not known yet
}

// parseFile parses src. If src has syntax errors, the file holds what could be read, and err comes from go/scanner.
func parseFile(fset *token.FileSet, name string, src []byte) (*file, error) {
	syntax, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	f := &file{name: name, src: src, fset: fset, syntax: syntax}
	for _, d := range syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f.addFunc(d)
		case *ast.GenDecl:
			f.addGen(d)
		}
	}
	return f, err
}

// test reports whether the file is a test file.
func (f *file) test() bool { return strings.HasSuffix(f.name, "_test.go") }

// dir returns the file's folder, relative to the root.
func (f *file) dir() string { return path.Dir(f.name) }

// line returns the line of pos in the file itself, whatever line directives say.
func (f *file) line(pos token.Pos) int { return f.fset.PositionFor(pos, false).Line }

// slice returns the source from one position to another.
func (f *file) slice(from, to token.Pos) []byte {
	tf := f.fset.File(f.syntax.FileStart)
	return f.src[tf.Offset(from):tf.Offset(to)]
}

// cgo reports whether the file imports "C".
func (f *file) cgo() bool {
	for _, spec := range f.syntax.Imports {
		if spec.Path.Value == `"C"` {
			return true
		}
	}
	return false
}

// allLines returns the lines of the file. It splits them once.
func (f *file) allLines() [][]byte {
	if f.lines == nil {
		f.lines = slices.Collect(bytes.Lines(f.src))
	}
	return f.lines
}

func (f *file) add(kind declKind, name string, node ast.Node, text, shape string) *decl {
	d := &decl{
		kind: kind, name: name, file: f, node: node, text: text, shape: shape,
		first: f.line(node.Pos()), last: f.line(min(node.End(), f.syntax.FileEnd)), // a file may be cut off
	}
	f.decls = append(f.decls, d)
	return d
}

// addFunc adds a function or method. It skips those named "_", which cannot run.
func (f *file) addFunc(d *ast.FuncDecl) {
	if d.Name.Name == "_" {
		return
	}
	name, recv := d.Name.Name, ""
	if d.Recv != nil && len(d.Recv.List) > 0 {
		recv = receiverType(d.Recv.List[0].Type)
		name = recv + "." + name
	}
	f.add(funcDecl, name, d, sourcediff.Tokens(f.slice(d.Type.Pos(), d.End()), nil), f.shape(d, recv))
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
func (f *file) addGen(d *ast.GenDecl) {
	var last *ast.ValueSpec // the last spec with values; specs without values repeat it
	for i, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			f.add(typeDecl, spec.Name.Name, spec, sourcediff.Tokens(f.slice(spec.Pos(), spec.End()), nil), "")
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
func (f *file) addConsts(spec, source *ast.ValueSpec, iota int) {
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
		d := f.add(valueDecl, name.Name, spec, text, "")
		d.constant, d.iota = constant, iota
		if source.Type != nil {
			d.constantType = string(f.slice(source.Type.Pos(), source.Type.End()))
		}
	}
}

// typeText returns the tokens of the type that spec declares, or "".
func (f *file) typeText(spec *ast.ValueSpec) string {
	if spec.Type == nil {
		return ""
	}
	return sourcediff.Tokens(f.slice(spec.Type.Pos(), spec.Type.End()), nil)
}

// addVars adds each variable of spec as a value, and the function literals in its value, if any, as code. It skips
// variables named "_", which cannot be used.
func (f *file) addVars(spec *ast.ValueSpec) {
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
		f.add(valueDecl, name.Name, spec, data, "").variable = true
		if code != "" {
			f.add(literalDecl, name.Name, spec, code, code)
		}
	}
}

// withoutLiterals returns the tokens of a value with a placeholder for each outermost function literal, and the
// tokens of these literals.
func (f *file) withoutLiterals(value ast.Expr) (data, code string) {
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
