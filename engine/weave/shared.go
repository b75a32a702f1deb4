package weave

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

// A function that is too large for a clone per mutant gets one clone that many
// mutants share: each stands beside the original of the statement or condition
// that it changes, which costs no more than that statement's length, but works
// only where nothing is declared.

// place is a piece of a function that can stand beside mutated versions of
// itself.
type place struct {
	start, end int // offsets in the file
	condition  bool
	result     bool // a return statement
}

// placed are the mutants that share one place.
type placed struct {
	place
	mutants []*mutate.Mutant
}

// placesOf returns the places in fn, inner ones behind those around them.
func placesOf(fn *function) (list []place) {
	add := func(n ast.Node, condition bool) {
		p := place{start: fn.file.offset(n.Pos()), end: fn.file.offset(n.End()), condition: condition}
		_, p.result = n.(*ast.ReturnStmt)
		// Copies may not move what follows them to other lines.
		text := string(fn.file.src[p.start:p.end])
		if !strings.Contains(text, "\n") && !strings.Contains(text, "/*line ") && !holdsFunction(n) {
			list = append(list, p)
		}
	}
	ast.Inspect(fn.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			eachSimple(n.List, add)
		case *ast.CaseClause:
			eachSimple(n.Body, add)
		case *ast.CommClause:
			eachSimple(n.Body, add)
		case *ast.IfStmt:
			add(n.Cond, true)
		case *ast.ForStmt:
			if n.Cond != nil {
				add(n.Cond, true)
			}
		}
		return true
	})
	return list
}

// eachSimple calls add for the statements of a list that declare nothing and
// hold no others.
func eachSimple(list []ast.Stmt, add func(ast.Node, bool)) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				add(s, false)
			}
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.ReturnStmt:
			add(s, false)
		}
	}
}

func holdsFunction(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		_, is := n.(*ast.FuncLit)
		found = found || is
		return !found
	})
	return found
}

// share sorts mutants to the places where they can stand, and returns those
// that need clones of their own.
func share(fn *function, mutants []*mutate.Mutant) (shared []placed, rest []*mutate.Mutant) {
	places := placesOf(fn)
	at := map[place]int{}
	for _, m := range mutants {
		i := slices.IndexFunc(places, func(p place) bool { return fn.fits(m, p) })
		if i < 0 {
			rest = append(rest, m)
			continue
		}
		p := places[i]
		if _, ok := at[p]; !ok {
			at[p] = len(shared)
			shared = append(shared, placed{place: p})
		}
		shared[at[p]].mutants = append(shared[at[p]].mutants, m)
	}
	return shared, rest
}

// fits reports whether m changes nothing but p and can stand beside it.
func (fn *function) fits(m *mutate.Mutant, p place) bool {
	if m.Offset < p.start || m.EndOffset > p.end {
		return false
	}
	text := fn.mutated(m, p.start, p.end)
	if strings.Contains(text, "\n") {
		return false
	}
	if p.condition {
		_, err := parser.ParseExpr(text)
		return err == nil
	}
	d, err := parseDecl("func _(){" + text + "}")
	if err != nil {
		return false
	}
	// What follows a return may be nothing, which the compiler has to see.
	_, returns := d.decl.Body.List[len(d.decl.Body.List)-1].(*ast.ReturnStmt)
	return returns || !p.result
}

// mutated is the text [start, end) of the file with m made in it.
func (fn *function) mutated(m *mutate.Mutant, start, end int) string {
	src := fn.file.src
	return string(src[start:m.Offset]) + m.Replacement + string(src[m.EndOffset:end])
}

// around is what stands before and after a place in the shared clone.
func (fn *function) around(p placed) (before, after string) {
	alias := fn.file.alias
	var b, others strings.Builder
	if p.condition {
		for _, m := range p.mutants {
			n := fn.numbers[m]
			fmt.Fprintf(&b, "%s.M==%d&&(%s)||", alias, n, fn.mutated(m, p.start, p.end))
			fmt.Fprintf(&others, "%s.M!=%d&&", alias, n)
		}
		return "(" + b.String() + others.String() + "(", "))"
	}
	for _, m := range p.mutants {
		fmt.Fprintf(&b, "if %s.M==%d{%s}else ", alias, fn.numbers[m], fn.mutated(m, p.start, p.end))
	}
	return b.String() + "{", "}"
}

// sharedWraps returns what the shared clone of fn has around its places, and
// the numbers of the mutants in it.
func (fn *function) sharedWraps() (values string, wraps []wrapping) {
	var numbers []string
	for _, p := range fn.shared {
		before, after := fn.around(p)
		wraps = append(wraps, wrapping{p.start, p.end, before, after})
		for _, m := range p.mutants {
			numbers = append(numbers, fmt.Sprint(fn.numbers[m]))
		}
	}
	return strings.Join(numbers, ","), wraps
}
