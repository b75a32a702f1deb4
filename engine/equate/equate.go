// Package equate finds equivalent mutants: those that are proved to do what the program does, and those that compile to
// the same machine code.
package equate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/equivalence"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// maxCloneBytes bounds the text that is compiled for one comparison. A kilobyte makes some fifty kilobytes of listing.
const maxCloneBytes = 512 << 10

// cloneName matches the names of the compared functions. They have the same length, so that none is a prefix of
// another.
var cloneName = regexp.MustCompile(`mutantfuzz_equal_\d{6}`)

// Equate finds equivalent mutants among the live ones, so that none of them is fuzzed or shown. It first notes those
// that are proved equivalent, then, package by package and in the order of judging, those that compile to the same
// machine code.
func Equate(ctx context.Context, b *build.Binaries, mutants evidence.Mutants) error {
	for _, pkg := range b.Types.Touched {
		if err := prove(ctx, b, pkg, liveOf(mutants, pkg.PkgPath)); err != nil {
			return err
		}
	}
	for _, pkg := range b.Touched {
		list := liveOf(mutants, pkg)
		if len(list) == 0 {
			continue
		}
		b.Phase("equivalence", 0)
		err := compare(ctx, b, pkg, list)
		var broken *gotool.BuildError
		if errors.As(err, &broken) {
			b.Say("cannot compare the machine code of mutants of %s: %s", pkg, broken.Output[:min(len(broken.Output), 500)])
		} else if err != nil {
			return err
		}
	}
	return nil
}

// liveOf returns the live mutants of a package, in the order of judging.
func liveOf(mutants evidence.Mutants, pkg string) evidence.Mutants {
	return slices.DeleteFunc(mutants.Live().Ranked(), func(m *evidence.Mutant) bool { return m.Package != pkg })
}

// prove notes which mutants of a package are proved to be equivalent.
func prove(ctx context.Context, b *build.Binaries, pkg *packages.Package, mutants evidence.Mutants) error {
	if len(mutants) == 0 || ctx.Err() != nil {
		return ctx.Err()
	}
	b.Phase("equivalence", 0)
	p, err := equivalence.New(pkg)
	if err != nil {
		b.Say("cannot prove mutants equivalent: %v", err)
		return nil
	}
	for _, m := range mutants {
		if ctx.Err() != nil {
			break
		}
		m.Proof = p.Reason(b.Path(m.File), m.Mutant.Mutant)
	}
	return ctx.Err()
}

// compare finds those mutants of package pkg for which the compiler makes the very same machine code as for the program
// (Papadakis, Jia, Harman, Le Traon: Trivial Compiler Equivalence, ICSE 2015). Such a mutant is equivalent; one that is
// not found may be equivalent, too.
//
// All are compiled at once, plain and optimised, as functions beside the originals. The code of a mutant must equal
// that of one of two unmodified twins of its function. There are two because the compiler may pad code after inlined
// calls depending on the line that it stands on. Left out are functions with type parameters, which have machine code
// only once they are instantiated, function literals of package variables, and the mutants that do not fit into
// maxCloneBytes.
//
// Also left out are mutants that do not compile by themselves. In a woven package they may, for example because another
// mutant reads a variable that they leave unread. If the package still does not compile, the error is a
// *gotool.BuildError.
func compare(ctx context.Context, b *build.Binaries, pkg string, mutants []*evidence.Mutant) error {
	c := comparison{twins: map[*ast.FuncDecl][2]string{}}
	for _, m := range mutants {
		if err := c.add(m, b.Path(m.File)); err != nil {
			return err
		}
	}
	listing, err := c.compile(ctx, b, pkg)
	var broken *gotool.BuildError
	if errors.As(err, &broken) && c.leaveOut(broken.Output) {
		listing, err = c.compile(ctx, b, pkg)
	}
	if err != nil {
		return err
	}
	code := parseAssembly(listing)
	for _, m := range c.mutants {
		twins, own := c.twins[m.decl], code.fingerprint(m.name)
		m.Equal = own != "" && (own == code.fingerprint(twins[0]) || own == code.fingerprint(twins[1]))
	}
	return nil
}

