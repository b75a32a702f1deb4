package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/verdicts"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
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
		u.warn("verdicts on mutants by the tests of %s are not kept: %v", s.pkg, err)
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
	v := verdicts.Verdict{Kind: m.killedBy.Kind, Name: strings.TrimPrefix(m.killedBy.Name, s.pkg+".")}
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
		s.book.Add(t.verdictKey(m), verdicts.Verdict{}, run)
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
		switch {
		case !ok:
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
		strings.Join(u.cfg.BuildFlags, "\n"), strings.Join(u.cfg.TestFlags, "\n"), buildEnvironment(u.tool.Env), fmt.Sprint(u.cfg.Unconfined)}
	for _, m := range u.Modules {
		for _, name := range []string{"go.mod", "go.sum", filepath.Join("vendor", "modules.txt")} {
			data, err := os.ReadFile(filepath.Join(m.Dir, name))
			if err != nil && !os.IsNotExist(err) {
				return "", nil, err
			}
			parts = append(parts, string(data))
		}
	}
	own := u.listing[pkg]
	common, texts, err := testTexts(own)
	if err != nil {
		return "", nil, err
	}
	parts = append(parts, common)
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

// maxFolder bounds what is read of a package's folder, in bytes: tests with more
// to read have their verdicts judged afresh.
const maxFolder = 64 << 20

// digestPackage digests the files in a package's folder and below it, down to
// other packages: source without the bodies, what is embedded, and, of the
// tests' own package, what they may read. Test files are not among them.
func (b *bodies) digestPackage(p *gotool.Package, own bool) (string, error) {
	h := sha256.New()
	size := 0
	err := filepath.WalkDir(p.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != p.Dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" && !own || holdsPackage(name) && d.Name() != "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go") && filepath.Dir(name) == p.Dir {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if size += len(data); size > maxFolder {
			return fmt.Errorf("there are more than %d MB in %s", maxFolder>>20, p.Dir)
		}
		if strings.HasSuffix(name, ".go") && filepath.Dir(name) == p.Dir {
			data = []byte(tokens(b.without(name, data)))
		}
		fmt.Fprintf(h, "%s\n%s\n%d\n", strings.TrimPrefix(name, p.Dir), data, len(data))
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

func holdsPackage(dir string) bool {
	list, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	return len(list) > 0
}

var testNames = regexp.MustCompile(`\b(?:Test|Fuzz|Example)\w*`)

// testTexts splits the test files of p: the source of each test, with its file's
// imports and the tests it names, and what all tests share: every other
// declaration, and imports for their effects.
func testTexts(p *gotool.Package) (common string, texts map[string]string, err error) {
	own := map[string]string{}
	var shared strings.Builder
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		src, err := os.ReadFile(filepath.Join(p.Dir, name))
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
	if !ok || f.Recv != nil || f.Name.Name == "TestMain" || !testName.MatchString(f.Name.Name) {
		return ""
	}
	return f.Name.Name
}
