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

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

// Target is a fuzz target whose f.Fuzz goes through the probe.
type Target struct {
	Name    string // import/path.FuzzXxx
	Package string // import path of the package under test, without "_test"
	Func    string // FuzzXxx, or the driver
	Test    string // what -test.run is to match
	Dir     string // absolute folder of the package
	File    string // relative to the root
	Types   []string
	Fresh   bool                // every run needs a *testing.T of its own
	Params  []string            // names of the fuzzed arguments, "" where one has none
	Locals  map[string]string   // variables that a fuzzed function literal declares once, and the source of their values
	Chosen  map[string][]string // variables that it assigns to in one of several branches, and what it assigns
	Lists   []string            // variables that it declares outside of other statements, and only fills with what observed calls return
}

// Site is one call that a target makes into the module and whose effects are
// observed.
type Site struct {
	Target   string // name of the first target that leads to it
	File     string // relative to the root
	Line     int
	Source   string // the call as written, on one line
	Callee   string // as written, without the arguments
	Function string // ID of what a target calls, as import/path.Type.Method
	Args     []SiteArg
	Recv     bool // the receiver is observed as the first argument
	Variable bool // the receiver has to be a variable, for the method takes its address
	Spread   bool // the last argument is followed by "..."
	Results  int
	Fails    bool                // the last result is an error
	Opaque   bool                // no other result shows anything to other packages
	Receiver SiteArg             // of which only constants are known
	Returned []map[string]string // of each result the constants of its type, as of an argument's
	Assigns  []string            // the variables that a statement x, y := call declares, "_" included
	Appends  string              // the list that a statement list = append(list, call) fills
	Unseen   bool                // it could not be observed after all
	Consumes bool                // what is called is the standard library's, and asks for all that the module has made
	Late     bool                // it gives nothing, and what it has done is only observed when the run ends
	Package  string              // import path of the package that the call stands in, "_test" included
	// PackageName is the name in that package's clause, Imports what the file
	// imports: local name -> import specification.
	PackageName string
	Imports     map[string]string
}