// compile returns the machine code of package pkg with all clones, as the compiler lists it.
func (c *comparison) compile(ctx context.Context, b *build.Binaries, pkg string) ([]byte, error) {
	if len(c.mutants) == 0 {
		return nil, nil
	}
	dir, err := os.MkdirTemp(b.Work, "equal-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	files := map[string][]byte{}
	for _, f := range c.files {
		files[f.path] = []byte(string(f.src) + "\n" + strings.Join(f.clones, ""))
	}
	overlay, err := build.WriteOverlay(dir, files)
	if err != nil {
		return nil, err
	}
	return b.Tool.Assembly(ctx, gotool.AssemblyBuild{Overlay: overlay, Package: pkg, Out: dir, Flags: b.Flags})
}

// failure matches a place that the compiler complains about.
var failure = regexp.MustCompile(`([^/\\:\s]+\.go):(\d+):\d+: `)

// leaveOut removes the clones of mutants that a compiler's output complains about. It reports whether there are any, and
// no complaint about anything else.
func (c *comparison) leaveOut(output string) (found bool) {
	for _, at := range failure.FindAllStringSubmatch(output, -1) {
		line, err := strconv.Atoi(at[2])
		i := slices.IndexFunc(c.files, func(f *cloneFile) bool { return filepath.Base(f.path) == at[1] })
		if err != nil || i < 0 || !c.leaveOutAt(c.files[i], line) {
			return false
		}
		found = true
	}
	return found
}

// leaveOutAt removes the clone of a mutant that has a line of f, if it is still there. It reports whether there is one.
func (c *comparison) leaveOutAt(f *cloneFile, line int) bool {
	if line -= bytes.Count(f.src, []byte("\n")) + 1; line < 1 {
		return false // in the program
	}
	for i, text := range f.clones {
		n := strings.Count(text, "\n")
		if line > n {
			line -= n
			continue
		}
		name := cloneName.FindString(text)
		if name == "" {
			return true // it is left out already
		}
		mutants := len(c.mutants)
		c.mutants = slices.DeleteFunc(c.mutants, func(m mutantClone) bool { return strings.HasSuffix(m.name, name) })
		f.clones[i] = strings.Repeat("\n", n)
		return len(c.mutants) < mutants // else it is a twin
	}
	return false
}

// comparison is what one build compares.
type comparison struct {
	files   []*cloneFile
	twins   map[*ast.FuncDecl][2]string // local names of the unmodified twins
	mutants []mutantClone
	number  int // of clones so far
	bytes   int // of text of clones so far
}

// cloneFile is a source file and the clones to add at its end.
type cloneFile struct {
	path   string
	src    []byte
	file   *token.File
	syntax *ast.File
	clones []string // declarations, each with the end of its last line
}

// mutantClone is a mutant, its function, and the local name of the clone that contains it.
type mutantClone struct {
	*evidence.Mutant
	decl *ast.FuncDecl
	name string
}

// add makes the clone of a mutant in a file and, if it is the first one of its function, the function's twins. It skips
// mutants that cannot be compared.
func (c *comparison) add(m *evidence.Mutant, path string) error {
	f, err := c.file(path)
	if err != nil {
		return err
	}
	text, err := build.WithMutant(f.src, m.Mutant)
	if err != nil {
		return err
	}
	decl := f.function(m.Offset, m.EndOffset)
	if decl == nil || generic(decl) {
		return nil
	}
	start, end := f.file.Offset(decl.Pos()), f.file.Offset(decl.End())
	if !bytes.Equal(text[:start], f.src[:start]) {
		return nil // it needs an import, which clones do not add
	}
	original, mutated := string(f.src[start:end]), string(text[start:end+len(text)-len(f.src)])
	if c.bytes+2*len(original)+len(mutated) > maxCloneBytes {
		return nil
	}
	if _, ok := c.twins[decl]; !ok {
		c.twins[decl] = [2]string{c.clone(f, decl, original), c.clone(f, decl, original)}
	}
	c.mutants = append(c.mutants, mutantClone{m, decl, c.clone(f, decl, mutated)})
	return nil
}

// file returns a parsed file. It reads each file once.
func (c *comparison) file(path string) (*cloneFile, error) {
	for _, f := range c.files {
		if f.path == path {
			return f, nil
		}
	}
	src, err := regular.Source(path)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, path, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := &cloneFile{path: path, src: src, file: fset.File(syntax.Pos()), syntax: syntax}
	c.files = append(c.files, f)
	return f, nil
}

// function returns the function declaration whose body contains [start, end), nil if there is none.
func (f *cloneFile) function(start, end int) *ast.FuncDecl {
	for _, d := range f.syntax.Decls {
		d, ok := d.(*ast.FuncDecl)
		if ok && d.Body != nil && f.file.Offset(d.Body.Lbrace) < start && end <= f.file.Offset(d.Body.Rbrace) {
			return d
		}
	}
	return nil
}

// clone adds a declaration with decl's header and the given text under a new name, and returns its local name. A
// method's clone is a method, so that its receiver needs no naming.
func (c *comparison) clone(f *cloneFile, decl *ast.FuncDecl, text string) string {
	c.number++
	c.bytes += len(text)
	name := fmt.Sprintf("mutantfuzz_equal_%06d", c.number)
	start := f.file.Offset(decl.Pos())
	before, after := f.file.Offset(decl.Name.Pos())-start, f.file.Offset(decl.Name.End())-start
	f.clones = append(f.clones, text[:before]+name+text[after:]+"\n")
	return receiver(decl) + name
}

// generic reports whether decl has type parameters, its own or its receiver's.
func generic(decl *ast.FuncDecl) bool {
	return decl.Type.TypeParams != nil || decl.Recv != nil && receiver(decl) == ""
}

// receiver returns what the compiler puts before the name of a method: "T." or "(*T).". It is empty for functions, and
// if the receiver's type is more than a name.
func receiver(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) != 1 {
		return ""
	}
	before, after := "", "."
	t := ast.Unparen(decl.Recv.List[0].Type)
	if star, ok := t.(*ast.StarExpr); ok {
		before, after, t = "(*", ").", ast.Unparen(star.X)
	}
	if id, ok := t.(*ast.Ident); ok {
		return before + id.Name + after
	}
	return ""
}
