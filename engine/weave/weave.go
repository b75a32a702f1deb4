// Package weave turns Go source into woven source: the same program with all of its mutants inside, selected at run
// time by a number (Untch, Offutt, Harrold: Mutation Analysis Using Mutant Schemata, ISSTA 1993).
//
// The weaver edits the original bytes and never prints a syntax tree, so every original line keeps its number and its
// comments. The result is an overlay for the go command; nothing on disk changes.
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

// Input says what to weave.
type Input struct {
	Root      string                       // absolute folder; results name files relative to it
	ProbePath string                       // import path below which the probe's packages are placed; must be unused
	ProbeDir  string                       // folder that corresponds to ProbePath; need not exist
	Touched   []*packages.Package          // with syntax and types; the variants that include in-package tests
	Targets   []*packages.Package          // packages that may have fuzz targets, typed too; may overlap Touched
	Cover     []CoverPackage               // packages on the import paths from targets to touched code
	Tests     []CoverPackage               // test files whose tests are registered for trials
	Std       map[string]*packages.Package // see StdImports
	Sources   map[string][]byte            // contents of files that are not in the tree, by absolute name
	Own       func(importPath string) bool // reports whether a package belongs to the program
	Functions []Function
	// HarnessOnly weaves only the fuzz targets: their calls are observed, and the code under test stays unchanged.
	HarnessOnly bool
	// Layout is only used with HarnessOnly. It is the layout of the state files that the binary runs with: the binary
	// counts nothing in them, but writes its current input there.
	Layout wire.Layout

	apart bool // for tests: every mutant gets a clone of its own
}

// CoverPackage lists files of a package that is known by its syntax alone, without types. In Input.Cover its functions
// get counters and step checks; in Input.Tests its tests are registered.
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

// Mutant is the weaver's result for one mutant. Its number, which is the value of the probe's M that activates it, is
// its index in Woven.Mutants plus one.
type Mutant struct {
	*mutate.Mutant
	Block    int    // counter that is non-zero once the mutant is reached; -1: unknown
	Entry    int    // counter that is non-zero once its function is entered; -1: unknown
	Probed   bool   // the probed clone records its infection
	Unviable string // error of the parser or type checker; empty: it compiles
	Left     string // why a viable mutant that nothing suppresses was not built; empty in all other cases
	// Old has the block counters of the old code that the mutant restores, if it undoes a part of the change. The
	// original program never increments them.
	Old Counters
}

// Counters is the range of block counters [First, End).
type Counters struct{ First, End int }

// Woven is the result of Weave.
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
	Dictionary [][]byte            // literals of the woven code for the fuzzer, those of mutated functions first
	Tested     [][]byte            // literals of tests, those of the mutated packages first
}

// FuncBlocks is one woven function and its block counters [First, End).
type FuncBlocks struct {
	ID         string // empty if the function is not mutated
	First, End int
	// Path is the absolute name of the file and Name the declared name. Body and BodyEnd are the offsets of the body,
	// braces included. All four are zero for function literals.
	Path, Name    string
	Body, BodyEnd int
	// Site is the index in Woven.Sites that stands for all calls of the function (see wire.JobWatch); -1: none.
	Site int
	// Distance counts the uses between the function and the nearest mutated one: 0 if it is mutated itself, 1 if it
	// uses a mutated function, 2 if it uses one of those; -1 if it is farther away or its package has no types.
	Distance int
}

// MaxCloneBytes bounds the total size, for one function, of the clones that hold a single mutant each. Their compile
// time grows with the number of mutants times the function's size: a megabyte of clones takes about four seconds and
// 150 MB. Few mutants need a clone of their own; all others share one.
const MaxCloneBytes = 600 << 10

