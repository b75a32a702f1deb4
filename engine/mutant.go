package engine

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// mutant is what is known of one mutant so far.
type mutant struct {
	*weave.Mutant
	number    int // value of the probe's M
	status    string
	reason    string
	reached   bool // some run reached it
	infected  bool // ... and infected the state, or may have
	judged    bool // some test was to be run with it
	killedBy  *results.KilledBy
	exposedBy *results.ExposedBy
	verified  bool
	tests     int            // tests that ran it
	execs     int64          // fuzzing runs with it active
	due       map[string]int // by package: covering tests that have not run yet
	unordered bool           // its function ranges over a map, or may have
	unsteady  bool           // its function asks for the time or the like
	lasts     bool           // what it does lasts: its function is part of what is computed once in a process, or did that
	starts    bool           // its function is func init of its package
	stuck     bool           // a deadlock was proved once
	suspects  []*test        // failed, or did not end, when it was tried in a process with a memory
	unruly    bool           // it did not end when it was tried, or took the process along
	inCompany bool           // killed by a test that fails only after others
	built     bool           // killed in a program that the test had the go command build
	// awaitsCompany is the number of suites that it has still to run against, all tests
	// of each together.
	awaitsCompany int
	awaitsAside   bool    // it is not known yet whether tests that are set aside may notice it
	atRandom      []*test // tests that pass as well as fail with it
	unclear       string  // why it has not survived although no test by itself kills it
	passed        []*test // tests that it passed, now or in an earlier run
	owes          []owed  // of those passed, on one processor only
	thorough      bool    // it runs with all processors
	unsure        []*test // passed and failed when m was tried
	weighed       []*test // tests that have judged it by frequency
}

// undoes reports whether m brings old lines back. What these remember, or do in the order of a
// map, cannot be read off the source as it is now.
func (m *mutant) undoes() bool { return m.Hunk != nil }

// live reports whether m is still to be judged: built and neither killed nor
// given up.
func (m *mutant) live() bool { return m.status == results.Pending }

// open reports whether m is live and no input has exposed it yet.
func (m *mutant) open() bool { return m.live() && m.exposedBy == nil }

func (m *mutant) kill(by results.KilledBy) {
	m.status, m.killedBy, m.exposedBy = results.Killed, &by, nil
	m.reached, m.infected = true, true
}

// killInCompany is kill where no test notices m by itself.
func (m *mutant) killInCompany(by results.KilledBy) {
	m.kill(by)
	m.reason, m.inCompany = inCompany, true
}

// judgedBy notes that t is run with m.
func (m *mutant) judgedBy(t *test) {
	m.judged = true
	m.reached = m.reached || t.reaches(m)
	m.infected = m.infected || m.Probed && t.shows(m)
}

// revive takes a kill back.
func (m *mutant) revive() {
	m.status, m.reason, m.killedBy, m.inCompany, m.built = results.Pending, "", nil, false, false
}

// byChance is a test that passes as well as fails with m, and does not fail
// without it; nil: there is none.
func (m *mutant) byChance() *test {
	for _, t := range m.atRandom {
		if !t.flaky.Load() {
			return t
		}
	}
	return nil
}

// untried is the number of covering tests that did not run, or not with all processors, for
// want of time.
func (m *mutant) untried() (n int) {
	for _, k := range m.due {
		n += k
	}
	for _, o := range m.owes {
		n += len(o.tests)
	}
	return n
}

// stage returns the RIPR stage that m's status and evidence amount to.
func (m *mutant) stage() string {
	switch {
	case m.status == results.Killed:
		return results.Revealed
	case m.status != results.Survived:
		return ""
	case m.exposedBy != nil:
		return results.Propagated
	case m.infected:
		return results.Infected
	case m.reached:
		return results.Reached
	}
	return results.NotReached
}

// canBeTriedOn reports whether m is tried on t in a process in which others were: not if
// what it does there would last, is done before any test, or goes by chance, nor once that
// has cost a process.
func (m *mutant) canBeTriedOn(t *test) bool {
	return !m.lasts && !m.starts && !m.unruly && t.tried.Load() && !t.goesByChance(m) && t.cost() <= dear
}

// addMutants makes u.mutants from what was woven.
func (u *unit) addMutants() {
	asking := u.asking()
	for i := range u.woven.Mutants {
		w := &u.woven.Mutants[i]
		m := &mutant{
			Mutant: w, number: i + 1, status: results.Pending, due: map[string]int{},
			unordered: u.unordered[w.Function], lasts: u.memory.ran[nameIn(w.Function)],
			starts: u.startsWith(w.Function), unsteady: asking[w.Function],
		}
		if m.undoes() {
			m.unordered, m.lasts = true, true
		}
		switch {
		case w.Ignored != "":
			m.status, m.reason = results.Ignored, w.Ignored
		case w.Arid != "":
			m.status, m.reason = results.Ignored, "arid: "+w.Arid
		case w.Unviable != "":
			m.status, m.reason = results.Unviable, w.Unviable
		case w.Left != "":
			m.status, m.reason = results.NotRun, w.Left
		}
		u.mutants = append(u.mutants, m)
		u.byID[w.ID] = m
	}
}

// startsWith reports whether a function is func init of a touched package, which runs before
// anything else and never again.
func (u *unit) startsWith(function string) bool {
	pkg, isInit := strings.CutSuffix(function, ".init")
	return isInit && slices.Contains(u.touched, pkg)
}

// pending returns the live mutants.
func (u *unit) pending() []*mutant {
	var list []*mutant
	for _, m := range u.mutants {
		if m.live() {
			list = append(list, m)
		}
	}
	return list
}
