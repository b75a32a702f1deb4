package weave

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

// Block is one basic block that has a counter.
type Block struct {
	File string // relative to the root
	Line int
	Func int // index of its function in Woven.Funcs
	// Code is the range of its statements. At the beginning of a clause it starts at the case or default. It is empty
	// if the block has no statements or its function is not mutated.
	Code mutate.Span
	// Head is the range of the header right before the statements, as in "if n > 0" or "for range list". With Else they
	// are the else branch of that if statement. Head is empty for all other lists of statements.
	Head mutate.Span
	Else bool
}

// anchor identifies the place of a counter by its offset in the text that was parsed. Clones of a function find the
// counters of the original by mapping their own anchors back.
type anchor int

// segment is a source range that belongs to one counter: part of a statement list, a post statement, or an else-if.
type segment struct {
	start, end int
	block      int  // number of the counter; negative: none
	list       span // the whole list
	code       span // the statements of the segment
	head       head
}

// head is the source range of the header that a list of statements depends on, up to its brace. If other is true, the
// list is the else branch.
type head struct {
	span
	other bool
}

// span is the source range [start, end).
type span struct{ start, end int }

// instrument inserts counters and step checks into one function's text. Both are statements that are inserted within a
// line, so no line moves.
//
// Blocks follow cmd/cover: one begins at the start of every list of statements, and one after each statement that
// control may leave early. In addition, every missing else gets a block. A block at a label is counted before the
// label, so that the label stays with its loop; each goto to the label therefore counts the block as well.
type instrument struct {
	alias  string // of the probe's import
	offset func(token.Pos) int
	fn     int              // index of the function
	block  func(anchor) int // returns the counter of an anchor; negative: none
	out    *edits
	segs   []segment
	labels map[string]anchor // the labels that gotos lead to
}

// step returns the check that ends hangs. It stands at function entries, loop heads and gotos.
func step(alias string) string {
	return fmt.Sprintf("if %[1]s.Steps--;%[1]s.Steps<0{%[1]s.Stepped()};", alias)
}

func (in *instrument) entry() string {
	return fmt.Sprintf("if %[1]s.Fns[%[2]d]==0{%[1]s.Touch(%[2]d)};", in.alias, in.fn) + step(in.alias)
}

func (in *instrument) count(block int) string {
	if block < 0 {
		return ""
	}
	return fmt.Sprintf("%s.Cov[%d]++;", in.alias, block)
}

// function instruments the body of a function, including the function literals in it.
func (in *instrument) function(body *ast.BlockStmt) {
	outer := in.labels
	defer func() { in.labels = outer }()
	in.labels = in.gotos(body)
	in.statements(body.List, in.offset(body.Lbrace)+1, in.offset(body.Rbrace), in.entry(), head{})
	in.blocksOf(body)
	for _, s := range body.List {
		ast.Inspect(s, in.visit)
	}
}

// gotos returns the anchors of the statements that gotos in body lead to, by label. All labels of one statement have
// the anchor of the first.
func (in *instrument) gotos(body *ast.BlockStmt) map[string]anchor {
	labels, used := map[string]anchor{}, map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.LabeledStmt:
			if _, inner := labels[n.Label.Name]; !inner {
				labels[n.Label.Name] = anchor(in.offset(n.Pos()))
			}
			if l, ok := n.Stmt.(*ast.LabeledStmt); ok {
				labels[l.Label.Name] = labels[n.Label.Name]
			}
		case *ast.BranchStmt:
			if n.Tok == token.GOTO {
				used[n.Label.Name] = true
			}
		}
		return true
	})
	maps.DeleteFunc(labels, func(name string, _ anchor) bool { return !used[name] })
	return labels
}

// visit instruments the parts of a node, except the statement lists that its parent has instrumented.
func (in *instrument) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		in.function(n.Body)
		return false
	case *ast.IfStmt:
		in.branch(n)
	case *ast.ForStmt:
		in.loop(n, n.Body)
		if n.Post != nil {
			in.cover(n.Post, in.block(anchor(in.offset(n.Body.Lbrace)+1)))
		}
	case *ast.RangeStmt:
		in.loop(n, n.Body)
	case *ast.CaseClause:
		in.clause(n, n.Body, n.Colon)
	case *ast.CommClause:
		in.clause(n, n.Body, n.Colon)
	case *ast.BranchStmt:
		if n.Tok == token.GOTO {
			if at, ok := in.labels[n.Label.Name]; ok {
				in.out.insert(in.offset(n.Pos()), in.count(in.block(at)))
			}
			in.out.insert(in.offset(n.Pos()), step(in.alias))
		}
	}
	in.blocksOf(n)
	return true
}

// blocksOf instruments the plain blocks among the statements of n.
func (in *instrument) blocksOf(n ast.Node) {
	var list []ast.Stmt
	switch n := n.(type) {
	case *ast.BlockStmt:
		list = n.List
	case *ast.CaseClause:
		list = n.Body
	case *ast.CommClause:
		list = n.Body
	case *ast.LabeledStmt:
		list = []ast.Stmt{n.Stmt}
	}
	for _, s := range list {
		if b, ok := s.(*ast.BlockStmt); ok {
			in.list(b, head{})
		}
	}
}

func (in *instrument) list(b *ast.BlockStmt, under head) {
	in.statements(b.List, in.offset(b.Lbrace)+1, in.offset(b.Rbrace), "", under)
}

