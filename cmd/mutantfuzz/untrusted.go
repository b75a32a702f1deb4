package main

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/mod/module"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// This file checks a results file, which is untrusted, before recheck and explain use
// its settings: names of packages, files and commits have to look as run writes them.

// runAgain is the hint for a results file that run cannot have written.
const runAgain = "\nhint: make results of your own with \"mutantfuzz run\""

// maxSkipTests bounds, in bytes, the regular expression of a results file.
const maxSkipTests = 1000

var (
	mutantID = regexp.MustCompile(`^[0-9a-f]{12}$`)
	commitID = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
)

// checkMutant returns an error if the ID or the file of a mutant is not in the form that run writes. Otherwise
// explain could print commands and patches in which it is something else: a flag, or a file that is not source or
// is elsewhere.
func checkMutant(m *results.Mutant) error {
	if !mutantID.MatchString(m.ID) {
		return usagef("the results have a mutant with the ID %.100q, which is none%s", m.ID, runAgain)
	}
	local := filepath.IsLocal(filepath.FromSlash(m.File)) && path.Clean(m.File) == m.File
	if !local || !strings.HasSuffix(m.File, ".go") || strings.ContainsFunc(m.File, unicode.IsControl) {
		return usagef("the results have mutant %s in %.200q, which is no source file of a repository%s", m.ID, m.File, runAgain)
	}
	return nil
}

// checkSettings returns an error for settings that recheck cannot safely pass on to git, to the go command or to
// tests.
func checkSettings(r *results.Results, m *results.Mutant) error {
	if pkg := packageOf(r, m); module.CheckImportPath(pkg) != nil {
		return usagef("the results have mutant %s in the package %.200q, which is none%s", m.ID, pkg, runAgain)
	}
	if base := r.Revisions.MergeBase; base != "" && !commitID.MatchString(base) {
		return usagef("the results have the merge base %.100q, which is no commit%s", base, runAgain)
	}
	if n := len(r.Options.SkipTests); n > maxSkipTests {
		return usagef("skip_tests of the results has %d bytes, more than %d%s", n, maxSkipTests, runAgain)
	}
	return nil
}
