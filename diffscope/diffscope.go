// Package diffscope finds the functions that a change touches. The change is a diff between two revisions, of a
// working tree, or from a file. The result is the changed lines and the functions they belong to, each with a reason.
//
// Functions are compared by syntax, not by text. Changes of comments or formatting do not touch a function, and
// moving a body does not change it.
//
// The packages below are the steps on the way. Package change has the Go files before and after, declaration compares
// what they declare, and difference finds the changed lines of one declaration. Package layout knows the modules that
// files belong to. This package decides which functions are in scope, and why.
package diffscope

import (
	"github.com/mutantfuzz/mutantfuzz/diffscope/change"
	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
	"github.com/mutantfuzz/mutantfuzz/diffscope/difference"
	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
	"github.com/mutantfuzz/mutantfuzz/diffscope/sourcediff"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Config says what to compare. The zero value compares the working tree in
// the current directory with the merge base of HEAD and the default branch.
type Config struct {
	Dir      string   // any folder of the repository; empty: "."
	Base     string   // revision; empty: the event's base SHA, else origin/HEAD
	Head     string   // revision; empty: the working tree with untracked, not ignored files
	Diff     []byte   // a unified diff to use instead of revisions, if HaveDiff is set
	HaveDiff bool     // use Diff, which may be empty
	All      bool     // every function of the packages; no diff needed
	Packages []string // patterns relative to Dir; empty: every module below Dir
	Env      []string // environment for git and go; nil: os.Environ()
	Event    string   // path of a CI event file with pull_request.base.sha; empty: none
	Flags    []string // build flags that decide which files belong to a package, such as -tags=x
	// Made, if not nil, is called with the absolute path of the folder for scratch checkouts as soon as the folder
	// exists. The caller can then remove it even if Close is never called.
	Made func(dir string)
}

// Scope is what a change touches.
type Scope struct {
	Root       string            // absolute: git's top level, else the folder of go.work or go.mod, else Dir
	Tree       string            // absolute: where head's files are; Root, or a scratch checkout of Head
	BaseTree   string            // absolute: scratch checkout of the tree before the change; empty: none
	Revisions  results.Revisions // Head is also set for a working tree that equals HEAD
	Units      []Unit
	Functions  []Function // sorted by file and line; those that only use what changed come last
	Hunks      []Hunk     // of the changed functions in scope
	Gone       []Gone     // declarations of the base that head lacks or has otherwise; lines of the base may need them
	AddedData  []string   // package variables and struct fields that the change adds, as in results.json; sorted
	TestedIn   []string   // import paths of packages with tests that the change adds or alters, or whose data it does; sorted
	OtherTests []string   // tests in other languages that the change adds or alters, slash-separated and relative to the root
	Notes      []string   // what was left out or recognised as no change, one line each, for people
	OnlyTests  bool       // test code changed and no other Go code
	Tests      []string   // if OnlyTests: the changed tests, fuzz targets and examples, as import/path.TestXxx; sorted
	change     *change.Change
}

// Close removes the scratch checkouts.
func (s *Scope) Close() error {
	if s.change == nil {
		return nil
	}
	return s.change.Close()
}

// Unit is a set of modules that one invocation of the go command sees
// together: one module, or the modules of a go.work.
type Unit struct {
	Dir     string // absolute; where the go command runs; in Scope.Tree unless a go.work is above the root
	Modules []Module
	Env     []string // additions to the go command's environment, such as GOWORK=off
	// Outside holds the import paths of the unit's packages that modules of other units import from the unit's
	// folders, by a replace directive. These modules have tests, which are not run.
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
	Column  int               // where its declaration begins, in bytes from 1; a line may hold several functions
	Changed []Lines           // changed lines within the function, at head, without lines that only moved there
	Fresh   []Span            // the new code in the changed lines, at head; a span may be empty where code was removed
	Imports map[string]string // if changed: the imports of its file in the base, as import path by local name
	Literal bool              // the function literals of a package variable, with the lines of its declaration
}

// What a scope is made of. These types are defined where they are found out.
type (
	// Error is a failure of [Find] that the user can do something about.
	Error = fault.Error
	// Lines is a range of lines, both ends included.
	Lines = difference.Lines
	// Span is a byte range.
	Span = sourcediff.Span
	// Hunk is one changed region of one function.
	Hunk = difference.Hunk
	// Gone is a declaration that only the base has.
	Gone = declaration.Gone
)
