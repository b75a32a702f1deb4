package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// targetsFile holds the targets that addTargets writes.
const targetsFile = "evaluate_fuzz_test.go"

// addTargets gives every package of m a fuzz target for each exported function whose parameters
// fuzzing can make, in the package that most of the tests are in.
func addTargets(ctx context.Context, m module) error {
	list, err := packages.Load(&packages.Config{
		Context: ctx, Dir: m.dir, Mode: packages.NeedName | packages.NeedFiles | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps,
	}, m.packages...)
	if err != nil {
		return err
	}
	for _, p := range list {
		if len(p.Errors) > 0 {
			return p.Errors[0]
		}
		dir := filepath.Dir(p.GoFiles[0])
		src, err := format.Source(targets(p, external(dir, p.Name)))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, targetsFile), src, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// external reports whether most test files in a folder are in package name_test.
func external(dir, name string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	outside := 0
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
		if err == nil && f.Name.Name == name+"_test" {
			outside++
		}
	}
	return 2*outside > len(files)
}

// targets writes the targets for a package.
func targets(p *packages.Package, outside bool) []byte {
	var b strings.Builder
	qualifier := ""
	imported := ""
	fmt.Fprintf(&b, "package %s", p.Name)
	if outside {
		b.WriteString("_test")
		qualifier, imported = p.Name+".", fmt.Sprintf("\n%q\n", p.PkgPath)
	}
	var body strings.Builder
	for _, name := range p.Types.Scope().Names() {
		f, ok := p.Types.Scope().Lookup(name).(*types.Func)
		if ok && f.Exported() && fuzzable(f.Signature()) {
			body.WriteString(target(f, qualifier))
		}
	}
	if body.Len() == 0 {
		imported = ""
	} else {
		imported = "import (\n\"testing\"\n" + imported + ")\n"
	}
	return []byte(b.String() + "\n\n" + imported + body.String())
}

// fuzzable reports whether fuzzing can make what a function takes, and it returns something.
func fuzzable(s *types.Signature) bool {
	if s.Results().Len() == 0 || s.Params().Len() == 0 || s.Variadic() || s.TypeParams() != nil {
		return false
	}
	for v := range s.Params().Variables() {
		switch t := types.Unalias(v.Type()).(type) {
		case *types.Basic:
			if t.Info()&(types.IsInteger|types.IsFloat|types.IsString|types.IsBoolean) == 0 || t.Kind() == types.Uintptr {
				return false
			}
		case *types.Slice:
			if !types.Identical(t.Elem(), types.Typ[types.Byte]) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// target writes a target that calls f.
func target(f *types.Func, qualifier string) string {
	var params, args []string
	for i := range f.Signature().Params().Len() {
		params = append(params, fmt.Sprintf("a%d %s", i, f.Signature().Params().At(i).Type()))
		args = append(args, fmt.Sprintf("a%d", i))
	}
	return fmt.Sprintf("\nfunc FuzzEvaluate%s(f *testing.F) {\nf.Fuzz(func(t *testing.T, %s) {\n%s%s(%s)\n})\n}\n",
		f.Name(), strings.Join(params, ", "), qualifier, f.Name(), strings.Join(args, ", "))
}

// fits reports whether a test in a folder goes through rows and calls, with something of each,
// the function that a call calls. It goes by names alone. If the call fails, the loop has to use
// something of the row that says so.
func fits(dir, call string, fails bool) bool {
	callee, _, _ := strings.Cut(call, "(")
	isMethod := callee == "" // as in (T{}).Method()
	if isMethod {
		_, callee, _ = strings.Cut(call, ").")
		callee, _, _ = strings.Cut(callee, "(")
	}
	callee = callee[strings.LastIndexByte(callee, '.')+1:]
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

// loopsWith reports whether a function has a loop that calls another one with something of a row.
func loopsWith(fn *ast.FuncDecl, calls func(ast.Expr) bool, fails bool) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok && callsWith(r, calls) && (!fails || tells(r)) {
			found = true
		}
		return !found
	})
	return found
}

// callsWith reports whether a loop calls a function with a part of the row as an argument.
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

// failure matches names of what says that a call fails.
var failure = regexp.MustCompile(`(?i)err|fail|ok|valid|bad`)

// tells reports whether a loop uses a part of its rows that says whether a call fails.
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

// rootOf is the variable of which e is a part; empty: of none.
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
