package verdicts

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"hash"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// maxFolder bounds how many bytes of a folder are read. Verdicts of tests with more to read are not kept.
const maxFolder = 64 << 20

// digestPackage digests the folder of p and the folders below it: Go source without the woven bodies, and all other
// files, which may be read. testdata counts only if own, for the package of the tests. Test files are left out, and so
// are other packages and modules in the folder, such as the output of an analysis. What is embedded counts wherever it
// is.
func (b *bodies) digestPackage(p *gotool.Package, own bool) (string, error) {
	digest, err := digestFolder(b.tree, p.Dir, belongsTo(p.Dir, own), func(name string, data []byte) []byte {
		switch {
		case filepath.Dir(name) != p.Dir || !strings.HasSuffix(name, ".go"):
			return data
		case strings.HasSuffix(name, "_test.go"):
			return nil
		}
		return []byte(tokens(b.without(name, data)))
	})
	if err != nil {
		return "", err
	}
	patterns := p.EmbedPatterns
	if own {
		patterns = slices.Concat(patterns, p.TestEmbedPatterns, p.XTestEmbedPatterns)
	}
	embedded, err := digestEmbedded(b.tree, p.Dir, patterns)
	return string(NewKey(append(embedded, digest)...)), err
}

// belongsTo returns a function that reports whether to look into a folder below home, that of a package. own says that
// it is the package of the tests.
func belongsTo(home string, own bool) func(dir string) bool {
	return func(dir string) bool {
		below := strings.Split(strings.TrimPrefix(dir, home), string(filepath.Separator))
		if slices.Contains(below, "testdata") {
			return own
		}
		return withinModule(dir) && !holds(dir, "*.go")
	}
}

// digestEmbedded digests the files and folders that patterns of go:embed match in dir. A folder counts with its hidden
// files, too, whatever the pattern.
func digestEmbedded(tree, dir string, patterns []string) (parts []string, err error) {
	for _, pattern := range patterns {
		matches, err := fs.Glob(os.DirFS(dir), strings.TrimPrefix(pattern, "all:"))
		if err != nil {
			return nil, err
		}
		enter := func(dir string) bool { return !holds(dir, "go.mod") } // the go command embeds no modules
		for _, match := range matches {
			sum, err := digestFolder(tree, filepath.Join(dir, filepath.FromSlash(match)), enter, whole)
			if err != nil {
				return nil, err
			}
			parts = append(parts, match, sum)
		}
	}
	return parts, nil
}

// digestNamed digests the files and folders that the source files of the package in dir name, and that digestPackage
// leaves out: outside of dir, as far as they are below root, and in other packages below dir. Verdicts may depend on
// them.
func digestNamed(root, dir string, files []*ast.File) (parts []string, err error) {
	for _, rel := range named(files) {
		name := filepath.Join(dir, filepath.FromSlash(rel))
		if !below(root, name) || filepath.IsLocal(rel) && counted(dir, rel) {
			continue
		}
		sum, err := digestFolder(root, name, withinModule, whole)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		parts = append(parts, rel, sum)
	}
	return parts, nil
}

// counted reports whether digestPackage gets to a path below the folder of the package of the tests, if it exists.
func counted(dir, rel string) bool {
	enter := belongsTo(dir, true)
	for elem := range strings.SplitSeq(rel, "/") {
		dir = filepath.Join(dir, elem)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			break
		}
		if !enter(dir) {
			return false
		}
	}
	return true
}

