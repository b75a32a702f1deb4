package gotool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/module"
)

// TestBuild says which test binaries to build, and how.
type TestBuild struct {
	Overlay  map[string]string // absolute file name → file that replaces it, "" for none; nil: no overlay
	Packages []string          // import paths
	Out      string            // existing folder for the binaries and the overlay file
	Flags    []string          // build flags, such as -tags=x
}

// BuildError is a program that does not build, with what the compiler or the go command says about it.
type BuildError struct {
	Packages []string // whose tests were to be built
	Output   string   // trimmed
}

// Error returns the packages and the output.
func (e *BuildError) Error() string {
	return fmt.Sprintf("tests of %s do not build:\n%s", strings.Join(e.Packages, " "), e.Output)
}

// Reason returns the output without the lines that name packages ("# ..."). Many packages may have the rest in
// common.
func (e *BuildError) Reason() string {
	var lines []string
	for line := range strings.Lines(e.Output) {
		if !strings.HasPrefix(line, "# ") {
			lines = append(lines, line)
		}
	}
	return strings.TrimSpace(strings.Join(lines, ""))
}

// UnlessBroken returns err, or nil if err says that a program does not build.
func UnlessBroken(err error) error {
	var broken *BuildError
	if errors.As(err, &broken) {
		return nil
	}
	return err
}

// TestBinaries builds a test binary for each package and returns their absolute names by import path. A package
// without test files has none. It runs the go command once, and once more for every package whose binary would
// have the name of an earlier one. It switches -trimpath off, because a stack has to name the files of the tree.
// Errors are ErrNoGo, a *BuildError or a *StoppedError; any other error is not the program's fault.
func (g Go) TestBinaries(ctx context.Context, b TestBuild) (map[string]string, error) {
	out, err := filepath.Abs(b.Out)
	if err != nil {
		return nil, err
	}
	lean, err := g.lean(ctx, b)
	if err != nil {
		return nil, err
	}
	args := slices.Concat([]string{"test", "-c", "-vet=off"}, lean, b.Flags, []string{"-trimpath=false"})
	if b.Overlay != nil {
		file, err := writeOverlay(out, b.Overlay)
		if err != nil {
			return nil, err
		}
		args = append(args, "-overlay="+file)
	}
	binaries := map[string]string{}
	for i, batch := range batches(b.Packages) {
		dir := filepath.Join(out, strconv.Itoa(i))
		err := g.buildTests(ctx, args, dir, batch)
		var failed *BuildError
		if errors.As(err, &failed) {
			failed.Output = originalNames(g.Dir, b.Overlay).Replace(failed.Output)
		}
		if err != nil {
			return nil, err
		}
		for _, pkg := range batch {
			file := filepath.Join(dir, binaryName(pkg)+".test"+exeSuffix())
			if _, err := os.Stat(file); err == nil {
				binaries[pkg] = file
			}
		}
	}
	return binaries, nil
}

// lean returns flags that leave out what debuggers need, as go test does when it runs what it builds. It does not
// replace -ldflags and -gcflags of the user's own, in GOFLAGS or b.Flags.
func (g Go) lean(ctx context.Context, b TestBuild) (flags []string, err error) {
	own, err := g.variable(ctx, "GOFLAGS")
	if err != nil {
		return nil, err
	}
	own += " " + strings.Join(b.Flags, " ")
	if !strings.Contains(own, "-ldflags") {
		flags = append(flags, "-ldflags=-w")
	}
	if b.Overlay != nil && !strings.Contains(own, "-gcflags") {
		flags = append(flags, "-gcflags=-dwarf=false")
	}
	return flags, nil
}

// buildTests builds the test binaries of packages into dir, which it empties first. args is the command line so
// far.
func (g Go) buildTests(ctx context.Context, args []string, dir string, packages []string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	// The separator at the end makes the go command take -o for a folder even if there is only one package.
	args = append(args[:len(args):len(args)], "-o", dir+string(filepath.Separator))
	_, err := g.run(ctx, append(args, packages...)...)
	var failed *CommandError
	// A compiler that finds a fault says so. A go command that was killed, or has no room, does not.
	if errors.As(err, &failed) && strings.TrimSpace(failed.Output) != "" && Lack(failed.Output) == nil {
		return &BuildError{Packages: packages, Output: failed.Output}
	}
	return err
}

// originalNames replaces the names of files in an overlay, absolute or as the go command shortens them, by the
// names of the files that they stand in for. Users know only those.
func originalNames(dir string, overlay map[string]string) *strings.Replacer {
	var pairs []string
	for original, instead := range overlay {
		if instead == "" {
			continue
		}
		if rel, err := filepath.Rel(dir, instead); err == nil && !strings.HasPrefix(rel, "..") {
			pairs = append(pairs, "."+string(filepath.Separator)+rel+":", original+":")
		} else if err == nil {
			pairs = append(pairs, rel+":", original+":")
		}
		pairs = append(pairs, instead+":", original+":")
	}
	return strings.NewReplacer(pairs...)
}

// batches groups packages so that no two binaries in a group have the same name.
func batches(packages []string) [][]string {
	var groups [][]string
	seen := map[string]int{} // packages so far, by name of the binary
	for _, pkg := range packages {
		name := binaryName(pkg)
		i := seen[name]
		seen[name]++
		if i == len(groups) {
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], pkg)
	}
	return groups
}

var testName = regexp.MustCompile(`^(Test|Example|Fuzz)(\P{Ll}|$)`)

// IsTest reports whether the go command takes a function of that name for a test, an example, a fuzz target or
// TestMain.
func IsTest(name string) bool { return token.IsIdentifier(name) && testName.MatchString(name) }

// TestsIn returns the functions of a test file whose names IsTest accepts.
func TestsIn(file *ast.File) (list []*ast.FuncDecl) {
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && IsTest(fn.Name.Name) {
			list = append(list, fn)
		}
	}
	return list
}

// binaryName returns the name that the go command derives from an import path: its last element, or the one
// before if that is a major version ("m/v2" gives "m").
func binaryName(pkg string) string {
	prefix, version, ok := module.SplitPathVersion(pkg)
	if ok && strings.HasPrefix(version, "/") {
		pkg = prefix
	}
	return path.Base(pkg)
}

func exeSuffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// writeOverlay writes the file that -overlay takes, and returns its name.
func writeOverlay(dir string, replace map[string]string) (string, error) {
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, data, 0o644)
}
