package diffscope

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// naming returns how names in a diff become names relative to the tree. A diff
// that came from outside may have been made in dir instead of at the top, or
// carry the names of two folders in front, as diff -u writes them. One way
// holds for all its files: the one by which most of those that head must have
// are there. A diff that only deletes says less: then the folders have to do.
func (p patch) naming(files []*gitdiff.File) func(string) string {
	asItIs := func(name string) string { return name }
	if p.dir == "" {
		return asItIs
	}
	below := func(name string) string { return name }
	if rel, err := filepath.Rel(p.tree, p.dir); err == nil && rel != "." {
		below = func(name string) string { return path.Join(filepath.ToSlash(rel), name) }
	}
	ways := []func(string) string{
		asItIs,
		below,
		withoutFirst,
		func(name string) string { return below(withoutFirst(name)) },
	}
	best, most := asItIs, 0
	for _, way := range ways {
		votes := 0
		for _, f := range files {
			votes += p.vote(f, way)
		}
		if votes > most {
			best, most = way, votes
		}
	}
	return best
}

// withoutFirst drops the first folder of a name.
func withoutFirst(name string) string {
	if _, rest, ok := strings.Cut(name, "/"); ok {
		return rest
	}
	return name
}

// fileVote is what a file that is there counts, beside a folder that is.
const fileVote = 1000

// vote says how much f speaks for a way to read names.
func (p patch) vote(f *gitdiff.File, way func(string) string) int {
	if !f.IsDelete {
		if p.exists(way(f.NewName)) {
			return fileVote
		}
		return 0
	}
	votes := 0
	for name := way(f.OldName); name != "." && name != "/" && name != ".."; name = path.Dir(name) {
		if p.exists(name) {
			votes++
		}
	}
	return votes
}

func (p patch) exists(name string) bool {
	_, err := os.Lstat(filepath.Join(p.tree, filepath.FromSlash(name)))
	return err == nil && filepath.IsLocal(filepath.FromSlash(name))
}
