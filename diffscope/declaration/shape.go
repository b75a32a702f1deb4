package declaration

import (
	"go/ast"

	"github.com/mutantfuzz/mutantfuzz/diffscope/sourcediff"
	"github.com/mutantfuzz/mutantfuzz/internal/locals"
)

// Placeholders in a shape for the function's own name, and for its receiver's type.
const (
	ownName  = "\x01"
	recvName = "\x02"
)

// shape returns the tokens of d with placeholders for what renaming d changes; "" if d has no statements. An equal
// name of something else is kept: calling another function is a change.
func (f *File) shape(d *ast.FuncDecl, recv string) string {
	if d.Body == nil || len(d.Body.List) == 0 {
		return ""
	}
	open := map[int]string{}
	for id, as := range leftOpen(d, recv) {
		open[int(id.Pos()-d.Type.Pos())] = as
	}
	return sourcediff.Tokens(f.slice(d.Type.Pos(), d.End()), open)
}

// leftOpen returns the identifiers that refer to d itself or to its receiver's type, with their placeholders.
// Selected names, fields and keys never do. The exception is a method selected from its own receiver, if no other
// variable has the receiver's name.
func leftOpen(d *ast.FuncDecl, recv string) map[*ast.Ident]string {
	self := receiverName(d)
	if locals.In(d.Body)[self] {
		self = ""
	}
	open, fixed := map[*ast.Ident]string{}, fixedNames(d)
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && self != "" && x.Name == self && n.Sel.Name == d.Name.Name {
				open[n.Sel] = ownName
			}
		case *ast.Ident:
			switch {
			case fixed[n]:
			case n.Name == d.Name.Name && d.Recv == nil:
				open[n] = ownName
			case n.Name == recv:
				open[n] = recvName
			}
		}
		return true
	})
	open[d.Name] = ownName
	return open
}

// fixedNames returns the identifiers in d that do not name a variable, function or type by themselves: selected
// names, fields, methods and keys.
func fixedNames(d ast.Node) map[*ast.Ident]bool {
	fixed := map[*ast.Ident]bool{}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			fixed[n.Sel] = true
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok {
				fixed[key] = true
			}
		case *ast.StructType:
			keepNames(n.Fields, fixed)
		case *ast.InterfaceType:
			keepNames(n.Methods, fixed)
		}
		return true
	})
	return fixed
}

func keepNames(fields *ast.FieldList, kept map[*ast.Ident]bool) {
	for _, f := range fields.List {
		for _, id := range f.Names {
			kept[id] = true
		}
	}
}

// receiverName returns the name of d's receiver; "" if it has none.
func receiverName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 || len(d.Recv.List[0].Names) == 0 {
		return ""
	}
	return d.Recv.List[0].Names[0].Name
}
