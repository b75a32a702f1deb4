package fuzz

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// AddTo adds the targets and the new entries to res. To entries it adds, by target, all entries that the results refer
// to.
func (f *Fuzzer) AddTo(res *results.Results, entries map[string][]corpus.Entry) {
	res.Harnesses = append(res.Harnesses, f.Harnesses()...)
	found, all := f.Entries()
	res.Corpus.New = append(res.Corpus.New, found...)
	res.Corpus.Before += f.Before
	for name, list := range all {
		entries[name] = append(entries[name], list...)
	}
}

// Harnesses returns the targets as results.json has them. Drivers that did not run are left out.
func (f *Fuzzer) Harnesses() (list []results.Harness) {
	for _, t := range f.Targets {
		if t.Driver && t.execs == 0 {
			continue
		}
		h := results.Harness{
			Name: t.Name, Kind: t.kind, Types: t.Types, Functions: f.ReachedBy(t),
			Deterministic: len(t.struck) == 0, Execs: t.execs, Edges: len(t.blocks),
			ProgramExecs: t.originals, Invalid: t.invalid,
		}
		if !t.Driver {
			h.Differ, h.Noticed = f.properties(t)
		}
		list = append(list, h)
	}
	return list
}

// properties counts the mutants whose verdict rests on an input of t, and those of them that make t fail: its property
// score (Vikram, Li, Sen, Padhye: Can Large Language Models Write Good Property-Based Tests?, 2023). Mutants that tests
// kill do not count: targets run them only if they undo all of a change.
func (f *Fuzzer) properties(t *Target) (differ, noticed int) {
	for _, m := range f.Mutants {
		v := m.Verdict()
		switch name, _ := v.Entry(); {
		case name != t.Name:
		case v.By != nil:
			differ, noticed = differ+1, noticed+1
		default:
			differ++
		}
	}
	return differ, noticed
}

// Entries returns the entries that the results refer to. found has the new ones with the reasons to keep them; a seed
// that a target adds itself counts as new if it shows something new. all has every entry by target, older ones
// included.
func (f *Fuzzer) Entries() (found []results.Entry, all map[string][]corpus.Entry) {
	all = map[string][]corpus.Entry{}
	for _, t := range f.Targets {
		reaches := len(f.ReachedBy(t)) > 0
		for _, id := range t.order {
			if e, ok := f.result(t, t.found[id], reaches); ok {
				found = append(found, e)
				all[t.Name] = append(all[t.Name], t.found[id].entry)
			}
		}
	}
	for _, m := range f.Mutants {
		v := m.Verdict()
		name, id := v.Entry()
		if v.Old != nil {
			name, id = v.Old.Harness, v.Old.Entry
		}
		t := f.Named(name)
		if t == nil || id == "" {
			continue
		}
		has := func(e corpus.Entry) bool { return e.ID == id }
		if e, ok := t.Entry(id); ok && !slices.ContainsFunc(all[name], has) {
			all[name] = append(all[name], e)
		}
	}
	return found, all
}

// result returns a new entry as results.json has it, with the reasons that still hold. ok is false if none does. A
// reason falls away if the verdict on its mutant has changed. Coverage is no reason if the target reaches nothing in
// scope.
func (f *Fuzzer) result(t *Target, found *finding, reaches bool) (e results.Entry, ok bool) {
	e = results.Entry{
		ID: found.entry.ID, Harness: t.Name, Path: f.entryPath(t, found.entry.ID), Bytes: len(found.entry.Data),
		Mutants: []string{}, Values: values(found.entry.Data),
	}
	if !t.Driver {
		e.Name = t.seeds[found.entry.ID]
	}
	for _, n := range found.mutants {
		m := f.Mutants.ByNumber(n)
		if _, id := m.Verdict().Entry(); id == e.ID {
			e.Mutants = append(e.Mutants, m.ID)
		}
	}
	e.Reasons = slices.DeleteFunc(slices.Clone(found.reasons), func(reason string) bool {
		ofMutants := reason == results.EntryKills || reason == results.EntryExposes
		return reason == reasonCounts || ofMutants && len(e.Mutants) == 0 || reason == results.EntryCovers && !reaches
	})
	return e, len(e.Reasons) > 0
}

// entryPath returns where the corpus patch puts an entry. It is empty for entries of drivers, and for those that are in
// the tree already: the patch does not have them.
func (f *Fuzzer) entryPath(t *Target, id string) string {
	if t.Driver || t.seeds[id] != "" {
		return ""
	}
	rel, err := filepath.Rel(f.Tree, t.Dir)
	if err != nil {
		rel = "."
	}
	return path.Join(filepath.ToSlash(rel), "testdata", "fuzz", t.Func, id)
}

// maxValue bounds what the results show of one argument, in bytes.
const maxValue = 120

// values returns an entry's arguments as Go source, each one shortened to maxValue.
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
