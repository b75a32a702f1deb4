package weave

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

// Target is a fuzz target or a driver whose f.Fuzz goes through the probe.
type Target struct {
	Name    string              // import/path.FuzzXxx
	Package string              // import path of the package under test, without "_test"
	Func    string              // FuzzXxx, or the name of the driver
	Test    string              // what -test.run has to match
	Dir     string              // absolute folder of the package
	File    string              // relative to the root
	Types   []string            // of the fuzzed arguments
	Fresh   bool                // every run needs a *testing.T of its own
	Params  []string            // names of the fuzzed arguments; "" for one without a name
	Locals  map[string]string   // variables of the fuzzed function, see locals
	Chosen  map[string][]string // what it assigns to variables in nested blocks, see chosen
	Lists   []string            // variables that only collect results of observed calls, see lists
}

// Site is one call whose effects are observed: a call that a target makes into the module or to a few functions of the
// standard library. A Site with an empty Target stands for all calls of one mutated function, see wire.JobWatch.
type Site struct {
	Target   string // name of the first target that leads to it
	File     string // relative to the root
	Line     int
	Source   string // the call as written, on one line
	Callee   string // the call as written, without the arguments
	Function string // ID of what a target calls, as in import/path.Type.Method; empty without a Target
	Args     []SiteArg
	Recv     bool                // the receiver is observed as the first argument
	Variable bool                // the receiver has to be a variable, because the call takes its address
	Spread   bool                // the last argument is followed by "..."
	Results  int                 // how many there are
	Fails    bool                // the last result is an error
	Opaque   bool                // no other result shows anything to other packages
	Receiver SiteArg             // only has the constants of its type
	Returned []map[string]string // for each result the named constants of its type, see SiteArg.Named
	Basic    []string            // for each result the name of its type if that is a basic type, else ""
	Assigns  []string            // the variables that a statement "x, y := call" declares, "_" included
	Appends  string              // the list of a statement "list = append(list, call)"; "": it is no such statement
	Unseen   bool                // it could not be observed after all
	Consumes bool                // the callee is one of consumers
	Late     bool                // it has no results, and its effects are only observed when the run ends
	Package  string              // import path of the package that the call stands in, "_test" included
	// PackageName is the name in that package's clause. Imports has the imports that a test next to the call can use:
	// local name -> import specification.
	PackageName string
	Imports     map[string]string
}

// ImportsFor returns the sorted import specifications for a test with the body text: "testing", the imports of the site
// that text uses, and packages of the standard library that the probe's rendered values and the checks use.
func (s *Site) ImportsFor(text string) []string {
	specs := []string{`"testing"`}
	names := qualifiers(text)
	for _, name := range []string{"context", "errors", "io", "math", "os", "reflect", "time"} { // rendered values and checks use these
		if names[name] && s.Imports[name] == "" {
			specs = append(specs, strconv.Quote(name))
		}
	}
	for name, spec := range s.Imports {
		if name != "testing" && names[name] {
			specs = append(specs, spec)
		}
	}
	slices.Sort(specs)
	return specs
}

// qualifiers returns the names x in expressions "x.y" of a test's body, except those declared in it by ":=".
func qualifiers(text string) map[string]bool {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), func(token.Position, string) {}, 0)
	names := map[string]bool{}
	var left []string // the list of names that ends at the current token
	variables := map[string]bool{}
	before, name := token.ILLEGAL, ""
	for {
		_, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			maps.DeleteFunc(names, func(name string, _ bool) bool { return variables[name] })
			return names
		case token.PERIOD:
			if name != "" {
				names[name] = true
			}
		case token.DEFINE:
			for _, v := range left {
				variables[v] = true
			}
		case token.IDENT:
			left = append(left, lit)
		}
		if tok != token.IDENT && tok != token.COMMA {
			left = nil
		}
		name = ""
		if tok == token.IDENT && before != token.PERIOD {
			name = lit
		}
		before = tok
	}
}