// ImportsFor returns the import specifications that a test needs whose body is
// text: "testing", those of the site's file whose names text uses, and of the
// standard library what values and checks name.
func (s *Site) ImportsFor(text string) []string {
	specs := []string{`"testing"`}
	names := qualifiers(text)
	for _, name := range []string{"errors", "io", "math", "reflect", "time"} { // which the run-time and checks write
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

// qualifiers are the names in the body of a test of which something is selected, and which are no variables of it.
func qualifiers(text string) map[string]bool {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), func(token.Position, string) {}, 0)
	names := map[string]bool{}
	var left []string // names in a list that ends here
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

// SiteArg is one argument of an observed call: its source where that is a
// constant, or a function or binary expression, otherwise empty and observed, in order.
type SiteArg struct {
	Const string
	// Basic is the name of the parameter's type where that is basic: a constant of it needs no
	// conversion. Empty: it is not.
	Basic string
	// Character reports whether that type is written as rune, or byte.
	Character bool
	// Nil reports whether a nil needs no conversion.
	Nil bool
	// Named has the constants of the parameter's type that can be named where the call stands, by their
	// values as Go source. The map is shared.
	Named map[string]string
	// Fields has the same of the fields of a struct, or of one that is pointed to, by their names: constants of types of the struct's package.
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
	seen  map[*ast.BlockStmt]bool // bodies already observed
	name  string                  // target whose calls are being observed
	// declares has the variables that calls are declared with.
	declares map[*ast.CallExpr][]string
	// statements are the calls that stand alone in a list of statements.
	statements map[*ast.CallExpr]bool
	appends    map[*ast.CallExpr]string // the list that the value of a call is added to
}

// declared is a function of the test files.
type declared struct {
	file  *file
	decl  *ast.FuncDecl
	loops []*loop       // calls of f.Fuzz in it
	calls []*types.Func // what it calls
}

// loop is one call of f.Fuzz. Several targets may share one, through a helper.
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

// redirectCalls sends the f.Add and f.Fuzz calls of one function through the
// probe. Where f.Fuzz is given something whose code cannot be seen, the
// function is left alone.
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

// Driver begins the names of drivers: functions of a *testing.F like fuzz targets, in files that only the
// analysis knows, but of another name. A package with fuzz targets may behave in another way than one
// without: package testing reads more of its flags.
const Driver = "Driver_"

// isDriver reports whether d is a driver.
func (t *targetWeaver) isDriver(d *declared) bool {
	return strings.HasPrefix(d.decl.Name.Name, Driver) && t.in.Sources[d.file.path] != nil && takesF(d.decl, t.pkg.TypesInfo)
}

// addTarget records d as a target if it is one, or a driver, and leads to one loop that goes
// through the probe.
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

// reach returns the loops of d and of the test functions that it calls.
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

// targetName matches the names by which go test knows fuzz targets.
var targetName = regexp.MustCompile(`^Fuzz(\P{Ll}|$)`)

// isTarget reports whether d is FuzzXxx(*testing.F). Functions of the older
// kind, FuzzXxx([]byte) int, are not.
func isTarget(d *ast.FuncDecl, info *types.Info) bool {
	return targetName.MatchString(d.Name.Name) && takesF(d, info)
}

// takesF reports whether d is a function of a *testing.F.
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

// adapter is the function that calls a fuzzed function with decoded arguments.
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

// testingMethod returns the name of the method of *testing.<typ> that call
// calls, or "".
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

// fuzzedFunc is the function that a target fuzzes.
type fuzzedFunc struct {
	file   *file
	param  *types.Var // the *testing.T; nil if it has no name
	body   *ast.BlockStmt
	types  []string
	params []string // names of the arguments after the *testing.T
}

// locals are the variables that the body of fn declares, and the source of what those are that
// it declares itself, one by one, and does not assign to.
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

// chosen are the variables of fn that it assigns to in blocks of other statements, by themselves, and the source of what it assigns.
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

// fuzzed finds the function behind f.Fuzz's argument: a literal, or a function
// of the same test package.
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

// lasting are the methods of *testing.T that leave the T usable for further runs.
var lasting = []string{
	"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow", "Failed", "Skip", "Skipf", "SkipNow", "Skipped",
	"Log", "Logf", "Helper", "Name", "Parallel",
}

// needsFresh reports whether a run may change its T for later runs: register
// cleanups, make folders, start subtests, or pass it to code that might.
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

// onlyLasting reports whether typ is an interface that offers nothing but
// lasting methods, as assertion libraries take.
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

// observe watches the calls into the module that body makes, and those of the
// functions of the test package that it calls.
func (t *targetWeaver) observe(f *file, body *ast.BlockStmt) {
	if t.seen[body] {
		return
	}
	t.seen[body] = true
	var held []*ast.CallExpr // calls of go and defer statements
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

// noteStatements notes which statements of a list are calls.
func (t *targetWeaver) noteStatements(list []ast.Stmt) {
	for _, s := range list {
		if x, ok := s.(*ast.ExprStmt); ok {
			if call, ok := x.X.(*ast.CallExpr); ok {
				t.statements[call] = true
			}
		}
	}
}

// noteDeclared notes the variables of a statement x, y := call.
func (t *targetWeaver) noteDeclared(s *ast.AssignStmt) {
	call, ok := s.Rhs[0].(*ast.CallExpr)
	if !ok || s.Tok != token.DEFINE || len(s.Rhs) != 1 {
		return
	}
	for _, x := range s.Lhs {
		t.declares[call] = append(t.declares[call], x.(*ast.Ident).Name)
	}
}

// noteAppended notes the variable of a statement list = append(list, call).
func (t *targetWeaver) noteAppended(s *ast.AssignStmt) {
	if list, call := t.appended(s); call != nil {
		t.appends[call] = list
	}
}

// appended are the list and the call of a statement list = append(list, call); nil: it is another one.
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

// lists are the variables that the body of fn declares outside of other statements, and only fills with what calls into
// the module return.
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

// observes reports whether a call is one into the module.
func (t *targetWeaver) observes(call *ast.CallExpr) bool {
	callee, ok := typeutil.Callee(t.pkg.TypesInfo, call).(*types.Func)
	return ok && callee.Pkg() != nil && t.decls[callee.Origin()] == nil && t.ownOrConsumer(callee)
}

// consumers are the functions of the standard library that ask for all that the module has made: an iterator, a reader, what
// was written to a buffer, or a response.
var consumers = []string{
	"io.ReadAll", "maps.Collect", "slices.Collect", "(*bytes.Buffer).String", "(*net/http/httptest.ResponseRecorder).Header", "(*net/http/httptest.ResponseRecorder).Result",
}

// builders are the functions of the standard library with which drivers make what they pass: who reads the call has to see them, too.
var builders = []string{
	"net/http/httptest.NewRequest", "(net/http.Header).Set", "net/http/httptest.NewRecorder", "(net/http.Handler).ServeHTTP", "(net/http.HandlerFunc).ServeHTTP",
}

// ownOrConsumer reports whether a function is the module's, or a consumer.
func (t *targetWeaver) ownOrConsumer(callee *types.Func) bool {
	return t.in.Own(callee.Pkg().Path()) || slices.Contains(consumers, callee.FullName())
}

// observed reports whether calls of a function in a file are: it is the module's, or a consumer, or a builder in a driver.
func (t *targetWeaver) observed(f *file, callee *types.Func) bool {
	_, made := t.in.Sources[f.path]
	return t.ownOrConsumer(callee) || made && slices.Contains(builders, callee.FullName())
}

// call observes one call or follows it.
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

// isOpaque reports whether none of the results of a function, errors apart, shows anything to other packages: they are functions, channels, or
// structs without exported fields, or pointers to these.
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

// addSite wraps a call so that the probe sees its receiver, arguments and
// results.
func (t *targetWeaver) addSite(f *file, call *ast.CallExpr, callee *types.Func) {
	number := len(t.out.Sites)
	sig := callee.Type().(*types.Signature)
	site := Site{
		Target: t.name, File: f.rel, Line: f.line(f.offset(call.Pos())),
		Source: oneLine(f.text(call)), Callee: oneLine(f.text(call.Fun)), Function: idOf(callee),
		Results: sig.Results().Len(), Fails: returnsError(sig), Opaque: isOpaque(sig), Returned: t.returned(callee, t.pkg.PkgPath), Package: t.pkg.PkgPath,
		Spread: call.Ellipsis.IsValid(), Assigns: t.declares[call], Appends: t.appends[call], Unseen: t.unseen[number],
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

// idOf is the ID of a function or method, which may be that of an interface.
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

// imports returns f's imports by local name, and those of other files of the package by their own names, where no
// other package has that: results may be of their types.
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

// importSpec imports a package of a name by its path.
func importSpec(name, importPath string) string {
	if path.Base(importPath) == name {
		return strconv.Quote(importPath)
	}
	return name + " " + strconv.Quote(importPath)
}

func (t *targetWeaver) isMethodValue(sel *ast.SelectorExpr) bool {
	s := t.pkg.TypesInfo.Selections[sel]
	return s != nil && s.Kind() == types.MethodVal
}

// wrapper is the function that shows the results of an observed call to the
// probe. It is generic, so that no type has to be named.
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

// addressOf returns "&" where a method with a pointer receiver is called on a
// variable, so that what it changes is seen.
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

// observable reports whether an argument can be passed through a generic
// function without changing its type.
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

// oneLine folds white space, for people.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
