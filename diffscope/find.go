package diffscope

import (
	"cmp"
	"context"
	"errors"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/change"
	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
	"github.com/mutantfuzz/mutantfuzz/diffscope/difference"
	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Find returns the functions that a change touches, at head, with the reason for each. An empty scope is not an
// error: its Notes say why it is empty. The caller must close the scope. Errors that the user can do something about
// are of type *[Error].
func Find(ctx context.Context, cfg Config) (*Scope, error) {
	f := &finder{cfg: cfg, scope: &Scope{}, fset: token.NewFileSet(), files: map[string]*declaration.File{}, before: map[string]*declaration.File{},
		syntax: map[*declaration.File]error{}, packages: map[string]*gotool.Package{}, found: map[*declaration.Decl]bool{}}
	if err := f.find(ctx); err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			err = &fault.Error{Kind: fault.Late, Msg: "time ran out before it was known what the change touches", Err: err,
				Hint: "run that command there; if it ends, raise --time"}
		}
		return nil, errors.Join(err, f.scope.Close())
	}
	return f.scope, nil
}

// finder is the state of one call of Find.
type finder struct {
	cfg      Config
	scope    *Scope
	layout   *layout
	notes    notes
	fset     *token.FileSet
	files    map[string]*declaration.File // at head, by name
	before   map[string]*declaration.File // changed files at base, by name at head; nil: new, or from another folder
	syntax   map[*declaration.File]error  // the syntax errors of changed files
	packages map[string]*gotool.Package   // by absolute folder
	found    map[*declaration.Decl]bool   // in scope already
	removed  *difference.Removal          // lines that the change removes; nil: not known
	unloaded error                        // why a nested module with functions that belong in scope cannot be loaded
}

// find does the work of Find, from configuration to scope.
func (f *finder) find(ctx context.Context) error {
	c, err := change.Read(ctx, f.source())
	if err != nil {
		return err
	}
	f.scope.change, f.scope.Root, f.scope.Tree, f.scope.Revisions = c, c.Root, c.Tree, c.Revisions
	f.layout, err = newLayout(ctx, f.cfg, c.Tree, c.Dir)
	if fault.Is(err, fault.NoModule) && !f.cfg.All && len(c.Files) == 0 {
		f.notes.add(noGoFile, "")
		f.scope.Notes = f.notes.lines()
		return nil // without changed Go files no go.mod is needed
	}
	if err != nil {
		return err
	}
	f.scope.Units = f.layout.units
	if f.cfg.All {
		err = f.selectAll(ctx)
	} else {
		err = f.selectChanged(ctx, c.Files)
	}
	if err == nil {
		err = f.leaveBroken(ctx)
	}
	if err != nil {
		return err
	}
	slices.SortFunc(f.scope.Functions, func(a, b Function) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a.File, b.File),
			cmp.Compare(a.StartLine, b.StartLine), cmp.Compare(a.Column, b.Column), strings.Compare(a.ID, b.ID))
	})
	if len(f.scope.Functions) > 0 {
		f.scope.BaseTree, err = c.BaseTree(ctx)
	}
	f.addOutside()
	f.scope.Notes = f.notes.lines()
	return err
}

// source returns where the change comes from.
func (f *finder) source() change.Source {
	return change.Source{
		Dir: f.cfg.Dir, Base: f.cfg.Base, Head: f.cfg.Head, Event: f.cfg.Event, Diff: f.cfg.Diff, HaveDiff: f.cfg.HaveDiff,
		All: f.cfg.All, Env: f.cfg.Env, Note: f.notes.add, Made: f.cfg.Made,
	}
}

// rank returns the sort key that puts functions that only use what changed last.
func rank(f Function) int {
	if f.Reason == results.ReasonUsesChanged {
		return 1
	}
	return 0
}

// selectAll puts every function of the packages asked for in scope.
func (f *finder) selectAll(ctx context.Context) error {
	selected := 0
	for unit := range f.layout.units {
		pkgs, err := f.layout.all(ctx, unit)
		if err != nil {
			return err
		}
		for _, p := range pkgs {
			at, ok := f.layout.place(p.Dir)
			if !ok || !f.layout.wanted(p.Dir, at) {
				continue
			}
			selected++
			if err := f.selectPackage(p); err != nil {
				return err
			}
		}
	}
	broken := f.layout.wantedBroken()
	for _, b := range broken {
		f.noteBroken(b.Err, f.layout.name(b.Dir, ""))
	}
	switch {
	case len(broken) > 0 && len(f.scope.Functions) == 0:
	case selected == 0 && len(f.cfg.Packages) > 0:
		return fault.New(fault.BadConfig, "go list ./... shows the packages that there are", "no package matches %s", strings.Join(f.cfg.Packages, " "))
	case len(f.scope.Functions) == 0:
		f.notes.add("no package has a function to mutate", "")
	}
	return nil
}

