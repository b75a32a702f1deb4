package change

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// naming returns the function that turns names in a diff into names relative to the tree. A diff from outside may
// have been made in dir instead of at the top. Its names may also begin with one of two compared folders, as diff -u
// writes them. One rule holds for all files: the one that finds most of the files that head must have. If the diff
// only deletes files, the rule that finds most of their folders wins.
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

// fileVote is the weight of an existing file. An existing folder has the weight 1.
const fileVote = 1000

// vote returns how well a way to read names fits f.
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
