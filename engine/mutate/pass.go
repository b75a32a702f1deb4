package mutate

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// pass makes the mutants of one function.
type pass struct {
	*Function
	root    inspector.Cursor     // root of a file that holds nothing but the function
	uses    []use                // uses of objects in the function, by position
	reads   map[types.Object]int // how often the function reads each object
	ignores ignores
	seen    map[edit]bool // edits of the mutants so far
	changed []Lines       // Function.Changed without hunks that only reword texts

	errorText bool // all that the function returns becomes the text of errors
	memos     []memo
	caches    *caches
	reserved  map[types.Object]bool // result of capacities; nil: not computed yet
	pooled    map[types.Object]bool // result of findPooled; nil: not computed yet
	// bodyImports are the imports that only the function's body uses in the file; nil: not computed yet.
	bodyImports []*types.PkgName

	op      *Operator // the operator being applied
	arid    string    // rule by which the visited node is arid; empty: none
	mutants []Mutant
}

// site is a node of a function as an operator sees it.
type site struct {
	inspector.Cursor
	*pass
}

func newPass(f *Function) *pass {
	file := &ast.File{Package: f.Decl.Pos(), Name: f.Syntax.Name, Decls: []ast.Decl{f.Decl}}
	p := &pass{Function: f, root: inspector.New([]*ast.File{file}).Root(), uses: usesIn(f), ignores: findIgnores(f), seen: make(map[edit]bool), changed: f.Changed}
	p.reads = readsOf(p.uses)
	p.errorText = writesErrors(p)
	p.memos = p.findMemos()
	p.caches = p.findCaches()
	for i := range f.Hunks {
		if h := &f.Hunks[i]; p.rewords(h) {
			p.changed = without(p.changed, Lines{h.First, h.First + h.Count - 1})
		}
	}
	return p
}

// without returns the ranges without the lines of gone.
func without(ranges []Lines, gone Lines) (rest []Lines) {
	for _, r := range ranges {
		for _, part := range []Lines{{r.First, min(r.Last, gone.First-1)}, {max(r.First, gone.Last+1), r.Last}} {
			if part.First <= part.Last {
				rest = append(rest, part)
			}
		}
	}
	return rest
}

// run applies every operator to every node of the function's body.
func (p *pass) run() {
	body, ok := p.root.FindNode(p.Decl.Body)
	if ok {
		rule := p.aridFunction()
		p.visit(body, rule, rule)
	}
}

// visit applies every operator to the node and the nodes below it. Nodes below an arid node are arid, with two
// exceptions: the header of a statement whose branches are arid, if it acts, and function literals passed to a call that
// calls them back. These have the rule literals.
func (p *pass) visit(c inspector.Cursor, arid, literals string) {
	if p.fixed(c) {
		return
	}
	if c.ParentEdgeKind() == edge.CallExpr_Args {
		if _, ok := c.Node().(*ast.FuncLit); ok {
			arid = literals
		}
	}
	header := arid
	if arid == "" {
		if arid = p.aridRule(c); !registers[arid] {
			literals = arid
		}
		header = arid
		if s, ok := c.Node().(ast.Stmt); ok && arid == "" {
			arid = p.aridBranches(s)
			literals = arid
		}
	}
	for _, op := range registry {
		p.op, p.arid = op, arid
		op.mutate(&site{c, p})
	}
	for child := range c.Children() {
		if isHeader(child.ParentEdgeKind()) {
			p.visit(child, header, header)
		} else {
			p.visit(child, arid, literals)
		}
	}
}

// isHeader reports whether a child is in the header of a statement, except for the condition of an if.
func isHeader(kind edge.Kind) bool {
	switch kind {
	case edge.IfStmt_Init, edge.ForStmt_Init, edge.ForStmt_Cond, edge.ForStmt_Post, edge.RangeStmt_X:
		return true
	}
	return false
}

// fixed reports whether nothing at or below the node can be mutated. This holds
// for types, constant declarations, labels, the guards of type switches, and
// constant cases (duplicate cases do not compile).
func (p *pass) fixed(c inspector.Cursor) bool {
	switch c.ParentEdgeKind() {
	case edge.TypeSwitchStmt_Assign, edge.LabeledStmt_Label, edge.BranchStmt_Label,
		edge.CompositeLit_Type, edge.TypeAssertExpr_Type, edge.ValueSpec_Type:
		return true
	case edge.CaseClause_List:
		return p.isConstant(c.Node().(ast.Expr))
	}
	switch n := c.Node().(type) {
	case *ast.GenDecl:
		return n.Tok != token.VAR
	case *ast.ArrayType, *ast.StructType, *ast.FuncType, *ast.InterfaceType, *ast.MapType, *ast.ChanType:
		return true
	}
	return false
}

