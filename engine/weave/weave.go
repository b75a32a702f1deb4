// Package weave turns Go source into woven source: the same program, with
// every mutant of it inside, chosen by a number at run time (Untch, Offutt,
// Harrold: Mutation Analysis Using Mutant Schemata, ISSTA 1993).
//
// Text is only ever inserted into the original bytes, never printed from a
// syntax tree, so that every original line keeps its number and its comments.
// The result is an overlay for the go command; nothing on disk changes.
package weave

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Input is what to weave.
type Input struct {
	Root      string              // files are named relative to it
	ProbePath string              // import path below which the probe's packages are to be; must be free
	ProbeDir  string              // folder of that path; need not exist
	Touched   []*packages.Package // with syntax and types; the variants that include in-package tests
	Targets   []*packages.Package // packages that may hold fuzz targets, with syntax and types; may overlap Touched
	Cover     []CoverPackage      // packages on the import paths from targets to touched code
	Tests     []CoverPackage      // test files that are to be registered for trials
	Std       map[string]*packages.Package
	Sources   map[string][]byte            // of files that are not in the tree, by absolute name
	Own       func(importPath string) bool // whether a package belongs to the modules at hand
	Functions []Function
	// HarnessOnly weaves nothing but the fuzz targets: their calls are
	// observed, and the code they call stays as it is.
	HarnessOnly bool
	// Layout, with HarnessOnly, is that of the state files that the binary is run
	// with. It counts nothing in them, but writes its input there.
	Layout wire.Layout

	apart bool // for tests: no mutants share a clone
}

// CoverPackage is a package that only gets counters and step checks.
type CoverPackage struct {
	ImportPath string
	GoVersion  string   // language version of its module, as in "1.21"
	Files      []string // absolute names
}

// Function is one function to mutate.
type Function struct {
	mutate.Function
	Path    string // absolute file name
	Mutants []mutate.Mutant
}

// Mutant is what became of one mutant. Its number, the value of the probe's M
// that makes it active, is its index in Woven.Mutants plus one.
type Mutant struct {
	*mutate.Mutant
	Block    int    // counter that is non-zero when it is reached; -1: unknown
	Entry    int    // counter that is non-zero when its function is entered; -1: unknown
	Probed   bool   // the probed clone records its infection
	Unviable string // the type checker's words; empty: it compiles
	Left     string // why it was not built although viable; empty: it was
	// Old are the counters, among the blocks, of the code that it puts back, if it undoes a part of the change: the original moves none.
	Old Counters
}

// Counters are those with the numbers [First, End).
type Counters struct{ First, End int }

// Woven is the result.
type Woven struct {
	Overlay    map[string][]byte // absolute file name -> contents
	Layout     wire.Layout
	Blocks     []Block
	Funcs      []FuncBlocks
	Mutants    []Mutant
	Skipped    map[string]string // function ID -> why it could not be woven
	Targets    []Target
	Sites      []Site
	Tests      map[string][]string // import path -> tests registered for trials
	Dictionary [][]byte            // literals of the woven code, those of mutated functions first
	Tested     [][]byte            // literals of tests, those of the mutated packages first
}

// FuncBlocks is one woven function and its counters [First, End).
type FuncBlocks struct {
	ID         string // empty where it is not mutated
	First, End int
	// Path is the absolute name of the file, Name that in the declaration, Body
	// and BodyEnd the offsets of the body with its braces; empty for literals.
	Path, Name    string
	Body, BodyEnd int
	// Site is that of its calls, wherever they are, for jobs that watch them; -1: there is none.
	Site int
	// Distance is how many uses away from a mutated function it is: 0 for
	// mutated ones, 1 for functions that use one; -1 for farther ones.
	Distance int
}

// MaxCloneBytes bounds the text of those clones of one function that belong to
// one mutant each. Compile time grows with mutants times size: a megabyte of
// clones takes about four seconds and 150 MB. Few mutants need a clone of their
// own; the rest share one.
const MaxCloneBytes = 600 << 10

// Marks in the names of what is added to a package, behind the alias and
// before a number.
const (
	cloneMark   = "m" // the clone of a mutant
	sharedMark  = "s" // the clone that mutants of a function share
	probedMark  = "q" // the probed clone of a function
	resultMark  = "w" // the wrapper of an observed call
	adapterMark = "a" // the adapter of a fuzz target
)

