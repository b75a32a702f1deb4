package engine

import (
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// mutant is what is known of one mutant so far.
type mutant struct {
	*weave.Mutant
	number      int  // value of the probe's M
	late        bool // in a function that did not change but uses what did
	status      string
	reason      string
	reached     bool // some run reached it
	infected    bool // ... and infected the state, or may have
	judged      bool // some test was to be run with it
	killedBy    *results.KilledBy
	exposedBy   *results.ExposedBy
	verified    bool
	tests       int   // tests that ran it
	execs       int64 // fuzzing runs with it active
	onlyInSuite bool  // killed by a test that fails only when all of its package run
	built       bool  // killed in a program that the test had the go command build
	unbuilt     bool  // tests of a program that the go command builds have still to run with it
}

// undoes reports whether m brings old lines back.
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

// addMutants makes u.mutants from what was woven.
func (u *unit) addMutants() {
	late := map[string]bool{}
	for i := range u.functions {
		late[u.functions[i].ID] = u.functions[i].Reason == results.ReasonUsesChanged
	}
	for i := range u.woven.Mutants {
		w := &u.woven.Mutants[i]
		m := &mutant{Mutant: w, number: i + 1, late: late[w.Function], status: results.Pending}
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