// at returns the site of one of the node's children.
func (s *site) at(child ast.Node) *site {
	return &site{s.Child(child), s.pass}
}

// expr returns the site's node, which must be an expression.
func (s *site) expr() ast.Expr { return s.Node().(ast.Expr) }

// replace offers the mutant that has text in place of [from, to). The mutant is
// not type-checked: the operator is responsible for it and for its form.
func (s *site) replace(from, to token.Pos, text string, form Form, probe *Probe) {
	start, end := s.Fset.PositionFor(from, false), s.Fset.PositionFor(to, false)
	m := Mutant{
		Function: s.ID, Operator: s.op.Name, File: s.File,
		Line: start.Line, Column: start.Column, EndLine: end.Line, EndColumn: end.Column,
		Offset: start.Offset, EndOffset: end.Offset,
		Original:    string(s.Source[start.Offset:end.Offset]),
		Replacement: text,
		Form:        form,
		OnDiff:      overlaps(s.changed, start.Line, end.Line),
		Probe:       probe,
	}
	e := editOf(&m)
	if e.empty() || s.seen[e] {
		return
	}
	s.seen[e] = true
	m.Before, m.After = changedLines(s.Source, m.Offset, m.EndOffset, text)
	if m.Ignored = s.ignores.reason(start.Line); m.Ignored == "" && s.arid != "" {
		m.Arid, m.Ignored = s.arid, "arid code: "+s.arid
	}
	s.mutants = append(s.mutants, m)
	s.alters(len(s.mutants)-1, from, to)
}

// alters sets Beside of mutants[first:], of which only [from, to) is altered: the rest of their ranges stays the same.
func (s *site) alters(first int, from, to token.Pos) {
	isNew := s.isNew(s.offset(from), s.offset(to))
	for i := range s.mutants[first:] {
		m := &s.mutants[first+i]
		m.Beside = m.OnDiff && !isNew
	}
}

// altersOperator sets Beside of mutants[first:], which put another operator between the operands of n. They are about
// the change only if it brought the operator or a whole operand, or took something away between the operands.
func (s *site) altersOperator(first int, n *ast.BinaryExpr) {
	left, right := s.offset(n.X.End()), s.offset(n.Y.Pos())
	taken := func(f Span) bool { return f.Start == f.End && left <= f.Start && f.Start <= right }
	isNew := s.isNew(s.offset(n.OpPos), s.offset(n.OpPos)+len(n.Op.String())) || s.allNew(n.X) || s.allNew(n.Y) || slices.ContainsFunc(s.Fresh, taken)
	for i := range s.mutants[first:] {
		m := &s.mutants[first+i]
		m.Beside = m.OnDiff && !isNew
	}
}

// allNew reports whether the change brought the whole node.
func (s *site) allNew(n ast.Node) bool {
	start, end, fresh := s.offset(n.Pos()), s.offset(n.End()), 0
	for _, f := range s.Fresh {
		if start < f.End && f.Start < end {
			fresh += s.ink(max(start, f.Start), min(end, f.End))
		}
	}
	return fresh == s.ink(start, end)
}

// fewNew bounds what counts as new: in code of several lines, at least one in fewNew bytes has to be new.
const fewNew = 3

// isNew reports whether the change altered the source in [start, end). For several lines, a fair part has to be new.
func (s *site) isNew(start, end int) bool {
	found, fresh := false, 0
	for _, f := range s.Fresh {
		if start < f.End && f.Start < end {
			found = true
			fresh += s.ink(max(start, f.Start), min(end, f.End))
		}
	}
	return found && (fewNew*fresh >= s.ink(start, end) || !strings.Contains(string(s.Source[start:end]), "\n"))
}

// ink counts the bytes of the source in [start, end) that are not white space.
func (s *site) ink(start, end int) int {
	return len(strings.Join(strings.Fields(string(s.Source[start:end])), ""))
}

// changedLines returns the whole lines of src that contain [from, to), and the
// same lines with text in its place, both without the last newline.
func changedLines(src []byte, from, to int, text string) (before, after string) {
	first := bytes.LastIndexByte(src[:from], '\n') + 1
	last := to
	if to == from || src[to-1] != '\n' { // else the line ends there
		if n := bytes.IndexByte(src[to:], '\n'); n >= 0 {
			last = to + n
		} else {
			last = len(src)
		}
	}
	before, after = string(src[first:last]), string(src[first:from])+text+string(src[to:last])
	return strings.TrimSuffix(before, "\n"), strings.TrimSuffix(after, "\n")
}