type weaver struct {
	in        Input
	out       *Woven
	files     map[string]*file
	order     []*file
	mutated   map[string]map[token.Pos]*function // by file name, by position of the declaration
	funcs     []*function
	numbers   map[*mutate.Mutant]int // not by ID: two init functions may share some
	broken    map[int]string         // numbers the type checker refused
	unprobed  map[int]bool           // numbers whose probe it refused
	skipped   map[*Function]string   // why it cannot be woven
	unplaced  map[int]bool           // numbers it refused in a shared clone
	unshared  map[*Function]bool     // functions whose shared clone it refused
	counters  map[*types.Func]bool   // functions that count frames
	unseen    map[int]bool           // observation sites it refused
	undriven  map[int]bool           // adapters it refused
	old       map[int]Counters       // by number: of the code that mutants put back
	adapters  int
	counting  map[string]bool                // see countsAllocations
	constants map[visible]map[string]string  // see constantsOf; nil: none was asked for
	failures  map[seenFrom]map[string]string // see errorConstants; nil: none was asked for
}

// file is one source file being woven.
type file struct {
	path   string
	rel    string
	src    []byte
	syntax *ast.File
	tok    *token.File
	alias  string // under which it imports the probe
	goVer  string // language version of its module
	pkg    *packages.Package
	edits  edits
	tail   passage
	woven  passage              // set by finish
	uses   bool                 // something in it needs the probe's import
	needed map[mutate.Need]bool // what mutants need in it, and has been added
}

// function is one function being woven.
type function struct {
	file    *file
	decl    *ast.FuncDecl // nil for a literal in a package variable that is not mutated
	literal bool          // in a package variable
	body    *ast.BlockStmt
	index   int
	start   int // offset of the declaration
	end     int
	blocks  map[anchor]int
	segs    []segment
	source  *Function // nil where it is not mutated
	where   placement
	sig     signature
	site    int // of its calls, wherever they are; -1: they cannot be watched
	numbers map[*mutate.Mutant]int
	cloned  []*mutate.Mutant // those with clones of their own
	shared  *sharing         // those that share one; nil: none do
}

// built returns the mutants that are in the woven binary.
func (fn *function) built() []*mutate.Mutant {
	if fn.shared == nil {
		return fn.cloned
	}
	return slices.Concat(fn.cloned, fn.shared.mutants)
}

// Weave weaves in. The returned error is for faults of the input as a whole;
// what concerns one mutant or function is recorded with it.
func Weave(ctx context.Context, in Input) (*Woven, error) {
	w := &weaver{
		in: in, numbers: map[*mutate.Mutant]int{}, broken: map[int]string{},
		unprobed: map[int]bool{}, skipped: map[*Function]string{}, unplaced: map[int]bool{}, unshared: map[*Function]bool{}, unseen: map[int]bool{}, undriven: map[int]bool{}, counting: map[string]bool{},
	}
	for i := range in.Functions {
		for j := range in.Functions[i].Mutants {
			w.numbers[&in.Functions[i].Mutants[j]] = len(w.numbers) + 1
		}
	}
	// Two rounds are the rule: one that finds what does not compile and one
	// that confirms the rest.
	const rounds = 8
	for range rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := w.weave(); err != nil {
			return nil, err
		}
		clean, err := w.check()
		if err != nil {
			return nil, err
		}
		if clean {
			return w.out, nil
		}
	}
	return nil, errors.New("the woven source does not type-check, and dropping what fails does not help")
}

// weave makes one woven version from scratch, without what is known to fail.
func (w *weaver) weave() error {
	w.out = &Woven{Overlay: map[string][]byte{}, Skipped: map[string]string{}}
	w.files, w.order, w.funcs, w.adapters, w.old = map[string]*file{}, nil, nil, 0, map[int]Counters{}
	if err := w.open(); err != nil {
		return err
	}
	w.collectMutated()
	w.collectFrameCounters()
	w.weaveTargets() // first, so that its sites have the same numbers where nothing is mutated
	for _, f := range w.order {
		if !f.isTest() && !w.in.HarnessOnly {
			w.weaveFile(f)
		}
	}
	w.recordMutants()
	w.measureDistances()
	w.registerTests()
	w.dictionary()
	w.tested()
	w.finish()
	return w.addProbe()
}