// SiteArg is one argument of an observed call. Arguments with an empty Const are observed, in order.
type SiteArg struct {
	// Const is the source of an argument that is not observed, such as a constant or a function literal (see
	// observable).
	Const string
	// Basic is the name of the parameter's type if it is a basic type: a constant needs no conversion to it.
	Basic string
	// Character reports whether Basic is written as rune or byte in the source.
	Character bool
	// Nil reports whether nil can be passed without a conversion.
	Nil bool
	// Named maps values of the parameter's type, as Go source, to the constants that the calling package can name. The
	// map is shared and must not be changed.
	Named map[string]string
	// Fields has such maps for the fields of a struct or pointer to a struct, by field name. Only fields whose type is
	// declared in the struct's package are in it.
	Fields map[string]map[string]string
}

// weaveTargets rewrites the fuzz targets of all target packages.
func (w *weaver) weaveTargets() {
	for _, p := range w.in.Targets {
		t := &targetWeaver{weaver: w, pkg: p, decls: map[*types.Func]*declared{}, seen: map[*ast.BlockStmt]bool{}, declares: map[*ast.CallExpr][]string{}, appends: map[*ast.CallExpr]string{}, statements: map[*ast.CallExpr]bool{}}
		t.collect()
		for _, d := range t.order {
			t.redirectCalls(d)
		}
		for _, d := range t.order {
			t.addTarget(d)
		}
		t.addSentinels()
		for _, l := range t.loops {
			t.name = l.target
			t.observe(l.fn.file, l.fn.body)
		}
	}
}

// targetWeaver weaves the test files of one package.
type targetWeaver struct {
	*weaver
	pkg   *packages.Package
	decls map[*types.Func]*declared // functions declared in test files
	order []*declared
	loops []*loop
	seen  map[*ast.BlockStmt]bool // bodies that observe has visited
	name  string                  // target whose calls are being observed
	// declares has the variables that a statement "x, y := call" declares, by call.
	declares map[*ast.CallExpr][]string
	// statements are the calls that are statements by themselves.
	statements map[*ast.CallExpr]bool
	appends    map[*ast.CallExpr]string // the list that a call's result is appended to
}

// declared is a function of the test files.
type declared struct {
	file  *file
	decl  *ast.FuncDecl
	loops []*loop       // calls of f.Fuzz in it
	calls []*types.Func // what it calls
}

// loop is one call of f.Fuzz. Several targets may share it through a helper.
type loop struct {
	number int // of its adapter
	fn     *fuzzedFunc
	fresh  bool
	target string // name of the first target that leads to it
}

func (t *targetWeaver) collect() {
	for _, f := range t.weaver.order {
		if f.pkg != t.pkg || !f.isTest() {
			continue
		}
		for _, d := range f.syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				if obj, ok := t.pkg.TypesInfo.Defs[d.Name].(*types.Func); ok {
					t.decls[obj] = &declared{file: f, decl: d}
					t.order = append(t.order, t.decls[obj])
				}
			}
		}
	}
}

// redirectCalls sends the f.Add and f.Fuzz calls of one function through the probe. A call of f.Fuzz is left alone if
// the code of its argument is not known.
func (t *targetWeaver) redirectCalls(d *declared) {
	var adds, fuzzes []*ast.CallExpr
	ast.Inspect(d.decl.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch t.testingMethod(call, "F") {
		case "Add":
			adds = append(adds, call)
		case "Fuzz":
			fuzzes = append(fuzzes, call)
		}
		if callee, ok := typeutil.Callee(t.pkg.TypesInfo, call).(*types.Func); ok {
			d.calls = append(d.calls, callee.Origin())
		}
		return true
	})
	for _, call := range fuzzes {
		if l := t.redirectLoop(d.file, call); l != nil {
			d.loops = append(d.loops, l)
		}
	}
	for _, call := range adds {
		t.redirect(d.file, call, "Add", "")
	}
}

func (t *targetWeaver) redirectLoop(f *file, call *ast.CallExpr) *loop {
	number := t.adapters
	t.adapters++
	if t.undriven[number] || len(call.Args) != 1 {
		return nil
	}
	fn := t.fuzzed(f, call.Args[0])
	if fn == nil {
		return nil
	}
	l := &loop{number: number, fn: fn, fresh: t.needsFresh(fn)}
	t.loops = append(t.loops, l)
	adapter := fmt.Sprintf("%s%s%d", f.alias, adapterMark, number)
	t.redirect(f, call, "Fuzz", fmt.Sprintf("%t,", l.fresh))
	arg := plain(",")
	arg.own(owner{anAdapter, number}, plain(adapter))
	f.edits.splice(f.offset(call.Args[0].End()), arg)
	f.tail.own(owner{anAdapter, number}, t.adapter(f, adapter, fn.types))
	return l
}