// selectPackage puts every function of a package in scope.
func (f *finder) selectPackage(p *gotool.Package) error {
	f.packages[p.Dir] = p
	for _, base := range slices.Concat(p.GoFiles, p.CgoFiles) {
		file, err := f.load(f.layout.name(p.Dir, base))
		if err != nil {
			return err
		}
		if reason := f.leaveOut(file); reason != "" {
			f.notes.add(reason, file.Name)
			continue
		}
		for _, d := range file.Decls {
			if d.IsFunction() {
				f.add(d, results.ReasonAll)
			}
		}
	}
	return nil
}

// selectChanged puts the functions that the changes touch in scope.
func (f *finder) selectChanged(ctx context.Context, changes []change.File) error {
	base, head, err := f.parse(changes)
	if err != nil {
		return err
	}
	if len(base)+len(head) == 0 {
		f.notes.add(noGoFile, "")
		return nil
	}
	if err := f.listFolders(ctx, head); err != nil {
		return err
	}
	compared := declaration.Compare(base, head, func() []*declaration.File { return f.others(head) })
	f.noteDeclarations(base, head, compared)
	f.removed = difference.Removed(compared.Deleted, head)
	f.scope.Gone = compared.Gone
	f.scope.AddedData = f.addedData(head)
	f.scope.TestedIn = f.testedIn(head)
	for _, file := range head {
		reason := f.leaveOut(file)
		switch b := f.layout.brokenAt(f.folder(file)); {
		case reason == inBroken && slices.ContainsFunc(file.Decls, func(d *declaration.Decl) bool { return d.IsFunction() && d.Changed }):
			f.noteBroken(b.Err, file.Name)
		case reason != "":
			f.notes.add(reason, file.Name)
		}
		if reason == "" && !file.IsTest() {
			f.addChanged(file)
		}
	}
	names, err := f.changedNames(ctx, head)
	if err != nil {
		return err
	}
	if err := f.addUses(ctx, names); err != nil {
		return err
	}
	if onlyTests(head, compared.Deleted) {
		f.scope.OnlyTests = true
		err = f.addReached(head)
	}
	if len(f.scope.Functions) == 0 {
		f.noteData(head, names)
	}
	return err
}

// noteData notes the changed types, constants and variables. It is called if they brought nothing into scope.
func (f *finder) noteData(head []*declaration.File, names *changedNames) {
	for _, file := range head {
		for _, d := range file.Decls {
			switch {
			case file.IsTest() || f.leaveOut(file) != "" || !d.Changed || d.Added || d.Name == "_":
			case d.Kind == declaration.Type:
				f.notes.add("changed types (which alone bring no function into scope)", d.Name+" in "+file.Name)
			case d.Kind == declaration.Value && names.has(f.packages[f.folder(file)].ImportPath, d):
				f.notes.add("changed constants and variables that bring in no function", d.Name+" in "+file.Name)
			case d.Kind == declaration.Value:
				f.notes.add("constants that are written differently, with the same value", d.Name+" in "+file.Name)
			}
		}
	}
}

// parse parses both sides of the changes and skips files that the go command ignores. It tolerates syntax errors in
// the base and keeps those at head in f.syntax: the file may turn out not to matter.
func (f *finder) parse(changes []change.File) (base, head []*declaration.File, err error) {
	for _, c := range changes {
		if reason, ok := ignored(cmp.Or(c.Name, c.OldName)); ok {
			f.notes.add(reason, cmp.Or(c.Name, c.OldName))
			continue
		}
		f.before[c.Name] = nil
		if c.OldName != "" {
			old, _ := declaration.Parse(f.fset, c.OldName, c.Base)
			base = append(base, old)
			if path.Dir(c.OldName) == path.Dir(c.Name) {
				f.before[c.Name] = old
			}
		}
		if c.Name == "" {
			continue
		}
		file, err := declaration.Parse(f.fset, c.Name, c.Head)
		if err != nil {
			f.syntax[file] = err
		}
		f.files[c.Name] = file
		head = append(head, file)
	}
	return base, head, nil
}