// finish puts the woven files into the overlay.
func (w *weaver) finish() {
	for _, f := range w.order {
		if text := f.finish(w.in.ProbePath); text != nil {
			w.out.Overlay[f.path] = text
		}
	}
}

func (f *file) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

func (f *file) offset(p token.Pos) int { return f.tok.Offset(p) }

// position is where offset is on disk, whatever line directives say.
func (f *file) position(offset int) token.Position {
	return f.tok.PositionFor(f.tok.Pos(offset), false)
}

// reported is what stack traces say of offset: line directives count.
func (f *file) reported(offset int) token.Position {
	p := f.tok.Position(f.tok.Pos(offset))
	p.Filename = filepath.ToSlash(p.Filename)
	return p
}

func (f *file) line(offset int) int { return f.position(offset).Line }

// collectMutated finds the declarations that in.Functions name.
func (w *weaver) collectMutated() {
	w.mutated = map[string]map[token.Pos]*function{}
	for i := range w.in.Functions {
		src := &w.in.Functions[i]
		if w.skipped[src] != "" {
			continue
		}
		f := w.files[src.Path]
		if f == nil {
			continue
		}
		fn := &function{file: f, source: src}
		if w.mutated[f.path] == nil {
			w.mutated[f.path] = map[token.Pos]*function{}
		}
		w.mutated[f.path][src.Decl.Pos()] = fn
	}
}

// weaveFile instruments every function of f and adds the clones.
func (w *weaver) weaveFile(f *file) {
	for _, d := range f.syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			fn := w.mutated[f.path][d.Pos()]
			if why := pinned(d); d.Body == nil || why != "" {
				if fn != nil {
					w.skipped[fn.source] = "the directive " + why + " forbids it"
				}
				continue
			}
			if fn == nil {
				fn = &function{file: f}
			}
			fn.decl, fn.body = d, d.Body
			fn.start, fn.end = f.offset(d.Pos()), f.offset(d.End())
			w.instrument(fn)
		case *ast.GenDecl:
			w.instrumentLiterals(f, d)
		}
	}
}

// pinned returns the directive that forbids to touch the function, or "".
func pinned(d *ast.FuncDecl) string {
	if d.Doc == nil {
		return ""
	}
	for _, c := range d.Doc.List {
		for _, p := range []string{"//go:nosplit", "//go:linkname", "//go:systemstack", "//go:nowritebarrier", "//go:norace", "//export "} {
			if strings.HasPrefix(c.Text, p) {
				return strings.TrimSpace(p)
			}
		}
	}
	return ""
}

// instrumentLiterals instruments the function literals of package variables.
func (w *weaver) instrumentLiterals(f *file, d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	ast.Inspect(d, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if ok {
			fn := w.mutated[f.path][lit.Pos()]
			if fn == nil {
				fn = &function{file: f}
			} else {
				fn.decl = fn.source.Decl
			}
			fn.body, fn.literal = lit.Body, true
			fn.start, fn.end = f.offset(lit.Pos()), f.offset(lit.End())
			w.instrument(fn)
		}
		return !ok
	})
}

