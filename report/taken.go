package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// takenClaim says, of a mutant that leaves out a branch, or undoes a change that only adds one, that a test takes the
// branch and passes without it. It is empty if none is known to. Such a test looks as if it were enough.
func takenClaim(r *results.Results, m *results.Mutant) prose {
	left := withoutBranch(m)
	for i := range r.Mutants {
		if o := &r.Mutants[i]; left.noticed(o) && (m.Reason == "" || slices.Contains(m.Evidence.By, parent(o.KilledBy.Name))) { // else it may not have run with m
			return say("%s takes the branch of line "+plain(branchLine(m))+", and passes without it: other code gives what it expects.", local(o.KilledBy.Name))
		}
	}
	return nil
}

// parent returns the name of the test that a subtest belongs to, with its import path; of a test, it is the name itself.
func parent(test string) string {
	pkg, name := splitTest(test)
	name, _, _ = strings.Cut(name, "/")
	return pkg + "." + name
}

// branchLine returns the line of the condition of the branch that m leaves out.
func branchLine(m *results.Mutant) int {
	if isReversal(m) {
		return m.Line + blankLines(m)
	}
	return m.Line
}

// branch is the code that runs if a condition holds. The zero value has none.
type branch struct {
	file       string
	begin, end int // offsets
}

// noticed reports whether a test notices o, an edit of b.
func (b branch) noticed(o *results.Mutant) bool {
	within := o.File == b.file && b.begin <= o.Offset && o.EndOffset <= b.end
	return within && !isReversal(o) && o.Status == results.Killed && o.KilledBy != nil && o.KilledBy.By == results.ByTest
}

// withoutBranch returns the branch that m leaves out, or that the change which m undoes adds, doing no more.
func withoutBranch(m *results.Mutant) branch {
	if !isReversal(m) {
		if effective(m) != "false" {
			return branch{}
		}
		return branch{m.File, m.EndOffset, m.Evidence.BranchEnd}
	}
	added := onlyAdded(m)
	if body := singleIf(added); body > 0 {
		return branch{m.File, m.Offset + body, m.Offset + len(added)}
	}
	return branch{}
}

// missesCheck reports whether m leaves out a branch that fails with an error, and that a test of the change takes and
// passes without: the test is there for the check, and fails to see it.
func (k ranking) missesCheck(m *results.Mutant) bool {
	if len(m.Evidence.ByChange) == 0 {
		return false
	}
	left := withoutBranch(m)
	return slices.ContainsFunc(k.mutants[m.File], func(o *results.Mutant) bool {
		return o.Operator == "error-return" && left.noticed(o) && slices.ContainsFunc(m.Evidence.ByChange, func(t results.NewTest) bool {
			return t.Test == parent(o.KilledBy.Name)
		})
	})
}

// onlyAdded returns the code that the part of the change which m undoes adds before the old code; "" if it does more than
// that.
func onlyAdded(m *results.Mutant) string {
	added, ok := strings.CutSuffix(m.Original, effective(m))
	if old := strings.TrimSpace(effective(m)); !ok && old != "" {
		return ""
	}
	return added
}

// singleIf returns the offset of the body of an if statement, if source is that statement alone, without else and on
// several lines; else 0.
func singleIf(source string) (body int) {
	const head = "package p\nfunc _() {\n"
	if !strings.HasPrefix(strings.TrimSpace(source), "if ") || !strings.Contains(strings.TrimSpace(source), "\n") {
		return 0
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", head+source+"\n}", parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return 0
	}
	fn, ok := f.Decls[0].(*ast.FuncDecl)
	if !ok || len(fn.Body.List) != 1 {
		return 0
	}
	if statement, ok := fn.Body.List[0].(*ast.IfStmt); ok && statement.Else == nil {
		return fset.PositionFor(statement.Body.Lbrace, false).Offset - len(head)
	}
	return 0
}
