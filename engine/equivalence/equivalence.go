// Package equivalence proves that mutants behave like the program. The proofs use types and the SSA form of the
// function that a mutant is in.
//
// Apart from two special cases (otherForm, nilReturned), a mutant is treated as a change to one condition. It is
// equivalent if the condition has the same value in every run of the program, or if it does not matter which branch
// is taken. The proofs are about runs of the original. That suffices: until the changed condition first has another
// value, a run of the mutant is also a run of the original. If that time never comes, the whole run is a run of the
// original.
//
// The proofs cover SSA registers, and boolean variables that only their declaration sets. A register belongs to one call
// of a function, so no other goroutine changes it. A value read from memory may be any value of its type, and another
// one at the next read. Nothing is proved about floating-point numbers.
package equivalence

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

// Package is a package in SSA form, with the results about its functions so far. It is not safe for concurrent use.
type Package struct {
	pkg    *packages.Package
	ssa    *ssa.Package
	ranges map[*ssa.Function]*ranges // nil: being computed
	all    map[types.BasicKind]interval
	depth  int // of the calls being followed
}

// New builds the SSA form of a package that was loaded with syntax and types. It returns an error if the package has
// errors, or if the builder cannot handle it.
func New(pkg *packages.Package) (p *Package, err error) {
	if len(pkg.Errors) > 0 || pkg.IllTyped || pkg.Types == nil || pkg.TypesInfo == nil || pkg.TypesSizes == nil {
		return nil, fmt.Errorf("%s has errors", pkg.PkgPath)
	}
	// The builder panics if source breaks rules that the type checker does not know of.
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("%s has no SSA form: %v", pkg.PkgPath, r)
		}
	}()
	prog := ssa.NewProgram(pkg.Fset, ssa.BuildSerially)
	imported := map[*types.Package]bool{pkg.Types: true}
	var create func(list []*types.Package)
	create = func(list []*types.Package) {
		for _, imp := range list {
			if !imported[imp] {
				imported[imp] = true
				prog.CreatePackage(imp, nil, nil, true)
				create(imp.Imports())
			}
		}
	}
	create(pkg.Types.Imports())
	built := prog.CreatePackage(pkg.Types, pkg.Syntax, pkg.TypesInfo, false)
	built.Build()
	return &Package{pkg: pkg, ssa: built, ranges: map[*ssa.Function]*ranges{}, all: map[types.BasicKind]interval{}}, nil
}

// Reason returns why a mutant does what the program does, as a sentence for maintainers; "" if that is not proved.
// path is the absolute name of the mutant's file, as the package was loaded.
func (p *Package) Reason(path string, m *mutate.Mutant) (reason string) {
	// No proof is worth a failed run, whatever odd code there is.
	defer func() {
		if recover() != nil {
			reason = ""
		}
	}()
	return p.reason(path, m)
}

func (p *Package) reason(path string, m *mutate.Mutant) string {
	p.depth = 0 // also where the last one ended in a panic
	i := slices.Index(p.pkg.CompiledGoFiles, path)
	if i < 0 || i >= len(p.pkg.Syntax) {
		return ""
	}
	if why := p.otherForm(path, p.pkg.Syntax[i], m); why != "" {
		return why
	}
	c, err := p.change(p.pkg.Syntax[i], m)
	if err != nil {
		return p.nilReturned(p.pkg.Syntax[i], m)
	}
	switch c.op {
	case token.ILLEGAL:
		return p.forced(c)
	case token.LAND, token.LOR:
		return p.swapped(c)
	}
	return p.compared(c)
}

// swapped returns the reason for a mutant that has "and" in the place of "or", or the other way round.
func (p *Package) swapped(c *change) string {
	n := c.cond.(*ast.BinaryExpr)
	if !p.quiet(n.Y) { // only one of the two evaluates it
		return ""
	}
	x, y := p.truth(n.X, c), p.truth(n.Y, c)
	switch {
	case !x.fail && !y.fail:
		return fmt.Sprintf("`%s` and `%s` always hold here", text(n.X), text(n.Y))
	case !x.hold && !y.hold:
		return fmt.Sprintf("`%s` and `%s` never hold here", text(n.X), text(n.Y))
	}
	return ""
}

// forced returns the reason for a mutant in which the condition always holds, or never does.
func (p *Package) forced(c *change) string {
	may := p.truth(c.cond, c)
	why := ""
	if may.why != "" {
		why = ": " + may.why
	}
	switch {
	case !c.always && !may.hold:
		return fmt.Sprintf("`%s` never holds here%s", text(c.cond), why)
	case c.always && !may.fail:
		return fmt.Sprintf("`%s` always holds here%s", text(c.cond), why)
	}
	n, ok := ast.Unparen(c.cond).(*ast.BinaryExpr)
	if !ok {
		return ""
	}
	cmp := p.comparison(n, c.within)
	if cmp == nil {
		return ""
	}
	holds := cmp.signs & satisfying(n.Op)
	switch {
	case c.always && cmp.indifferent(cmp.signs&^holds):
		return fmt.Sprintf("where `%s` is false, both branches do the same", text(n))
	case !c.always && cmp.indifferent(holds):
		return fmt.Sprintf("where `%s` is true, both branches do the same", text(n))
	}
	return ""
}

// compared returns the reason for a mutant that replaces a comparison by another one.
func (p *Package) compared(c *change) string {
	n := c.cond.(*ast.BinaryExpr)
	cmp := p.comparison(n, c.within)
	if cmp == nil {
		return ""
	}
	if c.constant != nil {
		return cmp.withConstant(c)
	}
	differ := cmp.signs & (satisfying(n.Op) ^ satisfying(c.op))
	switch {
	case differ == 0:
		return cmp.why() + ", so both conditions are always the same"
	case differ == equal && cmp.indifferent(equal):
		return fmt.Sprintf("where `%s` equals `%s`, both branches do the same", text(n.X), text(n.Y))
	}
	return ""
}

// may says which values a condition may have.
type may struct {
	hold, fail bool
	why        string // why it has only one value; empty: it may have both
}

// truth returns which values the condition e may have, which is that of c or a part of it.
func (p *Package) truth(e ast.Expr, c *change) may {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if value, known := c.flags[p.pkg.TypesInfo.Uses[e]]; known {
			return may{value, !value, "an earlier condition decides it"}
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			x := p.truth(e.X, c)
			return may{x.fail, x.hold, x.why}
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR:
			return p.connected(e, c)
		}
		if cmp := p.comparison(e, c.within); cmp != nil {
			m := may{hold: cmp.signs&satisfying(e.Op) != 0, fail: cmp.signs&^satisfying(e.Op) != 0}
			if !m.hold || !m.fail {
				m.why = cmp.why()
			}
			return m
		}
	}
	return may{hold: true, fail: true}
}

// connected returns which values x && y or x || y may have.
func (p *Package) connected(e *ast.BinaryExpr, c *change) may {
	x, y := p.truth(e.X, c), p.truth(e.Y, c)
	if e.Op == token.LOR { // x || y is !(!x && !y)
		x, y = may{x.fail, x.hold, x.why}, may{y.fail, y.hold, y.why}
	}
	m := may{hold: x.hold && y.hold, fail: x.fail || y.fail}
	switch {
	case !x.hold || x.why != "" && !m.fail:
		m.why = x.why
	case !y.hold:
		m.why = y.why
	}
	if e.Op == token.LOR {
		m.hold, m.fail = m.fail, m.hold
	}
	return m
}

var errNoChange = errors.New("not a change to a condition")
