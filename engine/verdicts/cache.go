package verdicts

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
	"sync"
	"sync/atomic"

	"golang.org/x/mod/modfile"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// The result of a test with a mutant depends on the mutant, on the test, on the
// functions that ran, and on what else the test is compiled from and can read: the
// packages that it imports, the rest of its test files, its package's folder. These
// last ones are the context, which has a book; the others are the key in that book.

// CacheConfig says which verdicts are kept.
type CacheConfig struct {
	*build.Binaries                  // woven
	Mutants         evidence.Mutants // whose verdicts are kept
	Books           *Store           // where they are
	Fresh           bool             // do not look up those of earlier analyses
	Settings        []string         // whatever else verdicts depend on, such as test flags
}

// Cache stores the verdicts of tests on mutants for later analyses. It implements
// judge.Cache.
type Cache struct {
	CacheConfig
	ctx    context.Context
	mu     sync.Mutex
	books  map[string]*suiteBook // by package
	bodies *bodies               // nil: not read
	reused atomic.Int64
}

// suiteBook is the book of one suite; without a book nothing is kept.
type suiteBook struct {
	*Book
	texts map[string]string // source of the tests, by name
}

// NewCache returns a cache for one analysis, which ctx ends.
func NewCache(ctx context.Context, c CacheConfig) *Cache {
	return &Cache{CacheConfig: c, ctx: ctx, books: map[string]*suiteBook{}}
}

// of returns the book of a suite, opened when it is first asked for.
func (c *Cache) of(pkg string) *suiteBook {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b := c.books[pkg]; b != nil {
		return b
	}
	b, err := c.open(pkg)
	if err != nil {
		b = &suiteBook{}
		if c.ctx.Err() == nil { // else there will be none
			c.Warn("results of the tests of %s are not kept for later runs: %v", pkg, err)
		}
	}
	c.books[pkg] = b
	return b
}

func (c *Cache) open(pkg string) (*suiteBook, error) {
	var err error
	if c.bodies == nil {
		if c.bodies, err = readBodies(c.Tree, c.Woven.Funcs); err != nil {
			return nil, err
		}
	}
	key, texts, err := c.context(pkg)
	if err != nil {
		return nil, err
	}
	book, err := c.Books.Book(key, c.Fresh)
	return &suiteBook{book, texts}, err
}

// Close ends the writing of verdicts. Those that did not get onto the disk are judged
// again some day.
func (c *Cache) Close() {
	for _, b := range c.books {
		_ = b.Close()
	}
}

// key is the key of the verdict of a test on m. An empty test stands for all tests
// together; the key then has the names and sources of those that are not quarantined.
func (b *suiteBook) key(m *evidence.Mutant, s *judge.Survey, test string) Key {
	parts := []string{m.ID, m.Original, m.Replacement, test}
	for _, need := range m.Needs {
		parts = append(parts, need.Text)
	}
	if test != "" {
		return NewKey(append(parts, b.texts[test])...)
	}
	for _, name := range s.Tests {
		parts = append(parts, name, b.texts[name])
	}
	parts = append(parts, s.Suite.Without...)
	return NewKey(parts...)
}

// Lookup returns an earlier verdict of the tests of a suite on a mutant.
func (c *Cache) Lookup(m *judge.Mutant, s *judge.Survey) (d ledger.Decision, ok bool) {
	b, of := c.of(s.Suite.Package), c.Mutants.ByNumber(m.Number)
	for _, test := range append([]string{""}, s.Tests...) {
		v, known := b.Find(b.key(of, s, test), c.bodies.digest)
		switch {
		case !known:
			continue
		case v.Kind == ledger.Pass:
			d.Status = ledger.Survived
		case slices.Contains([]string{ledger.Test, ledger.Crash, ledger.Hang}, v.Kind):
			d = ledger.Decision{Status: ledger.Killed, Kind: v.Kind, Test: v.Name}
			if test == "" {
				d.Reason = ledger.ReasonOnlyInSuite
			}
		default:
			continue
		}
		c.reused.Add(1)
		return d, true
	}
	return d, false
}

// noVerdict is the kind of what is stored of a mutant that has none which holds: Lookup finds nothing then.
const noVerdict = "none"

