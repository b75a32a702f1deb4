package weave

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// check type-checks what was woven and notes what must go. It reports whether
// nothing had to. An error that no part of the weaving explains is our fault
// and is returned.
func (w *weaver) check() (clean bool, err error) {
	probePkg, err := w.checkProbe()
	if err != nil {
		return false, err
	}
	clean = true
	checked := map[string]bool{}
	for _, list := range [][]*packages.Package{w.in.Touched, w.in.Targets} {
		for _, p := range list {
			if checked[p.ID] || !w.wovenAnyOf(p) {
				continue
			}
			checked[p.ID] = true
			ok, err := w.checkPackage(p, probePkg)
			if err != nil {
				return false, err
			}
			clean = clean && ok
		}
	}
	return clean, nil
}

func (w *weaver) wovenAnyOf(p *packages.Package) bool {
	return slices.ContainsFunc(p.CompiledGoFiles, func(name string) bool { return w.out.Overlay[name] != nil })
}

// checkProbe type-checks the declarations of the probe and, before it, of what
// it has of ours below it.
func (w *weaver) checkProbe() (*types.Package, error) {
	wired, err := w.checkPlaced(path.Join(w.in.ProbePath, probe.WireFolder), filepath.Join(w.in.ProbeDir, probe.WireFolder), nil)
	if err != nil {
		return nil, err
	}
	return w.checkPlaced(w.in.ProbePath, w.in.ProbeDir, wired)
}