// instrument gives fn its counters and, where it is mutated, its clones.
func (w *weaver) instrument(fn *function) {
	f := fn.file
	f.uses = true
	fn.index = len(w.funcs)
	fn.blocks = map[anchor]int{}
	fn.numbers = w.numbers
	w.funcs = append(w.funcs, fn)
	first := len(w.out.Blocks)
	id := ""
	in := &instrument{alias: f.alias, offset: f.offset, fn: fn.index, out: &f.edits}
	in.block = func(a anchor) int {
		b, ok := fn.blocks[a]
		if !ok {
			b = len(w.out.Blocks)
			fn.blocks[a] = b
			w.out.Blocks = append(w.out.Blocks, Block{File: f.rel, Line: f.line(int(a)), Func: fn.index})
		}
		return b
	}
	if fn.source != nil {
		id = fn.source.ID
		// The clones need the counters' numbers, which this pass gives out.
		scrap := &instrument{alias: f.alias, offset: f.offset, fn: fn.index, out: &edits{}, block: in.block}
		scrap.function(fn.body)
		fn.segs = scrap.segs
		w.locate(fn.segs)
		f.edits.splice(f.offset(fn.body.Lbrace)+1, w.addClones(fn))
		f.edits.wrapFor(owner{aFunction, fn.index}, fn.start, fn.end, passage{}, "")
	}
	in.function(fn.body)
	blocks := FuncBlocks{ID: id, First: first, End: len(w.out.Blocks), Distance: -1, Site: -1}
	if fn.source != nil {
		blocks.Site = fn.site
	}
	if fn.decl != nil && !fn.literal {
		blocks.Path, blocks.Name = f.path, fn.decl.Name.Name
		blocks.Body, blocks.BodyEnd = f.offset(fn.body.Lbrace), f.offset(fn.body.Rbrace)+1
	}
	w.out.Funcs = append(w.out.Funcs, blocks)
}

// locate notes where the code of blocks is.
func (w *weaver) locate(segs []segment) {
	for _, s := range segs {
		if s.block >= 0 && s.code.end > 0 {
			b := &w.out.Blocks[s.block]
			b.Code, b.Head, b.Else = mutate.Span{Start: s.code.start, End: s.code.end}, mutate.Span{Start: s.head.start, End: s.head.end}, s.head.other
		}
	}
}

// addClones appends the clones of fn to its file and returns the dispatch.
func (w *weaver) addClones(fn *function) (dispatch passage) {
	f := fn.file
	fn.where = w.placementOf(fn)
	fn.sig = readSignature(fn.decl, f.offset, f.alias, &f.edits, &f.edits)
	fn.site = -1
	if fn.where != inBody && !w.countsAllocations(f) {
		fn.site = w.addCallSite(fn)
	}
	w.choose(fn)
	fmt.Fprintf(&dispatch, "if %s.M!=0{switch %s.M{", f.alias, f.alias)
	add := func(v variant) error {
		c, err := fn.add(v)
		dispatch.append(c)
		return err
	}
	var probed edits
	for i := range fn.source.Mutants {
		if m := &fn.source.Mutants[i]; w.probes(m) {
			fn.watch(m, &probed)
		}
	}
	// These cannot fail: the original's text has been parsed already.
	_ = add(fn.unmutated(owner{aFunction, fn.index}, fmt.Sprintf("%s%s%d", f.alias, probedMark, fn.index), fmt.Sprint(wire.Probed), probed))
	for _, m := range fn.cloned {
		n := w.numbers[m]
		v := variant{
			owner: owner{aClone, n}, name: fmt.Sprintf("%s%s%d", f.alias, cloneMark, n), values: fmt.Sprint(n),
			text: fn.mutated(m, fn.start, fn.end), origin: fn.origin(m),
		}
		old := Counters{First: len(w.out.Blocks)}
		if m.Hunk != nil {
			v.old = w.oldBlocks(fn)
		}
		err := add(v)
		old.End = len(w.out.Blocks)
		w.old[n] = old
		if err != nil {
			w.broken[n] = "syntax: " + err.Error()
			continue
		}
		fn.addNeeds(owner{aClone, n}, m)
	}
	if fn.shared != nil {
		values := fmt.Sprint(wire.Identity)
		for _, m := range fn.shared.mutants {
			values += fmt.Sprintf(",%d", w.numbers[m])
		}
		_ = add(fn.unmutated(owner{aSharedClone, fn.index}, fmt.Sprintf("%s%s%d", f.alias, sharedMark, fn.index), values, fn.shared.edits))
	}
	dispatch.add("}};")
	return dispatch
}

// addNeeds adds what a mutant needs in the file outside the function, once.
func (fn *function) addNeeds(o owner, m *mutate.Mutant) {
	f := fn.file
	for _, need := range m.Needs {
		if need.Offset < fn.start && !f.needed[need] {
			f.needed[need] = true
			var text passage
			text.own(o, plain(need.Text))
			f.edits.splice(need.Offset, text)
		}
	}
}

