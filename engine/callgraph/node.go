package callgraph

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// node describes one function.
type node struct {
	id      string          // of the declared function that it is or is part of; empty: see Graph.id
	callees []*ssa.Function // the functions that it names
	types   []types.Type    // types of values that it converts to interfaces
	invoked []string        // IDs of unexported methods that it calls through interfaces
	starts  bool            // it may start the test binary again, with other tests
}

// node returns the node of f, which it makes on the first call.
func (g *Graph) node(f *ssa.Function) *node {
	if n := g.nodes[f]; n != nil {
		return n
	}
	n := &node{id: g.id(f)}
	g.nodes[f] = n
	if f.Blocks == nil {
		g.readBodiless(n, f)
	}
	for _, b := range f.Blocks {
		for _, instr := range b.Instrs {
			n.readInstruction(instr)
		}
	}
	if s := g.sources[f.Pkg]; s != nil && f == f.Pkg.Func("init") {
		for name := range s.links() { // code elsewhere may call these functions
			if linked := f.Pkg.Func(name); linked != nil {
				n.callees = append(n.callees, linked)
			}
		}
	}
	return n
}

func (n *node) readInstruction(instr ssa.Instruction) {
	for _, operand := range instr.Operands(nil) {
		if f, ok := (*operand).(*ssa.Function); ok {
			n.callees = append(n.callees, f)
		}
	}
	switch instr := instr.(type) {
	case *ssa.MakeInterface:
		n.types = append(n.types, instr.X.Type())
	case ssa.CallInstruction:
		if m := instr.Common().Method; m != nil && !m.Exported() {
			n.invoked = append(n.invoked, m.Id())
		}
	}
}

// readBodiless fills in the node n of a function f whose body is not known. Code outside of the program may call
// methods of its type arguments, and of values that it is given, which are seen where they are given. A function of the
// program without a body is written in assembly, which may call anything in its package, or is linked to a function of
// another name.
func (g *Graph) readBodiless(n *node, f *ssa.Function) {
	n.types = f.TypeArgs()
	if o := f.Origin(); o != nil {
		f = o
	}
	s := g.sources[f.Pkg]
	if s == nil {
		n.starts = startsProcesses(f)
		return
	}
	n.callees = g.functions(s)
	other := s.links()[f.Name()]
	for p, s := range g.sources {
		if strings.HasPrefix(other, p.Pkg.Path()+".") {
			n.callees = append(n.callees, g.functions(s)...)
		}
	}
}

// startsProcesses reports whether f, a function outside of the program, may start a process. Tests often start their
// own binary again with -test.run.
func startsProcesses(f *ssa.Function) bool {
	obj := f.Object() // nil: the initialization of a package
	return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "os/exec" ||
		slices.Contains([]string{"os.StartProcess", "syscall.StartProcess", "syscall.ForkExec", "syscall.Exec"}, f.String())
}

// functions returns the functions and methods that s declares.
func (g *Graph) functions(s *source) (list []*ssa.Function) {
	for _, obj := range s.info.Defs {
		if obj, ok := obj.(*types.Func); ok {
			if f := g.prog.FuncValue(obj); f != nil {
				list = append(list, f)
			}
		}
	}
	return list
}

// id returns the ID, as in results.json, of the declared function that f is or is part of; for a literal in a package
// variable it is that of the variable. It returns "" for synthetic functions and for functions of packages that are not
// touched.
func (g *Graph) id(f *ssa.Function) string {
	if o := f.Origin(); o != nil {
		f = o
	}
	pos := f.Pos()
	for f.Parent() != nil {
		f = f.Parent()
	}
	if f.Pkg == nil || !g.touched[f.Pkg.Pkg.Path()] {
		return ""
	}
	name := ""
	switch obj, ok := f.Object().(*types.Func); {
	case !ok:
		name = g.sources[f.Pkg].variable(pos)
	case f.Synthetic == "":
		name = obj.Name()
		if recv := obj.Signature().Recv(); recv != nil {
			name = receiver(recv.Type()) + "." + name
		}
	}
	if name == "" {
		return ""
	}
	return f.Pkg.Pkg.Path() + "." + name
}

// receiver returns the name of a receiver type t, without its pointer.
func receiver(t types.Type) string {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// variable returns the package variable whose initial value contains pos, "" if there is none. If several variables
// share the value, it returns the first.
func (s *source) variable(pos token.Pos) string {
	if s == nil {
		return ""
	}
	for _, v := range s.info.InitOrder {
		if v.Rhs.Pos() <= pos && pos < v.Rhs.End() {
			return v.Lhs[0].Name()
		}
	}
	return ""
}

// links returns the functions that have another name elsewhere, with that name, as in //go:linkname and //export lines.
func (s *source) links() map[string]string {
	links := map[string]string{}
	for _, f := range s.files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				switch fields := strings.Fields(c.Text); {
				case len(fields) < 2:
				case fields[0] == "//go:linkname":
					links[fields[1]] = strings.Join(fields[2:], "")
				case fields[0] == "//export":
					links[fields[1]] = fields[1]
				}
			}
		}
	}
	return links
}
