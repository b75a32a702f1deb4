package weave

import (
	"go/ast"
	"go/types"
)

// maxDistance is the largest distance from mutated functions that is measured.
const maxDistance = 2

// measureDistances finds the functions of typed packages that use a mutated
// function, and those that use them: an input that runs one of them is closer
// to the change than others.
func (w *weaver) measureDistances() {
	at := map[types.Object]int{} // distance of what is known so far
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

// object is what fn declares; nil where its package is not typed.
func (fn *function) object() types.Object {
	if fn.file.pkg == nil || fn.decl == nil {
		return nil
	}
	return fn.file.pkg.TypesInfo.Defs[fn.decl.Name]
}

// uses lists the functions that each function of a typed package names.
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
