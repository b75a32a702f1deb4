// Package danger finds the functions that generated drivers must not call, because they may lead to something that no
// made-up input may cause: deleting or writing files, starting programs, using the network, waiting for ever, or ending
// the process.
package danger

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// dangerous maps import paths to functions that no driver may lead to, and these to what they do. A name that ends in *
// stands for all names with that prefix. Methods are written Type.Method. "C" stands for cgo.
var dangerous = map[string]map[string]string{
	"os": {
		"Remove*": "deletes files", "Rename": "writes files", "Create*": "writes files", "Mkdir*": "writes files",
		"WriteFile": "writes files", "OpenFile": "may open files for writing", "Truncate": "writes files", "Chmod": "changes file attributes", "Chown": "changes file attributes",
		"Lchown": "changes file attributes", "Chtimes": "changes file attributes", "Link": "writes files", "Symlink": "writes files", "Exit": "ends the process", "StartProcess": "starts processes",
		"Chdir": "changes the folder of the process", "Setenv": "changes the environment", "Unsetenv": "changes the environment",
		"Clearenv": "changes the environment", "File.Write*": "writes files", "File.ReadFrom": "writes files",
		"File.Truncate": "writes files", "File.Chmod": "changes file attributes", "File.Chown": "changes file attributes", "Process.*": "controls processes",
		"CopyFS": "writes files", "Root.*": "writes files",
	},
	"os/exec": {"*": "starts programs"}, "syscall": {"*": "makes system calls"}, "plugin": {"*": "loads code"}, "log": {"Fatal*": "ends the process", "Logger.Fatal*": "ends the process"},
	"os/signal": {"*": "handles signals"}, "runtime": {"Goexit": "ends the goroutine"}, "testing": {"*": "is for tests"}, "flag": {"Parse": "reads the command line"},
	"net": {"Dial*": "uses the network", "Listen*": "uses the network", "Lookup*": "uses the network", "Dialer.*": "uses the network", "ListenConfig.*": "uses the network", "Resolver.*": "uses the network"},
	"net/http": {
		"Get": "uses the network", "Post*": "uses the network", "Head": "uses the network", "ListenAndServe*": "uses the network", "Serve": "uses the network", "ServeTLS": "uses the network",
		"Client.*": "uses the network", "Server.*": "uses the network", "Transport.RoundTrip": "uses the network",
	},
	"net/smtp": {"*": "uses the network"}, "net/rpc": {"Dial*": "uses the network"}, "crypto/tls": {"Dial*": "uses the network", "Listen": "uses the network"},
	"log/syslog": {"*": "uses the network"}, "database/sql": {"Open*": "uses a database", "DB.*": "uses a database"},
	"io/ioutil": {"WriteFile": "writes files", "Temp*": "writes files"}, "time": {"Sleep": "waits"}, "C": {"*": "calls C"},
}

// Graph knows which functions may lead to dangerous ones. It reads the function bodies of some packages; functions of
// all others it only judges by their names. It is not safe for concurrent use.
type Graph struct {
	calls  map[*types.Func][]*types.Func // what a function calls or names
	direct map[*types.Func]string        // the first danger in a function itself
	values map[*types.Var][]*types.Func  // functions that the values of a package variable name
	known  map[*types.Func]string        // cache of Reason
}

// New returns the graph of pkgs, which must have their syntax and types.
func New(pkgs []*packages.Package) *Graph {
	d := &Graph{calls: map[*types.Func][]*types.Func{}, direct: map[*types.Func]string{}, values: map[*types.Var][]*types.Func{}, known: map[*types.Func]string{}}
	for _, pkg := range pkgs {
		d.readVariables(pkg)
	}
	for _, pkg := range pkgs {
		for _, f := range pkg.Syntax {
			for _, decl := range f.Decls {
				if decl, ok := decl.(*ast.FuncDecl); ok && decl.Body != nil {
					if fn, ok := pkg.TypesInfo.Defs[decl.Name].(*types.Func); ok {
						d.read(pkg.TypesInfo, fn, decl.Body)
					}
				}
			}
		}
	}
	return d
}

