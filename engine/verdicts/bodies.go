package verdicts

import (
	"fmt"
	"go/scanner"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// bodies holds the bodies of the woven functions. The probe tells which of them a test ran, and a verdict depends
// only on those.
type bodies struct {
	tree    string              // absolute
	names   []string            // by the probe's number; "" for a function without a counted body
	digests map[string]Key      // by name
	spans   map[string][][2]int // by absolute file name: offsets, ascending
}

// readBodies reads the woven functions in the tree at root.
func readBodies(root string, funcs []weave.FuncBlocks) (*bodies, error) {
	b := &bodies{tree: root, names: make([]string, len(funcs)), digests: map[string]Key{}, spans: map[string][][2]int{}}
	files := map[string][]byte{}
	for i, f := range funcs {
		if f.Path == "" {
			continue
		}
		src, ok := files[f.Path]
		if !ok {
			var err error
			if src, err = regular.Source(f.Path); err != nil {
				return nil, err
			}
			files[f.Path] = src
		}
		rel, err := filepath.Rel(root, f.Path)
		if err != nil || f.BodyEnd > len(src) {
			return nil, fmt.Errorf("%s has changed since it was woven", f.Path)
		}
		name := filepath.ToSlash(rel) + ":" + f.Name
		for n := 2; b.digests[name] != ""; n++ { // several functions may share a name, such as methods
			name = fmt.Sprintf("%s:%s#%d", filepath.ToSlash(rel), f.Name, n)
		}
		b.names[i] = name
		b.digests[name] = NewKey(tokens(string(src[f.Body:f.BodyEnd])))
		b.spans[f.Path] = append(b.spans[f.Path], [2]int{f.Body, f.BodyEnd})
	}
	for _, spans := range b.spans {
		slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	}
	return b, nil
}

// digest returns the digest of the bodies called names. A body that is missing from the source counts as changed.
func (b *bodies) digest(names []string) Key {
	parts := make([]string, 0, 2*len(names))
	for _, name := range names {
		parts = append(parts, name, string(b.digests[name]))
	}
	return NewKey(parts...)
}

// present returns a function like digest, for a verdict of all tests of a suite. It returns no digest if the tests now
// run a function that is not among the names, which are sorted.
func (c *Cache) present(s *judge.Survey) func(names []string) Key {
	return func(names []string) Key {
		ran := make([]bool, len(c.bodies.names))
		for _, block := range s.Ran() {
			ran[c.Woven.Blocks[block].Func] = true
		}
		for i, name := range c.bodies.names {
			if !ran[i] || name == "" {
				continue
			}
			if _, then := slices.BinarySearch(names, name); !then {
				return ""
			}
		}
		return c.bodies.digest(names)
	}
}

// without returns the source of a file with its woven bodies replaced by "{}".
func (b *bodies) without(file string, src []byte) string {
	var rest strings.Builder
	at := 0
	for _, span := range b.spans[file] {
		rest.Write(src[at:span[0]])
		rest.WriteString("{}")
		at = span[1]
	}
	rest.Write(src[at:])
	return rest.String()
}

// ran returns what a verdict on m depends on: the functions entered, and the one that m mutates.
func (c *Cache) ran(m *evidence.Mutant, entered []int) Run {
	of := slices.Clone(entered)
	for i, f := range c.Woven.Funcs {
		if f.ID == m.Function {
			of = append(of, i)
		}
	}
	var names []string
	for _, i := range of {
		if i < len(c.bodies.names) && c.bodies.names[i] != "" {
			names = append(names, c.bodies.names[i])
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return Run{Functions: names, Sources: c.bodies.digest(names)}
}

// tokens returns Go source without comments and layout. Directives stay, and so does all of a file that imports "C".
func tokens(src string) string {
	if strings.Contains(src, "\"C\"") { // imported, most often
		return src // a comment there is C code
	}
	var b strings.Builder
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(src)), []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return b.String()
		case tok == token.COMMENT && !strings.HasPrefix(lit, "//go:") && !strings.HasPrefix(lit, "//line ") && !strings.HasPrefix(lit, "/*line ") && !strings.HasPrefix(lit, "// +build"):
		case tok == token.SEMICOLON:
			b.WriteString(";")
		default:
			b.WriteString(tok.String() + " " + lit + "\n")
		}
	}
}