// Driver is the prefix of the names of drivers. Like fuzz targets they take a *testing.F, but they stand in generated
// files and are not called FuzzXxx: a package with fuzz targets may behave differently from one without, because
// package testing then reads more of its flags.
const Driver = "Driver_"

// isDriver reports whether d is a driver.
func (t *targetWeaver) isDriver(d *declared) bool {
	return strings.HasPrefix(d.decl.Name.Name, Driver) && t.in.Sources[d.file.path] != nil && takesF(d.decl, t.pkg.TypesInfo)
}

// addTarget records d if it is a fuzz target or a driver and leads to exactly one loop that goes through the probe.
func (t *targetWeaver) addTarget(d *declared) {
	driver := t.isDriver(d)
	if !driver && !isTarget(d.decl, t.pkg.TypesInfo) {
		return
	}
	loops := t.reach(d, map[*declared]bool{})
	if len(loops) != 1 {
		return
	}
	l := loops[0]
	target := Target{
		Name:    strings.TrimSuffix(t.pkg.PkgPath, "_test") + "." + d.decl.Name.Name,
		Package: strings.TrimSuffix(t.pkg.PkgPath, "_test"), Func: d.decl.Name.Name,
		Dir: filepath.Dir(d.file.path), File: d.file.rel, Types: l.fn.types, Fresh: l.fresh, Test: d.decl.Name.Name,
		Params: l.fn.params, Locals: locals(l.fn), Chosen: chosen(l.fn), Lists: t.lists(l.fn),
	}
	if l.target == "" {
		l.target = target.Name
	}
	if driver {
		target.Test = "TestMutantfuzz" + target.Func
		d.file.uses = true
		fmt.Fprintf(&d.file.tail, "\nfunc %s(t *%[2]s.T){%[2]s.Drive(t,%[3]q,%[3]s)}\n", target.Test, d.file.alias, target.Func)
	}
	t.out.Targets = append(t.out.Targets, target)
}

// reach returns the loops of d and of the functions of the test files that it calls, directly or not.
func (t *targetWeaver) reach(d *declared, seen map[*declared]bool) []*loop {
	if seen[d] {
		return nil
	}
	seen[d] = true
	loops := slices.Clone(d.loops)
	for _, callee := range d.calls {
		if next := t.decls[callee]; next != nil {
			loops = append(loops, t.reach(next, seen)...)
		}
	}
	return loops
}

// targetName matches the names that go test takes for fuzz targets.
var targetName = regexp.MustCompile(`^Fuzz(\P{Ll}|$)`)

// isTarget reports whether d is FuzzXxx(*testing.F). The older go-fuzz form, FuzzXxx([]byte) int, does not count.
func isTarget(d *ast.FuncDecl, info *types.Info) bool {
	return targetName.MatchString(d.Name.Name) && takesF(d, info)
}

// takesF reports whether d is a function with a single parameter, a *testing.F, and no results.
func takesF(d *ast.FuncDecl, info *types.Info) bool {
	if d.Recv != nil || d.Type.TypeParams != nil {
		return false
	}
	obj, ok := info.Defs[d.Name].(*types.Func)
	if !ok {
		return false
	}
	sig := obj.Type().(*types.Signature)
	return sig.Params().Len() == 1 && sig.Results().Len() == 0 && isTesting(sig.Params().At(0).Type(), "F")
}

