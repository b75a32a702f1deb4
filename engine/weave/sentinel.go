package weave

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// addSentinels makes the exported error variables that d, a declaration of f, declares known to the run-time, so that
// it sees which of them an error is. Only packages with types have them. It does so at the end of the same file: then
// package variables are initialised in the same order as without it.
func (w *weaver) addSentinels(f *file, d *ast.GenDecl) {
	if f.pkg == nil || d.Tok != token.VAR {
		return
	}
	failure := types.Universe.Lookup("error").Type()
	for _, spec := range d.Specs {
		for _, name := range spec.(*ast.ValueSpec).Names {
			v, ok := f.pkg.TypesInfo.Defs[name].(*types.Var)
			if ok && v.Exported() && types.Identical(v.Type(), failure) {
				f.uses = true
				f.tail.add(fmt.Sprintf("\nvar _ = %s.Sentinel(%q,&%s)\n", f.alias, f.pkg.Types.Name()+"."+name.Name, name.Name))
			}
		}
	}
}