// named returns the relative paths in string literals of files: "../data/in.txt", "./data", or "..", "data" as
// arguments of Join. For a pattern it returns the folder that the pattern looks into. It leaves out names without a
// slash, which may be any word.
func named(files []*ast.File) []string {
	var list []string
	add := func(text string) {
		text = filepath.ToSlash(text)
		name, _, _ := strings.Cut(path.Clean(text), "*")
		name = path.Clean(name)
		if name == ".." || strings.Contains(text, "/") && name != "." && !path.IsAbs(name) {
			list = append(list, name)
		}
	}
	for _, f := range files {
		joined := map[ast.Node]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if fun, ok := n.Fun.(*ast.SelectorExpr); ok && fun.Sel.Name == "Join" {
					var names []string
					for _, arg := range n.Args {
						name, ok := literal(arg)
						if !ok {
							break
						}
						joined[arg] = true
						names = append(names, name)
					}
					add(path.Join(names...))
				}
			case *ast.BasicLit:
				if name, ok := literal(n); ok && !joined[n] {
					add(name)
				}
			case *ast.ImportSpec:
				return false
			}
			return true
		})
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// literal returns the value of e, and whether it is a string literal.
func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// digestFolder digests the files in root and in the folders below for which enter returns true. read returns the part
// of a file that counts. If it returns nil, not even the existence of the file counts. Links count, with what they lead
// to below tree: a folder as a whole, without modules.
func digestFolder(tree, root string, enter func(dir string) bool, read func(name string, data []byte) []byte) (string, error) {
	w := &walk{tree: tree, hash: sha256.New()}
	err := w.add(root, enter, read)
	for i := 0; i < len(w.linked) && err == nil; i++ { // the loop adds more
		err = w.add(w.linked[i], withinModule, whole)
	}
	return hex.EncodeToString(w.hash.Sum(nil)), err
}

// walk is a digest of files that is not complete yet.
type walk struct {
	tree   string
	hash   hash.Hash
	size   int      // of the files read
	linked []string // folders that links lead to, each once: links may form circles
}

// add adds the files in root.
func (w *walk) add(root string, enter func(dir string) bool, read func(name string, data []byte) []byte) error {
	return filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		file := err == nil && entry.Type().IsRegular()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != root && !enter(name):
			return filepath.SkipDir
		case entry.Type() == fs.ModeSymlink:
			if file, err = w.link(root, name, enter); err != nil {
				return err
			}
		}
		if !file {
			return nil
		}
		data, err := regular.Read(name, maxFolder)
		if err != nil {
			return err
		}
		if w.size += len(data); w.size > maxFolder {
			return fmt.Errorf("there are more than %d MB in %s", maxFolder>>20, root)
		}
		if data = read(name, data); data != nil {
			fmt.Fprintf(w.hash, "%s\n%d\n%s\n", strings.TrimPrefix(name, root), len(data), data)
		}
		return nil
	})
}

// link adds the text of a link, and notes the folder that it leads to. It reports whether it leads to a regular file.
func (w *walk) link(root, name string, enter func(dir string) bool) (file bool, err error) {
	text, err := os.Readlink(name)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(w.hash, "%s\n-> %s\n", strings.TrimPrefix(name, root), text)
	tree, err := filepath.EvalSymlinks(w.tree)
	if err != nil {
		return false, err
	}
	target, err := filepath.EvalSymlinks(name)
	if err != nil || !below(tree, target) {
		return false, nil // it leads nowhere, or to what is not part of the program
	}
	info, err := os.Stat(target)
	if err == nil && info.IsDir() && (name == root || enter(name)) && !slices.Contains(w.linked, target) {
		w.linked = append(w.linked, target)
	}
	return err == nil && info.Mode().IsRegular(), nil
}

// below reports whether name is dir, or below it.
func below(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}

// whole is a read function that counts all of a file.
func whole(_ string, data []byte) []byte { return data }

// entered reports whether to look into a folder. It returns false for names that the go command skips, and for those
// of package managers.
func entered(dir string) bool {
	name := filepath.Base(dir)
	return !strings.HasPrefix(name, ".") && name != "vendor" && name != "node_modules"
}

// withinModule is entered without modules: those are programs of their own, or the output of an analysis.
func withinModule(dir string) bool { return entered(dir) && !holds(dir, "go.mod") }

// holds reports whether a file in dir matches pattern.
func holds(dir, pattern string) bool {
	list, _ := filepath.Glob(filepath.Join(dir, pattern))
	return len(list) > 0
}