func isTesting(t types.Type, name string) bool {
	p, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := p.Elem().(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing"
}

// adapter returns the source of a function called name that calls a fuzzed function with decoded arguments.
func (t *targetWeaver) adapter(f *file, name string, argTypes []string) passage {
	params := []string{"*" + f.alias + ".T"}
	args := []string{"t"}
	for i, typ := range argTypes {
		params = append(params, typ)
		args = append(args, fmt.Sprintf("a[%d].(%s)", i, typ))
	}
	return plain(fmt.Sprintf("\nfunc %s(fn any,t *%s.T,a []any){fn.(func(%s))(%s)}\n",
		name, f.alias, strings.Join(params, ","), strings.Join(args, ",")))
}

// redirect turns x.Method(args) into probe.Method(x, more args).
func (t *targetWeaver) redirect(f *file, call *ast.CallExpr, method, more string) {
	sel := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	f.uses = true
	f.edits.insert(f.offset(call.Pos()), f.alias+"."+method+"(")
	comma := ","
	if len(call.Args) == 0 {
		comma = ""
	}
	f.edits.replace(f.offset(sel.X.End()), f.offset(call.Lparen)+1, comma+more)
}

// testingMethod returns the name of the method of *testing.<typ> that call calls, or "" if it calls none.
func (t *targetWeaver) testingMethod(call *ast.CallExpr, typ string) string {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	tv, ok := t.pkg.TypesInfo.Types[sel.X]
	if !ok || !isTesting(tv.Type, typ) {
		return ""
	}
	return sel.Sel.Name
}

// fuzzedFunc is the function that a target passes to f.Fuzz.
type fuzzedFunc struct {
	file   *file
	param  *types.Var // the *testing.T; nil if it has no name
	body   *ast.BlockStmt
	types  []string // types of the arguments after the *testing.T
	params []string // names of the arguments after the *testing.T
}

// locals returns the variables that fn declares or assigns to. The value is the source of e if a statement "x := e"
// directly in the body declares the variable and there is no other assignment to it; otherwise it is "".
func locals(fn *fuzzedFunc) map[string]string {
	list := map[string]string{}
	note := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			list[id.Name] = ""
		}
	}
	for _, s := range fn.body.List {
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE && len(a.Lhs) == 1 && len(a.Rhs) == 1 {
			list[a.Lhs[0].(*ast.Ident).Name] = oneLine(fn.file.text(a.Rhs[0]))
		}
	}
	ast.Inspect(fn.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE || len(n.Lhs) != 1 || !slices.Contains(fn.body.List, ast.Stmt(n)) {
				for _, x := range n.Lhs {
					note(x)
				}
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				note(id)
			}
		case *ast.RangeStmt:
			note(n.Key)
			note(n.Value)
		}
		return true
	})
	return list
}

// chosen returns the variables that statements "x = e" within nested blocks of fn assign to, with the sources of all e.
func chosen(fn *fuzzedFunc) map[string][]string {
	list := map[string][]string{}
	ast.Inspect(fn.body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if ok && a.Tok == token.ASSIGN && len(a.Lhs) == 1 && len(a.Rhs) == 1 && !slices.Contains(fn.body.List, ast.Stmt(a)) {
			if id, ok := a.Lhs[0].(*ast.Ident); ok {
				list[id.Name] = append(list[id.Name], oneLine(fn.file.text(a.Rhs[0])))
			}
		}
		return true
	})
	return list
}

// fuzzed returns the function that is passed to f.Fuzz: a literal or a function of the same test package. It returns
// nil for anything else, and if a fuzzed argument is neither of a basic type nor a []byte.
func (t *targetWeaver) fuzzed(f *file, arg ast.Expr) *fuzzedFunc {
	sig, ok := t.pkg.TypesInfo.TypeOf(arg).(*types.Signature)
	if !ok || sig.Params().Len() < 2 || sig.Variadic() {
		return nil
	}
	fn := &fuzzedFunc{file: f}
	var ft *ast.FuncType
	switch arg := ast.Unparen(arg).(type) {
	case *ast.FuncLit:
		ft, fn.body = arg.Type, arg.Body
	case *ast.Ident:
		obj, _ := t.pkg.TypesInfo.Uses[arg].(*types.Func)
		d := t.decls[obj]
		if d == nil {
			return nil
		}
		ft, fn.body, fn.file = d.decl.Type, d.decl.Body, d.file
	default:
		return nil
	}
	if names := ft.Params.List[0].Names; len(names) > 0 {
		fn.param, _ = t.pkg.TypesInfo.Defs[names[0]].(*types.Var)
	}
	for i := 1; i < sig.Params().Len(); i++ {
		fn.params = append(fn.params, sig.Params().At(i).Name())
	}
	for i := 1; i < sig.Params().Len(); i++ {
		b, ok := types.Unalias(sig.Params().At(i).Type()).(*types.Basic)
		if ok {
			fn.types = append(fn.types, b.Name())
			continue
		}
		s, ok := sig.Params().At(i).Type().(*types.Slice)
		if !ok || !types.Identical(s.Elem(), types.Typ[types.Uint8]) {
			return nil
		}
		fn.types = append(fn.types, "[]byte")
	}
	return fn
}

