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
	Func int // index of its function among all woven ones
	// Code are its statements, from the case or default where they begin a clause. Empty: it has none, or its function is not
	// mutated.
	Code mutate.Span
	// Head is what they are done under, as in "if n > 0" or "for range list"; of the other branch of an if statement, where
	// Else holds, that statement's. Empty: they are not in such a block.
	Head mutate.Span
	Else bool
}

// anchor says where a counter belongs, as an offset in the text that was
// parsed. Clones of a function find the counters of the original by mapping
// their own anchors back.
type anchor int

// segment is the source range whose reaching a counter stands for. It is part of a list
// of statements.
type segment struct {
	start, end int
	block      int
	list       span
	code       span // its statements
	head       head
}

// head is the source range of what a list of statements is done under, up to its brace. With other they are what is done
// otherwise.
type head struct {
	span
	other bool
}

// span is the source range [start, end).
type span struct{ start, end int }

// instrument describes how one function's text gets counters and step checks.
// Both are statements on the line where they stand, so no line moves.
//
// Blocks follow cmd/cover: one at the start of every list of statements and
// one after each statement that control may leave early; and one for every
// else that the source leaves out. One at a label that a goto leads to is
// counted there and where the goto stands, so that the label stays with its loop.
type instrument struct {
	alias  string // of the probe's import
	offset func(token.Pos) int
	fn     int              // index of the function
	block  func(anchor) int // counter of an anchor; negative: none
	out    *edits
	segs   []segment
	labels map[string]anchor // that gotos lead to
}

// step is the check that ends hangs. It stands at function entries, loop heads
// and gotos.
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

// function instruments the body of a function.
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

// gotos finds the statements that gotos in body lead to, by their labels. Of several labels
// at one statement the first is where it begins.
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

// visit instruments what a node holds, except the lists of statements that its
// parent has dealt with.
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

// blocksOf instruments plain blocks that stand as statements in a list.
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

// headOf is what stands in front of the body of a statement.
func (in *instrument) headOf(n ast.Stmt, body *ast.BlockStmt) head {
	return head{span: span{in.offset(n.Pos()), in.offset(body.Lbrace)}}
}

// clause instruments a clause, which says by itself when its statements are done.
func (in *instrument) clause(n ast.Node, list []ast.Stmt, colon token.Pos) {
	first := len(in.segs)
	in.statements(list, in.offset(colon)+1, in.offset(n.End()), "", head{})
	if code := &in.segs[first].code; code.end > 0 {
		code.start = in.offset(n.Pos())
	}
}

// branch instruments both arms of an if, the arm that is not written included.
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

// statements puts counters into one list, which begins at offset open and ends
// at offset end. The brace or colon before it counts as part of it: a mutant
// that replaces the whole block is reached when the block is entered.
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

// leaves reports whether control may leave a list of statements within s, so
// that reaching s says nothing of reaching what follows it.
func leaves(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt,
		*ast.SelectStmt, *ast.BlockStmt, *ast.LabeledStmt:
		return true
	}
	return false
}

// blockOf returns the counter of the innermost segment that m is part of, or -1.
func (fn *function) blockOf(m *mutate.Mutant) int {
	best, size := -1, 0
	for _, s := range fn.segs {
		if s.start <= m.Offset && m.Offset < s.end && s.block >= 0 && (best < 0 || s.end-s.start <= size) && fn.within(m, s.list) {
			best, size = s.block, s.end-s.start
		}
	}
	return best
}

// within reports whether m changes nothing but a list of statements that it begins in. A mutant
// without a form may end a block and begin another, so what stands in place of the original has
// to leave a list, too; and it may move a label.
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

// withoutEnd is m without the whole lines at its end that it leaves as they are: the first one behind a part of the change that is
// undone may end the block.
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
