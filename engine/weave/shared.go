package weave

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

// Most mutants of a function share one clone, in which each stands beside the statement or condition that it changes.
// Such a mutant costs the length of the statement. A clone of its own would cost the length of the function, and
// compile time would grow with the square of that length.

// placed is a place with the mutants that share it.
type placed struct {
	place
	mutants []*mutate.Mutant
}

// sharing is the shared clone of one function.
type sharing struct {
	fn      *function
	mutants []*mutate.Mutant // the mutants in it
	edits   edits            // of the file, that insert them
	temps   int              // how many temporary variables there are
}

// share puts those of mutants that can share a clone into one, and returns the others in rest.
func share(fn *function, mutants []*mutate.Mutant) (s *sharing, rest []*mutate.Mutant) {
	s = &sharing{fn: fn}
	found := placesOf(fn)
	// Shortest first; of places of equal length, the simpler form.
	slices.SortStableFunc(found, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.end-a.start, b.end-b.start), cmp.Compare(a.form, b.form))
	})
	taken := make([][]*mutate.Mutant, len(found))
	for _, m := range mutants {
		if s.switched(m) {
			s.mutants = append(s.mutants, m)
			continue
		}
		i := slices.IndexFunc(found, func(p place) bool { return fn.fits(m, p) })
		if i < 0 {
			rest = append(rest, m)
			continue
		}
		taken[i] = append(taken[i], m)
		s.mutants = append(s.mutants, m)
	}
	for i, list := range taken {
		if len(list) > 0 {
			s.place(placed{found[i], list})
		}
	}
	return s, rest
}

// switched inserts a mutant whose form can be switched on and off where it stands, and reports whether it did.
func (s *sharing) switched(m *mutate.Mutant) bool {
	switch m.Form.Kind {
	case mutate.Adds:
		return s.add(m)
	case mutate.Disables:
		return s.disable(m, m.Offset, m.EndOffset)
	case mutate.Empties:
		return s.disable(m, m.Offset+len("{"), m.EndOffset-len("}"))
	}
	return false
}

// add inserts a mutant that adds a block, and reports whether it did.
func (s *sharing) add(m *mutate.Mutant) bool {
	if !simple(m.Form.Block) {
		return false
	}
	n := s.fn.numbers[m]
	var added passage
	fmt.Fprintf(&added, "if %s.M==%d", s.fn.file.alias, n)
	added.own(owner{aPlaced, n}, plain(m.Form.Block))
	added.add(";")
	if m.Form.Offset == m.Offset {
		// A wrap, so that edits around a longer text that begins here enclose the block, too.
		s.edits.wrap(m.Offset, m.EndOffset, added, "")
		return true
	}
	s.edits.insert(m.Form.Offset, ";")
	s.edits.splice(m.Form.Offset, added)
	return true
}

// simple reports whether a block is a single line without anything to instrument.
func simple(block string) bool {
	d, err := parseDecl("func _()" + block)
	return err == nil && !strings.Contains(block, "\n") && !slices.ContainsFunc(d.decl.Body.List, instrumented)
}

// disable inserts a mutant in which the statements in a range of the file do not run, and reports whether it did.
func (s *sharing) disable(m *mutate.Mutant, start, end int) bool {
	if s.fn.labelled(start, end) {
		return false
	}
	s.edits.wrap(start, end, plain(fmt.Sprintf("if %s.M!=%d{", s.fn.file.alias, s.fn.numbers[m])), "}")
	return true
}

// labelled reports whether a label stands in a range of the file: a goto could not jump into a block there.
func (fn *function) labelled(start, end int) (found bool) {
	ast.Inspect(fn.body, func(n ast.Node) bool {
		l, ok := n.(*ast.LabeledStmt)
		found = found || ok && start <= fn.file.offset(l.Pos()) && fn.file.offset(l.Pos()) < end
		return !found
	})
	return found
}

// fits reports whether m changes nothing outside of p and its mutated version can stand beside p.
func (fn *function) fits(m *mutate.Mutant, p place) bool {
	if m.Offset < p.start || m.EndOffset > p.end {
		return false
	}
	text := fn.mutated(m, p.start, p.end)
	switch p.form {
	case condition, declaration, header, constant:
		e, err := parser.ParseExpr("f(" + text + ")") // a call, because there may be several expressions
		if err != nil || holdsFunction(e) {
			return false
		}
		_, call := e.(*ast.CallExpr)
		return call && (p.form != constant || p.end-p.start < longStatement)
	}
	d, err := parseDecl("func _(){" + text + "}")
	return err == nil && alike(d.decl.Body.List, fn.text(p.start, p.end))
}

// alike reports whether list can stand beside the statement original: list contains nothing to instrument and no
// declarations, and if original is terminating, so is list.
func alike(list []ast.Stmt, original string) bool {
	if slices.ContainsFunc(list, instrumented) {
		return false
	}
	d, err := parseDecl("func _(){" + original + "}")
	return err == nil && len(list) > 0 && (!ends(d.decl.Body.List) || ends(list))
}

// instrumented reports whether a statement contains anything that needs instrumentation, or a declaration.
func instrumented(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt, *ast.DeclStmt:
			found = true
		case *ast.AssignStmt:
			found = found || n.Tok == token.DEFINE
		}
		return !found
	})
	return found
}