// lasting has the methods of *testing.T that leave the T usable for further runs.
var lasting = []string{
	"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow", "Failed", "Skip", "Skipf", "SkipNow", "Skipped",
	"Log", "Logf", "Helper", "Name", "Parallel",
}

// needsFresh reports whether a run may leave its T changed for later runs: whether it may register cleanups, make
// temporary folders, start subtests, or pass the T to code that might do so.
func (t *targetWeaver) needsFresh(fn *fuzzedFunc) bool {
	if fn.param == nil {
		return false
	}
	fine := map[*ast.Ident]bool{}
	info := t.pkg.TypesInfo
	ast.Inspect(fn.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && slices.Contains(lasting, n.Sel.Name) {
				fine[id] = true
			}
		case *ast.CallExpr:
			sig, ok := info.TypeOf(n.Fun).(*types.Signature)
			if !ok {
				return true
			}
			for i, arg := range n.Args {
				if id, ok := arg.(*ast.Ident); ok && i < sig.Params().Len() && onlyLasting(sig.Params().At(i).Type()) {
					fine[id] = true
				}
			}
		}
		return true
	})
	fresh := false
	ast.Inspect(fn.body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && info.Uses[id] == fn.param && !fine[id] {
			fresh = true
		}
		return !fresh
	})
	return fresh
}

// onlyLasting reports whether typ is an interface that has lasting methods only, as assertion libraries use.
func onlyLasting(typ types.Type) bool {
	i, ok := typ.Underlying().(*types.Interface)
	if !ok || i.NumMethods() == 0 {
		return false
	}
	for k := range i.NumMethods() {
		if !slices.Contains(lasting, i.Method(k).Name()) {
			return false
		}
	}
	return true
}

// observe adds sites for the observed calls in body and in the functions of the test files that it calls.
func (t *targetWeaver) observe(f *file, body *ast.BlockStmt) {
	if t.seen[body] {
		return
	}
	t.seen[body] = true
	var held []*ast.CallExpr // the calls of go and defer statements
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			held = append(held, n.Call)
		case *ast.DeferStmt:
			held = append(held, n.Call)
		case *ast.AssignStmt:
			t.noteDeclared(n)
			t.noteAppended(n)
		case *ast.BlockStmt:
			t.noteStatements(n.List)
		case *ast.CaseClause:
			t.noteStatements(n.Body)
		case *ast.CommClause:
			t.noteStatements(n.Body)
		case *ast.CallExpr:
			if t.testingMethod(n, "T") == "Parallel" {
				t.redirect(f, n, "Parallel", "")
				return true
			}
			t.call(f, n, slices.Contains(held, n))
		}
		return true
	})
}

// noteStatements records the statements of a list that are calls.
func (t *targetWeaver) noteStatements(list []ast.Stmt) {
	for _, s := range list {
		if x, ok := s.(*ast.ExprStmt); ok {
			if call, ok := x.X.(*ast.CallExpr); ok {
				t.statements[call] = true
			}
		}
	}
}

// noteDeclared records the variables of s if it has the form "x, y := call".
func (t *targetWeaver) noteDeclared(s *ast.AssignStmt) {
	call, ok := s.Rhs[0].(*ast.CallExpr)
	if !ok || s.Tok != token.DEFINE || len(s.Rhs) != 1 {
		return
	}
	for _, x := range s.Lhs {
		t.declares[call] = append(t.declares[call], x.(*ast.Ident).Name)
	}
}