// variant is one body of a function besides its own.
type variant struct {
	owner  owner
	name   string // of the clone
	values string // of M that lead to it, as in "3,5"
	text   string // the declaration with its mutation
	origin func(int) int
	old    func(anchor) int // counter of code that the function does not have; nil: it has none
	edits  edits            // to the file, that belong to this variant
}

// oldBlocks gives out counters for code that fn does not have, once for each place.
func (w *weaver) oldBlocks(fn *function) func(anchor) int {
	given := map[anchor]int{}
	return func(a anchor) int {
		b, ok := given[a]
		if !ok {
			b = len(w.out.Blocks)
			given[a] = b
			w.out.Blocks = append(w.out.Blocks, Block{File: fn.file.rel, Line: fn.file.line(fn.start), Func: fn.index})
		}
		return b
	}
}

// unmutated is a variant with the original's text, apart from edits.
func (fn *function) unmutated(owner owner, name, values string, edits edits) variant {
	return variant{
		owner: owner, name: name, values: values, text: fn.text(fn.start, fn.end),
		origin: func(at int) int { return at + fn.start }, edits: edits,
	}
}

// add adds one clone and returns its case in the dispatch. It fails if the
// mutated text does not parse.
func (fn *function) add(v variant) (dispatch passage, err error) {
	f := fn.file
	clone, err := fn.clone(v)
	if err != nil {
		return passage{}, err
	}
	if fn.where == inBody {
		open := f.offset(fn.body.Lbrace) + 1
		p := f.reported(open)
		back := inLine(p.Filename, p)
		end := ""
		if fn.sig.results == 0 {
			end = ";return"
		}
		fmt.Fprintf(&dispatch, "case %s:{/*%s*/%s", v.values, v.name, back)
		dispatch.own(v.owner, clone)
		fmt.Fprintf(&dispatch, "%s}/*%s*/%s;", end, v.name, back)
		return dispatch, nil
	}
	p := f.reported(fn.start)
	f.tail.add(lineDirective(p.Filename, p.Line))
	f.tail.own(v.owner, clone)
	watched := ""
	if fn.site >= 0 {
		watched = fn.sig.watched(v.name, fn.where, f.alias, fn.site)
	}
	return plain(fmt.Sprintf("case %s:%s%s;", v.values, watched, fn.sig.call(v.name, fn.where))), nil
}

// origin maps offsets in the text of m's clone back to the file, or to -1 for
// what m brought in.
func (fn *function) origin(m *mutate.Mutant) func(int) int {
	kept := strings.Index(m.Replacement, m.Original)
	return func(at int) int {
		at, ok := fn.withoutNeeds(m, at+fn.start)
		if !ok {
			return -1
		}
		switch grown := len(m.Replacement) - len(m.Original); {
		case at <= m.Offset:
			return at
		case at >= m.Offset+len(m.Replacement):
			return at - grown
		case kept >= 0 && m.Original != "" && at >= m.Offset+kept && at <= m.Offset+kept+len(m.Original):
			return at - kept
		}
		return -1
	}
}

// withoutNeeds maps offsets as they are with what m needs in the function to those without it. It is not ok within that.
func (fn *function) withoutNeeds(m *mutate.Mutant, at int) (_ int, ok bool) {
	for _, need := range m.Needs {
		switch {
		case need.Offset < fn.start || at <= need.Offset:
		case at < need.Offset+len(need.Text):
			return 0, false
		default:
			at -= len(need.Text)
		}
	}
	return at, true
}

// probes reports whether m's infection is watched.
func (w *weaver) probes(m *mutate.Mutant) bool {
	n := w.numbers[m]
	return m.Probe != nil && !w.unprobed[n] && !strings.Contains(m.Probe.Mutated, "\n") &&
		m.Ignored == "" && m.Arid == ""
}

// choose decides which mutants of fn to build, and how. All that can share a clone
// do. The others get clones of their own; if there is no room for all, those on
// changed lines come first, then one of each line.
func (w *weaver) choose(fn *function) {
	fn.cloned, fn.shared = nil, nil
	var sharable []*mutate.Mutant
	for i := range fn.source.Mutants {
		m := &fn.source.Mutants[i]
		switch n := w.numbers[m]; {
		case m.Ignored != "" || m.Arid != "" || w.broken[n] != "":
		case w.in.apart || w.unplaced[n] || w.unshared[fn.source]:
			fn.cloned = append(fn.cloned, m)
		default:
			sharable = append(sharable, m)
		}
	}
	if len(sharable) > 0 {
		var rest []*mutate.Mutant
		fn.shared, rest = share(fn, sharable)
		fn.cloned = append(fn.cloned, rest...)
	}
	if room := max(1, MaxCloneBytes/max(1, fn.end-fn.start)); len(fn.cloned) > room {
		fn.cloned = w.spread(fn.cloned)[:room]
	}
}