// listFolders fills f.packages for the folders of the files. It returns an error if a file that matters has a syntax
// error.
func (f *finder) listFolders(ctx context.Context, files []*declaration.File) error {
	byUnit := map[int][]string{}
	for _, file := range files {
		dir := f.folder(file)
		if at, ok := f.layout.place(dir); ok && f.packages[dir] == nil {
			byUnit[at.unit] = append(byUnit[at.unit], f.layout.relative(at.unit, dir))
			f.packages[dir] = &gotool.Package{ImportPath: at.importPath, Dir: dir}
		}
	}
	for unit, folders := range byUnit {
		pkgs, err := f.layout.list(ctx, unit, folders)
		if err != nil {
			return err
		}
		for _, p := range pkgs {
			f.packages[p.Dir] = p
		}
	}
	for _, file := range files {
		if err := f.syntax[file]; err != nil && f.leaveOut(file) == "" {
			return syntaxError(file.Name, err)
		}
	}
	return nil
}

// others returns the files in f.packages that are not in head, without those that do not parse.
func (f *finder) others(head []*declaration.File) (list []*declaration.File) {
	seen := map[*declaration.File]bool{}
	for _, file := range head {
		seen[file] = true
	}
	for _, dir := range slices.Sorted(maps.Keys(f.packages)) {
		p := f.packages[dir]
		for _, base := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles) {
			if file, err := f.load(f.layout.name(dir, base)); err == nil && !seen[file] {
				list = append(list, file)
			}
		}
	}
	return list
}

// folder returns the absolute folder of a file at head.
func (f *finder) folder(file *declaration.File) string {
	return filepath.Join(f.scope.Tree, filepath.FromSlash(file.Dir()))
}

const noGoFile = "no Go file changed"

// Reasons to leave the functions of a file out.
const (
	outOfModules = "in no module below the folder"
	keptOut      = "in no module: a go.mod without a module line excludes the folder"
	inBroken     = "in a module that the go command cannot load"
	notAsked     = "in a package that was not asked for"
	excluded     = "excluded by build constraints"
	generated    = "generated, left alone"
	example      = "an example program, left alone unless its package is named"
	testHelper   = "a helper of tests, left alone unless its package is named"
)

// leaveOut returns the reason to leave out the functions of a file, or "".
func (f *finder) leaveOut(file *declaration.File) string {
	dir := f.folder(file)
	at, ok := f.layout.place(dir)
	p := f.packages[dir]
	switch base := filepath.Base(file.Name); {
	case !ok && f.layout.brokenAt(dir) != nil:
		return f.leaveOutBroken(dir)
	case !ok || p == nil:
		return outOfModules
	case !f.layout.wanted(dir, at):
		return notAsked
	case slices.Contains(p.IgnoredGoFiles, base):
		return excluded
	case gotool.Generated(file.Syntax):
		return generated
	case len(f.cfg.Packages) == 0 && isExample(file):
		return example
	case len(f.cfg.Packages) == 0 && helpsTests(file):
		return testHelper
	}
	return ""
}

// isExample reports whether a file belongs to a main package below a folder for examples or tutorials, which exists
// to be read.
func isExample(file *declaration.File) bool {
	return file.Syntax.Name.Name == "main" && slices.ContainsFunc(strings.Split(file.Dir(), "/"), func(name string) bool {
		return slices.Contains([]string{"example", "examples", "_example", "_examples", "tutorial", "tutorials", "demo", "demos", "sample", "samples"}, name)
	})
}

// helperName matches names of packages, folders and files (without .go) of test helpers: "testutil", "test_helpers".
var helperName = regexp.MustCompile(`^test(ing)?_?(utils?|helpers?|mocks?)(_[a-z0-9]+)?$`)

// helpsTests reports whether a non-test file exists for tests, judging by the names of its folders, its package and
// itself. The tests that call it would show its faults.
func helpsTests(file *declaration.File) bool {
	names := append(strings.Split(file.Dir(), "/"), file.Syntax.Name.Name, strings.TrimSuffix(filepath.Base(file.Name), ".go"))
	return !file.IsTest() && slices.ContainsFunc(names, helperName.MatchString)
}