func (in *instrument) loop(n ast.Stmt, body *ast.BlockStmt) {
	in.statements(body.List, in.offset(body.Lbrace)+1, in.offset(body.Rbrace), step(in.alias), in.headOf(n, body))
}

// headOf returns the part of a statement before its body.
func (in *instrument) headOf(n ast.Stmt, body *ast.BlockStmt) head {
	return head{span: span{in.offset(n.Pos()), in.offset(body.Lbrace)}}
}

// clause instruments the statements of a case or default clause. The range of its code includes the case itself.
func (in *instrument) clause(n ast.Node, list []ast.Stmt, colon token.Pos) {
	first := len(in.segs)
	in.statements(list, in.offset(colon)+1, in.offset(n.End()), "", head{})
	if code := &in.segs[first].code; code.end > 0 {
		code.start = in.offset(n.Pos())
	}
}

// branch instruments both branches of an if statement. A missing else branch gets one that only counts.
func (in *instrument) branch(n *ast.IfStmt) {
	under := in.headOf(n, n.Body)
	in.list(n.Body, under)
	under.other = true
	switch e := n.Else.(type) {
	case nil:
		at := in.offset(n.Body.Rbrace) + 1
		if b := in.block(anchor(at)); b >= 0 {
			in.out.tail(at, "else{"+in.count(b)+"}")
		}
	case *ast.BlockStmt:
		in.list(e, under)
	case *ast.IfStmt:
		start, end := in.offset(e.Pos()), in.offset(e.End())
		if b := in.block(anchor(start)); b >= 0 {
			in.out.wrap(start, end, plain("{"+in.count(b)), "}")
			in.cover(e, b)
			last := &in.segs[len(in.segs)-1]
			last.code, last.head = span{start, end}, under
		}
	}
}

// statements inserts counters into the list of statements from offset open to offset end. The brace or colon before the
// list belongs to its first segment: a mutant that replaces the whole block is reached when the block is entered.
func (in *instrument) statements(list []ast.Stmt, open, end int, prologue string, under head) {
	b := in.block(anchor(open))
	in.out.insert(open, prologue+in.count(b))
	seg := segment{start: open - 1, block: b, list: span{open, end}, head: under}
	for i, s := range list {
		at := in.offset(s.Pos())
		if in.isGoal(s) || i > 0 && leaves(list[i-1]) {
			seg.end = at
			in.segs = append(in.segs, seg)
			seg.start, seg.block, seg.code = at, in.block(anchor(at)), span{}
			in.out.insert(at, in.count(seg.block))
		}
		if seg.code.end == 0 {
			seg.code.start = at
		}
		seg.code.end = in.offset(s.End())
	}
	seg.end = end
	in.segs = append(in.segs, seg)
}

// isGoal reports whether a goto leads to s.
func (in *instrument) isGoal(s ast.Stmt) bool {
	l, ok := s.(*ast.LabeledStmt)
	return ok && slices.Contains(slices.Collect(maps.Values(in.labels)), anchor(in.offset(l.Pos())))
}

func (in *instrument) cover(n ast.Node, block int) {
	start, end := in.offset(n.Pos()), in.offset(n.End())
	in.segs = append(in.segs, segment{start: start, end: end, block: block, list: span{start, end}})
}

// leaves reports whether control may leave a list of statements inside s, so that reaching s does not imply reaching
// the statement after it.
func leaves(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt,
		*ast.SelectStmt, *ast.BlockStmt, *ast.LabeledStmt:
		return true
	}
	return false
}

// blockOf returns the counter of the smallest segment that m begins in and whose list m does not leave, or -1.
func (fn *function) blockOf(m *mutate.Mutant) int {
	best, size := -1, 0
	for _, s := range fn.segs {
		if s.start <= m.Offset && m.Offset < s.end && s.block >= 0 && (best < 0 || s.end-s.start <= size) && fn.within(m, s.list) {
			best, size = s.block, s.end-s.start
		}
	}
	return best
}

// within reports whether m changes only the given list of statements. Mutants with a form always do. Any other mutant
// may close a block and open another one, so the list has to parse as one with the mutant applied. It may also move a
// label, so nothing is assumed about functions with gotos.
func (fn *function) within(m *mutate.Mutant, list span) bool {
	if m.Form.Kind != mutate.Anything {
		return true
	}
	m = withoutEnd(m)
	if m.Offset < list.start || m.EndOffset > list.end || fn.jumps() {
		return false
	}
	_, err := parseDecl("func _(){" + fn.mutated(m, list.start, list.end) + "\n}")
	return err == nil
}

// withoutEnd returns m without the whole lines at its end that it leaves unchanged. When m undoes a part of the change,
// the first line after that part may close the block.
func withoutEnd(m *mutate.Mutant) *mutate.Mutant {
	c := *m
	for {
		line := c.Original[strings.LastIndexByte(strings.TrimSuffix(c.Original, "\n"), '\n')+1:]
		if line == "" || c.Replacement != line && !strings.HasSuffix(c.Replacement, "\n"+line) {
			return &c
		}
		c.Original, c.Replacement = strings.TrimSuffix(c.Original, line), strings.TrimSuffix(c.Replacement, line)
		c.EndOffset -= len(line)
	}
}

// jumps reports whether there is a goto in fn.
func (fn *function) jumps() (found bool) {
	ast.Inspect(fn.body, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Tok == token.GOTO
		return !found
	})
	return found
}
