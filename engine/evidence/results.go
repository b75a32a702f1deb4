package evidence

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Bounds on the lines and on the names of tests that results show for a mutant.
const (
	maxContext = 20
	maxNamed   = 5
)

// Judged notes the results of the tests on the live mutants, and on those that a test killed that is quarantined by now.
// changed are the tests that the change adds or alters, as import/path.Test, and which of the two it does. They are
// named before other tests.
func (l Mutants) Judged(r *judge.Result, changed map[string]string) {
	l.revoke(r)
	for _, m := range l.Live() {
		j := m.AsJudged()
		m.surveyed(j, r, changed)
		d := r.Decide(j)
		m.Tests = &d
		if d.Status == ledger.Killed {
			m.killed()
		}
	}
}

// killed notes what follows from a kill by tests. A rebuild that has confirmed that m survives, as far as tests had run by
// then, does not confirm the kill.
func (m *Mutant) killed() {
	m.Reached, m.Infected = true, true
	if m.Rebuilt.Outcome == Confirmed {
		m.Rebuilt = Rebuilt{}
	}
}

// revoke takes back the kills by tests that are quarantined by now, and returns the mutants, which live.
func (l Mutants) revoke(r *judge.Result) Mutants {
	revoked := l.With(results.Killed).having(func(m *Mutant) bool {
		return m.Tests != nil && m.Tests.Status == ledger.Killed && r.Disowns(m.Tests.Test)
	})
	for _, m := range revoked {
		m.Tests, m.Rebuilt = nil, Rebuilt{}
	}
	return revoked
}

// surveyed notes what the surveys of all suites say of m.
func (m *Mutant) surveyed(j *judge.Mutant, r *judge.Result, changed map[string]string) {
	m.ReachedBy, m.Named, m.NamedChanged = 0, nil, nil
	for _, v := range r.Surveys {
		m.Reached = m.Reached || v.Reaches(j)
		m.Infected = m.Infected || v.Infects(j) && m.Probed
		m.Judged = m.Judged || v.Runs(j)
		for _, test := range v.Covering(j) {
			m.ReachedBy++
			m.name(v.Suite.Package+"."+test, changed)
		}
	}
}

// name adds test, which reaches m, to the tests that are named, if there is room.
func (m *Mutant) name(test string, changed map[string]string) {
	change, isChanged := changed[test]
	switch {
	case isChanged && len(m.NamedChanged) < maxNamed:
		m.Named = slices.Insert(m.Named, len(m.NamedChanged), test)
		m.NamedChanged = append(m.NamedChanged, results.NewTest{Test: test, Change: change})
		m.Named = m.Named[:min(len(m.Named), maxNamed)]
	case !isChanged && len(m.Named) < maxNamed:
		m.Named = append(m.Named, test)
	}
}

// JudgedOn adds what the tests of further dependents say about mutants that survived without them, or that one of these
// tests killed that is quarantined by now. changed is as for [Mutants.Judged].
func (l Mutants) JudgedOn(judged []*judge.Mutant, r *judge.Result, changed map[string]string) {
	judged = slices.Clone(judged)
	for _, m := range l.revoke(r) {
		judged = append(judged, m.AsJudged())
	}
	for _, j := range judged {
		m := l.ByNumber(j.Number)
		m.surveyed(j, r, changed)
		switch d := r.Decide(j); {
		case d.Status == ledger.Killed:
			m.Tests = &d
			m.killed()
		case d.Status == ledger.Survived && r.Cut() && m.Tests != nil:
		default:
			m.Tests = &d
		}
	}
}

// Assume sets the decision of the tests on the mutants that they have not judged.
func (l Mutants) Assume(d ledger.Decision) {
	for _, m := range l {
		if m.Tests == nil {
			m.Tests = &judge.Decision{Decision: d}
		}
	}
}

