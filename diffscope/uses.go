package diffscope

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// maxUsers bounds how many functions are in scope because they use what changed. A constant that a whole module uses
// says little about any one function.
const maxUsers = 20

// How near a function is to the changed constant or variable that it uses.
const (
	sameFile = iota
	samePackage
	elsewhere
)

// user is a function that did not change but uses what did.
type user struct {
	*declaration.Decl
	near int
}

// addUses adds the functions that use a changed constant or variable directly: those of its package, and those of
// packages that import it. If there are more than maxUsers, it adds the nearest and notes the others.
func (f *finder) addUses(ctx context.Context, names *changedNames) error {
	if names.empty() {
		return nil
	}
	packages, err := f.follow(ctx, names)
	if err != nil {
		return err
	}
	var users []user
	for _, p := range packages {
		users = append(users, f.usersIn(p, names)...)
	}
	slices.SortStableFunc(users, func(a, b user) int {
		return cmp.Or(cmp.Compare(a.near, b.near), strings.Compare(a.File.Name, b.File.Name))
	})
	for i, u := range users {
		if i < maxUsers {
			f.add(u.Decl, results.ReasonUsesChanged)
		} else {
			f.notes.add(fmt.Sprintf("unchanged functions that use what changed, left out after the nearest %d", maxUsers),
				u.Name+" in "+u.File.Name)
		}
	}
	return nil
}

// follow adds to names the constants whose values depend on them. It returns the packages that may use any of the
// names, resolved, in the order of their folders.
func (f *finder) follow(ctx context.Context, names *changedNames) ([]*resolved, error) {
	for {
		dirs, err := f.mayUse(ctx, names)
		if err != nil {
			return nil, err
		}
		var packages []*resolved
		grown := false
		for _, dir := range dirs {
			r, err := f.resolveUsing(f.packages[dir], names)
			if err != nil {
				return nil, err
			}
			if r != nil {
				packages = append(packages, r)
				grown = names.grow(r) || grown
			}
		}
		if !grown {
			return packages, nil
		}
	}
}

// mayUse returns the folders of the packages that can use any of names: those that declare them and, if any is
// exported, all packages. All of them are in f.packages afterwards.
func (f *finder) mayUse(ctx context.Context, names *changedNames) ([]string, error) {
	dirs := map[string]bool{}
	for dir, p := range f.packages {
		dirs[dir] = names.at[p.ImportPath] != nil
	}
	if names.exported() {
		for unit := range f.layout.Units {
			pkgs, err := f.layout.All(ctx, unit)
			if err != nil {
				return nil, err
			}
			for _, p := range pkgs {
				f.packages[p.Dir], dirs[p.Dir] = p, true
			}
		}
	}
	maps.DeleteFunc(dirs, func(_ string, in bool) bool { return !in })
	return slices.Sorted(maps.Keys(dirs)), nil
}

// resolveUsing resolves a package if a file of it mentions one of names; otherwise it returns nil. A package that
// does not parse is an error if it declares one of the names; otherwise it is noted, and the result is nil.
func (f *finder) resolveUsing(p *gotool.Package, names *changedNames) (*resolved, error) {
	files, err := f.loadAll(p.Dir, slices.Concat(p.GoFiles, p.CgoFiles))
	if fault.Is(err, fault.Syntax) && names.at[p.ImportPath] == nil {
		f.notes.add("not searched for uses of what changed, since it does not parse", p.ImportPath)
		return nil, nil
	}
	if err != nil || !slices.ContainsFunc(files, func(file *declaration.File) bool { return names.mayBeIn(file, p) }) {
		return nil, err
	}
	s := names.stubs(f.packages)
	delete(s, p.ImportPath)
	return f.resolve(p.ImportPath, p.Name, files, s), nil
}

// usersIn returns the functions of one package that use one of names and are not in scope yet, in source order.
func (f *finder) usersIn(r *resolved, names *changedNames) []user {
	var users []user
	for _, file := range r.files {
		if f.leaveOut(file) != "" {
			continue
		}
		for _, d := range file.Decls {
			if !d.IsFunction() || d.Name == "init" || f.found[d] {
				continue
			}
			if near, uses := names.usedBy(r, d); uses {
				users = append(users, user{d, near})
			}
		}
	}
	return users
}
