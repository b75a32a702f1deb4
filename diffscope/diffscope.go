// Package diffscope turns a change into the functions it touches: a diff
// between two revisions, of a working tree, or from a file goes in; changed
// lines, and the functions they belong to with the reason, come out.
//
// Functions are compared by syntax, not by text: comments and formatting do
// not touch a function, and a body that only moved is not changed.
package diffscope

import (
	"os"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Config says what to compare. The zero value compares the working tree in
// the current directory with the merge base of HEAD and the default branch.
type Config struct {
	Dir      string   // any folder of the repository; empty: "."
	Base     string   // revision; empty: the event's base SHA, else origin/HEAD
	Head     string   // revision; empty: the working tree with untracked, not ignored files
	Diff     []byte   // a unified diff to use instead of revisions; nil: none
	HaveDiff bool     // Diff is given (it may be empty)
	All      bool     // every function of the packages; no diff needed
	Packages []string // patterns relative to Dir; empty: every module below Dir
	Env      []string // environment for git and go; nil: os.Environ()
	Event    string   // path of a CI event file with pull_request.base.sha; empty: none
	Flags    []string // build flags that decide which files belong to a package, such as -tags=x
	// Made is called with the folder for scratch checkouts, an absolute path, as soon as
	// it exists, so that it can be removed if Close is not called; nil: no call.
	Made func(dir string)
}

// Scope is what a change touches.
type Scope struct {
	Root      string            // absolute: git's top level, else the folder of go.work or go.mod, else Dir
	Tree      string            // absolute: where head's files are; Root, or a scratch checkout of Head
	BaseTree  string            // absolute: scratch checkout of the merge base, or of the tree without the diff; empty if there is none
	Revisions results.Revisions // Head is given for a working tree without changes, too
	Units     []Unit
	Functions []Function // changed ones before those that use what changed; then sorted by file and line
	Hunks     []Hunk     // of the changed functions in scope
	Gone      []Gone     // what lines of the base may need, besides what head has
	AddedData []string   // as in results.json; sorted
	TestedIn  []string   // import paths of packages with tests that the change adds or alters; sorted
	Notes     []string   // what was recognised and left alone, one line each, for people
	OnlyTests bool       // test code changed and no other Go code
	Tests     []string   // if OnlyTests: the changed tests, fuzz targets, examples and benchmarks, as import/path.TestXxx
	scratch   string     // folder of the scratch checkouts; empty: none
}

// Close removes scratch checkouts.
func (s *Scope) Close() error {
	if s.scratch == "" {
		return nil
	}
	return os.RemoveAll(s.scratch)
}

// Unit is a set of modules that one invocation of the go command sees
// together: one module, or the modules of a go.work.
type Unit struct {
	Dir     string // absolute; where the go command is run; below Scope.Tree unless a go.work is above the root
	Modules []Module
	Env     []string // what the go command's environment needs besides, such as GOWORK=off
	// Outside are packages of the unit that modules of other units import. Those modules have tests, which are not
	// run, and take the unit's modules from their folders.
	Outside []string
}

// Module is a main module of a unit.
type Module struct {
	Path     string
	Dir      string   // absolute
	Go       string   // language version of its go directive, as in "1.16"; empty: none
	Replaces []string // absolute folders that replace modules it requires
}

// Function is one function in scope.
type Function struct {
	results.Function
	Unit    int               // index into Scope.Units
	Path    string            // absolute file name in Scope.Tree
	Column  int               // where its declaration begins in StartLine, in bytes from 1; a line may have several
	Changed []Lines           // changed lines within the function, at head, without those that the change only moved there
	Fresh   []Span            // what of the changed lines is new, at head; where something was taken away it may be empty
	Imports map[string]string // of a changed one: import paths of the file that it was in, by the names that they have there
	Literal bool              // the function literals of a package variable; lines are those of the variable's declaration
}

// Lines is a range of lines, both ends included.
type Lines struct{ First, Last int }
