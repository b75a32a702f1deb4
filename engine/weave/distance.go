package weave

import (
	"go/ast"
	"go/types"
)

// maxDistance is the largest distance from a mutated function that is measured.
const maxDistance = 2

// measureDistances sets the distances of functions in packages with types. An input that runs a function that uses a
// mutated one is closer to the change than other inputs.
func (w *weaver) measureDistances() {
	at := map[types.Object]int{} // distances found so far
	for i, fn := range w.funcs {
		if fn.source != nil {
			w.out.Funcs[i].Distance = 0
			at[fn.object()] = 0
		}
	}
	uses := w.uses()
	for d := 1; d <= maxDistance; d++ {
		for i, fn := range w.funcs {
			if w.out.Funcs[i].Distance >= 0 {
				continue
			}
			for used := range uses[fn] {
				if k, ok := at[used]; ok && k == d-1 {
					w.out.Funcs[i].Distance = d
					at[fn.object()] = d
					break
				}
			}
		}
	}
}

// object returns the object that fn declares; nil if its package has no types, or if fn is a literal.
func (fn *function) object() types.Object {
	if fn.file.pkg == nil || fn.decl == nil {
		return nil
	}
	return fn.file.pkg.TypesInfo.Defs[fn.decl.Name]
}

// uses returns, for each function of a package with types, the functions that it names.
func (w *weaver) uses() map[*function]map[types.Object]bool {
	all := map[*function]map[types.Object]bool{}
	for _, fn := range w.funcs {
		if fn.file.pkg == nil {
			continue
		}
		info := fn.file.pkg.TypesInfo
		named := map[types.Object]bool{}
		ast.Inspect(fn.body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if f, ok := info.Uses[id].(*types.Func); ok {
					named[f.Origin()] = true
				}
			}
			return true
		})
		all[fn] = named
	}
	return all
}
