package engine

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// memory is what functions may leave for others to see later in the same process.
type memory struct {
	// names are of package variables that functions may change, and of functions that
	// change what belongs to the whole process.
	names []string
	once  []*once // what is computed once, and is the same whenever that happens
	// ran are the names that what is computed once leads to: what a mutant of these does
	// lasts.
	ran map[string]bool
	// process says that functions may change what belongs to the whole process.
	process bool
}

// remembered returns what functions of a package may leave for others to see later.
// It errs on the side of yes: a variable that is handed to where nobody looks, so that
// others may change what it refers to, counts as changed. What tests themselves assign
// without a call or a condition is the same whatever the mutant; of them only the rest counts.
func remembered(p *packages.Package) memory {
	l := newLooker(declarationsOf(p), newFlows())
	for _, f := range p.Syntax {
		l.test = strings.HasSuffix(p.Fset.Position(f.Package).Filename, "_test.go")
		for _, d := range f.Decls {
			l.decl = d
			switch d := d.(type) {
			case *ast.FuncDecl:
				l.lookAtFunction(d)
			case *ast.GenDecl:
				l.lookAtVariables(d)
			}
		}
	}
	return l.settle()
}

// looker gathers what lasts of what a package does.
type looker struct {
	*declarations
	flows    *flows
	test     bool                       // it looks at tests
	branch   bool                       // ... behind a condition
	starting bool                       // ... at what is done before anything else, which is no change
	decl     ast.Decl                   // where it looks
	methods  map[*ast.SelectorExpr]bool // that are called where they stand

	changed []*types.Var // that others may see
	gifts   []gift
	process []string // functions that change what belongs to the process
	once    []*once
}

func newLooker(ds *declarations, fs *flows) *looker {
	l := &looker{declarations: ds, flows: fs, methods: map[*ast.SelectorExpr]bool{}}
	fs.lookers = append(fs.lookers, l)
	return l
}

// lookAtFunction looks at a function, unless it is one that runs once. Benchmarks do not run.
func (l *looker) lookAtFunction(d *ast.FuncDecl) {
	if d.Body == nil || l.isGiven(d) || l.test && d.Recv == nil && strings.HasPrefix(d.Name.Name, "Benchmark") {
		return
	}
	l.starting = d.Recv == nil && d.Name.Name == "init"
	l.results(d.Type)
	l.look(d.Body)
	l.starting = false
}

// lookAtVariables looks at initial values.
func (l *looker) lookAtVariables(d *ast.GenDecl) {
	l.starting = true
	for _, spec := range d.Specs {
		if v, ok := spec.(*ast.ValueSpec); !ok || !l.lookOnce(v) {
			l.look(spec)
		}
	}
	l.starting = false
}

// look looks at a part of l.decl.
func (l *looker) look(part ast.Node) {
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			starting := l.starting
			l.starting = false // it may run at any time
			l.results(n.Type)
			l.look(n.Body)
			l.starting = starting
			return false
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE && (l.decides() || slices.ContainsFunc(n.Rhs, l.computes)) {
				l.assign(n.Lhs...)
			}
			l.flow(n.Lhs, n.Rhs)
		case *ast.IncDecStmt:
			if l.decides() {
				l.assign(n.X)
			}
		case *ast.IfStmt, *ast.CaseClause:
			l.conditional(n)
			return false
		case *ast.RangeStmt:
			l.rangeOver(n)
		case *ast.TypeSwitchStmt:
			l.typeSwitch(n)
		case *ast.ValueSpec:
			names := make([]ast.Expr, len(n.Names))
			for i, name := range n.Names {
				names[i] = name
			}
			l.flow(names, n.Values)
		case *ast.ReturnStmt:
			l.handOn(n.Results...)
		case *ast.CompositeLit:
			l.literal(n)
		case *ast.SendStmt:
			l.write(l.held(n.Chan)...)
			l.handOn(n.Value)
		case *ast.UnaryExpr:
			if _, fresh := ast.Unparen(n.X).(*ast.CompositeLit); n.Op == token.AND && !fresh || n.Op == token.ARROW {
				l.write(l.held(n.X)...)
			}
		case *ast.SelectorExpr:
			if s := l.info.Selections[n]; s != nil && s.Kind() == types.MethodVal && !l.methods[n] {
				l.write(append(fields(s), l.held(n.X)...)...) // the value holds its receiver
			}
		case *ast.CallExpr:
			if l.lookGiven(n) {
				return false
			}
			l.call(n)
			if !l.test && !l.starting && changesProcess(l.info, n) {
				l.process = append(l.process, declared(l.decl)...)
			}
		}
		return true
	})
}