// replaceNode offers the mutant that has text, a node too, in place of the
// site's node. The mutant is not type-checked.
func (s *site) replaceNode(text string, probe *Probe) {
	s.replaceWhole(text, Form{Kind: Rewrites}, probe)
}

// replaceWhole offers the mutant that has text in place of the site's node,
// with the given form. The mutant is not type-checked.
func (s *site) replaceWhole(text string, form Form, probe *Probe) {
	s.replace(s.Node().Pos(), s.Node().End(), text, form, probe)
}

// replaceExpr offers the mutant that has text, an expression of the given
// precedence, in place of the site's expression, unless the mutant does not
// compile. If text has fewer lines than the original, line ends are added, so
// that the code after it keeps its line numbers.
func (s *site) replaceExpr(text string, precedence int, probe *Probe) {
	missing := strings.Count(s.source(s.Node()), "\n") - strings.Count(text, "\n")
	if missing > 0 || s.needsParens(precedence) {
		text = "(" + strings.Repeat("\n", max(missing, 0)) + text + ")"
	}
	if s.fits(text) {
		s.replaceNode(text, probe)
	}
}

// never offers the mutant in which the site's condition is false: "c && false".
// The condition is still evaluated: its calls are made, and its variables used.
func (s *site) never() {
	if s.ParentEdgeKind() != edge.IfStmt_Cond {
		s.force(token.LAND, "false", WhenTrue)
		return
	}
	before, rule, branch := len(s.mutants), s.pass.arid, s.Parent().Node().(*ast.IfStmt)
	if rule == "" && s.recalls(branch) {
		s.pass.arid = aridMemo
	}
	s.force(token.LAND, "false", WhenTrue)
	s.pass.arid = rule
	if len(s.mutants) > before {
		s.mutants[before].Given = s.given(s.Parent())
		s.mutants[before].BranchEnd = s.Fset.PositionFor(branch.Body.End(), false).Offset
		if branch.Init == nil && branch.Else == nil { // otherwise the statement stays
			s.leavesOut(before, branch.Cond.Pos(), branch.Body.End())
		}
	}
}

// always offers the mutant in which the site's condition is true: "c || true".
func (s *site) always() {
	before := len(s.mutants)
	s.force(token.LOR, "true", WhenFalse)
	if s.ParentEdgeKind() != edge.IfStmt_Cond || len(s.mutants) == before {
		return
	}
	s.mutants[before].Given = s.given(s.Parent())
	s.mutants[before].Else = s.otherwise(s.Parent())
}

// otherwise returns the range of what runs if the condition of the if statement at c is false: its else branch, or the
// statements after it if its body ends by leaving. The range is empty if there is neither.
func (s *site) otherwise(c inspector.Cursor) Span {
	n := c.Node().(*ast.IfStmt)
	span := func(first, last ast.Node) Span {
		return Span{s.Fset.PositionFor(first.Pos(), false).Offset, s.Fset.PositionFor(last.End(), false).Offset}
	}
	if n.Else != nil {
		return span(n.Else, n.Else)
	}
	next, ok := c.NextSibling()
	if !ok || !LeavesAtEnd(n.Body) {
		return Span{}
	}
	last := next
	for more, ok := next, true; ok; more, ok = last.NextSibling() {
		last = more
	}
	return span(next.Node(), last.Node())
}

// LeavesAtEnd reports whether a block ends with a return, break, continue or goto.
func LeavesAtEnd(block *ast.BlockStmt) bool {
	if len(block.List) == 0 {
		return false
	}
	switch block.List[len(block.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// force offers the mutant that connects the site's condition with a constant, as in "c && false".
func (s *site) force(op token.Token, value string, infects ProbeKind) {
	if s.predeclared(value) {
		text, before := s.operand(s.expr(), op.Precedence())+" "+op.String()+" "+value, len(s.mutants)
		s.replaceExpr(text, op.Precedence(), s.watch(infects))
		s.leavesOut(before, s.Node().Pos(), s.Node().End())
	}
}

// inList reports whether the site is a statement in a block or clause, where
// another statement can take its place.
func (s *site) inList() bool {
	switch s.ParentEdgeKind() {
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
		return true
	}
	return false
}

// overlaps reports whether one of the ranges contains a line of [first, last].
func overlaps(ranges []Lines, first, last int) bool {
	for _, r := range ranges {
		if r.First <= last && first <= r.Last {
			return true
		}
	}
	return false
}
