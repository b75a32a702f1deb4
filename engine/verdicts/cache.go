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

// The result of a test with a mutant depends on the mutant, on the test, on the functions that ran, and on everything
// else that the test is compiled from or can read: the packages that it imports, the rest of its test files, the
// folder of its package. This last part is the context: each context has a book. The other parts are the key in that
// book.
//
// It also depends on the environment: a test may skip itself where a variable is not set or a service is missing. No
// digest covers that, but the survey sees what tests do at present. So the keys include which of them run the mutant,
// and a verdict of all tests is not found if they now run a function that they did not run then.

// CacheConfig says which verdicts are kept, and where.
type CacheConfig struct {
	*build.Binaries                  // woven
	Mutants         evidence.Mutants // whose verdicts are kept
	Books           *Store           // where they are kept
	Fresh           bool             // store verdicts, but do not look up earlier ones
	Settings        []string         // other things that verdicts depend on, such as test flags
}

// Cache stores the verdicts of tests on mutants for later analyses. It implements judge.Cache.
type Cache struct {
	CacheConfig
	ctx    context.Context
	mu     sync.Mutex
	books  map[string]*suiteBook // by package
	bodies *bodies               // nil: not read yet
	// digests has the digests of packages by import path, as other packages see them: many suites import the same ones.
	digests map[string]string
	reused  atomic.Int64
}

// suiteBook is the book of one suite. If Book is nil, nothing is kept.
type suiteBook struct {
	*Book
	texts map[string]string // digest of the source of each test, by name
}

// NewCache returns a cache for one analysis. It does no more work once ctx ends.
func NewCache(ctx context.Context, c CacheConfig) *Cache {
	return &Cache{CacheConfig: c, ctx: ctx, books: map[string]*suiteBook{}, digests: map[string]string{}}
}

// of returns the book of a suite, and opens it on first use.
func (c *Cache) of(pkg string) *suiteBook {
	c.mu.Lock()
	defer c.mu.Unlock()
	if b := c.books[pkg]; b != nil {
		return b
	}
	b, err := c.open(pkg)
	if err != nil {
		b = &suiteBook{}
		if c.ctx.Err() == nil { // otherwise nothing will be stored anyway
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
	for name, text := range texts {
		texts[name] = string(NewKey(text)) // each is part of many keys
	}
	book, err := c.Books.Book(key, c.Fresh)
	return &suiteBook{book, texts}, err
}

// Close closes the books. Verdicts that did not reach the disk are judged again in a later run.
func (c *Cache) Close() {
	for _, b := range c.books {
		_ = b.Close()
	}
}

// runners returns the tests that are known to run the code of m at present, with what else is known of each: a test
// that skips the rest of itself may do more with m where it does not.
func runners(m *judge.Mutant, s *judge.Survey) map[string]string {
	unfinished, runs := s.Unfinished(), map[string]string{}
	for _, test := range s.Covering(m) {
		runs[test] = "runs it"
		if slices.Contains(unfinished, test) {
			runs[test] = "runs it, and skips something"
		}
	}
	return runs
}

// key returns the key of the verdict of test on m. An empty test stands for all tests that are not quarantined: the
// key then includes their names and sources. runs is what runners returns.
func (b *suiteBook) key(m *evidence.Mutant, s *judge.Survey, runs map[string]string, test string) Key {
	parts := []string{m.ID, m.Original, m.Replacement, test}
	for _, need := range m.Needs {
		parts = append(parts, need.Text)
	}
	parts = append(parts, s.Suite.Without...)
	if test != "" {
		return NewKey(append(parts, b.texts[test], runs[test])...)
	}
	for _, name := range s.Tests {
		parts = append(parts, name, b.texts[name], runs[name])
	}
	return NewKey(parts...)
}

// Lookup returns an earlier verdict of the tests of a suite on m. It returns false if there is none.
func (c *Cache) Lookup(m *judge.Mutant, s *judge.Survey) (d ledger.Decision, ok bool) {
	b, of := c.of(s.Suite.Package), c.Mutants.ByNumber(m.Number)
	if b.Book == nil || c.Fresh {
		return d, false
	}
	runs, sources := runners(m, s), c.present(s)
	for _, test := range append([]string{""}, s.Tests...) {
		v, known := b.Find(b.key(of, s, runs, test), sources)
		sources = c.bodies.digest // a single test depends on what it ran then
		switch {
		case !known:
			continue
		case v.Kind == ledger.Pass:
			d.Status = ledger.Survived
		case v.kills():
			d = ledger.Decision{Status: ledger.Killed, Kind: v.Kind, Test: v.Name}
			if test == "" {
				d.Reason = ledger.ReasonOnlyInSuite
			}
		case test == "":
			return d, false // there was no verdict on all tests together
		default:
			continue
		}
		c.reused.Add(1)
		return d, true
	}
	return d, false
}

// noVerdict is the stored kind for a mutant without a reliable verdict. Lookup treats it as missing.
const noVerdict = "none"

// Store stores the verdict of the tests of a suite on m: a kill by a single test under that test, anything else under
// all tests together. Any other verdict withdraws kills that were stored before. funcs are the functions that the runs
// behind d entered. A verdict of several tests depends on all functions that the tests run.
func (c *Cache) Store(m *judge.Mutant, s *judge.Survey, d ledger.Decision, funcs []int) {
	b := c.of(s.Suite.Package)
	if b.Book == nil {
		return
	}
	of, runs, test := c.Mutants.ByNumber(m.Number), runners(m, s), ""
	switch {
	case d.Status == ledger.Killed && d.Reason == "":
		test, _, _ = strings.Cut(d.Test, "/")
	case d.Status == ledger.Inconclusive, d.Status == ledger.Survived && d.Reason != "":
		d = ledger.Decision{Kind: noVerdict} // overrides a verdict stored after an earlier run of m
	}
	if test == "" {
		c.withdraw(b, of, s, runs)
		for _, block := range s.Ran() {
			funcs = append(funcs, c.Woven.Blocks[block].Func)
		}
	}
	b.Add(b.key(of, s, runs, test), Verdict{Kind: d.Kind, Name: d.Test}, c.ran(of, funcs))
}

// withdraw stores that there is no verdict under each test that was said to kill m.
func (c *Cache) withdraw(b *suiteBook, m *evidence.Mutant, s *judge.Survey, runs map[string]string) {
	for test := range b.texts {
		key := b.key(m, s, runs, test)
		if v, known := b.Find(key, c.bodies.digest); known && v.kills() {
			b.Add(key, Verdict{Kind: noVerdict}, c.ran(m, nil))
		}
	}
}

// context returns the digest of all that verdicts of the tests of pkg depend on, apart from the mutants and the
// tests' own sources. It also returns these, by name of the test.
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
	named, err := digestNamed(c.Tree, own.Dir, program.Parsed(own))
	if err != nil {
		return "", nil, err
	}
	parts := []string{pkg, fmt.Sprint(info), version, runtime.GOOS, runtime.GOARCH,
		strings.Join(c.Flags, "\n"), buildEnvironment(c.Tool.Env), common}
	parts = slices.Concat(parts, c.Settings, requirements, named)
	for _, p := range c.Sorted() {
		if p != own && !c.TestsImport(own, p.ImportPath) {
			continue
		}
		digest, known := c.digests[p.ImportPath]
		if p == own || !known {
			if digest, err = c.bodies.digestPackage(p, p == own); err != nil {
				return "", nil, err
			}
		}
		if p != own {
			c.digests[p.ImportPath] = digest
		}
		parts = append(parts, p.ImportPath, digest)
	}
	return NewKey(parts...), texts, nil
}

// requirements returns what the program is built with besides its own packages: go.work, go.mod and go.sum files, the
// list of vendored modules, and replacements.
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

// replacements returns the digests of the folders outside of the program that a go.mod or go.work file replaces
// modules with. Their sources have no version.
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
		tree := c.Tree
		if !below(tree, dir) {
			tree = dir
		}
		digest, err := digestFolder(tree, dir, entered, whole)
		if err != nil {
			return nil, err
		}
		parts = append(parts, digest)
	}
	return parts, nil
}