// Store stores the verdict of the tests of a suite on a mutant: a kill under the test
// that kills it, all else under all of them.
func (c *Cache) Store(m *judge.Mutant, s *judge.Survey, d ledger.Decision, funcs []int) {
	b := c.of(s.Suite.Package)
	if b.Book == nil {
		return
	}
	of, test := c.Mutants.ByNumber(m.Number), ""
	switch {
	case d.Status == ledger.Killed && d.Reason == "":
		test, _, _ = strings.Cut(d.Test, "/")
	case d.Status == ledger.Inconclusive, d.Status == ledger.Survived && d.Reason != "":
		d = ledger.Decision{Kind: noVerdict} // in the place of one that an earlier run of it has led to
	}
	b.Add(b.key(of, s, test), Verdict{Kind: d.Kind, Name: d.Test}, c.ran(of, funcs))
}

// context digests all that verdicts of the tests of pkg depend on, apart
// from mutants and the tests' own bodies, which it returns by name.
func (c *Cache) context(pkg string) (key Key, texts map[string]string, err error) {
	info, _ := debug.ReadBuildInfo()
	version, err := c.Tool.Version(c.ctx)
	if err != nil {
		return "", nil, err
	}
	requirements, err := c.requirements()
	if err != nil {
		return "", nil, err
	}
	own := c.Packages[pkg]
	common, texts, err := testTexts(own)
	if err != nil {
		return "", nil, err
	}
	outside, err := digestOutside(c.Tree, own.Dir, program.Parsed(own))
	if err != nil {
		return "", nil, err
	}
	parts := []string{pkg, fmt.Sprint(info), version, runtime.GOOS, runtime.GOARCH,
		strings.Join(c.Flags, "\n"), buildEnvironment(c.Tool.Env), common}
	parts = slices.Concat(parts, c.Settings, requirements, outside)
	for _, p := range c.Sorted() {
		if p != own && !c.TestsImport(own, p.ImportPath) {
			continue
		}
		digest, err := c.bodies.digestPackage(p, p == own)
		if err != nil {
			return "", nil, err
		}
		parts = append(parts, p.ImportPath, digest)
	}
	return NewKey(parts...), texts, nil
}

// requirements digest what the program is built with besides its own packages.
func (c *Cache) requirements() (parts []string, err error) {
	files := []string{filepath.Join(c.Dir, "go.work"), filepath.Join(c.Dir, "go.work.sum")}
	for _, m := range c.Modules {
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
		replaced, err := c.replacements(file, data)
		if err != nil {
			return nil, err
		}
		parts = append(parts, replaced...)
	}
	return parts, nil
}

// replacements digest the folders outside of the program that a go.mod or go.work
// file replaces modules by: their sources have no version.
func (c *Cache) replacements(file string, data []byte) (parts []string, err error) {
	list, err := replaces(file, data)
	if err != nil {
		return nil, err
	}
	for _, r := range list {
		dir := filepath.FromSlash(r.New.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(file), dir)
		}
		if r.New.Version != "" || slices.ContainsFunc(c.Modules, func(m diffscope.Module) bool { return m.Dir == dir }) {
			continue
		}
		digest, err := digestFolder(dir, entered, whole)
		if err != nil {
			return nil, err
		}
		parts = append(parts, digest)
	}
	return parts, nil
}

// replaces are the replace directives of a go.mod or go.work file; none in others.
func replaces(file string, data []byte) ([]*modfile.Replace, error) {
	switch filepath.Base(file) {
	case "go.work":
		f, err := modfile.ParseWork(file, data, nil)
		if err != nil {
			return nil, err
		}
		return f.Replace, nil
	case "go.mod":
		f, err := modfile.Parse(file, data, nil) // ParseLax leaves replacements out
		if err != nil {
			return nil, err
		}
		return f.Replace, nil
	}
	return nil, nil
}

// buildEnvironment are the variables that change what the go command builds.
func buildEnvironment(env []string) string {
	list := slices.DeleteFunc(slices.Sorted(slices.Values(env)), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return !strings.HasPrefix(name, "GO") && !strings.HasPrefix(name, "CGO_") && name != "CC" && name != "CXX"
	})
	return strings.Join(list, "\n")
}

var testNames = regexp.MustCompile(`\b(?:Test|Fuzz|Example)[_\p{L}\p{Nd}]*`)

// testTexts splits the test files of p: the source of each test, with its file's
// imports and the tests it names, and what all tests share: every other
// declaration, and imports for their effects.
func testTexts(p *gotool.Package) (common string, texts map[string]string, err error) {
	own := map[string]string{}
	var shared strings.Builder
	for _, name := range p.TestFiles() {
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
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name != "TestMain" && gotool.IsTest(f.Name.Name) {
				own[f.Name.Name] = imports + "\n" + text(d)
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

// Reused is how many verdicts were looked up.
func (c *Cache) Reused() int { return int(c.reused.Load()) }
