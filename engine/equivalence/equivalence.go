// Package equivalence proves of mutants that they do what the program does: from types
// and from the SSA form of the function that they are in.
//
// A mutant is looked at as a change to one condition. It is equivalent if the condition
// has the same value in every run of the program, or if it does not matter which branch is
// taken. All that is said of values is said of runs of the original: up to the first time at
// which the changed condition had another value, a run of the mutant is one of those. So
// if there is no such time, it always is.
//
// Only SSA registers are reasoned about. They belong to one call of a function, so that no
// other goroutine changes them; what is read from memory may have any value of its type,
// and another one when it is read again. Nothing is said of floating-point numbers.
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

// Package is a package in SSA form, and what was found out of its functions. It is no use
// to several goroutines at once.
type Package struct {
	pkg    *packages.Package
	ssa    *ssa.Package
	ranges map[*ssa.Function]*ranges // nil: being found out
	all    map[types.BasicKind]interval
	depth  int // of calls that are followed
}

// New builds the SSA form of a package that was loaded with syntax and types. It fails
// where the package has errors, or the builder cannot cope with it.
func New(pkg *packages.Package) (p *Package, err error) {
	if len(pkg.Errors) > 0 || pkg.IllTyped || pkg.Types == nil || pkg.TypesInfo == nil || pkg.TypesSizes == nil {
		return nil, fmt.Errorf("%s has errors", pkg.PkgPath)
	}
	// The builder panics where source breaks rules that the type checker does not know of.
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

// Reason says in a sentence for maintainers why a mutant does what the program does; it is
// empty if that is not proved. path is the absolute name of the mutant's file, as the
// package was loaded.
func (p *Package) Reason(path string, m *mutate.Mutant) (reason string) {
	// No proof is worth a run, whatever odd code there is.
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
	if c.op == token.ILLEGAL {
		return p.forced(c)
	}
	return p.compared(c)
}

// forced is the reason for a condition that is made never or always to hold.
func (p *Package) forced(c *change) string {
	may := p.truth(c.cond, c.within)
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
		return fmt.Sprintf("where `%s` does not hold, what follows comes to the same", text(n))
	case !c.always && cmp.indifferent(holds):
		return fmt.Sprintf("where `%s` holds, what follows comes to the same without this", text(n))
	}
	return ""
}

// compared is the reason for a comparison that is replaced by another one.
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
		return fmt.Sprintf("where `%s` equals `%s`, both branches come to the same", text(n.X), text(n.Y))
	}
	return ""
}

// may says which values a condition may have.
type may struct {
	hold, fail bool
	why        string // it has one only; empty: it may have both
}

// truth says which values the condition e may have in the function that holds it.
func (p *Package) truth(e ast.Expr, within []*ssa.Function) may {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			x := p.truth(e.X, within)
			return may{x.fail, x.hold, x.why}
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR:
			return p.connected(e, within)
		}
		if c := p.comparison(e, within); c != nil {
			m := may{hold: c.signs&satisfying(e.Op) != 0, fail: c.signs&^satisfying(e.Op) != 0}
			if !m.hold || !m.fail {
				m.why = c.why()
			}
			return m
		}
	}
	return may{hold: true, fail: true}
}

// connected says which values x && y or x || y may have.
func (p *Package) connected(e *ast.BinaryExpr, within []*ssa.Function) may {
	x, y := p.truth(e.X, within), p.truth(e.Y, within)
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