// noteAppended records the list of s if it has the form "list = append(list, call)".
func (t *targetWeaver) noteAppended(s *ast.AssignStmt) {
	if list, call := t.appended(s); call != nil {
		t.appends[call] = list
	}
}

// appended returns the list and the call of a statement "list = append(list, call)"; call is nil for any other one.
func (t *targetWeaver) appended(s *ast.AssignStmt) (list string, call *ast.CallExpr) {
	add, ok := s.Rhs[0].(*ast.CallExpr)
	if !ok || len(s.Lhs) != 1 || len(s.Rhs) != 1 || len(add.Args) != 2 || add.Ellipsis.IsValid() {
		return "", nil
	}
	if b, ok := typeutil.Callee(t.pkg.TypesInfo, add).(*types.Builtin); !ok || b.Name() != "append" {
		return "", nil
	}
	to, isName := s.Lhs[0].(*ast.Ident)
	same, isSame := add.Args[0].(*ast.Ident)
	item, isCall := add.Args[1].(*ast.CallExpr)
	if !isName || !isSame || !isCall || same.Name != to.Name {
		return "", nil
	}
	return to.Name, item
}

// lists returns the variables that fn declares by "var x T" directly in its body and changes only by appending the
// results of observed calls.
func (t *targetWeaver) lists(fn *fuzzedFunc) (names []string) {
	for _, s := range fn.body.List {
		if d, ok := s.(*ast.DeclStmt); ok {
			for _, spec := range d.Decl.(*ast.GenDecl).Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && len(v.Values) == 0 && len(v.Names) == 1 {
					names = append(names, v.Names[0].Name)
				}
			}
		}
	}
	filled := map[string]bool{}
	ast.Inspect(fn.body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		list, call := t.appended(s)
		if call != nil && t.observes(call) {
			filled[list] = true
			return true
		}
		for _, x := range s.Lhs {
			if id, ok := x.(*ast.Ident); ok {
				names = slices.DeleteFunc(names, func(name string) bool { return name == id.Name })
			}
		}
		return true
	})
	return slices.DeleteFunc(names, func(name string) bool { return !filled[name] })
}

// observes reports whether call calls the module, outside the test files, or a consumer.
func (t *targetWeaver) observes(call *ast.CallExpr) bool {
	callee, ok := typeutil.Callee(t.pkg.TypesInfo, call).(*types.Func)
	return ok && callee.Pkg() != nil && t.decls[callee.Origin()] == nil && t.ownOrConsumer(callee)
}

// consumers has functions of the standard library that read everything that the module has produced: an iterator, a
// reader, the contents of a buffer, or a response.
var consumers = []string{
	"io.ReadAll", "maps.Collect", "slices.Collect", "(*bytes.Buffer).String", "(*strings.Builder).String", "(*net/http/httptest.ResponseRecorder).Header", "(*net/http/httptest.ResponseRecorder).Result",
}

// builders has functions of the standard library with which drivers make arguments. Their calls are observed because a
// reader of the test needs to see them, too.
var builders = []string{
	"net/http/httptest.NewRequest", "(net/http.Header).Set", "net/http/httptest.NewRecorder", "(net/http.Handler).ServeHTTP", "(net/http.HandlerFunc).ServeHTTP",
}

// ownOrConsumer reports whether callee belongs to the module or is a consumer.
func (t *targetWeaver) ownOrConsumer(callee *types.Func) bool {
	return t.in.Own(callee.Pkg().Path()) || slices.Contains(consumers, callee.FullName())
}

// observed reports whether calls of callee in f are observed: it belongs to the module, is a consumer, or is a builder
// and f is a generated file.
func (t *targetWeaver) observed(f *file, callee *types.Func) bool {
	_, made := t.in.Sources[f.path]
	return t.ownOrConsumer(callee) || made && slices.Contains(builders, callee.FullName())
}

// call follows a call into a function of the test files, or adds a site for it if it is observed. held says that the
// call belongs to a go or defer statement; such a call gets no site.
func (t *targetWeaver) call(f *file, call *ast.CallExpr, held bool) {
	callee, ok := typeutil.Callee(t.pkg.TypesInfo, call).(*types.Func)
	if !ok || callee.Pkg() == nil {
		return
	}
	if d := t.decls[callee.Origin()]; d != nil {
		t.observe(d.file, d.decl.Body)
		return
	}
	if held || !t.observed(f, callee) {
		return
	}
	t.addSite(f, call, callee)
}