// conditional looks at an if statement or a case of a switch.
func (l *looker) conditional(n ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		if n.Init != nil {
			l.look(n.Init)
		}
		l.look(n.Cond)
		l.lookInBranch(n.Body, n.Else)
	case *ast.CaseClause:
		for _, e := range n.List {
			l.look(e)
		}
		l.lookInBranch(n.Body...)
	}
}

// lookInBranch looks at statements behind a condition, some of which may be nil.
func (l *looker) lookInBranch(list ...ast.Stmt) {
	outer := l.branch
	l.branch = true
	for _, s := range list {
		if s != nil {
			l.look(s)
		}
	}
	l.branch = outer
}

// decides reports whether what is done where it looks may hang on the code under test: in
// that itself, and in tests behind a condition.
func (l *looker) decides() bool { return !l.test || l.branch }

// computes reports whether e calls something.
func (l *looker) computes(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			found = found || !l.info.Types[call.Fun].IsType() && !l.info.Types[call.Fun].IsBuiltin()
		}
		_, isLit := n.(*ast.FuncLit)
		return !isLit && !found
	})
	return found
}

// lasting are the functions of the standard library that change what belongs to the
// whole process, by the path of their package.
var lasting = map[string][]string{
	"archive/zip":  {"RegisterCompressor", "RegisterDecompressor"},
	"crypto":       {"RegisterHash"},
	"database/sql": {"Register"},
	"encoding/gob": {"Register", "RegisterName"},
	"expvar":       {"NewFloat", "NewInt", "NewMap", "NewString", "Publish"},
	"flag":         {"Set"},
	"image":        {"RegisterFormat"},
	"io/ioutil":    {"WriteFile"},
	"log":          {"Default", "SetFlags", "SetOutput", "SetPrefix"},
	"log/slog":     {"SetDefault", "SetLogLoggerLevel"},
	"math/rand":    {"Seed"},
	"mime":         {"AddExtensionType"},
	"net/http":     {"Handle", "HandleFunc"},
	"os": {
		"Chdir", "Chmod", "Chown", "Chtimes", "Clearenv", "CopyFS", "Create", "Lchown", "Link", "Mkdir", "MkdirAll", "OpenFile", "OpenRoot",
		"Remove", "RemoveAll", "Rename", "Setenv", "Symlink", "Truncate", "Unsetenv", "WriteFile",
	},
	"os/signal":     {"Ignore", "Notify", "Reset"},
	"runtime":       {"GOMAXPROCS"},
	"runtime/debug": {"SetGCPercent", "SetMaxStack", "SetMaxThreads", "SetMemoryLimit", "SetPanicOnFault", "SetTraceback"},
}

// changesProcess reports whether a call is of a function of the standard library
// that changes what belongs to the whole process.
func changesProcess(info *types.Info, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && f.Pkg() != nil && f.Signature().Recv() == nil && slices.Contains(lasting[f.Pkg().Path()], f.Name())
}

// refers reports whether a value of type t lets others change what it stands
// for.
func refers(t types.Type) bool {
	if t == nil { // of a call on something of which nothing is known
		return true
	}
	if unchanging(t) {
		return false
	}
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		return anyRefers(p.Constraint())
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid // as far as is known
	case *types.Pointer, *types.Map, *types.Slice, *types.Chan, *types.Interface:
		return true
	case *types.Array:
		return refers(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if refers(f.Type()) {
				return true
			}
		}
	}
	return false
}

// anyRefers reports whether values of a type that a constraint admits may refer to something.
func anyRefers(constraint types.Type) bool {
	iface, ok := constraint.Underlying().(*types.Interface)
	if !ok {
		return true
	}
	for e := range iface.EmbeddedTypes() {
		union, ok := e.(*types.Union)
		switch {
		case ok:
			if !slices.ContainsFunc(slices.Collect(union.Terms()), func(t *types.Term) bool { return refers(t.Type()) }) {
				return false
			}
		case types.IsInterface(e):
			if !anyRefers(e) {
				return false
			}
		case !refers(e):
			return false
		}
	}
	return true
}

// isFunc reports whether a value of type t is a function or has one within.
func isFunc(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Array:
		return isFunc(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if isFunc(f.Type()) {
				return true
			}
		}
	}
	return false
}

// unchanging reports whether values of type t stay as they are whatever is
// called on them.
func unchanging(t types.Type) bool {
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return true
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Kind() != types.Invalid // then it is not known
	}
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	switch named.Obj().Pkg().Path() {
	case "time":
		return slices.Contains([]string{"Duration", "Location", "Month", "Time", "Weekday"}, named.Obj().Name())
	case "regexp", "reflect", "encoding/base64", "encoding/base32", "encoding/binary", "hash/crc32", "unicode":
		return true
	}
	return named.Obj().Pkg().Path() == "strings" && named.Obj().Name() == "Replacer"
}