// Spared returns the IDs of the survivors that no test ran with, because none reaches or infects them.
func (l Mutants) Spared() (ids []string) {
	for _, m := range l.With(results.Survived) {
		if !m.Judged {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// Results returns the mutants as in results.json.
func (l Mutants) Results() (list []results.Mutant) {
	for _, m := range l {
		list = append(list, m.result())
	}
	return list
}

// Described returns a mutant as in results.json before anything has run. source is that of its file. If it is nil,
// the code around the mutant is left out.
func Described(m *mutate.Mutant, source []byte) results.Mutant {
	r := results.Mutant{
		ID: m.ID, Function: m.Function, Operator: m.Operator, Category: categoryOf(m.Operator), File: m.File,
		Line: m.Line, Column: m.Column, EndLine: m.EndLine, EndColumn: m.EndColumn,
		Offset: m.Offset, EndOffset: m.EndOffset, Original: m.Original, Replacement: m.Replacement, Context: contextOf(m, source), Needs: needsOf(m, source),
		Evidence: results.Evidence{OnDiff: m.OnDiff, Beside: m.Beside, BranchEnd: m.BranchEnd, Branch: branchOf(m, source), Case: m.Case, Unread: m.Unread, Given: givenOf(m)},
	}
	if h := m.Hunk; h != nil {
		r.Evidence.Changed, r.Evidence.Whole = fmt.Sprintf("%d-%d", h.First, h.First+max(h.Count, 1)-1), m.Whole
	}
	return r
}

// maxGiven bounds Evidence.Given, in bytes.
const maxGiven = 120

// givenOf returns m.Given if it is short enough to be read.
func givenOf(m *mutate.Mutant) string {
	if len(m.Given) > maxGiven || strings.Contains(m.Given, "\n") {
		return ""
	}
	return m.Given
}

// categoryOf returns the category of an operator; "" if there is no such operator.
func categoryOf(operator string) string {
	for _, op := range mutate.Operators() {
		if op.Name == operator {
			return string(op.Category)
		}
	}
	return ""
}

func (m *Mutant) result() results.Mutant {
	r, v := Described(m.Mutant.Mutant, m.Source), m.Verdict()
	r.Status, r.Stage, r.Reason, r.KilledBy, r.ExposedBy = v.Status, m.Stage(), v.Reason, v.By, v.Input
	r.Verified = m.Rebuilt.Outcome == Confirmed
	e := &r.Evidence
	e.Tests, e.By, e.ByChange, e.Program = m.ReachedBy, m.Named, m.NamedChanged, m.Unseen
	e.Execs, e.Driven, e.ByCallers, e.Agreed, e.Spared = m.Execs-m.Uncompared, m.Driven, m.ByCallers, m.Agreed, m.Spared
	if m.Uncompared > 0 { // those that would alter something show nothing
		e.Spared = 0
	}
	e.OldUnrun = m.Old.End - m.Old.First - len(m.OldRan)
	// Only a probe tells which values those runs had.
	if r.Status == results.Survived && m.Reached && !m.Infected && m.Probed {
		r.Evidence.Same, r.Evidence.Never = true, m.never()
	}
	r.Evidence.Old = v.Old
	if v.Status == results.Survived && m.Tests != nil {
		e.OwnOnly, e.Failing, e.Seldom, e.Awaits = m.Tests.OwnOnly, m.Tests.Failing, m.Tests.Seldom, m.Tests.Awaits
	}
	r.Evidence.Unrun = !m.Reached && v.Input != nil && v.Input.Driver
	return r
}

// needsOf returns what m adds elsewhere in its file; nil: nothing.
func needsOf(m *mutate.Mutant, source []byte) *results.Needs {
	if len(m.Needs) == 0 || source == nil {
		return nil
	}
	var added []results.Addition
	for _, need := range m.Needs {
		added = append(added, results.Addition{Offset: need.Offset, Text: need.Text})
	}
	return &results.Needs{Added: added, Before: string(source[added[0].Offset:m.Offset])}
}

// branchOf returns the body of an if statement without else whose condition m makes false; "" for other mutants.
func branchOf(m *mutate.Mutant, source []byte) string {
	if m.BranchEnd <= m.EndOffset || m.BranchEnd > len(source) || bytes.HasPrefix(bytes.TrimLeft(source[m.BranchEnd:], " \t"), []byte("else")) {
		return ""
	}
	_, body, ok := strings.Cut(strings.TrimSuffix(string(source[m.EndOffset:m.BranchEnd]), "}"), "{")
	if !ok {
		return ""
	}
	lines := strings.Split(strings.TrimRight(strings.TrimLeft(body, "\r\n"), " \t\r\n"), "\n")
	return strings.Join(lines[:min(len(lines), maxContext)], "\n")
}

// contextOf returns the whole lines that m changes, at most maxContext.
func contextOf(m *mutate.Mutant, source []byte) string {
	if source == nil {
		return ""
	}
	start := bytes.LastIndexByte(source[:m.Offset], '\n') + 1
	end := len(source)
	if i := bytes.IndexByte(source[m.EndOffset:], '\n'); i >= 0 {
		end = m.EndOffset + i
	}
	lines := strings.Split(string(source[start:end]), "\n")
	return strings.Join(lines[:min(len(lines), maxContext)], "\n")
}