// readVariables records the functions that the values of package variables name, such as "var remove = os.Remove".
func (d *Graph) readVariables(pkg *packages.Package) {
	record := func(id *ast.Ident, value ast.Expr) {
		v, ok := pkg.TypesInfo.ObjectOf(id).(*types.Var)
		if !ok || v.Parent() != pkg.Types.Scope() {
			return
		}
		ast.Inspect(value, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if fn, ok := pkg.TypesInfo.Uses[id].(*types.Func); ok {
					d.values[v] = append(d.values[v], fn)
				}
			}
			return true
		})
	}
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i := range n.Values {
					record(n.Names[min(i, len(n.Names)-1)], n.Values[i])
				}
			case *ast.AssignStmt:
				for i, x := range n.Lhs {
					if id, ok := x.(*ast.Ident); ok && len(n.Rhs) == len(n.Lhs) {
						record(id, n.Rhs[i])
					}
				}
			}
			return true
		})
	}
}

// read records the functions that the body of fn names: one that is not called there may be called elsewhere. It also
// records the first danger in the body.
func (d *Graph) read(info *types.Info, fn *types.Func, body *ast.BlockStmt) {
	note := func(callee *types.Func) {
		callee = callee.Origin()
		if what := dangerOf(callee); what != "" && d.direct[fn] == "" {
			d.direct[fn] = callee.FullName() + ", which " + what
		}
		d.calls[fn] = append(d.calls[fn], callee)
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			switch obj := info.Uses[n].(type) {
			case *types.Func:
				note(obj)
			case *types.Var:
				for _, callee := range d.values[obj] {
					note(callee)
				}
			}
		case *ast.SelectStmt:
			if d.direct[fn] == "" && !hasDefault(n) {
				d.direct[fn] = "a select statement without default, which may block forever"
			}
		}
		return true
	})
}

func hasDefault(s *ast.SelectStmt) bool {
	return slices.ContainsFunc(s.Body.List, func(c ast.Stmt) bool {
		comm, ok := c.(*ast.CommClause)
		return ok && comm.Comm == nil
	})
}

// nameOf returns the name of a function, or Type.Method for a method.
func nameOf(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name()
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok {
		return named.Obj().Name() + "." + fn.Name()
	}
	return fn.Name()
}

// dangerOf returns what makes a function dangerous by itself, as in "deletes files"; "" if nothing does.
func dangerOf(fn *types.Func) string {
	if fn.Pkg() == nil {
		return ""
	}
	list := dangerous[fn.Pkg().Path()]
	if list == nil {
		return ""
	}
	name := nameOf(fn)
	for _, pattern := range slices.Sorted(maps.Keys(list)) {
		if prefix, open := strings.CutSuffix(pattern, "*"); name == pattern || open && strings.HasPrefix(name, prefix) {
			return list[pattern]
		}
	}
	return ""
}

// Calls returns the functions that fn, which must not be an instance, calls or names. Instances of generic functions
// are replaced by their declarations.
func (d *Graph) Calls(fn *types.Func) []*types.Func { return d.calls[fn] }

// Reason returns why no driver may call fn, as in "it leads to os.Remove, which deletes files"; "" if one may.
func (d *Graph) Reason(fn *types.Func) string {
	fn = fn.Origin()
	if why, ok := d.known[fn]; ok {
		return why
	}
	seen := map[*types.Func]bool{fn: true}
	for queue := []*types.Func{fn}; len(queue) > 0; queue = queue[1:] {
		if why := d.direct[queue[0]]; why != "" {
			d.known[fn] = "it leads to " + why
			return d.known[fn]
		}
		for _, next := range d.calls[queue[0]] {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	d.known[fn] = ""
	return ""
}
