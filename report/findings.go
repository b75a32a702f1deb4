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
// rebuild and that maintainers tend to act on, at most one of a function: what
// notices one mutant of a function often notices the others.
//
// That they are few is what made mutants in code review bearable at Google
// (Petrović, Ivanković et al.: Practical Mutation Testing at Scale, TSE 2021,
// sections 3 and 6); which ones is decided by ranking.
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
// one a function.
func mutants(r *results.Results, eligible func(*results.Mutant) bool) []Finding {
	rank := newRanking(r)
	worth := map[*results.Mutant]int{}
	var found []Finding
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if m.Status != results.Survived || !eligible(m) {
			continue
		}
		if worth[m] = rank.worth(m); worth[m] >= worthShown {
			found = append(found, mutantFinding(m))
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(worth[b.Mutant], worth[a.Mutant]), cmp.Compare(a.Kind, b.Kind), byPlace(a.Mutant, b.Mutant))
	})
	functions, keys := map[string]bool{}, map[string]bool{}
	return slices.DeleteFunc(found, func(f Finding) bool {
		if functions[f.Mutant.Function] || keys[f.Key] {
			return true
		}
		functions[f.Mutant.Function], keys[f.Key] = true, true
		return false
	})
}

func byPlace(a, b *results.Mutant) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.ID, b.ID),
	)
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
