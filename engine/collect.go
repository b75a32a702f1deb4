package engine

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Bounds of what results show of an entry, of a line and of the tests that ran
// a mutant.
const (
	maxValue   = 120
	maxContext = 20
	maxTests   = 5
)

// collect adds what u found to the results.
func (r *run) collect(u *unit) {
	r.units--
	r.res.Scope = append(r.res.Scope, u.scopeResults()...)
	for _, t := range u.targets {
		r.res.Harnesses = append(r.res.Harnesses, results.Harness{
			Name: t.Name, Kind: results.HarnessTarget, Types: t.Types, Functions: u.reachedBy(t),
			Deterministic: t.deterministic(), Execs: t.execs, Edges: len(t.blocks),
		})
		u.collectEntries(t)
	}
	for _, m := range u.mutants {
		r.res.Mutants = append(r.res.Mutants, u.mutantResult(m))
		if m.status == results.Survived && !m.judged {
			r.spared = append(r.spared, m.ID)
		}
	}
	r.res.Skeletons = append(r.res.Skeletons, u.skeletons()...)
	for _, p := range []struct {
		name string
		to   *float64
	}{
		{"load", &r.res.Seconds.Load}, {"weave", &r.res.Seconds.Weave}, {"build", &r.res.Seconds.Build},
		{"tests", &r.res.Seconds.Tests}, {"replay", &r.res.Seconds.Replay}, {"mutants", &r.res.Seconds.Mutants},
		{"program", &r.res.Seconds.Program}, {"verify", &r.res.Seconds.Verify},
	} {
		*p.to += u.seconds[p.name].Seconds()
	}
}

func (u *unit) scopeResults() []results.Function {
	list := make([]results.Function, 0, len(u.functions))
	for _, f := range u.functions {
		list = append(list, f.Function)
	}
	return list
}

// categories are the operators' categories by name.
var categories = func() map[string]string {
	m := map[string]string{}
	for _, op := range mutate.Operators() {
		m[op.Name] = string(op.Category)
	}
	return m
}()

// testsOn returns the names of tests that ran m, of maxTests at most.
func (u *unit) testsOn(m *mutant) []string {
	var names []string
	if u.judged == nil {
		return nil
	}
	for _, v := range u.judged.Surveys {
		for _, test := range v.Covering(u.asJudged(m)) {
			if len(names) < maxTests {
				names = append(names, v.Suite.Package+"."+test)
			}
		}
	}
	return names
}

// mutantResult is m as results.json has it.
func (u *unit) mutantResult(m *mutant) results.Mutant {
	r := results.Mutant{
		ID: m.ID, Function: m.Function, Operator: m.Operator, File: m.File,
		Line: m.Line, Column: m.Column, EndLine: m.EndLine, EndColumn: m.EndColumn,
		Offset: m.Offset, EndOffset: m.EndOffset, Original: m.Original, Replacement: m.Replacement,
		Status: m.status, Stage: m.stage(), Reason: m.reason, KilledBy: m.killedBy, Verified: m.verified,
		Evidence: results.Evidence{Tests: m.tests, By: u.testsOn(m), Execs: m.execs, OnDiff: m.OnDiff},
		Context:  u.context(m), Category: categories[m.Operator],
	}
	if h := m.Hunk; h != nil {
		r.Evidence.Changed = fmt.Sprintf("%d-%d", h.First, h.First+max(h.Count, 1)-1)
	}
	if r.Status == results.Survived {
		r.ExposedBy = m.exposedBy
	}
	return r
}

// context returns the whole lines that m lies in.
func (u *unit) context(m *mutant) string {
	f := u.sources[m.File]
	if f == nil {
		return ""
	}
	start := strings.LastIndexByte(string(f[:m.Offset]), '\n') + 1
	end := m.EndOffset
	if i := strings.IndexByte(string(f[end:]), '\n'); i >= 0 {
		end += i
	} else {
		end = len(f)
	}
	lines := strings.Split(string(f[start:end]), "\n")
	return strings.Join(lines[:min(len(lines), maxContext)], "\n")
}

