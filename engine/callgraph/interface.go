package callgraph

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// inBodies are methods of interfaces that the standard library has within its functions, which cannot be seen.
var inBodies = []string{"As", "Is", "IsZero", "Temporary", "Timeout", "Unwrap"}

// interfaceMethods returns the names of the methods that interfaces of the program have, and of what it imports.
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

// byName are the packages that call methods whose names they are given.
var byName = map[string]bool{"text/template": true, "html/template": true, "net/rpc": true}

// asksForMethods reports whether anything that is reached may call methods whose names it has as text, or all that there are.
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

// isReflectMethod reports whether f, of reflect, finds methods.
func isReflectMethod(f *ssa.Function) bool { return strings.HasPrefix(f.Name(), "Method") }
