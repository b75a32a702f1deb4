package engine

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/verdicts"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// What a test says of a mutant hangs on the mutant, on the test, on the functions
// that ran, and on what else the test is compiled from and can read: the packages
// of the module below it, the rest of its test files, its package's folder. That
// last part is the context of a book of verdicts; the others are looked up in it.

// recall opens the book of verdicts of s. Without one every mutant is judged
// afresh.
func (u *unit) recall(ctx context.Context, s *suite) {
	if u.cfg.Verdicts == nil {
		return
	}
	var err error
	if u.bodies == nil {
		u.bodies, err = readBodies(u.scope.Tree, u.woven.Funcs)
	}
	var key verdicts.Key
	var texts map[string]string
	if err == nil {
		key, texts, err = u.verdictContext(ctx, s.pkg)
	}
	if err == nil {
		s.book, err = u.cfg.Verdicts.Book(key, u.cfg.Fresh)
	}
	if err == nil {
		s.killers, err = u.cfg.Verdicts.Book(verdicts.NewKey("killers", s.pkg), u.cfg.Fresh)
	}
	if err != nil {
		_ = s.book.Close()
		s.book = nil          // without the other book there are no texts to file verdicts under
		if ctx.Err() == nil { // else there will be none
			u.warn("verdicts on mutants by the tests of %s are not kept: %v", s.pkg, err)
		}
		return
	}
	s.texts = texts
}

// closeBooks ends the writing of verdicts. Those that did not get onto the disk
// are judged again some day.
func closeBooks(suites []*suite) {
	for _, s := range suites {
		_ = s.book.Close()
		_ = s.killers.Close()
	}
}

// verdictKey is what the verdict of t on m is filed under.
func (t *test) verdictKey(m *mutant) verdicts.Key {
	return verdicts.NewKey(m.ID, m.Original, m.Replacement, t.name, t.texts[t.name])
}

// rememberKill files the kill of m by a test of s. Entered are the functions that
// the test ran, as the probe numbers them.
func (u *unit) rememberKill(s *suite, m *mutant, entered []int) {
	t := s.killer(m)
	if s.book == nil || t == nil {
		return
	}
	v := verdicts.Verdict{Kind: m.killedBy.Kind, Name: strings.TrimPrefix(m.killedBy.Name, s.pkg+"."), Weighed: slices.Contains(m.weighed, t)}
	s.book.Add(t.verdictKey(m), v, u.ran(m, entered))
	s.killers.Add(verdicts.NewKey(m.ID), verdicts.Verdict{Kind: v.Kind, Name: t.name}, verdicts.Run{})
}

// rememberPasses files that m passed tests of s in a process of its own.
func (u *unit) rememberPasses(s *suite, m *mutant, tests []*test, entered []int) {
	if s.book == nil {
		return
	}
	run := u.ran(m, entered)
	for _, t := range tests {
		s.book.Add(t.verdictKey(m), verdicts.Verdict{Weighed: slices.Contains(m.weighed, t)}, run)
	}
}

// atRandom is the kind of a verdict that says nothing.
const atRandom = "random"

// likely is the name of the test that killed m in an earlier run, whatever has
// changed since; "" if none did.
func (s *suite) likely(m *mutant) string {
	v, _ := s.killers.Find(verdicts.NewKey(m.ID), func([]string) verdicts.Key { return "" })
	return v.Name
}

// forget takes back the verdict of the test that killed m.
func (u *unit) forget(s *suite, m *mutant, entered []int) {
	if t := s.killer(m); t != nil && s.book != nil {
		s.book.Add(t.verdictKey(m), verdicts.Verdict{Kind: atRandom}, u.ran(m, entered))
	}
}

// reuse applies the verdicts of earlier runs to m.
func (u *unit) reuse(s *suite, m *mutant) {
	if s.book == nil || !m.live() {
		return
	}
	for _, t := range s.against(m) {
		v, ok := s.book.Find(t.verdictKey(m), u.bodies.digest)
		if v.Weighed {
			t.contradicted(m)
			m.weighed = append(m.weighed, t)
		}
		switch {
		case !ok || !m.believes(t):
		case v.Kind == "":
			m.passed = append(m.passed, t)
		case topLevel(v.Name) == t.name && slices.Contains([]string{results.KindTest, results.KindCrash, results.KindHang}, v.Kind):
			m.kill(results.KilledBy{By: results.ByTest, Kind: v.Kind, Name: s.pkg + "." + v.Name})
			u.count(func(s *results.Stats) { s.Reused++ })
			return
		}
	}
	if len(m.passed) > 0 && len(s.against(m)) == 0 {
		u.count(func(s *results.Stats) { s.Reused++ })
	}
}