// replaces returns the replace directives of a go.mod or go.work file; none for other files.
func replaces(file string, data []byte) ([]*modfile.Replace, error) {
	switch filepath.Base(file) {
	case "go.work":
		f, err := modfile.ParseWork(file, data, nil)
		if err != nil {
			return nil, err
		}
		return f.Replace, nil
	case "go.mod":
		f, err := modfile.Parse(file, data, nil) // ParseLax drops replace directives
		if err != nil {
			return nil, err
		}
		return f.Replace, nil
	}
	return nil, nil
}

// buildEnvironment returns the variables in env that change what the go command builds. All but one of Go's own have no
// underscore after GO. Others have one, and some have another value in each build, such as
// GOOGLE_APPLICATION_CREDENTIALS and GO_PIPELINE_COUNTER.
func buildEnvironment(env []string) string {
	list := slices.DeleteFunc(slices.Sorted(slices.Values(env)), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		own := strings.HasPrefix(name, "GO") && !strings.Contains(name, "_") || strings.HasPrefix(name, "CGO_")
		return !own && !slices.Contains([]string{"GO_EXTLINK_ENABLED", "CC", "CXX"}, name)
	})
	return strings.Join(list, "\n")
}

var testNames = regexp.MustCompile(`\b(?:Test|Fuzz|Example)[_\p{L}\p{Nd}]*`)

// testTexts divides the test files of p into the source of each test and common, which all tests share. The source of
// a test includes the imports of its file and the tests that it names. common has every other declaration, and
// imports for side effects.
func testTexts(p *gotool.Package) (common string, texts map[string]string, err error) {
	own := map[string]string{}
	var shared strings.Builder
	for _, name := range p.TestFiles() {
		src, err := regular.Source(filepath.Join(p.Dir, name))
		if err != nil {
			return "", nil, err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return "", nil, err
		}
		between := func(from, to token.Pos) string {
			return string(src[fset.PositionFor(from, false).Offset:fset.PositionFor(to, false).Offset])
		}
		text := func(n ast.Node) string {
			if g, ok := n.(*ast.GenDecl); ok && g.Doc != nil {
				return between(g.Doc.Pos(), n.End()) // it may embed files
			}
			return between(n.Pos(), n.End())
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
				own[f.Name.Name] += imports + "\n" + text(d) // a test of the external package may have the same name
			} else if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
				fmt.Fprintf(&shared, "%s\n%s\n", imports, text(d))
			}
		}
	}
	texts = map[string]string{}
	for name := range own {
		all := []string{name}
		for i := 0; i < len(all); i++ {
			for _, other := range testNames.FindAllString(own[all[i]], -1) {
				if !slices.Contains(all, other) {
					all = append(all, other)
				}
			}
			texts[name] += own[all[i]]
		}
	}
	return shared.String(), texts, nil
}

// Reused returns how many verdicts Lookup has found.
func (c *Cache) Reused() int { return int(c.reused.Load()) }
