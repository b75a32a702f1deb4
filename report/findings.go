package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Kind says what a finding is. Kinds are in the order in which findings are
// shown.
type Kind int

// The kinds of findings.
const (
	CrashIntroduced  Kind = iota // the program fails, and its base does not
	CrashUnexplained             // the program fails; it is not known whether the base does
	CrashOnBase                  // the program fails, and so does its base
	Reversal                     // part of the change can be undone unnoticed
	Exposed                      // a survivor differs from the program on an input
	Survivor                     // any other mutant that nothing notices
)

// Finding is one thing worth a look: a crash or a mutant, never both.
type Finding struct {
	Kind   Kind
	Key    string // names the finding over pushes; does not depend on lines
	Mutant *results.Mutant
	Crash  *results.Crash
}

// Findings returns what deserves an entry of its own in a review, most useful
// first: crashes, then surviving mutants whose verdict was confirmed by a
// rebuild, at most one a line. Survivors that only leave code out are among
// them only with an input that exposes them, and of a function that nothing
// runs there is only one mutant.
//
// One mutant a line, and few, is what made mutants in code review bearable at
// Google (Petrović, Ivanković et al.: Practical Mutation Testing at Scale, TSE
// 2021, sections 3 and 6).
func Findings(r *results.Results) []Finding {
	return append(crashes(r), mutants(r, func(m *results.Mutant) bool { return m.Verified })...)
}

// Candidates returns the surviving mutants that Findings would return if all
// of them were verified, in the same order. Whoever verifies mutants does it
// in this order.
func Candidates(r *results.Results) []*results.Mutant {
	var candidates []*results.Mutant
	for _, f := range mutants(r, func(*results.Mutant) bool { return true }) {
		candidates = append(candidates, f.Mutant)
	}
	return candidates
}

func crashes(r *results.Results) []Finding {
	var found []Finding
	seen := map[string]bool{}
	for i := range r.Crashes {
		f := crashFinding(&r.Crashes[i])
		if !seen[f.Key] {
			seen[f.Key] = true
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(a.Kind, b.Kind) })
	return found
}

func crashFinding(c *results.Crash) Finding {
	kind := CrashUnexplained
	switch c.Introduced {
	case results.IntroducedYes:
		kind = CrashIntroduced
	case results.IntroducedNo:
		kind = CrashOnBase
	}
	return Finding{Kind: kind, Key: crashKey(c), Crash: c}
}

func mutantFinding(m *results.Mutant) Finding {
	kind := Survivor
	switch {
	case isReversal(m):
		kind = Reversal
	case m.Exposed():
		kind = Exposed
	}
	return Finding{Kind: kind, Key: mutantKey(m), Mutant: m}
}

func isReversal(m *results.Mutant) bool {
	return m.Category == results.CategoryReversal || m.Evidence.Changed != ""
}

// mutants returns the survivors that eligible accepts as findings, ordered,
// one a line and one a key.
func mutants(r *results.Results, eligible func(*results.Mutant) bool) []Finding {
	var found []Finding
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if m.Status == results.Survived && eligible(m) && worthShowing(m) {
			found = append(found, mutantFinding(m))
		}
	}
	order(found)

	type line struct {
		file string
		line int
	}
	lines, keys, unreached := map[line]bool{}, map[string]bool{}, map[string]bool{}
	return slices.DeleteFunc(found, func(f Finding) bool {
		at := line{f.Mutant.File, f.Mutant.Line}
		notReached := f.Mutant.Stage == results.NotReached
		if lines[at] || keys[f.Key] || (notReached && unreached[f.Mutant.Function]) {
			return true
		}
		lines[at], keys[f.Key] = true, true
		unreached[f.Mutant.Function] = unreached[f.Mutant.Function] || notReached
		return false
	})
}

// worthShowing reports whether a reader can make something of the survivor m.
// That a statement can go is interesting where an input shows the difference;
// otherwise it is what readers liked least (MuRS, FSE 2023).
func worthShowing(m *results.Mutant) bool {
	if isReversal(m) || m.Exposed() {
		return true
	}
	return m.Category != results.CategoryRemoval && !changeOf(m).removes()
}

// productivity is the share of mutants that reviewers at Google found useful,
// by category of operator (TSE 2021, table 2), in percent.
func productivity(category string) int {
	switch category {
	case results.CategoryRelational:
		return 84
	case results.CategoryConnector, results.CategoryRemoval:
		return 83
	case results.CategoryArithmetic, results.CategoryUnary:
		return 75
	default:
		return 70 // this number was picked to come last without being far off
	}
}

// order sorts findings by kind; within a kind those that something runs come
// first, then it takes one of every function and category before the second
// of any, and changed lines and productive operators before others.
func order(found []Finding) {
	slices.SortStableFunc(found, byMerit)
	round := make(map[*results.Mutant]int, len(found))
	taken := map[string]int{}
	for _, f := range found {
		group := f.Mutant.Function + "\x00" + f.Mutant.Category
		round[f.Mutant] = taken[group]
		taken[group]++
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Kind, b.Kind),
			compareBool(a.Mutant.Stage == results.NotReached, b.Mutant.Stage == results.NotReached),
			cmp.Compare(round[a.Mutant], round[b.Mutant]),
		)
	})
}

func byMerit(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.Kind, b.Kind),
		compareBool(b.Mutant.Evidence.OnDiff, a.Mutant.Evidence.OnDiff),
		cmp.Compare(productivity(b.Mutant.Category), productivity(a.Mutant.Category)),
		cmp.Compare(a.Mutant.File, b.Mutant.File),
		cmp.Compare(a.Mutant.Line, b.Mutant.Line),
		cmp.Compare(a.Mutant.Column, b.Mutant.Column),
		cmp.Compare(a.Mutant.ID, b.Mutant.ID),
	)
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

// mutantKey names a mutant by function, operator and source without layout and
// comments.
func mutantKey(m *results.Mutant) string {
	return hash("mutant", m.Function, m.Operator, tokens(m.Original), tokens(m.Replacement))
}

// crashKey names a crash by harness, kind and message. Numbers in the message
// do not count: they vary with the input.
func crashKey(c *results.Crash) string {
	first, _, _ := strings.Cut(c.Message, "\n")
	letters := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, first)
	return hash("crash", c.Harness, c.Kind, letters)
}

// hash returns 16 hexadecimal digits that name the parts.
func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// tokens returns the Go tokens of src, separated by spaces.
func tokens(src string) string {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, []byte(src), func(token.Position, string) {}, 0)
	var all []string
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return strings.Join(all, " ")
		case tok == token.SEMICOLON && lit == "\n": // inserted, so layout
		case lit != "":
			all = append(all, lit)
		default:
			all = append(all, tok.String())
		}
	}
}
