// Package danger knows which functions lead to what no made-up input may cause: deleting and writing files, starting
// programs, using the network, waiting for ever, ending the process.
package danger

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// dangerous are the functions of the standard library that no driver may lead to, and what they do: with
// names that end in * all that begin so, methods as Type.Method.
var dangerous = map[string]map[string]string{
	"os": {
		"Remove*": "deletes files", "RemoveAll": "deletes files", "Rename": "writes files", "Create*": "writes files", "Mkdir*": "writes files",
		"WriteFile": "writes files", "OpenFile": "opens files to write", "Truncate": "writes files", "Chmod": "alters files", "Chown": "alters files",
		"Chtimes": "alters files", "Link": "writes files", "Symlink": "writes files", "Exit": "ends the process", "StartProcess": "starts processes",
		"Chdir": "changes the folder of the process", "Setenv": "changes the environment", "Unsetenv": "changes the environment",
		"Clearenv": "changes the environment", "File.Write*": "writes files", "File.Truncate": "writes files", "Process.*": "ends processes",
		"CopyFS": "writes files", "Root.*": "writes files",
	},
	"os/exec": {"*": "starts programs"}, "syscall": {"*": "calls the system"}, "plugin": {"*": "loads code"}, "log": {"Fatal*": "ends the process", "Logger.Fatal*": "ends the process"},
	"os/signal": {"*": "takes signals"}, "runtime": {"Goexit": "ends the goroutine"}, "testing": {"*": "is for tests"}, "flag": {"Parse": "reads the command line"},
	"net": {"Dial*": "uses the network", "Listen*": "uses the network", "Lookup*": "uses the network", "Dialer.*": "uses the network", "ListenConfig.*": "uses the network", "Resolver.*": "uses the network"},
	"net/http": {
		"Get": "uses the network", "Post*": "uses the network", "Head": "uses the network", "ListenAndServe*": "uses the network", "Serve*": "uses the network",
		"Client.*": "uses the network", "Server.*": "uses the network", "Transport.*": "uses the network",
	},
	"net/smtp": {"*": "uses the network"}, "net/rpc": {"Dial*": "uses the network"}, "crypto/tls": {"Dial*": "uses the network", "Listen": "uses the network"},
	"log/syslog": {"*": "uses the network"}, "database/sql": {"Open*": "uses a database", "DB.*": "uses a database"},
	"io/ioutil": {"WriteFile": "writes files", "Temp*": "writes files"}, "time": {"Sleep": "waits"}, "C": {"*": "calls C"},
}

// Graph knows which functions may lead to dangerous ones. It sees the bodies of some packages; of calls into others
// only what they are called.
type Graph struct {
	calls  map[*types.Func][]*types.Func
	direct map[*types.Func]string
	known  map[*types.Func]string
}

// New returns the graph of packages, which must have their syntax and types.
func New(pkgs []*packages.Package) *Graph {
	d := &Graph{calls: map[*types.Func][]*types.Func{}, direct: map[*types.Func]string{}, known: map[*types.Func]string{}}
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

// read notes what the body of fn uses: what is called, and what is only named, for it may be called elsewhere.
func (d *Graph) read(info *types.Info, fn *types.Func, body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if callee, ok := info.Uses[n].(*types.Func); ok {
				callee = callee.Origin()
				if what := dangerOf(callee); what != "" && d.direct[fn] == "" {
					d.direct[fn] = callee.FullName() + ", which " + what
				}
				d.calls[fn] = append(d.calls[fn], callee)
			}
		case *ast.SelectStmt:
			if d.direct[fn] == "" && !hasDefault(n) {
				d.direct[fn] = "a select statement, which may wait for ever"
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

// nameOf is the name of a function, after that of its type if it is a method.
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

// dangerOf says what a function does that is dangerous by itself; "" if nothing.
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

// Calls are the functions that fn calls or names, as their generic declarations.
func (d *Graph) Calls(fn *types.Func) []*types.Func { return d.calls[fn] }

// Reason says why no driver may call fn; "" if one may.
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