// load returns a parsed file of head.
func (f *finder) load(name string) (*declaration.File, error) {
	if file := f.files[name]; file != nil {
		return file, nil
	}
	src, err := regular.Source(filepath.Join(f.scope.Tree, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	file, err := declaration.Parse(f.fset, name, src)
	if err != nil {
		return nil, syntaxError(name, err)
	}
	f.files[name] = file
	return file, nil
}

// syntaxError returns the *[Error] for a file that does not parse.
func syntaxError(name string, err error) error {
	return &fault.Error{Kind: fault.Syntax, Msg: "cannot parse " + name, Err: err, Hint: "go vet shows what is wrong"}
}

// addChanged adds the functions that changed in one file.
func (f *finder) addChanged(file *declaration.File) {
	for _, d := range file.Decls {
		switch {
		case !d.IsFunction() || !d.Changed:
		case d.Added:
			f.add(d, results.ReasonAdded)
		default:
			f.add(d, results.ReasonChanged)
		}
	}
}

// add puts one function in scope unless it is there already.
func (f *finder) add(d *declaration.Decl, reason string) {
	if f.found[d] {
		return
	}
	f.found[d] = true
	dir := f.folder(d.File)
	at, _ := f.layout.place(dir)
	pkg := f.packages[dir].ImportPath
	fn := Function{
		Function: results.Function{
			ID: pkg + "." + d.Name, Package: pkg, Name: d.Name, File: d.File.Name,
			StartLine: d.First, EndLine: d.Last, Reason: reason, Skipped: skipped(d),
		},
		Unit:    at.unit,
		Path:    filepath.Join(f.scope.Tree, filepath.FromSlash(d.File.Name)),
		Column:  d.Column() + 1,
		Literal: d.Kind == declaration.Literals,
	}
	if d.Changed {
		differs := difference.Of(d, f.removed)
		fn.Changed, fn.Fresh = differs.Lines, differs.Fresh
		f.scope.Hunks = append(f.scope.Hunks, differs.Hunks...)
	}
	if d.From != nil {
		fn.Imports = d.From.File.Imports()
	}
	f.scope.Functions = append(f.scope.Functions, fn)
}

// skipped returns why a function in scope is not mutated, or "".
func skipped(d *declaration.Decl) string {
	if d.File.UsesCgo() {
		return `the file imports "C"`
	}
	fn, ok := d.Node.(*ast.FuncDecl)
	if !ok {
		return ""
	}
	if fn.Body == nil {
		return "it has no Go body"
	}
	for _, group := range d.File.Syntax.Comments {
		for _, c := range group.List {
			words := strings.Fields(c.Text)
			switch {
			case len(words) > 1 && words[0] == "//go:linkname" && words[1] == fn.Name.Name && fn.Recv == nil:
				return "//go:linkname"
			case len(words) > 0 && words[0] == "//go:nosplit" && group == fn.Doc:
				return "//go:nosplit"
			}
		}
	}
	return ""
}

// noteDeclarations notes what compare found: deleted, moved and renamed declarations, and files without a real
// change.
func (f *finder) noteDeclarations(base, head []*declaration.File, compared declaration.Comparison) {
	differs := map[string]bool{} // names of files
	for _, d := range compared.Deleted {
		differs[d.File.Name] = true
		switch {
		case !d.File.IsTest() && d.IsFunction():
			f.notes.add("deleted", d.Name+" in "+d.File.Name)
		case isTest(d):
			f.notes.add("deleted tests", d.Name+" in "+d.File.Name)
		}
	}
	for _, file := range head {
		for _, d := range file.Decls {
			differs[file.Name] = differs[file.Name] || d.Changed
			if from := compared.Moved[d]; from != nil {
				differs[file.Name], differs[from.File.Name] = true, true
				f.notes.add("moved or renamed, otherwise unchanged", from.Name+" to "+d.Name+" in "+file.Name)
			}
		}
	}
	for _, file := range base {
		if f.files[file.Name] != nil && !differs[file.Name] {
			f.notes.add("only comments, formatting, imports, names, order or notation changed", file.Name)
		}
	}
}

// testedIn returns the import paths of the packages whose test files have changed declarations, sorted.
func (f *finder) testedIn(head []*declaration.File) (pkgs []string) {
	for _, file := range head {
		if p := f.packages[f.folder(file)]; p != nil && file.IsTest() && slices.ContainsFunc(file.Decls, isChanged) {
			pkgs = append(pkgs, p.ImportPath)
		}
	}
	slices.Sort(pkgs)
	return slices.Compact(pkgs)
}

// onlyTests reports whether declarations of test files changed, and the change contains no other Go file. A file that
// is only reformatted, or has only new names, also rules it out: such a change is not about tests.
func onlyTests(head []*declaration.File, deleted []*declaration.Decl) bool {
	tests := false
	for _, d := range deleted {
		if !d.File.IsTest() {
			return false
		}
	}
	for _, file := range head {
		if !file.IsTest() {
			return false
		}
		for _, d := range file.Decls {
			tests = tests || d.Changed
		}
	}
	return tests
}