// returnsError reports whether the last result of a function is an error.
func returnsError(sig *types.Signature) bool {
	n := sig.Results().Len()
	return n > 0 && types.Identical(sig.Results().At(n-1).Type(), types.Universe.Lookup("error").Type())
}

// isOpaque reports whether no result of a function shows anything to other packages, apart from errors: all others are
// functions, channels, structs without exported fields, or pointers to these.
func isOpaque(sig *types.Signature) bool {
	shows := func(v *types.Var) bool {
		typ := v.Type().Underlying()
		if p, ok := typ.(*types.Pointer); ok {
			typ = p.Elem().Underlying()
		}
		switch u := typ.(type) {
		case *types.Signature, *types.Chan:
			return false
		case *types.Struct:
			exported := false
			for f := range u.Fields() {
				exported = exported || f.Exported()
			}
			return exported
		}
		return !types.Identical(v.Type(), types.Universe.Lookup("error").Type())
	}
	for v := range sig.Results().Variables() {
		if shows(v) {
			return false
		}
	}
	return true
}

// addSite adds a site for a call and wraps the call so that the probe sees its receiver, arguments and results.
func (t *targetWeaver) addSite(f *file, call *ast.CallExpr, callee *types.Func) {
	number := len(t.out.Sites)
	sig := callee.Type().(*types.Signature)
	site := Site{
		Target: t.name, File: f.rel, Line: f.line(f.offset(call.Pos())),
		Source: oneLine(f.text(call)), Callee: oneLine(f.text(call.Fun)), Function: idOf(callee),
		Results: sig.Results().Len(), Fails: returnsError(sig), Opaque: isOpaque(sig), Returned: t.returned(callee, t.pkg.PkgPath), Package: t.pkg.PkgPath,
		Basic: basicResults(callee), Spread: call.Ellipsis.IsValid(), Assigns: t.declares[call], Appends: t.appends[call], Unseen: t.unseen[number],
		PackageName: f.syntax.Name.Name, Imports: t.imports(f), Late: sig.Results().Len() == 0 && !t.statements[call],
		Consumes: slices.Contains(consumers, callee.FullName()),
	}
	drop, o := t.unseen[number], owner{aSite, number}
	arg := func(e ast.Expr, before string) {
		if !drop {
			f.edits.wrapFor(o, f.offset(e.Pos()), f.offset(e.End()), plain(fmt.Sprintf("%s.Arg(%d,%s", f.alias, number, before)), ")")
		}
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && t.isMethodValue(sel) {
		address := t.addressOf(sel)
		site.Recv, site.Receiver, site.Variable = true, t.receiver(callee, t.pkg.PkgPath), address != ""
		arg(sel.X, address)
	}
	for i, a := range call.Args {
		if t.observable(a) {
			site.Args = append(site.Args, t.siteArg(callee, i, site.Spread, t.pkg.PkgPath))
			arg(a, "")
		} else {
			site.Args = append(site.Args, SiteArg{Const: oneLine(f.text(a))})
		}
	}
	t.out.Sites = append(t.out.Sites, site)
	if drop {
		return
	}
	f.uses = true
	if site.Results == 0 && !site.Late {
		f.edits.wrapFor(o, f.offset(call.Pos()), f.offset(call.End()), plain(""), fmt.Sprintf(";%s.Result(%d)", f.alias, number))
	}
	if site.Results > 0 {
		name := fmt.Sprintf("%s%s%d", f.alias, resultMark, number)
		f.edits.wrapFor(o, f.offset(call.Pos()), f.offset(call.End()), plain(name+"("), ")")
		f.tail.own(o, wrapper(f, name, number, site.Results))
	}
}

// idOf returns the ID of a function or method, as in import/path.Type.Method. The method may be that of an interface.
func idOf(fn *types.Func) string {
	id := fn.Pkg().Path() + "."
	if recv := fn.Signature().Recv(); recv != nil {
		typ := types.Unalias(recv.Type())
		if p, ok := typ.(*types.Pointer); ok {
			typ = types.Unalias(p.Elem())
		}
		if named, ok := typ.(*types.Named); ok {
			id += named.Obj().Name() + "."
		}
	}
	return id + fn.Name()
}

// imports returns the import specifications that a test in f's package can use, by local name: f's own, and those of
// the package's other files if their package name is unique. Results may have types of packages that f does not import.
func (t *targetWeaver) imports(f *file) map[string]string {
	named := map[string]string{}
	for _, spec := range f.syntax.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || t.pkg.Imports[path] == nil {
			continue
		}
		name, text := t.pkg.Imports[path].Name, spec.Path.Value
		if spec.Name != nil {
			name, text = spec.Name.Name, spec.Name.Name+" "+text
		}
		named[name] = text
	}
	others := map[string][]string{}
	for path, p := range t.pkg.Imports {
		if p != nil && p.Name != "" && path != "C" {
			others[p.Name] = append(others[p.Name], path)
		}
	}
	for name, paths := range others {
		if named[name] == "" && len(paths) == 1 {
			named[name] = importSpec(name, paths[0])
		}
	}
	return named
}

