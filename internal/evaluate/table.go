package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// fits reports whether a test in dir loops over rows and passes a part of each row to the function that is called
// in call. It goes by names alone. If fails is set, the loop also has to use a part of the row that says whether
// a call fails.
func fits(dir, call string, fails bool) bool {
	callee, isMethod := calleeOf(call)
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	return callee != "" && slices.ContainsFunc(files, func(name string) bool {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return false
		}
		calls := func(e ast.Expr) bool {
			if sel, ok := e.(*ast.SelectorExpr); ok && (isMethod || rootOf(sel.X) == strings.TrimSuffix(f.Name.Name, "_test")) {
				return sel.Sel.Name == callee
			}
			id, ok := e.(*ast.Ident)
			return ok && id.Name == callee
		}
		return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
			fn, ok := d.(*ast.FuncDecl)
			return ok && fn.Body != nil && !strings.HasPrefix(fn.Name.Name, "Benchmark") && !strings.HasPrefix(fn.Name.Name, "Fuzz") && loopsWith(fn, calls, fails)
		})
	})
}

// calleeOf returns the name of the function that is called in call, or "" if call is no call expression. isMethod
// says that the function is selected from something other than an identifier.
func calleeOf(call string) (name string, isMethod bool) {
	x, err := parser.ParseExpr(call)
	if err != nil {
		return "", false
	}
	c, ok := x.(*ast.CallExpr)
	if !ok {
		return "", false
	}
	switch fun := c.Fun.(type) {
	case *ast.Ident:
		return fun.Name, false
	case *ast.SelectorExpr:
		_, ofPackage := fun.X.(*ast.Ident)
		return fun.Sel.Name, !ofPackage
	}
	return "", false
}

// loopsWith reports whether fn has a loop over rows that passes a part of a row to a function that calls accepts.
func loopsWith(fn *ast.FuncDecl, calls func(ast.Expr) bool, fails bool) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok && callsWith(r, calls) && (!fails || tells(r)) {
			found = true
		}
		return !found
	})
	return found
}

// callsWith reports whether a loop passes a part of its row to a function that calls accepts.
func callsWith(r *ast.RangeStmt, calls func(ast.Expr) bool) (found bool) {
	names := map[string]bool{}
	for _, e := range []ast.Expr{r.Key, r.Value} {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			names[id.Name] = true
		}
	}
	ast.Inspect(r.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !calls(call.Fun) {
			return true
		}
		for _, arg := range call.Args {
			found = found || names[rootOf(arg)]
		}
		return true
	})
	return found
}

// failure matches names that say whether a call fails.
var failure = regexp.MustCompile(`(?i)err|fail|ok|valid|bad`)

// tells reports whether a loop uses a part of its row that says, by its name, whether a call fails.
func tells(r *ast.RangeStmt) (found bool) {
	variable, _ := r.Value.(*ast.Ident)
	ast.Inspect(r.Body, func(n ast.Node) bool {
		if e, ok := n.(*ast.SelectorExpr); ok && variable != nil && rootOf(e) == variable.Name && failure.MatchString(e.Sel.Name) {
			found = true
		}
		return !found
	})
	return found
}

// rootOf returns the name of the variable that e is, or is a part of; empty: of none.
func rootOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return rootOf(e.X)
	case *ast.IndexExpr:
		return rootOf(e.X)
	}
	return ""
}