// Marks in the names of added declarations. A name is the probe's alias, a mark and a number.
const (
	cloneMark   = "m" // the clone of one mutant
	sharedMark  = "s" // the clone that several mutants of a function share
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
	numbers   map[*mutate.Mutant]int // not by ID: mutants of two init functions may have the same ID
	broken    map[int]string         // mutants that do not parse or type-check, with the error
	unprobed  map[int]bool           // mutants whose probe does not type-check
	skipped   map[*Function]string   // functions that cannot be woven, with the reason
	unplaced  map[int]bool           // mutants that do not type-check in a shared clone
	unshared  map[*Function]bool     // functions whose shared clone does not type-check
	counters  map[*types.Func]bool   // functions that look at their callers, see frames.go
	unseen    map[int]bool           // observation sites that do not type-check
	undriven  map[int]bool           // adapters that do not type-check
	old       map[int]Counters       // counters of the old code that a mutant restores, by mutant
	adapters  int
	counting  map[string]bool                // cache of countsAllocations, by folder
	constants map[visible]map[string]string  // cache of constantsOf; nil: still empty
	failures  map[seenFrom]map[string]string // cache of errorConstants; nil: still empty
}

// file is one source file being woven.
type file struct {
	path   string
	rel    string // relative to Input.Root, slash-separated
	src    []byte
	syntax *ast.File
	tok    *token.File
	alias  string            // local name of the probe's import
	goVer  string            // language version of its module
	pkg    *packages.Package // nil: only its syntax is known
	edits  edits
	tail   passage              // what is appended to the file
	woven  passage              // set by finish
	uses   bool                 // the file needs the probe's import
	needed map[mutate.Need]bool // needs of mutants that were added already
}

// function is one function being woven.
type function struct {
	file    *file
	decl    *ast.FuncDecl // nil for a literal in a package variable that is not mutated
	literal bool          // it is a function literal in a package variable
	body    *ast.BlockStmt
	index   int
	start   int // offset of the declaration
	end     int
	blocks  map[anchor]int
	segs    []segment
	source  *Function // nil if it is not mutated
	where   placement
	sig     signature
	site    int // index in Woven.Sites that stands for all of its calls; -1: they cannot be watched
	numbers map[*mutate.Mutant]int
	cloned  []*mutate.Mutant // mutants with a clone of their own
	shared  *sharing         // the clone that the other mutants share; nil: none do
}

// built returns the mutants of fn that are in the woven binary.
func (fn *function) built() []*mutate.Mutant {
	if fn.shared == nil {
		return fn.cloned
	}
	return slices.Concat(fn.cloned, fn.shared.mutants)
}

// newWeaver returns a weaver that has woven and left out nothing yet.
func newWeaver(in Input) *weaver {
	w := &weaver{
		in: in, out: &Woven{Overlay: map[string][]byte{}}, files: map[string]*file{}, counting: map[string]bool{},
		numbers: map[*mutate.Mutant]int{}, broken: map[int]string{}, unprobed: map[int]bool{},
		skipped: map[*Function]string{}, unplaced: map[int]bool{}, unshared: map[*Function]bool{},
		unseen: map[int]bool{}, undriven: map[int]bool{},
	}
	for i := range in.Functions {
		for j := range in.Functions[i].Mutants {
			w.numbers[&in.Functions[i].Mutants[j]] = len(w.numbers) + 1
		}
	}
	return w
}

// Weave weaves in. An error means that the input as a whole is at fault, or that ctx is done. Problems of one mutant
// or function are recorded with it in the result.
func Weave(ctx context.Context, in Input) (*Woven, error) {
	w := newWeaver(in)
	// Two rounds usually suffice: the first finds what does not compile, the second confirms the rest. Of the clones
	// that close initialization cycles, though, a round may find only one.
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := w.weave(); err != nil {
			return nil, err
		}
		before := w.leftOut()
		clean, err := w.check()
		if err != nil {
			return nil, err
		}
		if clean {
			return w.out, nil
		}
		if w.leftOut() == before {
			return nil, errors.New("the woven source does not type-check, even without the parts that failed")
		}
	}
}

