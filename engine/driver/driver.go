// Package driver generates drivers: harnesses for the changed functions of a program. Only the analysis knows them; it
// weaves them like the user's fuzz targets.
//
// A driver makes a receiver and arguments from bytes, with the package's own constructors where there are any, and
// calls the function (Lee, Pastore, Briand: Fuzzing-based Mutation Testing of C/C++ CPS, section 3.2). It asserts
// nothing: the analysis compares what the call lets its caller see between program and mutant.
package driver

import (
	"context"
	_ "embed"
	"fmt"
	"go/format"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/danger"
	"github.com/mutantfuzz/mutantfuzz/engine/driver/methods"
	"github.com/mutantfuzz/mutantfuzz/engine/driver/usage"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

//go:embed decode/decode.go
var decode string

// Kind is the kind of harness that makes a driver for every function in scope that has changed and can be called. Each
// field switches off one technique, to measure what it contributes.
type Kind struct {
	NoConstructors bool // make values from their fields only
	NoEntries      bool // do not also drive functions that only the package can call through public ones
	NoConstants    bool // make no seeds from constants of the tests and of the function
}

// Make returns one test file per driver and, for each package that has one, a file with the code its drivers share.
// leftOut maps the IDs of functions without a driver to the reason. The only error is the cause of ctx's end.
func (k Kind) Make(ctx context.Context, p *program.Program) (files []program.File, leftOut map[string]string, err error) {
	leftOut = map[string]string{}
	graph := danger.New(p.Types.Touched)
	for _, pkg := range p.Types.Touched {
		w := newWriter(pkg, graph, p.Types.IsStandard)
		w.kind, w.added = k, usage.FieldsOf(pkg.Types, p.AddedData)
		if external := p.Types.External[pkg.PkgPath]; external != nil {
			w.tests = append(w.tests, external)
		}
		for i := range p.Functions {
			if _, fn := p.Types.Object(&p.Functions[i]); fn != nil && fn.Pkg() == pkg.Types {
				w.inScope = append(w.inScope, fn)
			}
		}
		for i := range p.Functions {
			f := &p.Functions[i]
			if ctx.Err() != nil {
				return nil, nil, context.Cause(ctx)
			}
			if f.Package != pkg.PkgPath || f.Skipped != "" || f.Reason == results.ReasonUsesChanged {
				continue
			}
			if _, fn := p.Types.Object(f); !w.drive(fn, f.ID) {
				leftOut[f.ID] = w.driven(fn).why
			}
		}
		files = append(files, w.files(p)...)
	}
	return slices.DeleteFunc(files, func(f program.File) bool {
		_, err := os.Lstat(f.Path)
		return err == nil
	}), leftOut, nil
}

// writer writes the drivers of one package.
type writer struct {
	kind   Kind
	pkg    *packages.Package
	tests  []*packages.Package // their test files show how pkg is used: pkg, then its external test
	names  *testfile.Names
	danger *danger.Graph
	// standard reports whether an import path is that of a package of the standard library.
	standard func(path string) bool
	input    string // name of the type that makes values from bytes
	// constructors are the functions of each package by the type that they return first, or point to.
	constructors map[*types.Package]map[*types.TypeName][]*types.Func
	made         map[*types.TypeName][]*types.Func // see makers; nil: not computed yet
	methods      *methods.Methods
	asked        []types.Type                  // see askedFor; nil: not computed yet
	usage        *usage.Usage                  // see inTests; nil: not computed yet
	imported     map[string]bool               // packages that the package may import; nil: not computed yet
	callers      map[*types.Func][]*types.Func // functions of the package by the function that they use; nil: not computed yet
	inScope      []*types.Func                 // functions of the package that are in scope
	added        usage.Fields                  // fields that the change adds
	drivers      []*driven                     // in the order in which they were first needed
}

// driven is a function with its driver, or with the reason why it has none.
type driven struct {
	fn     *types.Func
	name   string // of the driver function
	source []byte
	reads  bool       // the last parameter of its fuzz function is bytes that it makes values from
	filled bool       // it sets fields of its receiver that other packages cannot set
	inner  bool       // only the function's own package can make such a call
	shown  bool       // other packages can make such a call, although they cannot name the receiver's type
	why    string     // why there is no driver; empty: there is one
	forIDs []string   // IDs of the functions that the driver is for
	rows   [][]string // arguments as tests would pass them
}

func newWriter(pkg *packages.Package, d *danger.Graph, standard func(path string) bool) *writer {
	w := &writer{pkg: pkg, tests: []*packages.Package{pkg}, names: testfile.NewNames(pkg.Types), danger: d, standard: standard, methods: methods.Of(pkg), constructors: map[*types.Package]map[*types.TypeName][]*types.Func{}}
	w.input = w.names.Fresh("driverInput")
	return w
}

// drive requests a driver for fn, which has the given ID, and reports whether there is any. If other packages cannot
// call fn, or not on the receiver that its driver makes, it also requests one for a public function that leads to fn.
func (w *writer) drive(fn *types.Func, id string) (ok bool) {
	own := w.driven(fn)
	if own.why == "" {
		own.forIDs = append(own.forIDs, id)
	}
	if fn == nil || (isPublic(fn) || own.shown) && !own.filled || w.kind.NoEntries {
		return own.why == ""
	}
	for _, callee := range w.entries(fn) {
		if d := w.driven(callee); d.why == "" && !(d.filled && own.why == "") {
			d.forIDs = append(d.forIDs, id)
			own.inner = true
			return true
		}
	}
	return own.why == ""
}

// driven returns fn with its driver, or the reason why it has none. A driver is written once.
func (w *writer) driven(fn *types.Func) *driven {
	i := slices.IndexFunc(w.drivers, func(d *driven) bool { return d.fn == fn })
	if i < 0 {
		i, w.drivers = len(w.drivers), append(w.drivers, w.driver(fn))
	}
	return w.drivers[i]
}

// files returns the package's files: one with the shared code, then one for each driver that is needed.
func (w *writer) files(p *program.Program) (files []program.File) {
	file := func(source []byte) *program.File {
		files = append(files, program.File{Path: w.path(p, len(files)), Package: w.pkg.PkgPath, Kind: results.HarnessDriver, Source: source})
		return &files[len(files)-1]
	}
	for _, d := range w.drivers {
		if len(d.forIDs) == 0 {
			continue
		}
		if len(files) == 0 {
			file(w.shared())
		}
		file(d.source).Made = map[string]program.Made{d.name: {Calls: d.fn.Name(), For: d.forIDs, Inner: d.inner || !isPublic(d.fn) && !d.shown, Reads: d.reads, Rows: d.rows}}
	}
	return files
}

// path returns the path of the n-th file of the package. The first one holds the code that all drivers share.
func (w *writer) path(p *program.Program, n int) string {
	return filepath.Join(p.Packages[w.pkg.PkgPath].Dir, fmt.Sprintf("mutantfuzz_driver%d_test.go", n))
}

// driver writes the file with a driver for fn, or says why there is none.
func (w *writer) driver(fn *types.Func) (d *driven) {
	none := func(why string) *driven { return &driven{fn: fn, why: why} }
	defer func() { // a fault here costs one driver, not the analysis
		if fault := recover(); fault != nil {
			d = none(fmt.Sprintf("it could not be written, which is a fault of mutantfuzz, please report it: %v", fault))
		}
	}()
	switch {
	case !testfile.Callable(fn) || testfile.ShadowsPredeclared(w.pkg.Types):
		return none("it cannot be called from a test")
	case w.danger.Reason(fn) != "":
		return none(w.danger.Reason(fn))
	}
	m := newMaker(w, fn)
	call, why := m.call(fn)
	if why != "" {
		return none(why)
	}
	call = m.watched(fn, call)
	if len(m.fuzzed) == 0 && !m.reads {
		return none("it takes nothing that can be fuzzed")
	}
	name := w.names.Fresh(weave.Driver + strings.Join(testfile.NameParts(fn), "_"))
	var b strings.Builder
	fmt.Fprintf(&b, "func %s(%s *testing.F) {\n", name, m.F)
	params := m.parameters()
	seeds, rows := m.seeds(fn)
	for _, values := range seeds {
		fmt.Fprintf(&b, "%s.Add(%s)\n", m.F, strings.Join(values, ", "))
	}
	fmt.Fprintf(&b, "%s.Fuzz(func(%s *testing.T, %s) {\n%s%s\n})\n}\n", m.F, m.T, params, m.body.String(), call)
	text := fmt.Sprintf("%spackage %s\n\nimport (\n\t%s\n)\n\n%s", testfile.Constraint(w.pkg.Types), w.pkg.Name, strings.Join(m.ImportsOf(b.String()), "\n\t"), b.String())
	source, err := format.Source([]byte(text))
	if err != nil || strings.Contains(text, "_Ctype_") {
		return none("no valid call of it could be written")
	}
	return &driven{fn: fn, name: name, source: source, rows: rows, reads: m.reads, filled: m.filled, inner: m.bypassed, shown: m.face != nil}
}

// shared returns the source of the file that all drivers of the package use: that of package decode, adapted.
func (w *writer) shared() []byte {
	text := decode[strings.Index(decode, "package "):]
	text = "package " + w.pkg.Name + text[strings.Index(text, "\n"):]
	return []byte(regexp.MustCompile(`\bdriverInput\b`).ReplaceAllString(text, w.input))
}