// collectEntries adds t's new entries to the results.
func (u *unit) collectEntries(t *target) {
	for _, id := range t.order {
		f := t.found[id]
		var mutants []string
		reasons := slices.DeleteFunc(slices.Clone(f.reasons), func(reason string) bool {
			return !u.holds(f, reason)
		})
		for _, n := range f.mutants {
			if m := u.mutants[n-1]; u.owes(m, id) {
				mutants = append(mutants, m.ID)
			}
		}
		if len(reasons) == 0 {
			continue
		}
		u.entries[t.Name] = append(u.entries[t.Name], f.entry)
		u.res.Corpus.New = append(u.res.Corpus.New, results.Entry{
			ID: id, Harness: t.Name, Path: u.entryPath(t, id), Bytes: len(f.entry.Data),
			Reasons: reasons, Mutants: append([]string{}, mutants...), Values: values(f.entry.Data),
		})
	}
	// Entries that were there before are referred to as well.
	for _, m := range u.mutants {
		id, name := "", ""
		switch {
		case m.killedBy != nil:
			id, name = m.killedBy.Entry, m.killedBy.Name
		case m.exposedBy != nil:
			id, name = m.exposedBy.Entry, m.exposedBy.Harness
		}
		if name == t.Name && id != "" && t.found[id] == nil {
			if e, ok := t.entry(id); ok && !slices.Contains(ids(u.entries[name]), id) {
				u.entries[name] = append(u.entries[name], e)
			}
		}
	}
}

// holds reports whether a reason to keep f is still true: a verdict may have
// been taken back.
func (u *unit) holds(f *finding, reason string) bool {
	switch reason {
	case reasonCounts:
		return false
	case results.EntryCovers, results.EntryCrash:
		return true
	}
	return slices.ContainsFunc(f.mutants, func(n int) bool { return u.owes(u.mutants[n-1], f.entry.ID) })
}

// owes reports whether m's verdict rests on an entry.
func (u *unit) owes(m *mutant, id string) bool {
	return m.killedBy != nil && m.killedBy.Entry == id || m.exposedBy != nil && m.exposedBy.Entry == id
}

// entryPath is where the corpus patch puts an entry.
func (u *unit) entryPath(t *target, id string) string {
	rel, err := filepath.Rel(u.scope.Tree, t.Dir)
	if err != nil {
		rel = "."
	}
	return path.Join(filepath.ToSlash(rel), "testdata", "fuzz", t.Func, id)
}

// values returns an entry's arguments as Go source, shortened.
func values(data []byte) []string {
	list := []string{}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	for _, l := range lines[1:] {
		if len(l) > maxValue {
			l = strings.ToValidUTF8(l[:maxValue], "") + "…"
		}
		list = append(list, l)
	}
	return list
}

// output finishes the results. Options and Tool are the caller's.
func (r *run) output() *Output {
	res := &r.res
	res.Schema = results.Schema
	res.Revisions = r.scope.Revisions
	slices.SortFunc(res.Scope, func(a, b results.Function) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.StartLine, b.StartLine))
	})
	slices.SortStableFunc(res.Mutants, func(a, b results.Mutant) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.EndOffset, b.EndOffset))
	})
	res.Corpus.After = res.Corpus.Before + len(res.Corpus.New)
	if s := res.Seconds; s.Mutants+s.Program > 0 {
		res.Stats.ExecsPerSecond = float64(res.Stats.Execs) / (s.Mutants + s.Program)
	}
	res.Seconds.Total = r.cfg.Now().Sub(r.began).Seconds()
	res.Count()
	return &Output{Results: res, Entries: r.entries, Spared: r.spared}
}

// preview returns the results as they would be now, for choosing what to show.
func (u *unit) preview() *results.Results {
	p := &results.Results{Scope: u.scopeResults(), Crashes: u.res.Crashes}
	for _, m := range u.mutants {
		p.Mutants = append(p.Mutants, u.mutantResult(m))
	}
	p.Count()
	return p
}

func ids(entries []corpus.Entry) []string {
	list := make([]string, len(entries))
	for i, e := range entries {
		list[i] = e.ID
	}
	return list
}
