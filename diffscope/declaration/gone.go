package declaration

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/sourcediff"
)

// Gone is a declaration of the base that head's package lacks, or a function that it has with another signature.
// Lines of the base may need it.
type Gone struct {
	Dir  string // folder of the package, relative to the root, slash-separated
	Name string // Func, or the name of the constant, variable or type; of a method Type.Method
	Kind token.Token
	// Type is the source of the declared type of a constant or variable, or of a function's parameters and results.
	// Value is the source of a constant's or variable's value, of a function's body, or of what follows a type's
	// name.
	Type, Value string
	Imports     map[string]string // imports of its file, as import path by local name
}

// gone returns the declarations of the base that head lacks, and the functions whose signature differs at head.
func gone(base, head []*File) (list []Gone) {
	now := map[declKey]*Decl{}
	for _, f := range head {
		for _, d := range f.Decls {
			now[d.key()] = d
		}
	}
	for _, f := range base {
		if f.IsTest() || f.UsesCgo() {
			continue
		}
		imports := f.Imports()
		for _, d := range f.Decls {
			if is := now[d.key()]; is != nil && !d.takesOther(is) {
				continue
			}
			if g, ok := d.gone(); ok {
				g.Imports = imports
				list = append(list, g)
			}
		}
	}
	return list
}

// gone describes d. It is not ok if d cannot be declared by itself: a variable that shares a value with others, a
// function without a body or with type parameters.
func (d *Decl) gone() (g Gone, ok bool) {
	g = Gone{Dir: d.File.Dir(), Name: d.Name}
	switch n := d.Node.(type) {
	case *ast.FuncDecl:
		if n.Body == nil || n.Type.TypeParams != nil {
			return Gone{}, false
		}
		g.Kind = token.FUNC
		g.Type = string(d.source(n.Type.Params.Pos(), n.Type.End()))
		g.Value = string(d.source(n.Body.Pos(), n.Body.End()))
	case *ast.TypeSpec:
		g.Kind = token.TYPE
		g.Value = string(d.source(n.Name.End(), n.End()))
	case *ast.ValueSpec:
		if d.Kind != Value {
			return Gone{}, false // its literals are part of the value
		}
		if d.Constant != nil {
			g.Kind = token.CONST
			g.Type, g.Value = d.constantType, d.constantValue()
			return g, true
		}
		return d.goneVariable(g, n)
	}
	return g, true
}

func (d *Decl) goneVariable(g Gone, n *ast.ValueSpec) (Gone, bool) {
	g.Kind = token.VAR
	if n.Type != nil {
		g.Type = string(d.source(n.Type.Pos(), n.Type.End()))
	}
	if len(n.Values) == 0 {
		return g, true
	}
	i := slices.IndexFunc(n.Names, func(id *ast.Ident) bool { return id.Name == d.Name })
	if len(n.Values) != len(n.Names) {
		return Gone{}, false
	}
	g.Value = string(d.source(n.Values[i].Pos(), n.Values[i].End()))
	return g, true
}

// constantValue returns the source of a constant's value, with a number for iota.
func (d *Decl) constantValue() string {
	var text strings.Builder
	from := d.Constant.Pos()
	ast.Inspect(d.Constant, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == "iota" {
			text.Write(d.source(from, id.Pos()))
			text.WriteString(strconv.Itoa(d.iota))
			from = id.End()
		}
		return true
	})
	text.Write(d.source(from, d.Constant.End()))
	return text.String()
}

// takesOther reports whether d and other are functions with different parameters or results.
func (d *Decl) takesOther(other *Decl) bool {
	was, ok := d.Node.(*ast.FuncDecl)
	is, too := other.Node.(*ast.FuncDecl)
	return ok && too && sourcediff.Tokens(d.source(was.Type.Params.Pos(), was.Type.End()), nil) != sourcediff.Tokens(other.source(is.Type.Params.Pos(), is.Type.End()), nil)
}

// source returns the text from one position to another.
func (d *Decl) source(from, to token.Pos) []byte { return d.File.slice(from, to) }
