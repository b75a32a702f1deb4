package weave

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// A place is a piece of a function that mutated versions of itself can stand beside. At run time the mutant's number
// selects one of them.
type place struct {
	form       form
	start, end int // the range that mutants may change, as offsets in the file

	// For values that pass through temporary variables:
	from  int      // start of the text that the weaver replaces: the names that the statement declares
	at    int      // form header: where the choice is inserted
	close int      // form header: end of a block around choice and statement; 0: no such block
	types []string // types of the temporaries; form constant: type of the constant
	names string   // the left-hand side of a declaration, as in "x,y:="
}

// form says how the choice is written.
type form int

const (
	// statement is a simple statement that declares nothing: if M==1{x=b}else{x=a}.
	statement form = iota
	// condition is a condition or an operand of one: M==1&&(b)||M!=1&&(a).
	condition
	// declaration is the right-hand side of a declaration: var t T;if M==1{t=b}else{t=a};x:=t.
	declaration
	// header is what the header of a statement evaluates once and first. It is written like a declaration, but the
	// choice stands before the statement.
	header
	// post is the post statement of a for loop: func(){if M==1{i--}else{i++}}().
	post
	// constant is a constant expression: Pick[T](1,b,a).
	constant
)

// longStatement is the length in bytes from which a statement is not copied for a mutant of a constant in it: a table
// of a thousand numbers would be copied two thousand times. The constants of such statements are places of their own.
const longStatement = 600

// places finds the places of one function.
type places struct {
	fn      *function
	info    *types.Info
	gotos   bool
	elseIfs map[ast.Stmt]bool
	labels  map[ast.Stmt]*ast.LabeledStmt
	list    []place
}

// placesOf returns the places in fn.
func placesOf(fn *function) []place {
	p := &places{fn: fn, info: fn.source.Info, elseIfs: map[ast.Stmt]bool{}, labels: map[ast.Stmt]*ast.LabeledStmt{}}
	p.gotos = fn.jumps()
	ast.Inspect(fn.source.Decl.Body, p.visit)
	return p.list
}

func (p *places) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt:
		p.statements(n.List)
	case *ast.CaseClause:
		p.statements(n.Body)
	case *ast.CommClause:
		p.statements(n.Body)
	case *ast.LabeledStmt:
		p.labels[n.Stmt] = n
		p.statements([]ast.Stmt{n.Stmt})
	case *ast.IfStmt:
		p.elseIfs[n.Else] = true
		p.init(n, n.Init)
		p.condition(n.Cond)
	case *ast.ForStmt:
		p.init(n, n.Init)
		p.condition(n.Cond)
		p.post(n.Post)
	case *ast.RangeStmt:
		if n.Value != nil || !isArray(p.info.TypeOf(n.X)) { // otherwise only the length of n.X matters
			p.header(n, n.X)
		}
	case *ast.SwitchStmt:
		p.init(n, n.Init)
		if n.Init == nil && n.Tag != nil {
			p.header(n, n.Tag)
		}
		if n.Tag == nil {
			p.conditions(n.Body)
		}
	case *ast.TypeSwitchStmt:
		p.init(n, n.Init)
	}
	return true
}

// statements offers the simple statements of a list.
func (p *places) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				p.define(s)
				continue
			}
			offer(p, place{form: statement}, s)
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.ReturnStmt, *ast.GoStmt, *ast.DeferStmt:
			offer(p, place{form: statement}, s)
		case *ast.BranchStmt:
			// A body that is placed inBody has its labels renamed, which would not reach the copies.
			if s.Tok != token.FALLTHROUGH && (s.Label == nil || p.fn.where != inBody) {
				offer(p, place{form: statement}, s)
			}
		case *ast.DeclStmt:
			p.declare(s)
			continue
		default:
			continue
		}
		p.constants(s)
	}
}

// offer adds the place that nodes make up, unless they contain a function literal, whose copies would have to be
// instrumented, or line directives.
func offer[N ast.Node](p *places, at place, nodes ...N) {
	for _, n := range nodes {
		if holdsFunction(n) {
			return
		}
	}
	at.start, at.end = p.offset(nodes[0].Pos()), p.offset(nodes[len(nodes)-1].End())
	if text := p.fn.text(at.start, at.end); !strings.Contains(text, "/*line ") && !strings.Contains(text, "//line ") {
		p.list = append(p.list, at)
	}
}

func (p *places) offset(pos token.Pos) int { return p.fn.file.offset(pos) }

func holdsFunction(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		_, is := n.(*ast.FuncLit)
		found = found || is
		return !found
	})
	return found
}

// conditions offers the cases of a switch without a tag.
func (p *places) conditions(body *ast.BlockStmt) {
	for _, c := range body.List {
		for _, e := range c.(*ast.CaseClause).List {
			p.condition(e)
		}
	}
}

// condition offers e and the operands of the operators && and || in it.
func (p *places) condition(e ast.Expr) {
	switch x := e.(type) {
	case nil:
		return
	case *ast.ParenExpr:
		p.condition(x.X)
		return
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			p.condition(x.X)
		}
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			p.condition(x.X)
			p.condition(x.Y)
		}
	}
	offer(p, place{form: condition}, e)
}

// define offers the right-hand side of s, "x, y := a, b".
func (p *places) define(s *ast.AssignStmt) {
	p.constants(s)
	names, kinds, ok := p.defined(s)
	if ok {
		p.declaration(s, s.Rhs, names, kinds)
	}
}