// checkPlaced type-checks the declarations of a package of ours that the
// overlay has in dir. It may import own, if not nil.
func (w *weaver) checkPlaced(importPath, dir string, own *types.Package) (*types.Package, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(w.out.Overlay)) {
		if filepath.Dir(name) != dir {
			continue
		}
		if ok, err := matches(name, w.out.Overlay[name]); err != nil || !ok {
			continue
		}
		f, err := parser.ParseFile(fset, name, w.out.Overlay[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	imports := importer(func(path string) (*types.Package, error) {
		switch p := w.in.Std[path]; {
		case p != nil:
			return p.Types, nil
		case path == "unsafe":
			return types.Unsafe, nil
		case own != nil && path == own.Path():
			return own, nil
		}
		return nil, fmt.Errorf("package %s was not loaded", path)
	})
	cfg := types.Config{Importer: imports, IgnoreFuncBodies: true}
	return cfg.Check(importPath, fset, files, nil)
}

// matches reports whether the build constraints of a file let it in here.
func matches(name string, text []byte) (bool, error) {
	ctx := build.Default
	ctx.OpenFile = nil
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		return false, err
	}
	x := buildConstraint(&file{syntax: f})
	if x != nil && !x.Eval(func(tag string) bool { return tagHolds(&ctx, tag) }) {
		return false, nil
	}
	return goodName(&ctx, filepath.Base(name)), nil
}

func tagHolds(ctx *build.Context, tag string) bool {
	return tag == ctx.GOOS || tag == ctx.GOARCH || slices.Contains(ctx.ReleaseTags, tag) ||
		tag == "unix" && ctx.GOOS != "windows" && ctx.GOOS != "plan9" && ctx.GOOS != "js" && ctx.GOOS != "wasip1"
}

// goodName applies the constraints in the names that the probe's files use:
// name_GOOS.go.
func goodName(ctx *build.Context, name string) bool {
	_, os, ok := strings.Cut(strings.TrimSuffix(name, ".go"), "_")
	if !ok || !slices.Contains([]string{"linux", "darwin", "windows"}, os) {
		return true
	}
	return os == ctx.GOOS
}

// importer is a types.Importer that is a function.
type importer func(string) (*types.Package, error)

// Import returns the package with an import path.
func (i importer) Import(path string) (*types.Package, error) { return i(path) }

// checkPackage type-checks one package with its woven files.
func (w *weaver) checkPackage(p *packages.Package, probePkg *types.Package) (clean bool, err error) {
	var files []*ast.File
	byName := map[string]*ast.File{}
	for i, name := range p.CompiledGoFiles {
		syntax := p.Syntax[i]
		if text := w.out.Overlay[name]; text != nil {
			if syntax, err = parser.ParseFile(p.Fset, name, text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
				return false, fmt.Errorf("woven source does not parse: %w", err)
			}
		}
		files = append(files, syntax)
		byName[name] = syntax
	}
	var fault error
	clean = true
	cfg := types.Config{
		Importer:  w.importsOf(p, probePkg),
		Sizes:     p.TypesSizes,
		GoVersion: goVersion(p),
		Error: func(err error) {
			clean = false
			if e := w.blame(p, byName, err); e != nil && fault == nil {
				fault = e
			}
		},
	}
	// The errors have been handled one by one.
	_, _ = cfg.Check(p.PkgPath, p.Fset, files, nil)
	return clean, fault
}

func goVersion(p *packages.Package) string {
	if p.Module == nil || p.Module.GoVersion == "" {
		return ""
	}
	return "go" + p.Module.GoVersion
}

func (w *weaver) importsOf(p *packages.Package, probePkg *types.Package) types.Importer {
	return importer(func(path string) (*types.Package, error) {
		switch {
		case path == w.in.ProbePath:
			return probePkg, nil
		case path == "unsafe":
			return types.Unsafe, nil
		case p.Imports[path] != nil:
			return p.Imports[path].Types, nil
		case w.in.Std[path] != nil:
			return w.in.Std[path].Types, nil
		}
		return nil, fmt.Errorf("package %s was not loaded", path)
	})
}

// blame finds the part of the weaving that a type error lies in and marks it
// for removal. It returns an error where there is none.
func (w *weaver) blame(p *packages.Package, files map[string]*ast.File, err error) error {
	var te types.Error
	if !errors.As(err, &te) {
		return err
	}
	at := p.Fset.PositionFor(te.Pos, false)
	f, syntax := w.files[at.Filename], files[at.Filename]
	if f == nil || syntax == nil {
		return fmt.Errorf("%s: %s", at, te.Msg)
	}
	path, _ := astutil.PathEnclosingInterval(syntax, te.Pos, te.Pos)
	c := culprit{alias: f.alias, at: te.Pos, shared: -1}
	for _, n := range path {
		c.look(n)
	}
	if w.drop(c, te.Msg) {
		return nil
	}
	for _, n := range path {
		fn := w.functionAt(f, syntax, n)
		switch {
		case fn == nil:
		case c.inShared && !w.unshared[fn.source]:
			w.unshared[fn.source] = true
			return nil
		default:
			w.skipped[fn.source] = "cannot be woven: " + te.Msg
			return nil
		}
	}
	return fmt.Errorf("woven source does not type-check: %s: %s", at, te.Msg)
}

// drop removes what c names and reports whether it names anything.
func (w *weaver) drop(c culprit, msg string) bool {
	switch {
	case c.probe > 0:
		w.unprobed[c.probe] = true
	case c.clone > 0:
		w.broken[c.clone] = msg
	case c.placed > 0:
		w.unplaced[c.placed] = true
	case c.shared >= 0:
		w.unshared[w.funcs[c.shared].source] = true
	case c.probed >= 0 && c.inProbed:
		w.skipped[w.funcs[c.probed].source] = "cannot be woven: " + msg
	case c.inSite:
		w.unseen[c.site] = true
	case c.inAdapter:
		w.undriven[c.adapter] = true
	default:
		return false
	}
	return true
}

// culprit is what the nodes around an error say of where it lies.
type culprit struct {
	alias             string
	at                token.Pos
	probe, clone      int
	placed            int // a mutant in a shared clone
	probed            int
	shared            int // the function whose shared clone it is; -1: none
	site, adapter     int
	inProbed          bool
	inShared          bool // in the shared clone of the function around it
	inSite, inAdapter bool
}

func (c *culprit) look(n ast.Node) {
	switch n := n.(type) {
	case *ast.CallExpr:
		c.lookCall(n)
	case *ast.IfStmt:
		// Of an if around the error only its body can be what the mutant brought.
		if n.Body.Pos() <= c.at && c.at < n.Body.End() {
			c.lookChoice(n.Cond)
		}
	case *ast.BinaryExpr:
		if n.Op == token.LAND && n.Y.Pos() <= c.at && c.at < n.Y.End() {
			c.lookChoice(n.X)
		}
	case *ast.CaseClause:
		c.lookCase(n)
	case *ast.FuncDecl:
		if k, ok := c.number(n.Name.Name, cloneMark); ok {
			c.clone = k
		}
		if k, ok := c.number(n.Name.Name, sharedMark); ok {
			c.shared = k
		}
		if k, ok := c.number(n.Name.Name, probedMark); ok {
			c.probed, c.inProbed = k, true
		}
		if k, ok := c.number(n.Name.Name, resultMark); ok {
			c.site, c.inSite = k, true
		}
		if k, ok := c.number(n.Name.Name, adapterMark); ok {
			c.adapter, c.inAdapter = k, true
		}
	}
}

// lookChoice recognises the condition under which a mutant's text is chosen in
// a shared clone.
func (c *culprit) lookChoice(cond ast.Expr) {
	b, ok := cond.(*ast.BinaryExpr)
	if !ok || b.Op != token.EQL || c.placed > 0 {
		return
	}
	sel, ok := b.X.(*ast.SelectorExpr)
	if !ok || !isNamed(sel.X, c.alias) || sel.Sel.Name != "M" {
		return
	}
	if lit, ok := b.Y.(*ast.BasicLit); ok {
		c.placed, _ = strconv.Atoi(lit.Value)
	}
}

// lookCase recognises a body within the original, in a dispatch.
func (c *culprit) lookCase(n *ast.CaseClause) {
	if len(n.Body) == 0 || len(n.List) == 0 {
		return
	}
	if _, ok := n.Body[0].(*ast.BlockStmt); !ok {
		return
	}
	switch value := n.List[0].(type) {
	case *ast.BasicLit:
		if c.clone == 0 && len(n.List) == 1 {
			c.clone, _ = strconv.Atoi(value.Value)
		}
	case *ast.UnaryExpr:
		lit, ok := value.X.(*ast.BasicLit)
		c.inShared = ok && value.Op == token.SUB && lit.Value == strconv.Itoa(-wire.Identity)
	}
}

// lookCall recognises the innermost probe or observation around an error.
func (c *culprit) lookCall(n *ast.CallExpr) {
	called := n.Fun
	if x, ok := called.(*ast.IndexExpr); ok {
		called = x.X // Pick is instantiated
	}
	switch fun := called.(type) {
	case *ast.SelectorExpr:
		x, ok := fun.X.(*ast.Ident)
		if !ok || x.Name != c.alias || len(n.Args) == 0 {
			return
		}
		lit, ok := n.Args[0].(*ast.BasicLit)
		if !ok {
			return
		}
		k, err := strconv.Atoi(lit.Value)
		if err != nil {
			return
		}
		switch fun.Sel.Name {
		case "Pick":
			if c.placed == 0 {
				c.placed = k
			}
		case "Differs", "WhenTrue", "WhenFalse":
			if c.probe == 0 {
				c.probe = k
			}
		case "Arg":
			if !c.inSite {
				c.site, c.inSite = k, true
			}
		}
	case *ast.Ident:
		if k, ok := c.number(fun.Name, resultMark); ok && !c.inSite {
			c.site, c.inSite = k, true
		}
	}
}

func (c *culprit) number(name, mark string) (int, bool) {
	rest, ok := strings.CutPrefix(name, c.alias+mark)
	if !ok {
		return 0, false
	}
	k, err := strconv.Atoi(rest)
	return k, err == nil
}

// functionAt finds the mutated function that n, a declaration or literal in
// the woven text of f, came from. Weaving adds declarations only behind the
// others.
func (w *weaver) functionAt(f *file, woven *ast.File, n ast.Node) *function {
	originals, declared := functionsIn(f.syntax), functionsIn(woven)
	if i := slices.Index(declared, n); i >= 0 && i < len(originals) {
		return w.mutated[f.path][originals[i].Pos()]
	}
	return nil
}

// functionsIn lists the functions of a file, and the literals of its package
// variables.
func functionsIn(f *ast.File) (list []ast.Node) {
	for _, d := range f.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				list = append(list, n)
				return false
			}
			return true
		})
	}
	return list
}
