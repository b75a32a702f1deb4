package callgraph

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// node is what is known of one function.
type node struct {
	fn      *ssa.Function
	read    bool            // the rest is filled in
	id      string          // of the declared function that it is or is a part of; empty: none is
	callees []*ssa.Function // that it names
	types   []types.Type    // of values that it makes interfaces
	invoked []string        // IDs of unexported methods that it calls through interfaces
	starts  bool            // it may start the test binary again, on other tests
}

// node returns what is known of f.
func (g *Graph) node(f *ssa.Function) *node {
	n := g.nodes[f]
	if n == nil {
		n = &node{fn: f}
		g.nodes[f] = n
	}
	if !n.read {
		n.read = true
		g.read(n)
	}
	return n
}

// read fills in n.
func (g *Graph) read(n *node) {
	n.id = g.id(n.fn)
	if n.fn.Blocks == nil {
		g.readBodiless(n)
	}
	for _, b := range n.fn.Blocks {
		for _, instr := range b.Instrs {
			n.readInstruction(instr)
		}
	}
	if s := g.sources[n.fn.Pkg]; s != nil && n.fn == n.fn.Pkg.Func("init") {
		n.callees = append(n.callees, s.linked(n.fn.Pkg)...)
	}
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

// readBodiless fills in n, whose body cannot be seen. Code outside calls
// what it is given: values, which are seen where they are given, and the
// methods of its type arguments. What is declared here is written in assembly,
// which may call anything in its package, or goes by another name elsewhere.
func (g *Graph) readBodiless(n *node) {
	origin := n.fn
	if o := origin.Origin(); o != nil {
		origin = o
	}
	s := g.sources[origin.Pkg]
	if s == nil {
		n.types = n.fn.TypeArgs()
		n.starts = startsProcesses(origin)
		return
	}
	n.callees = functions(origin.Pkg)
	target := packageOf(s.links()[origin.Name()])
	for p := range g.sources {
		if p.Pkg.Path() == target {
			n.callees = append(n.callees, functions(p)...)
		}
	}
}

// startsProcesses reports whether f, of another module or the standard library,
// starts a program: tests like to start themselves with -test.run.
func startsProcesses(f *ssa.Function) bool {
	obj := f.Object()
	if obj == nil || obj.Pkg() == nil {
		return false
	}
	switch obj.Pkg().Path() {
	case "os/exec":
		return true
	case "os", "syscall":
		switch obj.Name() {
		case "StartProcess", "ForkExec", "Exec":
			return true
		}
	}
	return false
}

// functions returns the functions and methods that p declares.
func functions(p *ssa.Package) (list []*ssa.Function) {
	for _, m := range p.Members {
		switch m := m.(type) {
		case *ssa.Function:
			list = append(list, m)
		case *ssa.Type:
			named, ok := m.Type().(*types.Named)
			for i := 0; ok && i < named.NumMethods(); i++ {
				if f := p.Prog.FuncValue(named.Method(i)); f != nil {
					list = append(list, f)
				}
			}
		}
	}
	return list
}

// id returns the ID, as results.json has it, of the declared function that f
// is or is a part of: for a literal in a package variable that of the variable.
// It is empty for what the compiler adds and for functions of packages that
// nobody asks for.
func (g *Graph) id(f *ssa.Function) string {
	if o := f.Origin(); o != nil {
		f = o
	}
	for f.Parent() != nil {
		if id := g.literals[f.Pos()]; id != "" {
			return id
		}
		f = f.Parent()
	}
	obj, ok := f.Object().(*types.Func)
	if !ok || f.Synthetic != "" || f.Pkg == nil || !g.touched[f.Pkg.Pkg.Path()] {
		return ""
	}
	id := f.Pkg.Pkg.Path() + "."
	if recv := obj.Signature().Recv(); recv != nil {
		id += receiver(recv.Type()) + "."
	}
	return id + obj.Name()
}

// receiver returns the name of a method's receiver type.
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

// links returns the names that go by another one elsewhere, as said in
// //go:linkname and //export lines, with the other name.
func (s *source) links() map[string]string {
	links := map[string]string{}
	for _, f := range s.files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				addLink(links, c)
			}
		}
	}
	return links
}

func addLink(links map[string]string, c *ast.Comment) {
	fields := strings.Fields(c.Text)
	switch {
	case len(fields) < 2:
	case fields[0] == "//go:linkname":
		links[fields[1]] = strings.Join(fields[2:], "")
	case fields[0] == "//export":
		links[fields[1]] = fields[1]
	}
}

// linked returns the functions of p, the package of s, that code elsewhere may
// call by link name.
func (s *source) linked(p *ssa.Package) (list []*ssa.Function) {
	for name := range s.links() {
		if f := p.Func(name); f != nil {
			list = append(list, f)
		}
	}
	return list
}

// packageOf returns the import path in a link name.
func packageOf(link string) string {
	slash := strings.LastIndexByte(link, '/') + 1
	dot := strings.IndexByte(link[slash:], '.')
	if dot < 0 {
		return ""
	}
	return link[:slash+dot]
}
