package finding

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// This file tells code that only handles failures. Few errors have a test.

// guardsPanic reports whether m alters a condition, or a part of one, under which the code only panics.
func (k ranking) guardsPanic(m *results.Mutant) bool {
	return onlyPanics(m.Evidence.Branch) || slices.ContainsFunc(k.mutants[m.File], func(whole *results.Mutant) bool {
		return whole.Offset <= m.Offset && m.EndOffset <= whole.EndOffset && onlyPanics(whole.Evidence.Branch)
	})
}

// failure matches a statement that only returns an error, 0 or "", or that ends the program, such as log.Fatalf.
var failure = regexp.MustCompile(`^return .*\b\w*[eE]rr|^return (0|"")$|^(\w+\.)*([pP]anic|[fF]atal)\w*\(`)

// onlyPanics reports whether branch is a single call of panic.
func onlyPanics(branch string) bool {
	n, depth := 0, 0
	for t := range edit.Lexemes(branch) {
		n++
		switch {
		case n == 1 && t.Text != "panic":
			return false
		case t.Token == token.LPAREN:
			depth++
		case t.Token == token.RPAREN:
			depth--
		case n > 1 && depth == 0:
			return false
		}
	}
	return n > 1 && depth == 0
}

// onlyFails reports whether m is in code that only fails, or gives up after an error, in a function whose other code
// runs. Few errors have a test.
func (k ranking) onlyFails(m *results.Mutant) bool {
	return k.ran[m.Function] && (failure.MatchString(strings.TrimSpace(cmp.Or(m.Context, m.Original))) || isBlock(m) && failsOnly(m.Original) ||
		slices.ContainsFunc(k.unrun[m.Function+m.File], func(c results.Code) bool {
			within := c.StartLine <= m.Line && m.Line <= c.EndLine || isBlock(m) && m.Line <= c.StartLine && c.EndLine <= m.EndLine
			return within && (givesUp(c) || recovers(c))
		}))
}

// isBlock reports whether m empties a block of several lines.
func isBlock(m *results.Mutant) bool {
	return strings.HasPrefix(m.Original, "{\n") && strings.HasSuffix(m.Original, "}")
}

// afterError matches the head of a branch for an error, as in "if err != nil", and captures the variable. afterPanic
// matches that of a branch for a recovered panic.
var (
	afterError = regexp.MustCompile(`\b(\w*[eE]rr) != nil$`)
	afterPanic = regexp.MustCompile(`\brecover\(\)(; ?\w+)? != nil$`)
)

// recovers reports whether some code only runs after a panic. Few tests make the program panic.
func recovers(c results.Code) bool { return afterPanic.MatchString(c.Under) }

// givesUp reports whether all that some code does after an error is to log it, to pass it on, or to leave, whatever it
// returns.
func givesUp(c results.Code) bool {
	head := afterError.FindStringSubmatch(c.Under)
	if head == nil {
		return false
	}
	code := "package p\nfunc _() {\nfor {\n" + closed(c.Source) + "\n}\n}"
	file, err := parser.ParseFile(token.NewFileSet(), "", code, parser.SkipObjectResolution)
	if err != nil {
		return false
	}
	list := file.Decls[0].(*ast.FuncDecl).Body.List[0].(*ast.ForStmt).Body.List
	return len(list) > 0 && !slices.ContainsFunc(list, func(s ast.Stmt) bool { return !leaves(s) && !reports(s, head[1]) })
}

// closed returns source with the brackets closed that it leaves open: the lines that only close brackets may be missing.
func closed(source string) string {
	closers := map[token.Token]string{token.LPAREN: ")", token.LBRACK: "]", token.LBRACE: "}"}
	var open []string
	for t := range edit.Lexemes(source) {
		switch closer := closers[t.Token]; {
		case closer != "":
			open = append(open, closer)
		case len(open) > 0 && t.String() == open[len(open)-1]:
			open = open[:len(open)-1]
		}
	}
	slices.Reverse(open)
	if len(open) > 0 {
		source += "\n"
	}
	return source + strings.Join(open, "")
}

// leaves reports whether a statement returns, or goes on with the next turn of a loop.
func leaves(s ast.Stmt) bool {
	branch, ok := s.(*ast.BranchStmt)
	_, returns := s.(*ast.ReturnStmt)
	return returns || ok && branch.Tok == token.CONTINUE
}

// logger matches the name of what a call logs with.
var logger = regexp.MustCompile(`^(?i:\w?log|\w*logger)$`)

// reports reports whether a statement is a call that passes on the error err, or that logs.
func reports(s ast.Stmt, err string) (found bool) {
	x, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := x.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	for _, arg := range call.Args {
		ast.Inspect(arg, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && id.Name == err
			return !found
		})
	}
	ast.Inspect(call.Fun, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && logger.MatchString(id.Name)
		return !found
	})
	return found
}

// failsOnly reports whether all that source does is to return an error, or to panic, perhaps in several clauses.
func failsOnly(source string) bool {
	fails, indent := false, 0
	for line := range strings.Lines(source) {
		text := strings.TrimSpace(line)
		depth := strings.Index(line, text)
		switch {
		case text == "" || strings.HasPrefix(text, "//") || strings.HasSuffix(text, ":") || strings.Trim(text, "{}(),; ") == "":
		case failure.MatchString(text):
			fails, indent = true, depth
		case !fails || depth <= indent: // deeper lines continue the statement
			return false
		}
	}
	return fails
}