// defined returns the left-hand side of the short declaration s, as in "x,y:=", and the types of its variables. ok is
// false if a type cannot be named there.
func (p *places) defined(s *ast.AssignStmt) (names string, kinds []string, ok bool) {
	for i, lhs := range s.Lhs {
		id := lhs.(*ast.Ident)
		var t types.Type
		switch obj := p.info.ObjectOf(id); {
		case obj != nil && id.Name != "_":
			t = obj.Type()
		case len(s.Rhs) == len(s.Lhs):
			t = p.info.TypeOf(s.Rhs[i])
		default:
			if tuple, ok := p.info.TypeOf(s.Rhs[0]).(*types.Tuple); ok {
				t = tuple.At(i).Type()
			}
		}
		kind, ok := p.typeName(s, t)
		if !ok {
			return "", nil, false
		}
		kinds = append(kinds, kind)
		names += "," + id.Name
	}
	return names[1:] + ":=", kinds, true
}

// declare offers the values of a declaration of variables.
func (p *places) declare(s *ast.DeclStmt) {
	d, ok := s.Decl.(*ast.GenDecl)
	if !ok || d.Tok != token.VAR {
		return
	}
	p.constants(s)
	if d.Lparen.IsValid() || len(d.Specs) != 1 {
		return
	}
	spec := d.Specs[0].(*ast.ValueSpec)
	if len(spec.Values) != len(spec.Names) {
		return
	}
	var kinds []string
	for i, id := range spec.Names {
		t := p.info.TypeOf(spec.Values[i])
		if obj := p.info.Defs[id]; obj != nil {
			t = obj.Type()
		}
		kind, ok := p.typeName(s, t)
		if !ok {
			return
		}
		kinds = append(kinds, kind)
	}
	// The weaver writes the text from "var" to the values anew.
	names := p.fn.text(p.offset(s.Pos()), p.offset(spec.Names[len(spec.Names)-1].End()))
	if spec.Type != nil {
		names += " " + p.fn.text(p.offset(spec.Type.Pos()), p.offset(spec.Type.End()))
	}
	if !strings.ContainsAny(names, "\n/") {
		p.declaration(s, spec.Values, names+"=", kinds)
	}
}

// declaration offers the values of s, a statement that declares names of types kinds.
func (p *places) declaration(s ast.Stmt, values []ast.Expr, names string, kinds []string) {
	offer(p, place{form: declaration, names: names, types: kinds, from: p.offset(s.Pos())}, values...)
}

// init offers the values that init, in the header of s, declares variables with.
func (p *places) init(s, init ast.Stmt) {
	a, ok := init.(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE {
		return
	}
	if names, kinds, ok := p.defined(a); ok {
		p.moved(s, a.Rhs, place{form: header, names: names, types: kinds, from: p.offset(a.Pos())})
	}
}

// header offers an expression in the header of s that is evaluated once,
// before anything else in s.
func (p *places) header(s ast.Stmt, e ast.Expr) {
	if kind, ok := p.typeName(s, p.info.TypeOf(e)); ok {
		p.moved(s, []ast.Expr{e}, place{form: header, types: []string{kind}, from: p.offset(e.Pos())})
	}
}

// moved offers values in the header of s. Their evaluation moves to before s.
func (p *places) moved(s ast.Stmt, values []ast.Expr, at place) {
	at.at = p.offset(s.Pos())
	switch label := p.labels[s]; {
	case label != nil && p.gotos:
		return // a goto to the label would jump over the choice
	case label != nil:
		at.at = p.offset(label.Pos())
	case p.gotos || p.elseIfs[s]:
		at.close = p.offset(s.End()) // a goto may not jump over a variable declaration; an else needs a block
	}
	offer(p, at, values...)
}

// post offers the post statement of a for loop, unless it calls anything.
func (p *places) post(s ast.Stmt) {
	if s == nil {
		return
	}
	calls := false
	ast.Inspect(s, func(n ast.Node) bool {
		_, is := n.(*ast.CallExpr)
		calls = calls || is // the callee may look at its callers, and post adds a frame
		return true
	})
	if !calls {
		offer(p, place{form: post}, s)
	}
}

// constants offers the constants in s if s is long.
func (p *places) constants(s ast.Stmt) {
	if s.End()-s.Pos() < longStatement {
		return
	}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // its statements are visited on their own
		case *ast.KeyValueExpr:
			// Leave keys alone: Go requires constants in some, and different ones in others.
			ast.Inspect(n.Value, visit)
			return false
		}
		return p.constant(n)
	}
	ast.Inspect(s, visit)
}

// constant offers n if it is a constant expression whose type can be named there. It returns true if n is no constant,
// so that its parts are visited.
func (p *places) constant(n ast.Node) bool {
	e, ok := n.(ast.Expr)
	if !ok || p.info.Types[e].Value == nil {
		return true
	}
	if kind, ok := p.typeName(e, p.info.TypeOf(e)); ok {
		offer(p, place{form: constant, types: []string{kind}}, e)
	}
	return true
}

// isArray reports whether t is an array or a pointer to one.
func isArray(t types.Type) bool {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// typeName returns how to write t at n as the type of a temporary. ok is false if t is untyped or cannot be named
// there.
func (p *places) typeName(n ast.Node, t types.Type) (name string, ok bool) {
	if b, ok := t.(*types.Basic); t == nil || ok && b.Info()&types.IsUntyped != 0 {
		return "", false
	}
	if _, ok := t.(*types.Tuple); ok {
		return "", false
	}
	return p.fn.source.TypeName(n.Pos(), t)
}