// importSpec returns the specification that imports the package called name at importPath. It has a name only if the package is
// not called as its path says, apart from a major version.
func importSpec(name, importPath string) string {
	unversioned, _, ok := module.SplitPathVersion(importPath)
	if path.Base(importPath) == name || ok && path.Base(unversioned) == name {
		return strconv.Quote(importPath)
	}
	return name + " " + strconv.Quote(importPath)
}

func (t *targetWeaver) isMethodValue(sel *ast.SelectorExpr) bool {
	s := t.pkg.TypesInfo.Selections[sel]
	return s != nil && s.Kind() == types.MethodVal
}

// wrapper returns the source of a function called name that passes the results of an observed call to the probe and
// returns them. It is generic, so that no type has to be named.
func wrapper(f *file, name string, site, results int) passage {
	var types, params, args []string
	for i := range results {
		types = append(types, fmt.Sprintf("T%d", i))
		params = append(params, fmt.Sprintf("v%d T%d", i, i))
		args = append(args, fmt.Sprintf("v%d", i))
	}
	list := strings.Join(args, ",")
	return plain(fmt.Sprintf("\nfunc %s[%s any](%s)(%s){if %s.Observe{%s.Result(%d,%s)};return %s}\n",
		name, strings.Join(types, ","), strings.Join(params, ","), strings.Join(types, ","),
		f.alias, f.alias, site, list, list))
}

// addressOf returns "&" if a method with a pointer receiver is called on a variable that is no pointer: the probe then
// sees what the method changes. Otherwise it returns "".
func (t *targetWeaver) addressOf(sel *ast.SelectorExpr) string {
	s := t.pkg.TypesInfo.Selections[sel]
	fn, ok := s.Obj().(*types.Func)
	if !ok || s.Indirect() {
		return ""
	}
	recv := fn.Type().(*types.Signature).Recv()
	if recv == nil {
		return ""
	}
	_, wantsPointer := recv.Type().(*types.Pointer)
	_, isPointer := types.Unalias(t.pkg.TypesInfo.TypeOf(sel.X)).Underlying().(*types.Pointer)
	if wantsPointer && !isPointer {
		return "&"
	}
	return ""
}

// observable reports whether an argument can be passed through a generic function without changing its type. Constants,
// nil, several results at once, function literals and binary expressions cannot.
func (t *targetWeaver) observable(e ast.Expr) bool {
	e = ast.Unparen(e)
	tv, ok := t.pkg.TypesInfo.Types[e]
	if !ok || tv.Value != nil || tv.IsNil() || tv.IsType() {
		return false
	}
	if _, tuple := tv.Type.(*types.Tuple); tuple {
		return false
	}
	switch e.(type) {
	case *ast.FuncLit, *ast.BinaryExpr:
		// A comparison or shift may take its type from the parameter.
		return false
	}
	return true
}

func (f *file) text(n ast.Node) string {
	return string(f.src[f.offset(n.Pos()):f.offset(n.End())])
}

// oneLine replaces each run of white space in s by one space.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
