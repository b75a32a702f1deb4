// Package evidence holds what is known about mutants. The stages of an analysis add facts. [Mutant.Verdict] alone
// derives the verdict from them.
package evidence

import (
	"cmp"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/rank"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Mutant is a mutant and the facts about it.
type Mutant struct {
	*weave.Mutant
	Number  int    // value of the probe's M, from 1
	Package string // import path
	Unseen  bool   // it may run unseen: see [results.Evidence.Program]
	Source  []byte // of its file
	Late    bool   // its function did not change, but uses something that did

	Reached  bool // some run reached it
	Infected bool // ... and infected the state, or may have

	Tests        *judge.Decision   // of the tests; nil: they have not judged it
	ReachedBy    int               // how many tests reach it
	Named        []string          // some of them, as import/path.Test
	NamedChanged []results.NewTest // those of Named that the change adds or alters
	Judged       bool              // some test is to be run with it
	BuiltKill    *results.KilledBy // by a test that builds the program with the go command
	AwaitsBuilt  bool              // tests that build the program may still kill it

	Execs  int64 // fuzzing runs with it active
	Driven int64 // of Execs, those through drivers
	// ByCallers are those of Driven through drivers that call what other packages can call.
	ByCallers int64
	// Uncompared are those of Execs through drivers whose call gives different results in different runs of the
	// program, so that they show nothing. Driven has none of them.
	Uncompared int64
	// Agreed are those of Execs, if m undoes a part of the change, in which the fuzz target itself called the
	// function and got the same results, and no error.
	Agreed  int64
	OldRan  map[int]bool       // if it undoes a part of the change: counters of the old code that its runs moved
	Spared  int64              // runs of the program that reached it, but in which it would alter nothing
	Killed  *results.KilledBy  // by a corpus entry, confirmed in fresh processes
	Exposed *results.ExposedBy // by a corpus entry, likewise, or by a call in a test
	Held    bool               // tests notice it, and the input of Exposed passes as a plain test of the program
	Equal   bool               // it compiles to the same machine code
	Proof   string             // why it does the same as the program, as a sentence; "": not proved

	Rebuilt Rebuilt // whether a plain rebuild confirms the verdict
}

// RanOld notes which of counters belong to the old code that m puts back. Runs of m moved them.
func (m *Mutant) RanOld(counters []int) {
	for _, b := range counters {
		if m.Old.First <= b && b < m.Old.End {
			if m.OldRan == nil {
				m.OldRan = map[int]bool{}
			}
			m.OldRan[b] = true
		}
	}
}

// Rebuilt is the result of checking a verdict on a plain rebuild of the mutant.
type Rebuilt struct {
	Outcome Outcome
	Why     string // a sentence for results.json
}

// Outcome is how the check of a verdict on a plain rebuild ended.
type Outcome int

// Values of Outcome.
const (
	Unchecked    Outcome = iota
	Confirmed            // the verdict holds
	Contradicted         // it does not; Why says what happened instead
	Unviable             // the mutant does not compile by itself; Why is the compiler's message
	Chance               // inconclusive: a test fails with it in only some runs
)

// Verdict is what the facts about a mutant amount to.
type Verdict struct {
	Status string // as in results.json
	Reason string
	By     *results.KilledBy  // of killed mutants
	Input  *results.ExposedBy // of exposed mutants, which survive: an input on which they differ from the program
	Old    *results.ExposedBy // of killed mutants that undo all of the change to a function: likewise
}

// Entry returns the target and the entry that kills or exposes a mutant. They are "" if there is no input.
func (v Verdict) Entry() (target, id string) {
	switch {
	case v.By != nil && v.By.Entry != "":
		return v.By.Name, v.By.Entry
	case v.Input != nil:
		return v.Input.Harness, v.Input.Entry
	}
	return "", ""
}

// Verdict derives the verdict on m from the facts, and from nothing else.
func (m *Mutant) Verdict() Verdict {
	v, settled := m.settled()
	switch {
	case settled:
		return v
	case m.Exposed != nil && !m.Exposed.Driver && !m.Exposed.InTest:
		return Verdict{Status: results.Survived, Reason: m.reservation(), Input: m.Exposed}
	case m.Tests == nil:
		return Verdict{Status: results.Pending}
	case m.Tests.Status == ledger.Inconclusive:
		return Verdict{Status: results.Ignored, Reason: m.reservation()}
	case m.Tests.Status == ledger.Undecided:
		return Verdict{Status: results.NotRun, Reason: m.reservation()}
	case m.AwaitsBuilt:
		return Verdict{Status: results.NotRun, Reason: "the tests that build the program with the go command did not run in time"}
	}
	// A driver, or a call within a test, does not show what the tests would notice.
	return Verdict{Status: results.Survived, Reason: m.reservation(), Input: m.Exposed}
}

// reservation says why tests may notice m nevertheless. It returns "" if all tests that may notice it have judged it,
// or none is to.
func (m *Mutant) reservation() string {
	switch {
	case m.Tests == nil:
		return ""
	case m.Tests.Status == ledger.Undecided:
		return cmp.Or(m.Tests.Reason, "the tests of its package did not run in time")
	}
	return m.Tests.Reason
}

// Survives reports whether the tests have judged m and left it alive.
func (m *Mutant) Survives() bool { return m.Live() && m.Verdict().Status == results.Survived }

// Reserved reports whether m survives with a reservation other than Seldom: for example, tests that may notice it did
// not run in time.
func (m *Mutant) Reserved() bool {
	return m.Tests != nil && m.Tests.Reason != "" && !m.Tests.Seldom && m.Survives()
}

// settled returns the verdict on m and true if no further test or input can change it.
func (m *Mutant) settled() (Verdict, bool) {
	switch {
	case m.Ignored != "":
		return Verdict{Status: results.Ignored, Reason: m.Ignored}, true
	case m.Mutant.Unviable != "":
		return Verdict{Status: results.Unviable, Reason: m.Mutant.Unviable}, true
	case m.Left != "":
		return Verdict{Status: results.NotRun, Reason: m.Left}, true
	case m.Rebuilt.Outcome == Unviable:
		return Verdict{Status: results.Unviable, Reason: m.Rebuilt.Why}, true
	case m.Rebuilt.Outcome == Contradicted:
		return Verdict{Status: results.NotRun, Reason: "not confirmed: " + m.Rebuilt.Why}, true
	case m.Rebuilt.Outcome == Chance:
		return Verdict{Status: results.Ignored, Reason: m.Rebuilt.Why}, true
	case m.Tests != nil && m.Tests.Status == ledger.Killed:
		by := &results.KilledBy{By: results.ByTest, Kind: m.Tests.Kind, Name: m.Tests.Test}
		return Verdict{Status: results.Killed, Reason: m.Tests.Reason, By: by, Old: m.old()}, true
	case m.BuiltKill != nil:
		const where = "in the program that the test builds with the go command"
		return Verdict{Status: results.Killed, Reason: where, By: m.BuiltKill}, true
	case m.Killed != nil:
		return Verdict{Status: results.Killed, By: m.Killed}, true
	case m.Proof != "":
		return Verdict{Status: results.Equivalent, Reason: m.Proof}, true
	case m.Equal:
		return Verdict{Status: results.Equivalent, Reason: "it compiles to the same machine code"}, true
	}
	return Verdict{}, false
}

// Stage returns the RIPR stage of m. It is "" for a mutant that is neither killed nor a survivor.
func (m *Mutant) Stage() string {
	v := m.Verdict()
	switch {
	case v.Status == results.Killed:
		return results.Revealed
	case v.Status != results.Survived:
		return ""
	case v.Input != nil:
		return results.Propagated
	case m.Infected:
		return results.Infected
	case m.Reached:
		return results.Reached
	}
	return results.NotReached
}

// Live reports whether m was built and may still be killed or exposed. It is not ignored, not killed, not equivalent,
// and no check on a rebuild has failed.
func (m *Mutant) Live() bool {
	_, settled := m.settled()
	return !settled
}

// Open reports whether m is live and no input has exposed it yet.
func (m *Mutant) Open() bool { return m.Live() && m.Exposed == nil }

// Noticed reports whether m undoes a part of the change and tests kill it. How the change alters results is of
// interest even so.
func (m *Mutant) Noticed() bool {
	return m.Hunk != nil && m.Tests != nil && m.Tests.Status == ledger.Killed
}

// old returns the input that shows what m, which tests notice, gives instead. It returns nil unless a test with that
// input has passed on the program.
func (m *Mutant) old() *results.ExposedBy {
	if !m.Held || !m.Noticed() || m.Exposed == nil {
		return nil
	}
	x := *m.Exposed
	x.Test, x.TestFile, x.Suggestion = "", "", nil
	return &x
}

// Unjudged reports whether the tests have not judged m to the end.
func (m *Mutant) Unjudged() bool { return m.Tests == nil || m.Tests.Status == ledger.Undecided }

// Changed reports whether m undoes a part of the change, or is on a changed line.
func (m *Mutant) Changed() bool { return m.class() <= ClassChanged }

// AsJudged returns m as judging knows it.
func (m *Mutant) AsJudged() *judge.Mutant {
	return &judge.Mutant{Number: m.Number, Package: m.Package, Block: m.Block, Probed: m.Probed, Class: m.class()}
}

// Classes of mutants, in the order in which they are judged.
const (
	ClassUndone  = iota // undoes part of the change
	ClassChanged        // on a changed line
	ClassRest
	ClassLate // in a function that did not change but uses something that did
)

func (m *Mutant) class() int {
	switch {
	case m.Hunk != nil:
		return ClassUndone
	case m.OnDiff:
		return ClassChanged
	case m.Late:
		return ClassLate
	}
	return ClassRest
}

// Mutants are all mutants of a program, or some of them. In the list of all, mutant n is at index n-1.
type Mutants []*Mutant

// New returns the woven mutants of functions, without facts. sources are by file. unseen are the packages whose code
// may run unseen: see Mutant.Unseen.
func New(woven *weave.Woven, sources map[string][]byte, functions []results.Function, unseen map[string]bool) Mutants {
	of := map[string]*results.Function{}
	for i := range functions {
		of[functions[i].ID] = &functions[i]
	}
	list := make(Mutants, len(woven.Mutants))
	for i := range woven.Mutants {
		w := &woven.Mutants[i]
		f := of[w.Function]
		list[i] = &Mutant{
			Mutant: w, Number: i + 1, Package: f.Package, Unseen: unseen[f.Package], Source: sources[w.File],
			Late: f.Reason == results.ReasonUsesChanged,
		}
	}
	return list
}

// ByNumber returns the mutant with number n, or nil if there is none. l must be the list of all mutants.
func (l Mutants) ByNumber(n int) *Mutant {
	if n < 1 || n > len(l) {
		return nil
	}
	return l[n-1]
}

// ByID returns the first mutant with an ID, or nil if there is none.
func (l Mutants) ByID(id string) *Mutant {
	i := slices.IndexFunc(l, func(m *Mutant) bool { return m.ID == id })
	if i < 0 {
		return nil
	}
	return l[i]
}

// Named returns the first mutant with each of ids, in that order. It skips IDs that no mutant has.
func (l Mutants) Named(ids []string) (list Mutants) {
	for _, id := range ids {
		if m := l.ByID(id); m != nil {
			list = append(list, m)
		}
	}
	return list
}

// Live returns the live mutants.
func (l Mutants) Live() Mutants { return l.having((*Mutant).Live) }

// Open returns the live mutants that no input has exposed.
func (l Mutants) Open() Mutants { return l.having((*Mutant).Open) }

// Changed returns the mutants that undo a part of the change, or are on a changed line.
func (l Mutants) Changed() Mutants { return l.having((*Mutant).Changed) }

// With returns the mutants with a status.
func (l Mutants) With(status string) Mutants {
	return l.having(func(m *Mutant) bool { return m.Verdict().Status == status })
}

func (l Mutants) having(holds func(*Mutant) bool) (list Mutants) {
	for _, m := range l {
		if holds(m) {
			list = append(list, m)
		}
	}
	return list
}

// Undoing returns the mutants that undo a part of the change and can be run, the smallest first.
func (l Mutants) Undoing() Mutants {
	undoing := l.having(func(m *Mutant) bool {
		return m.Hunk != nil && m.Unviable == "" && m.Left == "" && m.Ignored == "" && m.Block >= 0
	})
	size := func(m *Mutant) int { return max(m.EndOffset-m.Offset, len(m.Replacement)) }
	slices.SortStableFunc(undoing, func(a, b *Mutant) int { return cmp.Compare(size(a), size(b)) })
	return undoing
}

// UndoingAll returns the mutants that undo all of the change to their function, as Undoing does.
func (l Mutants) UndoingAll() Mutants {
	return l.Undoing().having(func(m *Mutant) bool {
		return !slices.ContainsFunc(l, func(o *Mutant) bool {
			return o.Hunk != nil && o.Function == m.Function && (o.Hunk.First < m.Hunk.First || o.Hunk.First+o.Hunk.Count > m.Hunk.First+m.Hunk.Count)
		})
	})
}

// maxAltering bounds how many functions whose results the change alters are reported.
const maxAltering = 3

// Altering returns the mutants of UndoingAll that tests notice and that an input from callers exposes: a call that
// gave another result before the change. Calls that fail only since the change come first.
func (l Mutants) Altering() Mutants {
	altering := l.UndoingAll().having(func(m *Mutant) bool {
		x := m.Exposed
		return m.Noticed() && !m.Late && x != nil && x.Call != "" && !x.Inner && !x.InTest && !x.OnlyErrors
	})
	failsNow := func(m *Mutant) int {
		if m.Exposed.Errors == results.ErrorInOriginal {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(altering, func(a, b *Mutant) int { return failsNow(a) - failsNow(b) })
	return altering[:min(len(altering), maxAltering)]
}

// NotUndone returns a mutant that would undo a part of the change to a function but does not compile, if of reports
// true for the function's ID and no mutant undoes all of that change. It returns nil if there is none.
func (l Mutants) NotUndone(of func(function string) bool) *Mutant {
	for _, m := range l {
		if m.Hunk != nil && m.Unviable != "" && !m.Late && of(m.Function) &&
			!slices.ContainsFunc(l.UndoingAll(), func(o *Mutant) bool { return o.Function == m.Function }) {
			return m
		}
	}
	return nil
}

// Whole returns the mutant of UndoingAll that undoes what m does, and more; nil if there is none.
func (l Mutants) Whole(m *Mutant) *Mutant {
	if m.Hunk == nil {
		return nil
	}
	for _, o := range l.UndoingAll() {
		if o != m && o.Function == m.Function && o.Hunk.First <= m.Hunk.First && m.Hunk.First+m.Hunk.Count <= o.Hunk.First+o.Hunk.Count {
			return o
		}
	}
	return nil
}

// RankItem returns m as ranking knows it. A mutant that undoes the change counts as on a changed line.
func (m *Mutant) RankItem() rank.Item {
	return rank.Item{
		Original: m.Original, Mutated: m.Replacement, Source: m.Before, Mutant: m.After,
		File: m.File, Line: m.Line, Class: max(m.class(), ClassChanged),
	}
}

// Ranked returns the mutants in the order in which to judge them, since there may not be time for all: by class, then
// one of each line before any line gets its second. One mutant a line is what reviewers at Google are shown
// (Petrović, Ivanković: State of Mutation Testing at Google, ICSE-SEIP 2018). Otherwise the order stays.
func (l Mutants) Ranked() Mutants {
	type place struct {
		file string
		line int
	}
	turn, seen := map[*Mutant]int{}, map[place]int{}
	for _, m := range l {
		at := place{m.File, m.Line}
		turn[m] = seen[at]
		seen[at]++
	}
	return slices.SortedStableFunc(slices.Values(l), func(a, b *Mutant) int {
		return cmp.Or(a.class()-b.class(), turn[a]-turn[b])
	})
}
