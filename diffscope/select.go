package diffscope

import (
	"bytes"
	"context"
	"go/ast"
	"os"
	"path"
	"path/filepath"
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

// selectAll puts every function of the packages asked for in scope.
func (f *finder) selectAll(ctx context.Context) error {
	selected := 0
	for unit := range f.layout.Units {
		pkgs, err := f.layout.All(ctx, unit)
		if err != nil {
			return err
		}
		for _, p := range pkgs {
			at, ok := f.layout.Place(p.Dir)
			if !ok || !f.layout.Wanted(p.Dir, at) {
				continue
			}
			selected++
			if err := f.selectPackage(p); err != nil {
				return err
			}
		}
	}
	broken := f.layout.WantedBroken()
	for _, b := range broken {
		f.noteBroken(b.Err, f.layout.Name(b.Dir, ""))
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
		file, err := f.load(f.layout.Name(p.Dir, base))
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
func (f *finder) selectChanged(ctx context.Context, c *change.Change) error {
	base, head, err := f.parse(c.Files)
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
	f.scope.TestedIn = f.testedIn(head, c.Data)
	read := map[string][]byte{}
	f.scope.OtherTests = change.OtherTests(c.Data, func(name string) bool { return f.readBy(name, read) != "" })
	for _, file := range head {
		reason := f.leaveOut(file)
		switch b := f.layout.BrokenAt(f.folder(file)); {
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
	at, _ := f.layout.Place(dir)
	pkg := f.packages[dir].ImportPath
	fn := Function{
		Function: results.Function{
			ID: pkg + "." + d.Name, Package: pkg, Name: d.Name, File: d.File.Name,
			StartLine: d.First, EndLine: d.Last, Reason: reason, Skipped: skipped(d),
		},
		Unit:    at.Unit,
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

// addedData returns the package variables and struct fields that head declares and the base does not, sorted, as
// import/path.variable and import/path.Type.Field.
func (f *finder) addedData(head []*declaration.File) (names []string) {
	for _, file := range head {
		if file.IsTest() || f.leaveOut(file) != "" {
			continue
		}
		for _, d := range file.Decls {
			for _, name := range d.AddedData() {
				names = append(names, f.packages[f.folder(file)].ImportPath+"."+name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// testedIn returns the import paths of the packages whose test files have changed declarations, or whose tests read changed
// data, sorted.
func (f *finder) testedIn(head []*declaration.File, data []string) (pkgs []string) {
	tests := map[string][]byte{}
	for _, name := range data {
		if dir := f.readBy(name, tests); dir != "" {
			if at, ok := f.layout.Place(dir); ok {
				pkgs = append(pkgs, at.ImportPath)
			}
		}
	}
	for _, file := range head {
		if p := f.packages[f.folder(file)]; p != nil && file.IsTest() && slices.ContainsFunc(file.Decls, isChanged) {
			pkgs = append(pkgs, p.ImportPath)
		}
	}
	slices.Sort(pkgs)
	return slices.Compact(pkgs)
}

// readBy returns the folder of the package whose tests seem to read a file: the package that a folder testdata with the file
// belongs to, or that of the file itself, if a test file there has the file's name. It returns "" if there is none. tests
// has the text of the test files of folders that are known already.
func (f *finder) readBy(name string, tests map[string][]byte) string {
	folder, mentioned := path.Dir(name), path.Base(name)
	if before, _, ok := strings.Cut("/"+folder+"/", "/testdata/"); ok {
		folder, mentioned = strings.TrimPrefix(before, "/"), ""
	}
	dir := filepath.Join(f.scope.Tree, filepath.FromSlash(folder))
	text, known := tests[dir]
	if !known {
		text = testsOf(dir)
		tests[dir] = text
	}
	if len(text) == 0 || !bytes.Contains(text, []byte(mentioned)) {
		return ""
	}
	return dir
}

// testsOf returns the text of the test files in a folder, as far as they can be read.
func testsOf(dir string) (text []byte) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			source, _ := regular.Source(filepath.Join(dir, e.Name())) // what cannot be read is reported elsewhere
			text = append(text, source...)
		}
	}
	return text
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
