package program

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// BrokenError says that the analysed program does not build.
type BrokenError struct {
	Packages []string
	Output   string // what the go command says
}

func (e *BrokenError) Error() string {
	hint := "make \"go vet ./...\" pass first"
	if ofDependency.MatchString(e.Output) {
		hint = "that is code of a dependency: update it, or use a version of Go that it builds with, as by GOTOOLCHAIN=go1.N.0"
	}
	return fmt.Sprintf("%s does not build:\n%s\nhint: %s", strings.Join(e.Packages, ", "), e.Output, hint)
}

// ofDependency matches output whose first line is about a file in the module cache.
var ofDependency = regexp.MustCompile(`^\S*@v[^/\\\s]+[/\\]\S*\.go:\d+`)

// broken returns the error for packages that do not build: a *BrokenError, unless the machine lacks something.
func broken(paths []string, output string) error {
	if lack := gotool.Lack(output); lack != nil {
		return fmt.Errorf("%s cannot be built: %w:\n%s", strings.Join(paths, ", "), lack, output)
	}
	return &BrokenError{Packages: paths, Output: output}
}

// LeaveOut leaves out the packages that do not build, as an error of Load or of a build says, and those that depend
// on them. It reports whether functions to analyse remain; if so, call List next. note tells the user what is left
// out. If not ok, p is unchanged.
func (p *Program) LeaveOut(err error) (note string, ok bool) {
	faulty, output := faultyPackages(err)
	faulty = slices.DeleteFunc(faulty, func(path string) bool { return slices.Contains(p.leftOut, path) })
	leftOut := slices.Concat(p.leftOut, faulty)
	without := slices.Clone(p.Functions)
	rest := 0
	for i := range without {
		f := &without[i]
		if f.Skipped == "" && p.dependsOn(f.Package, leftOut) {
			f.Skipped = results.LeftOut
		}
		if f.Skipped == "" {
			rest++
		}
	}
	if len(faulty) == 0 || rest == 0 {
		return "", false
	}
	p.leftOut, p.Functions = leftOut, without
	p.Files, p.Undriven = nil, map[string]string{}
	note = strings.Join(faulty, ", ") + " is left out, with what depends on it: it or its tests do not build"
	for line := range strings.Lines(output) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return note + ": " + line, true
		}
	}
	return note, true
}

// dependsOn reports whether a package is one of some, or it or its tests import one, directly or not.
func (p *Program) dependsOn(path string, some []string) bool {
	pkg := p.Packages[path]
	return slices.ContainsFunc(some, func(one string) bool { return path == one || pkg != nil && p.TestsImport(pkg, one) })
}

// faultyPackages returns the packages that err says do not build, and the go command's output about them.
func faultyPackages(err error) (paths []string, output string) {
	var (
		broken *BrokenError
		build  *gotool.BuildError
	)
	switch {
	case errors.As(err, &broken):
		output = broken.Output
		for _, path := range broken.Packages {
			paths = append(paths, strings.TrimSuffix(path, "_test"))
		}
	case errors.As(err, &build):
		output = build.Output
		for _, m := range compiled.FindAllStringSubmatch(build.Output, -1) {
			path := m[1]
			if m[2] != "" {
				path = m[2]
			}
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths), output
}

// compiled matches the line that the go command prints before a package's compile errors, such as "# p" or "# p
// [q.test]": the second name is the package whose tests were being built.
var compiled = regexp.MustCompile(`(?m)^# (\S+)(?: \[(\S+)\.test\])?$`)

// brokenPackage returns an error about what is wrong with p, with file names relative to dir. An import that cannot
// be loaded says more than the errors that follow from it. These say more than the go command's summary.
func brokenPackage(p *packages.Package, dir string) error {
	said := map[int][]string{} // by level: the highest is the most informative
	note := func(level int, e packages.Error) {
		text := e.Msg
		if e.Pos != "" && e.Pos != "-" {
			text = e.Error()
		}
		said[level] = append(said[level], text)
	}
	for _, path := range slices.Sorted(maps.Keys(p.Imports)) {
		for _, e := range p.Imports[path].Errors {
			if e.Kind == packages.ListError {
				note(2, e)
			}
		}
	}
	for _, e := range p.Errors {
		if e.Kind == packages.ListError {
			note(0, e)
		} else {
			note(1, e)
		}
	}
	most := said[slices.Max(slices.Collect(maps.Keys(said)))]
	return broken([]string{p.PkgPath}, firstLines(most, dir))
}

// brokenImports returns an error about what is wrong with imported packages; nil if nothing is. Errors of the
// packages that import them follow from it.
func brokenImports(faults map[string]string, dir string) error {
	if len(faults) == 0 {
		return nil
	}
	var lines []string
	paths := slices.Sorted(maps.Keys(faults))
	for _, path := range paths {
		for line := range strings.SplitSeq(faults[path], "\n") {
			if !strings.HasPrefix(line, "# ") { // the name of the package
				lines = append(lines, line)
			}
		}
	}
	return broken(paths[:min(len(paths), maxLines)], firstLines(lines, dir))
}

// maxLines is how many lines about a fault are shown. The rest mostly follows from these.
const maxLines = 10

// firstLines returns the first maxLines of the lines, with file names relative to dir, and how many more there are.
func firstLines(lines []string, dir string) string {
	text := strings.ReplaceAll(strings.Join(lines[:min(len(lines), maxLines)], "\n"), dir+string(filepath.Separator), "")
	if more := len(lines) - maxLines; more > 0 {
		text += fmt.Sprintf("\n... and %d more", more)
	}
	return text
}