// spread sorts mutants: those on changed lines first, and no line's second
// before every line's first.
func (w *weaver) spread(list []*mutate.Mutant) []*mutate.Mutant {
	perLine := map[int]int{}
	rank := map[*mutate.Mutant]int{}
	for _, m := range list {
		rank[m] = perLine[m.Line]
		if !m.OnDiff {
			rank[m] += 1 << 20
		}
		perLine[m.Line]++
	}
	slices.SortStableFunc(list, func(a, b *mutate.Mutant) int { return cmp.Compare(rank[a], rank[b]) })
	return list
}

// recordMutants fills Woven.Mutants.
func (w *weaver) recordMutants() {
	built := map[int]bool{}
	woven := map[*Function]*function{}
	for _, fn := range w.funcs {
		if fn.source == nil {
			continue
		}
		woven[fn.source] = fn
		for _, m := range fn.built() {
			built[w.numbers[m]] = true
		}
	}
	for i := range w.in.Functions {
		src := &w.in.Functions[i]
		if why := w.skipped[src]; why != "" {
			w.out.Skipped[src.ID] = why
		}
		for j := range src.Mutants {
			m := &src.Mutants[j]
			n := w.numbers[m]
			r := Mutant{Mutant: m, Block: -1, Entry: -1, Unviable: w.broken[n]}
			fn := woven[src]
			switch {
			case m.Ignored != "" || m.Arid != "" || r.Unviable != "":
			case fn == nil:
				r.Left = w.skipped[src]
				if r.Left == "" {
					r.Left = "the function was not found in the loaded package"
				}
			case !built[n]:
				r.Left = fmt.Sprintf("the function is too large to build all %d of its mutants", len(src.Mutants))
			default:
				r.Entry = fn.blocks[anchor(fn.file.offset(fn.body.Lbrace)+1)]
				if r.Block = fn.blockOf(m); r.Block < 0 {
					r.Block = r.Entry // it holds the whole body
				}
				r.Probed, r.Old = w.probes(m), w.old[n]
			}
			w.out.Mutants = append(w.out.Mutants, r)
		}
	}
}

// finish returns the woven text, or nil where nothing was woven.
func (f *file) finish(probePath string) []byte {
	// Two packages, so that the program itself does not come to import package testing.
	imported := probe.State
	if f.isTest() {
		imported = probe.Harness
	}
	if !f.uses {
		return nil
	}
	at := f.offset(f.syntax.Name.End())
	f.edits.insert(at, fmt.Sprintf(";import %s %q", f.alias, path.Join(probePath, imported)))
	f.raiseVersion()
	f.woven = f.edits.apply(f.src)
	f.woven.append(f.tail)
	f.woven.add("\n")
	return f.woven.text
}

// addProbe puts the probe's sources and layout into the overlay.
func (w *weaver) addProbe() error {
	w.out.Layout = wire.Layout{Blocks: len(w.out.Blocks), Funcs: len(w.funcs), Mutants: len(w.numbers)}
	if w.in.HarnessOnly {
		w.out.Layout = w.in.Layout
	}
	sources, err := probeSources(w.in.ProbePath, w.out)
	if err != nil {
		return err
	}
	for name, text := range sources {
		w.out.Overlay[filepath.Join(w.in.ProbeDir, filepath.FromSlash(name))] = text
	}
	return nil
}

// FreeProbePath returns an import path directly below module that none of
// packages has, nor has anything below it.
func FreeProbePath(module string, packages []string) string {
	p := path.Join(module, "mutantfuzzprobe")
	for slices.ContainsFunc(packages, func(used string) bool { return strings.HasPrefix(used+"/", p+"/") }) {
		p += "_"
	}
	return p
}
