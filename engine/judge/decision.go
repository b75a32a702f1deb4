package judge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
)

// Decision is what the tests of all suites say of a mutant. Its test is named with its package, as import/path.TestX. The zero
// value is undecided.
type Decision struct {
	ledger.Decision
	// OwnOnly says of a survivor that tests of packages that depend on its own did not all run, or fail without it, and nothing else
	// is missing.
	OwnOnly bool
	// Failing says of a survivor that tests which do not pass without it either may notice it.
	Failing bool
	// Seldom says of a survivor that a test notices it in few runs: the reason says which.
	Seldom bool
	// Awaits says of a survivor that tests of other packages that are part of the change did not all run: see [Result.Expect].
	Awaits bool
}

// Fails notes that tests of which some may notice the mutant of a survivor fail without it, too, so that nothing is known of them:
// of its own package, or elsewhere.
func (d *Decision) Fails(tests []string, elsewhere bool) {
	if d.Reason == "" || d.OwnOnly && !elsewhere {
		d.Reason, d.OwnOnly, d.Failing = "tests that fail without any change may run this code, and notice this one: "+first(tests), elsewhere, true
	}
}

// dependentsLate begins the reason of a survivor that tests of other packages may notice, which did not run in time.
const dependentsLate = "not all tests of packages that depend on this one ran in time"

// Late notes that tests of a package that depends on that of a survivor may notice its mutant, and did not end in time.
func (d *Decision) Late(pkg string) {
	if d.Reason == "" {
		d.Reason, d.OwnOnly = dependentsLate+": "+pkg, true
	}
}

// Decide says what the tests of all suites amount to for a mutant. It is [ledger.Killed] if any
// suite kills it, and [ledger.Undecided] if its own suite has not decided. Other packages whose
// tests did not run are named in the reason.
func (r *Result) Decide(m *Mutant) Decision {
	d := ledger.Decision{Status: ledger.Survived}
	seldom := ""      // says which test fails with it in few runs
	var late []string // other packages whose tests may notice it, and have not judged it
	for _, v := range r.Surveys {
		if v.onlyQuarantined(m) && d.Status == ledger.Survived {
			d = ledger.Decision{Status: ledger.Inconclusive, Reason: "the only tests that could detect this change are quarantined: " + strings.Join(v.quarantined(), ", ")}
		}
		own := v.Suite.Package == m.Package
		switch one := v.outcome(m); one.Status {
		case ledger.Killed:
			test := cmp.Or(append([]string{one.Test}, v.infected(m)...)...)
			one.Test = v.Suite.Package
			if test != "" { // else it is not known which one
				one.Test += "." + test
			}
			return Decision{Decision: one}
		case ledger.Inconclusive:
			one.Test = v.Suite.Package + "." + one.Test
			d = one
		case ledger.Survived:
			if seldom == "" && one.Reason != "" {
				seldom = v.Suite.Package + ": " + one.Reason
			}
		case ledger.Undecided:
			switch {
			case own && d.Status != ledger.Inconclusive && (!r.OwnDone || one.Reason != ""):
				d = one
			case !own && v.done: // the rest is missing
				late = append(late, v.Suite.Package)
			}
		}
	}
	if d.Status != ledger.Survived {
		return Decision{Decision: d}
	}
	if !r.OwnDone && slices.Contains(r.missing, m.Package) {
		return Decision{}
	}
	if !r.OwnDone || r.cut {
		late = append(late, slices.DeleteFunc(slices.Clone(r.missing), func(pkg string) bool { return slices.Contains(late, pkg) })...)
	}
	if r.cut || len(late) > 0 {
		d.Reason = dependentsLate
		if len(late) > 0 {
			d.Reason += ": " + first(late)
		}
	} else if len(r.unbuilt) > 0 && r.OwnDone {
		d.Reason = "tests of packages that depend on this one do not build: " + first(r.unbuilt)
	}
	unheard := r.unheard(m)
	all := Decision{Decision: d, Failing: unheard != "", Seldom: seldom != ""}
	all.Awaits = d.Reason != "" && slices.ContainsFunc(r.expected, func(pkg string) bool { return !r.Done(pkg) })
	all.OwnOnly = d.Reason != "" && unheard+seldom == "" && !all.Awaits
	all.Reason = cmp.Or(seldom, d.Reason, unheard)
	return all
}

// unheard says which quarantined tests may notice a mutant that all others miss; "": none.
func (r *Result) unheard(m *Mutant) string {
	var tests []string
	for _, v := range r.Surveys {
		tests = append(tests, v.mayNotice(m)...)
	}
	if len(tests) == 0 {
		return ""
	}
	return "quarantined tests that run this code may notice the change: " + first(tests)
}