// verdictContext digests all that verdicts of the tests of pkg depend on, apart
// from mutants and the tests' own bodies, which it returns by name.
func (u *unit) verdictContext(ctx context.Context, pkg string) (key verdicts.Key, texts map[string]string, err error) {
	info, _ := debug.ReadBuildInfo()
	version, err := u.tool.Version(ctx)
	if err != nil {
		return "", nil, err
	}
	parts := []string{pkg, fmt.Sprint(info), version, runtime.GOOS, runtime.GOARCH,
		strings.Join(u.cfg.BuildFlags, "\n"), strings.Join(u.cfg.TestFlags, "\n"), buildEnvironment(u.tool.Env), string(u.cfg.Sandbox)}
	requirements, err := u.requirements()
	if err != nil {
		return "", nil, err
	}
	parts = append(parts, requirements...)
	own := u.listing[pkg]
	common, texts, err := testTexts(own)
	if err != nil {
		return "", nil, err
	}
	parts = append(parts, common)
	outside, err := digestOutside(u.scope.Tree, own.Dir, parsed(own))
	if err != nil {
		return "", nil, err
	}
	parts = append(parts, outside...)
	for _, p := range u.sortedListing() {
		if p != own && !u.testsReach(own, p.ImportPath) {
			continue
		}
		digest, err := u.bodies.digestPackage(p, p == own)
		if err != nil {
			return "", nil, err
		}
		parts = append(parts, p.ImportPath, digest)
	}
	return verdicts.NewKey(parts...), texts, nil
}

// requirements digest what the unit is built with besides its own packages.
func (u *unit) requirements() (parts []string, err error) {
	files := []string{filepath.Join(u.Dir, "go.work"), filepath.Join(u.Dir, "go.work.sum")}
	for _, m := range u.Modules {
		for _, name := range []string{"go.mod", "go.sum", filepath.Join("vendor", "modules.txt")} {
			files = append(files, filepath.Join(m.Dir, name))
		}
	}
	for _, file := range files {
		data, err := regular.Source(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		parts = append(parts, string(data))
		if filepath.Base(file) == "go.mod" || filepath.Base(file) == "go.work" {
			replaced, err := u.replacements(file, data)
			if err != nil {
				return nil, err
			}
			parts = append(parts, replaced...)
		}
	}
	return parts, nil
}

// replacements digest the folders outside of the unit that a go.mod or go.work
// file replaces modules by: their sources have no version.
func (u *unit) replacements(file string, data []byte) (parts []string, err error) {
	var list []*modfile.Replace
	if filepath.Base(file) == "go.work" {
		f, err := modfile.ParseWork(file, data, nil)
		if err != nil {
			return nil, err
		}
		list = f.Replace
	} else {
		f, err := modfile.ParseLax(file, data, nil)
		if err != nil {
			return nil, err
		}
		list = f.Replace
	}
	for _, r := range list {
		dir := filepath.FromSlash(r.New.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(file), dir)
		}
		if r.New.Version != "" || slices.ContainsFunc(u.Modules, func(m diffscope.Module) bool { return m.Dir == dir }) {
			continue
		}
		digest, err := digestTree(dir)
		if err != nil {
			return nil, err
		}
		parts = append(parts, digest)
	}
	return parts, nil
}

// buildEnvironment are the variables that change what the go command builds.
func buildEnvironment(env []string) string {
	var list []string
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "CGO_") || name == "CC" || name == "CXX" {
			list = append(list, v)
		}
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
}

var testNames = regexp.MustCompile(`\b(?:Test|Fuzz|Example)[_\p{L}\p{Nd}]*`)

// testTexts splits the test files of p: the source of each test, with its file's
// imports and the tests it names, and what all tests share: every other
// declaration, and imports for their effects.
func testTexts(p *gotool.Package) (common string, texts map[string]string, err error) {
	own := map[string]string{}
	var shared strings.Builder
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		src, err := regular.Source(filepath.Join(p.Dir, name))
		if err != nil {
			return "", nil, err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			return "", nil, err
		}
		text := func(n ast.Node) string {
			return string(src[fset.PositionFor(n.Pos(), false).Offset:fset.PositionFor(n.End(), false).Offset])
		}
		imports := f.Name.Name
		for _, spec := range f.Imports {
			imports += "\n" + text(spec)
			if spec.Name != nil && spec.Name.Name == "_" {
				fmt.Fprintf(&shared, "%s\n", text(spec))
			}
		}
		for _, d := range f.Decls {
			if name := testOf(d); name != "" {
				own[name] = imports + "\n" + text(d)
			} else if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
				fmt.Fprintf(&shared, "%s\n%s\n", imports, text(d))
			}
		}
	}
	texts = map[string]string{}
	for name, text := range own {
		for _, other := range testNames.FindAllString(own[name], -1) {
			text += own[other]
		}
		texts[name] = text
	}
	return shared.String(), texts, nil
}

// testOf returns the name of the test, example or fuzz target that d declares,
// or "".
func testOf(d ast.Decl) string {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Recv != nil || f.Name.Name == "TestMain" || !gotool.IsTest(f.Name.Name) {
		return ""
	}
	return f.Name.Name
}
