package evidence

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Bounds of what results show of a line and of the tests that reach a mutant.
const (
	maxContext = 20
	maxNamed   = 5
)

// Judged notes the results of the tests on the mutants that are live.
func (l Mutants) Judged(r *judge.Result) {
	for _, m := range l.Live() {
		j := m.AsJudged()
		m.ReachedBy, m.Named = 0, nil
		for _, v := range r.Surveys {
			infects := v.Infects(j)
			m.Reached = m.Reached || v.Reaches(j)
			m.Infected = m.Infected || infects && m.Probed
			m.Judged = m.Judged || infects
			for _, test := range v.Covering(j) {
				if m.ReachedBy++; len(m.Named) < maxNamed {
					m.Named = append(m.Named, v.Suite.Package+"."+test)
				}
			}
		}
		d := r.Decide(j)
		m.Tests = &d
		if d.Status == ledger.Killed {
			m.Reached, m.Infected = true, true
		}
	}
}

// JudgedOn adds what the tests of further dependents say of some mutants that survived without them.
func (l Mutants) JudgedOn(judged []*judge.Mutant, r *judge.Result) {
	for _, j := range judged {
		m := l.ByNumber(j.Number)
		switch d := r.Decide(j); {
		case d.Status == ledger.Killed:
			m.Tests, m.Reached, m.Infected = &d, true, true
		case d.Status == ledger.Survived && r.Cut():
		default:
			m.Tests = &d
		}
	}
}

// Assume notes a decision as what the tests say of the mutants that they have not judged.
func (l Mutants) Assume(d ledger.Decision) {
	for _, m := range l {
		if m.Tests == nil {
			m.Tests = &judge.Decision{Decision: d}
		}
	}
}

// Spared are the IDs of the survivors that no test was run with, because none reaches or infects them.
func (l Mutants) Spared() (ids []string) {
	for _, m := range l.With(results.Survived) {
		if !m.Judged {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// Results are the mutants as results.json has them.
func (l Mutants) Results() (list []results.Mutant) {
	categories := map[string]string{}
	for _, op := range mutate.Operators() {
		categories[op.Name] = string(op.Category)
	}
	for _, m := range l {
		r := m.result()
		r.Category = categories[m.Operator]
		list = append(list, r)
	}
	return list
}

func (m *Mutant) result() results.Mutant {
	v := m.Verdict()
	r := results.Mutant{
		ID: m.ID, Function: m.Function, Operator: m.Operator, File: m.File,
		Line: m.Line, Column: m.Column, EndLine: m.EndLine, EndColumn: m.EndColumn,
		Offset: m.Offset, EndOffset: m.EndOffset, Original: m.Original, Replacement: m.Replacement,
		Status: v.Status, Stage: m.Stage(), Reason: v.Reason, KilledBy: v.By, ExposedBy: v.Input,
		Verified: m.Rebuilt.Outcome == Confirmed, Context: m.context(),
		Evidence: results.Evidence{Tests: m.ReachedBy, By: m.Named, Execs: m.Execs, Driven: m.Driven, ByCallers: m.ByCallers, Agreed: m.Agreed, OldUnrun: m.Old.End - m.Old.First - len(m.OldRan), Spared: m.Spared, OnDiff: m.OnDiff, Beside: m.Beside, BranchEnd: m.BranchEnd, Case: m.Case, Unread: m.Unread, Program: m.Unseen},
	}
	r.Needs = m.needs()
	r.Evidence.Branch = m.branch()
	if r.Status == results.Survived && r.Stage == results.Reached && m.Probed { // else it is not known what runs had there
		r.Evidence.Same, r.Evidence.Never = true, m.never()
	}
	r.Evidence.OwnOnly = v.Status == results.Survived && m.Tests != nil && m.Tests.OwnOnly
	r.Evidence.Failing = v.Status == results.Survived && m.Tests != nil && m.Tests.Failing
	r.Evidence.Awaits = v.Status == results.Survived && m.Tests != nil && m.Tests.Awaits
	r.Evidence.Unrun = !m.Reached && v.Input != nil && v.Input.Driver
	if h := m.Hunk; h != nil {
		r.Evidence.Changed, r.Evidence.Whole = fmt.Sprintf("%d-%d", h.First, h.First+max(h.Count, 1)-1), m.Whole
	}
	return r
}

// needs returns what m adds to its file besides; nil: nothing.
func (m *Mutant) needs() *results.Needs {
	if len(m.Needs) == 0 || m.Source == nil {
		return nil
	}
	var added []results.Addition
	for _, need := range m.Needs {
		added = append(added, results.Addition{Offset: need.Offset, Text: need.Text})
	}
	return &results.Needs{Added: added, Before: string(m.Source[added[0].Offset:m.Offset])}
}

// branch returns the source in the only branch of the if statement whose condition m makes false.
func (m *Mutant) branch() string {
	if m.BranchEnd <= m.EndOffset || m.BranchEnd > len(m.Source) || bytes.HasPrefix(bytes.TrimLeft(m.Source[m.BranchEnd:], " \t"), []byte("else")) {
		return ""
	}
	_, body, ok := strings.Cut(strings.TrimSuffix(string(m.Source[m.EndOffset:m.BranchEnd]), "}"), "{")
	if !ok {
		return ""
	}
	lines := strings.Split(strings.TrimRight(strings.TrimLeft(body, "\r\n"), " \t\r\n"), "\n")
	return strings.Join(lines[:min(len(lines), maxContext)], "\n")
}

// context returns the whole lines of m.
func (m *Mutant) context() string {
	if m.Source == nil {
		return ""
	}
	start := bytes.LastIndexByte(m.Source[:m.Offset], '\n') + 1
	end := len(m.Source)
	if i := bytes.IndexByte(m.Source[m.EndOffset:], '\n'); i >= 0 {
		end = m.EndOffset + i
	}
	lines := strings.Split(string(m.Source[start:end]), "\n")
	return strings.Join(lines[:min(len(lines), maxContext)], "\n")
}
