package verdicts

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
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
// files, which may be embedded or read. testdata counts only if own, for the package of the tests. Test files are
// left out, and so are other packages and modules in the folder, such as the output of an analysis.
func (b *bodies) digestPackage(p *gotool.Package, own bool) (string, error) {
	enter := func(dir string) bool {
		below := strings.Split(strings.TrimPrefix(dir, p.Dir), string(filepath.Separator))
		if slices.Contains(below, "testdata") {
			return own
		}
		return entered(dir) && !holds(dir, "go.mod") && !holds(dir, "*.go")
	}
	return digestFolder(p.Dir, enter, func(name string, data []byte) []byte {
		switch {
		case filepath.Dir(name) != p.Dir || !strings.HasSuffix(name, ".go"):
			return data
		case strings.HasSuffix(name, "_test.go"):
			return nil
		}
		return []byte(tokens(b.without(name, data)))
	})
}

// digestOutside digests the files and folders outside of dir that the source files of its package name, as far as
// they are below root: verdicts may depend on them.
func digestOutside(root, dir string, files []*ast.File) (parts []string, err error) {
	for _, rel := range namedOutside(files) {
		name := filepath.Join(dir, filepath.FromSlash(rel))
		if below, err := filepath.Rel(root, name); err != nil || !filepath.IsLocal(below) {
			continue
		}
		sum, err := digestFolder(name, func(dir string) bool { return entered(dir) && !holds(dir, "go.mod") }, whole)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		parts = append(parts, rel, sum)
	}
	return parts, nil
}

// namedOutside returns the paths in string literals of files that lead out of their folder: "../data/in.txt", or
// "..", "data" as arguments of Join. For a pattern it returns the folder that the pattern looks into.
func namedOutside(files []*ast.File) []string {
	var list []string
	add := func(name string) {
		name, _, _ = strings.Cut(path.Clean(filepath.ToSlash(name)), "*")
		if name = path.Clean(name); name == ".." || strings.HasPrefix(name, "../") {
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
// of a file that counts. If it returns nil, not even the existence of the file counts.
func digestFolder(root string, enter func(dir string) bool, read func(name string, data []byte) []byte) (string, error) {
	hash, size := sha256.New(), 0
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != root && !enter(name):
			return filepath.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		data, err := regular.Read(name, maxFolder)
		if err != nil {
			return err
		}
		if size += len(data); size > maxFolder {
			return fmt.Errorf("there are more than %d MB in %s", maxFolder>>20, root)
		}
		if data = read(name, data); data != nil {
			fmt.Fprintf(hash, "%s\n%d\n%s\n", strings.TrimPrefix(name, root), len(data), data)
		}
		return nil
	})
	return hex.EncodeToString(hash.Sum(nil)), err
}

// whole is a read function that counts all of a file.
func whole(_ string, data []byte) []byte { return data }

// entered reports whether to look into a folder. It returns false for names that the go command skips, and for those
// of package managers.
func entered(dir string) bool {
	name := filepath.Base(dir)
	return !strings.HasPrefix(name, ".") && name != "vendor" && name != "node_modules"
}

// holds reports whether a file in dir matches pattern.
func holds(dir, pattern string) bool {
	list, _ := filepath.Glob(filepath.Join(dir, pattern))
	return len(list) > 0
}
