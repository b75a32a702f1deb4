package weave

import (
	"fmt"
	"go/ast"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

// The operators below exist for this test only. Their mutants have other texts than those of any operator of package
// mutate, even where they have the same form.

// rewording collects the mutants of one function.
type rewording struct {
	*mutate.Function
	list []mutate.Mutant
}

func reworded(f *mutate.Function) []mutate.Mutant {
	r := &rewording{Function: f}
	ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			r.statements(n.List)
		case *ast.CaseClause:
			r.statements(n.Body)
			if len(n.Body) > 0 {
				r.skip(n.Body)
			}
		case *ast.IfStmt:
			r.hollow(n.Body)
			r.move(n)
		case *ast.ForStmt:
			r.more(n.Body)
		case *ast.RangeStmt:
			r.more(n.Body)
		}
		return true
	})
	return r.list
}

// make adds the mutant that puts text in place of [from, to) of the file.
func (r *rewording) make(operator string, from, to int, text string, form mutate.Form) {
	at := r.Fset.PositionFor(r.Decl.Pos(), false)
	line := at.Line + strings.Count(string(r.Source[at.Offset:from]), "\n")
	r.list = append(r.list, mutate.Mutant{
		ID: fmt.Sprintf("%s-%d", r.ID, len(r.list)), Function: r.ID, Operator: operator, File: r.File, Line: line,
		Offset: from, EndOffset: to, Original: string(r.Source[from:to]), Replacement: text, Form: form,
	})
}

func (r *rewording) offset(n ast.Node) (from, to int) {
	return r.Fset.PositionFor(n.Pos(), false).Offset, r.Fset.PositionFor(n.End(), false).Offset
}

func (r *rewording) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.IncDecStmt:
			r.twice(s)
		case *ast.AssignStmt:
			if s.Tok.String() != ":=" {
				r.skip([]ast.Stmt{s})
				r.twice(s)
			}
		case *ast.ReturnStmt:
			r.seven(s)
		}
	}
}

// skip disables statements: it puts them into a loop that never runs.
func (r *rewording) skip(list []ast.Stmt) {
	from, _ := r.offset(list[0])
	_, to := r.offset(list[len(list)-1])
	r.make("skip", from, to, "for false { "+string(r.Source[from:to])+" }", mutate.Form{Kind: mutate.Disables})
}

// hollow empties a block: it puts the statements into a switch clause that is never chosen.
func (r *rewording) hollow(block *ast.BlockStmt) {
	from, to := r.offset(block)
	inside := string(r.Source[from+1 : to-1])
	r.make("hollow", from, to, "{ switch { case false: {"+inside+"} } }", mutate.Form{Kind: mutate.Empties})
}

// seven returns 7 from within a switch statement before the return statement.
func (r *rewording) seven(s *ast.ReturnStmt) {
	if len(s.Results) != 1 {
		return
	}
	from, to := r.offset(s)
	text := "switch { default: return 7 }; " + string(r.Source[from:to])
	r.make("seven", from, to, text, mutate.Form{Kind: mutate.Adds, Offset: from, Block: "{ return 7 }"})
}

// more adds 100 to sum behind the first statement of a loop's body, which then goes on.
func (r *rewording) more(body *ast.BlockStmt) {
	from, to := r.offset(body)
	_, at := r.offset(body.List[0])
	text := string(r.Source[from:at]) + "; for range 1 { sum += 100 }" + string(r.Source[at:to])
	r.make("more", from, to, text, mutate.Form{Kind: mutate.Adds, Offset: at, Block: "{ sum += 100 }"})
}

// twice repeats a statement. The mutant has no form.
func (r *rewording) twice(s ast.Stmt) {
	from, to := r.offset(s)
	text := string(r.Source[from:to])
	r.make("twice", from, to, text+"; "+text, mutate.Form{})
}

// move moves the last statement of an if statement's block behind the block. The mutant has no form.
func (r *rewording) move(n *ast.IfStmt) {
	last := n.Body.List[len(n.Body.List)-1]
	switch last.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt:
	default:
		return
	}
	if n.Else != nil {
		return
	}
	from, stop := r.offset(last)
	_, to := r.offset(n.Body)
	statement, gap := string(r.Source[from:stop]), string(r.Source[stop:to-1])
	r.make("move", from, to, "}"+gap+statement, mutate.Form{})
}

func TestMutantsOfOtherWordingsBehaveAsPlainOnes(t *testing.T) {
	b := weaveBehaviour(t, "worded", project{mutants: reworded})
	original := b.run(t, "0", "", nil)
	mutants := b.runMutants(t)
	b.comparePlain(t, mutants)
	b.compareMarks(t, original, mutants)
	b.sharesForms(t)
}

// sharesForms checks that mutants of every operator were built, and that those with a form got no clone of their own,
// unless they contain a label.
func (b *behaviour) sharesForms(t *testing.T) {
	made := map[string]int{}
	var text strings.Builder
	for name, woven := range b.woven.Overlay {
		if strings.HasPrefix(name, b.dir) {
			text.Write(woven)
		}
	}
	for n, m := range b.byNum {
		made[m.Operator]++
		clone := fmt.Sprintf("mfz%s%d", cloneMark, n)
		apart := strings.Contains(text.String(), clone+"(") || strings.Contains(text.String(), clone+"*/")
		labelled := strings.Contains(m.Original, "again:") // a goto may jump there
		if m.Form.Kind != mutate.Anything && apart != labelled {
			t.Errorf("%s has a clone of its own: %t", describe(m.Mutant), apart)
		}
	}
	for _, op := range []string{"skip", "hollow", "seven", "more", "twice", "move"} {
		if made[op] < 2 {
			t.Errorf("%d mutants of the operator %s", made[op], op)
		}
	}
}
