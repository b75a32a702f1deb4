package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// takenClaim says, of a mutant that leaves out an if statement which the change adds, that a test takes its branch and
// passes without it. It is empty if none is known to. Such a test looks as if it were enough.
func takenClaim(r *results.Results, m *results.Mutant) prose {
	if !addsIf(m) {
		return nil
	}
	for i := range r.Mutants {
		if o := &r.Mutants[i]; noticedIn(m, o) {
			return say("%s takes this branch, and passes without it: other code gives what it expects.", local(o.KilledBy.Name))
		}
	}
	return nil
}

// noticedIn reports whether a test notices o, an edit of the branch that the part of the change which m undoes adds.
func noticedIn(m, o *results.Mutant) bool {
	end := m.Offset + len(onlyAdded(m))
	within := o.File == m.File && m.Offset <= o.Offset && o.EndOffset <= end && o.Line > m.Line+blankLines(m)
	return within && !isReversal(o) && o.Status == results.Killed && o.KilledBy != nil && o.KilledBy.By == results.ByTest
}

// missesCheck reports whether m leaves out an if statement that the change adds, which fails with an error, and whose
// branch a test of the change takes and passes without it: the test is there for the check, and fails to see it.
func (k ranking) missesCheck(m *results.Mutant) bool {
	return addsIf(m) && slices.ContainsFunc(k.mutants[m.File], func(o *results.Mutant) bool {
		return o.Operator == "error-return" && noticedIn(m, o) && slices.ContainsFunc(m.Evidence.ByChange, func(t results.NewTest) bool {
			return t.Test == o.KilledBy.Name || strings.HasPrefix(o.KilledBy.Name, t.Test+"/")
		})
	})
}

// addsIf reports whether all that the part of the change which m undoes does is to add an if statement.
func addsIf(m *results.Mutant) bool { return isReversal(m) && isSingleIf(onlyAdded(m)) }

// onlyAdded returns the code that the part of the change which m undoes adds before the old code; "" if it does more than
// that.
func onlyAdded(m *results.Mutant) string {
	added, ok := strings.CutSuffix(m.Original, effective(m))
	if old := strings.TrimSpace(effective(m)); !ok && old != "" {
		return ""
	}
	return added
}

// isSingleIf reports whether source is one if statement, without else, on several lines.
func isSingleIf(source string) bool {
	const head = "package p\nfunc _() {\n"
	if !strings.HasPrefix(strings.TrimSpace(source), "if ") {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", head+source+"\n}", parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return false
	}
	fn, ok := f.Decls[0].(*ast.FuncDecl)
	if !ok || len(fn.Body.List) != 1 {
		return false
	}
	statement, ok := fn.Body.List[0].(*ast.IfStmt)
	return ok && statement.Else == nil && strings.Contains(strings.TrimSpace(source), "\n")
}
