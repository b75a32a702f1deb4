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
// It errs on the side of yes: a variable that is handed on, so that others may change
// what it refers to, counts as changed. What tests themselves assign without a call is
// the same whatever the mutant; of them only the rest counts.
func remembered(p *packages.Package) memory {
	l := &looker{declarations: declarationsOf(p)}
	for _, f := range p.Syntax {
		l.test = strings.HasSuffix(p.Fset.Position(f.Package).Filename, "_test.go")
		for _, d := range f.Decls {
			l.decl = d
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body != nil && (d.Recv != nil || d.Name.Name != "init") && !l.isGiven(d) {
					l.look(d.Body)
				}
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
	test bool     // it looks at tests
	decl ast.Decl // where it looks

	changed []*types.Var // that others may see
	process []string     // functions that change what belongs to the process
	once    []*once
}

// lookAtVariables looks at the literals in initial values.
func (l *looker) lookAtVariables(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok && l.lookOnce(v) {
			continue
		}
		ast.Inspect(spec, func(n ast.Node) bool {
			lit, ok := n.(*ast.FuncLit)
			if ok {
				l.look(lit.Body)
			}
			return !ok
		})
	}
}

// look looks at body, which belongs to l.decl.
func (l *looker) look(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE && (!l.test || slices.ContainsFunc(n.Rhs, l.computes)) {
				l.lend(n.Lhs...)
			}
			l.handOn(n.Rhs...)
		case *ast.IncDecStmt:
			l.assign(n.X)
		case *ast.RangeStmt:
			l.rangeOver(n)
		case *ast.ValueSpec:
			l.handOn(n.Values...)
		case *ast.ReturnStmt:
			l.handOn(n.Results...)
		case *ast.CompositeLit:
			l.handOn(n.Elts...)
		case *ast.KeyValueExpr:
			l.handOn(n.Value)
		case *ast.SendStmt:
			l.lend(n.Chan)
			l.handOn(n.Value)
		case *ast.UnaryExpr:
			if n.Op == token.AND || n.Op == token.ARROW {
				l.lend(n.X)
			}
		case *ast.CallExpr:
			if l.lookGiven(n) {
				return false
			}
			l.call(n)
			if !l.test && changesProcess(l.info, n) {
				l.process = append(l.process, declared(l.decl)...)
			}
		}
		return true
	})
}

// assign takes in that what each of list stands for is assigned to.
func (l *looker) assign(list ...ast.Expr) {
	if !l.test {
		l.lend(list...)
	}
}

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

// lend takes in that others may change each of list.
func (l *looker) lend(list ...ast.Expr) {
	for _, e := range list {
		if v := l.root(e); v != nil {
			l.changed = append(l.changed, v)
		}
	}
}

// handOn takes in that others get each of list, and may change what it refers to.
func (l *looker) handOn(list ...ast.Expr) {
	for _, e := range list {
		v, t := l.root(e), l.info.TypeOf(e)
		if v != nil && !unchanging(v.Type()) && (refers(t) || isFunc(t) && !l.isPlain(v)) {
			l.changed = append(l.changed, v)
		}
	}
}

// rangeOver takes in that what n ranges over is handed on, element by element.
func (l *looker) rangeOver(n *ast.RangeStmt) {
	if n.Tok == token.ASSIGN {
		l.assign(n.Key, n.Value)
	}
	v := l.root(n.X)
	if v == nil || unchanging(v.Type()) {
		return
	}
	for _, e := range []ast.Expr{n.Key, n.Value} {
		if e != nil && refers(l.info.TypeOf(e)) {
			l.changed = append(l.changed, v)
		}
	}
}

// call takes in that a call may change what it is made on or given, or what the function
// that it calls has kept to itself.
func (l *looker) call(call *ast.CallExpr) {
	fun := ast.Unparen(call.Fun)
	var on *types.Var
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		on = l.root(sel.X)
	}
	switch v := l.root(fun); {
	case on != nil && !unchanging(on.Type()):
		l.changed = append(l.changed, on)
	case on == nil && v != nil && !l.isPlain(v):
		l.changed = append(l.changed, v)
	}
	if !readOnly(l.info, call) {
		l.handOn(call.Args...)
	}
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

// readOnly reports whether a call is of a built-in function that changes
// nothing.
func readOnly(info *types.Info, call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := info.Uses[id].(*types.Builtin)
	return ok && (b.Name() == "len" || b.Name() == "cap" || b.Name() == "min" || b.Name() == "max" || b.Name() == "panic")
}

// refers reports whether a value of type t lets others change what it stands
// for.
func refers(t types.Type) bool {
	if t == nil || unchanging(t) {
		return false
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

func isFunc(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
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