// ends reports whether a list ends in a return, goto or panic, so that control never reaches its end.
func ends(list []ast.Stmt) bool {
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.GOTO
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && isNamed(call.Fun, "panic")
	}
	return false
}

// text returns the range [start, end) of the file.
func (fn *function) text(start, end int) string { return string(fn.file.src[start:end]) }

// mutated returns the range [start, end) of the file with m applied.
func (fn *function) mutated(m *mutate.Mutant, start, end int) string {
	return m.Splice(fn.text(start, m.Offset), start) + m.Replacement + fn.text(m.EndOffset, end)
}

// place inserts the mutants of one place.
func (s *sharing) place(p placed) {
	switch p.form {
	case statement:
		s.edits.wrap(p.start, p.end, s.choice(p, "", ""), "}")
	case post:
		s.edits.wrap(p.start, p.end, s.choice(p, "func(){", ""), "}}()")
	case condition:
		s.edits.wrap(p.start, p.end, s.algebra(p), "))")
	case constant:
		s.constant(p)
	case declaration:
		temps, declared := s.temporaries(p)
		before := s.choice(p, declared, temps+"=")
		if strings.Contains(s.fn.text(p.from, p.start), "\n") {
			before.add(s.line(p.start))
		}
		s.edits.replace(p.from, p.start, "")
		s.edits.wrap(p.start, p.end, before, "};"+p.names+temps)
	case header:
		s.header(p)
	}
}

// header inserts the choice before the statement in whose header p stands.
func (s *sharing) header(p placed) {
	temps, declared := s.temporaries(p)
	if p.close > 0 {
		declared = "{" + declared
	}
	choice, value := s.choice(p, declared, temps+"="), p.names+temps
	choice.add(s.fn.text(p.start, p.end) + "};")
	if strings.Contains(string(choice.text)+s.fn.text(p.from, p.end), "\n") {
		choice.add(s.line(p.at))
		value += s.line(p.end)
	}
	if p.close > 0 {
		s.edits.wrap(p.at, p.close, choice, "}")
	} else {
		s.edits.lead(p.at, choice)
	}
	s.edits.replace(p.from, p.end, value)
}

// temporaries returns a new variable for each value of p: the list of names, and the statements that declare them.
func (s *sharing) temporaries(p placed) (names, declared string) {
	for _, t := range p.types {
		s.temps++
		name := fmt.Sprintf("%st%d", s.fn.file.alias, s.temps)
		names += "," + name
		declared += "var " + name + " " + t + ";"
	}
	return names[1:], declared
}

// choice returns the text before p of an if statement that selects one of the mutants or the original. It begins with
// first; lead stands before each alternative, as in "t=". The caller has to add the closing brace after p.
func (s *sharing) choice(p placed, first, lead string) passage {
	b := plain(first)
	for _, m := range p.mutants {
		n := s.fn.numbers[m]
		fmt.Fprintf(&b, "if %s.M==%d", s.fn.file.alias, n)
		b.own(owner{aPlaced, n}, plain("{"+lead+s.copyOf(p, m)+"}"))
		b.add("else ")
	}
	b.add("{" + lead + s.back(p))
	return b
}

// algebra returns the text before a condition that selects one of the mutants or the original with && and ||. The
// caller has to add two closing parentheses after p.
func (s *sharing) algebra(p placed) passage {
	alias := s.fn.file.alias
	b, others := plain("("), ""
	for _, m := range p.mutants {
		n := s.fn.numbers[m]
		fmt.Fprintf(&b, "%s.M==%d&&", alias, n)
		b.own(owner{aPlaced, n}, plain("("+s.copyOf(p, m)+")"))
		b.add("||")
		others += fmt.Sprintf("%s.M!=%d&&", alias, n)
	}
	b.add(others + "(" + s.back(p))
	return b
}

// constant inserts the mutants of a constant as nested calls of Pick: each selects its mutant or the next inner call.
func (s *sharing) constant(p placed) {
	for i, m := range p.mutants {
		n := s.fn.numbers[m]
		before := fmt.Sprintf("%s.Pick[%s](%d,%s,", s.fn.file.alias, p.types[0], n, s.copyOf(p, m))
		if i == len(p.mutants)-1 {
			before += s.back(p)
		}
		s.edits.wrapFor(owner{aPlaced, n}, p.start, p.end, plain(before), ")")
	}
}

// copyOf returns the text of p with m applied, with a line directive if one is needed to keep the original's lines.
func (s *sharing) copyOf(p placed, m *mutate.Mutant) string {
	return s.back(p) + s.fn.mutated(m, p.start, p.end)
}

// back returns a line directive for the start of p if a copy of p spans several lines, else "".
func (s *sharing) back(p placed) string {
	for _, m := range p.mutants {
		if strings.Contains(s.fn.mutated(m, p.start, p.end), "\n") {
			return s.line(p.start)
		}
	}
	return ""
}

// line returns a line directive that gives what follows the position of offset in the file.
func (s *sharing) line(offset int) string {
	p := s.fn.file.reported(offset)
	if p.Column == 0 { // in the form without a column, an empty file name would not mean the current file
		return inLine(p.Filename, p)
	}
	return inLine("", p)
}
