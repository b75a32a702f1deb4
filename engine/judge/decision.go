package judge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Decision is what the tests of all suites say about a mutant. Its Test is qualified with the package, as in
// import/path.TestX. The zero value is undecided.
type Decision struct {
	ledger.Decision
	// OwnOnly says of a survivor that only the tests of its own package can be relied on: those of dependent packages
	// did not all run, do not build, or fail without a mutant. There is no other reservation.
	OwnOnly bool
	// Failing says of a survivor that tests which also fail without a mutant may notice it.
	Failing bool
	// Seldom says of a survivor that a test fails with it in a few runs. Reason names the test.
	Seldom bool
	// Awaits says of a survivor that not all tests of the packages given to [Result.Expect] have run, or that tests of the
	// change skip themselves or are written in another language: see Skips and Elsewhere.
	Awaits bool
}

// Fails notes that some of tests may notice the survivor, but fail without a mutant, too, so that their results say
// nothing. With elsewhere, they are tests of another package.
func (d *Decision) Fails(tests []string, elsewhere bool) {
	if d.Reason == "" || d.OwnOnly && !elsewhere {
		reason := results.FailingMayRun + first(tests)
		if d.Reason != "" {
			reason += "; " + d.Reason
		}
		d.Reason, d.OwnOnly, d.Failing = reason, elsewhere, true
	}
}

// Skips notes that some of tests, which are part of the change, may notice the survivor, but skip themselves here.
func (d *Decision) Skips(tests []string) { d.await(results.SkippedMayRun + first(tests)) }

// Elsewhere notes that tests in another language, in files that are part of the change, may notice the survivor.
func (d *Decision) Elsewhere(files []string) { d.await(results.OtherMayRun + first(files)) }

// await notes why tests of the change may still notice the survivor. That says more than that tests of dependents may.
func (d *Decision) await(reason string) {
	if d.Reason == "" || d.OwnOnly {
		d.Reason, d.OwnOnly, d.Awaits = reason, false, true
	}
}

// dependentsLate begins the reason of a survivor that tests of other packages, which did not run in time, may notice.
const dependentsLate = "not all tests of packages that depend on this one ran in time"

// NeedsNoMore takes back the reservation that tests of dependents have not all run: none of those may reach the survivor.
func (d *Decision) NeedsNoMore() {
	if strings.HasPrefix(d.Reason, dependentsLate) && !d.Failing && !d.Seldom {
		d.Reason, d.OwnOnly, d.Awaits = "", false, false
	}
}

// Late notes that tests of pkg, which depends on the survivor's package, may notice it but did not end in time.
func (d *Decision) Late(pkg string) {
	if d.Reason == "" {
		d.Reason, d.OwnOnly = dependentsLate+": "+pkg, true
	}
}

// Decide combines what the tests of all suites say about m. m is [ledger.Killed] if any suite kills it; otherwise
// [ledger.Inconclusive] if any suite is; otherwise [ledger.Undecided] if its own suite has not decided. The reason of
// a survivor names other packages whose tests did not run.
func (r *Result) Decide(m *Mutant) Decision {
	d := ledger.Decision{Status: ledger.Survived}
	seldom := ""      // which test fails with m in a few runs
	var late []string // other packages whose tests may notice m and have not judged it
	for _, v := range r.Surveys {
		if v.onlyQuarantined(m) && d.Status == ledger.Survived {
			d = ledger.Decision{Status: ledger.Inconclusive, Reason: results.OnlyQuarantined + first(v.quarantined())}
		}
		own := v.Suite.Package == m.Package
		switch one := v.outcome(m); one.Status {
		case ledger.Killed:
			test := cmp.Or(append([]string{one.Test}, v.infected(m)...)...)
			one.Test = v.Suite.Package
			if test != "" { // otherwise the test is unknown
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
			case !own && v.done: // suites that are not done are in r.missing
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
	reservation := r.reservation(m)
	all := Decision{Decision: d, Failing: reservation != "", Seldom: seldom != ""}
	all.Awaits = d.Reason != "" && slices.ContainsFunc(r.expected, func(pkg string) bool { return !r.Done(pkg) })
	all.OwnOnly = d.Reason != "" && reservation+seldom == "" && !all.Awaits
	all.Reason = cmp.Or(seldom, d.Reason, reservation)
	return all
}

// reservation says which quarantined tests may notice a mutant that all others miss. It returns "" if there are none, or if
// they can be neglected beside the many tests of their suite that run the mutant. Tests that the change adds or alters
// are never neglected, nor are those that did not end.
func (r *Result) reservation(m *Mutant) string {
	var tests []string
	for _, v := range r.Surveys {
		list := v.mayNotice(m)
		if len(list) == 0 {
			continue
		}
		counts := func(test string) bool {
			return r.altered[v.Suite.Package+"."+test] != "" || v.quarantinedAs(test, DoesNotEnd)
		}
		if slices.ContainsFunc(list, counts) || !Outnumber(len(v.Covering(m)), len(list)) {
			tests = append(tests, list...)
		}
	}
	if len(tests) == 0 {
		return ""
	}
	return results.QuarantinedRun + first(tests)
}
