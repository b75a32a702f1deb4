package callgraph

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// inBodies has methods of interface types that the standard library declares within function bodies, which are not
// read.
var inBodies = []string{"As", "Is", "IsZero", "Temporary", "Timeout", "Unwrap"}

// interfaceMethods returns the names of all methods of interface types in the program and in the packages it imports.
func (g *Graph) interfaceMethods() map[string]bool {
	if g.methods != nil {
		return g.methods
	}
	g.methods = map[string]bool{}
	for _, name := range inBodies {
		g.methods[name] = true
	}
	add := func(t types.Type) {
		if i, ok := t.Underlying().(*types.Interface); ok {
			for m := range i.Methods() {
				g.methods[m.Name()] = true
			}
		}
	}
	for _, p := range g.prog.AllPackages() {
		for _, name := range p.Pkg.Scope().Names() {
			if t, ok := p.Pkg.Scope().Lookup(name).(*types.TypeName); ok {
				add(t.Type())
			}
		}
	}
	for _, s := range g.sources {
		for _, t := range s.info.Types {
			if t.IsType() {
				add(t.Type)
			}
		}
	}
	return g.methods
}

// byName has the packages that call methods by names given as strings.
var byName = map[string]bool{"text/template": true, "html/template": true, "net/rpc": true}

// asksForMethods reports whether reached code may find methods by name, or enumerate them, through reflection.
func (w *walk) asksForMethods() bool {
	for f := range w.steps {
		obj := f.Object()
		if obj == nil || obj.Pkg() == nil {
			continue
		}
		if path := obj.Pkg().Path(); byName[path] || path == "reflect" && isReflectMethod(f) {
			return true
		}
	}
	return false
}

// isReflectMethod reports whether f, a function of package reflect, finds methods, as Value.MethodByName does.
func isReflectMethod(f *ssa.Function) bool { return strings.HasPrefix(f.Name(), "Method") }
