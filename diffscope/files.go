package diffscope

import (
	"cmp"
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/diffscope/change"
	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
	"github.com/mutantfuzz/mutantfuzz/diffscope/layout"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// parse parses both sides of the changes and skips files that the go command ignores. It tolerates syntax errors in
// the base and keeps those at head in f.syntax: the file may turn out not to matter.
func (f *finder) parse(changes []change.File) (base, head []*declaration.File, err error) {
	for _, c := range changes {
		if reason, ok := layout.Ignored(cmp.Or(c.Name, c.OldName)); ok {
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

// asBefore returns the files as the base has them.
func (f *finder) asBefore(files []*declaration.File) []*declaration.File {
	var old []*declaration.File
	for _, file := range files {
		if before, ok := f.before[file.Name]; !ok {
			old = append(old, file)
		} else if before != nil {
			old = append(old, before)
		}
	}
	return old
}

// listFolders fills f.packages for the folders of the files. It returns an error if a file that matters has a syntax
// error.
func (f *finder) listFolders(ctx context.Context, files []*declaration.File) error {
	byUnit := map[int][]string{} // folders
	for _, file := range files {
		dir := f.folder(file)
		if at, ok := f.layout.Place(dir); ok && f.packages[dir] == nil {
			byUnit[at.Unit] = append(byUnit[at.Unit], dir)
			f.packages[dir] = &gotool.Package{ImportPath: at.ImportPath, Dir: dir}
		}
	}
	for unit, folders := range byUnit {
		pkgs, err := f.layout.List(ctx, unit, folders)
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
			if file, err := f.load(f.layout.Name(dir, base)); err == nil && !seen[file] {
				list = append(list, file)
			}
		}
	}
	return list
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

// loadAll loads files of one folder.
func (f *finder) loadAll(dir string, names []string) ([]*declaration.File, error) {
	var files []*declaration.File
	for _, name := range names {
		file, err := f.load(f.layout.Name(dir, filepath.Base(name)))
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// folder returns the absolute folder of a file at head.
func (f *finder) folder(file *declaration.File) string {
	return filepath.Join(f.scope.Tree, filepath.FromSlash(file.Dir()))
}

// syntaxError returns the *[Error] for a file that does not parse.
func syntaxError(name string, err error) error {
	return &fault.Error{Kind: fault.Syntax, Msg: "cannot parse " + name, Err: err, Hint: "go vet shows what is wrong"}
}