// weave makes one woven version from scratch and leaves out everything that is known not to type-check.
func (w *weaver) weave() error {
	w.out = &Woven{Overlay: map[string][]byte{}, Skipped: map[string]string{}}
	w.files, w.order, w.funcs, w.adapters, w.old = map[string]*file{}, nil, nil, 0, map[int]Counters{}
	if err := w.open(); err != nil {
		return err
	}
	w.collectMutated()
	w.collectFrameCounters()
	w.weaveTargets() // first, so that sites of targets have the same numbers with and without HarnessOnly
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

// position returns the position of offset in the file on disk; it ignores line directives.
func (f *file) position(offset int) token.Position {
	return f.tok.PositionFor(f.tok.Pos(offset), false)
}

// reported returns the position of offset as stack traces report it, with line directives applied.
func (f *file) reported(offset int) token.Position {
	p := f.tok.Position(f.tok.Pos(offset))
	p.Filename = filepath.ToSlash(p.Filename)
	return p
}

func (f *file) line(offset int) int { return f.position(offset).Line }

// collectMutated records the functions to mutate, unless they are skipped or their file is not woven.
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

// weaveFile instruments every function of f and adds the clones of those that are mutated.
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
			w.addSentinels(f, d)
		}
	}
}

// pinned returns the directive that forbids instrumenting the function, or "".
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

// instrument gives fn its counters and, if it is mutated, its clones.
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
		// This pass assigns the counters' numbers, which the clones need. Its edits are thrown away.
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

// locate records the source ranges of blocks.
func (w *weaver) locate(segs []segment) {
	for _, s := range segs {
		if s.block >= 0 && s.code.end > 0 {
			b := &w.out.Blocks[s.block]
			b.Code, b.Head, b.Else = mutate.Span{Start: s.code.start, End: s.code.end}, mutate.Span{Start: s.head.start, End: s.head.end}, s.head.other
		}
	}
}

// addClones adds the clones of fn and returns the dispatch that stands at the beginning of its body.
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
	// Adding an unmutated variant cannot fail: the original's text has been parsed before.
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

// addNeeds adds the text that m needs in the file before the function, such as an import, unless it is there already.
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

// variant is one alternative body of a function.
type variant struct {
	owner  owner
	name   string           // of the clone
	values string           // values of M that select it, as in "3,5"
	text   string           // the declaration, mutated
	origin func(int) int    // maps offsets in text to offsets in the file; -1: text that the mutant adds
	old    func(anchor) int // returns the counter of code that the mutant adds; nil: such code gets none
	edits  edits            // further edits of this variant, with offsets in the file
}

// oldBlocks returns a function that allocates counters for code that fn does not have, one for each anchor.
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

// unmutated returns a variant with the original's text and the given edits.
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

// origin returns a function that maps offsets in the text of m's clone back to the file. It maps text that m adds to
// -1; within a replacement, a verbatim copy of the original maps to the original.
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

// withoutNeeds maps an offset in the text with the needs of m inserted to the offset without them. ok is false if the
// offset is within an inserted text.
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

// choose decides which mutants of fn to build, and how. Mutants share one clone if they can. The others get a clone
// each; if MaxCloneBytes does not allow that, mutants on changed lines come first, then one of each line.
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

// spread sorts mutants: those on changed lines first, and within each group the first mutant of every line before any
// line's second.
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

// recordMutants fills Woven.Mutants and Woven.Skipped.
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
				r.Left = fmt.Sprintf("the function is too large for all of its %d mutants", len(src.Mutants))
			default:
				r.Entry = fn.blocks[anchor(fn.file.offset(fn.body.Lbrace)+1)]
				if r.Block = fn.blockOf(m); r.Block < 0 {
					r.Block = r.Entry // the mutant replaces the whole body
				}
				r.Probed, r.Old = w.probes(m), w.old[n]
			}
			w.out.Mutants = append(w.out.Mutants, r)
		}
	}
}

// finish returns the woven text, or nil if nothing was woven.
func (f *file) finish(probePath string) []byte {
	// Tests import another package of the probe, so that the program itself does not import package testing.
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

// FreeProbePath returns an import path directly below module that is neither the path of one of packages nor a prefix
// of one.
func FreeProbePath(module string, packages []string) string {
	p := path.Join(module, "mutantfuzzprobe")
	for slices.ContainsFunc(packages, func(used string) bool { return strings.HasPrefix(used+"/", p+"/") }) {
		p += "_"
	}
	return p
}
