package story

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Tally counts the mutants in classes that add up to the total.
type Tally struct {
	Total, ByTests, ByFuzzing, byDrivers  int // byDrivers is part of ByFuzzing
	Exposed, Survived                     int // Survived does not include Exposed
	Equivalent, Unviable, Ignored, NotRun int
}

// Count counts the mutants of r.
func Count(r *results.Results) Tally {
	var t Tally
	for i := range r.Mutants {
		t.add(&r.Mutants[i])
	}
	return t
}

// FunctionTally counts the mutants of one function.
type FunctionTally struct {
	Name  string // of the function
	Tally Tally
}

// ByFunction counts the mutants of each function, in the order of the mutants.
func ByFunction(r *results.Results) (list []FunctionTally) {
	at := map[string]int{}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if _, ok := at[m.Function]; !ok {
			at[m.Function] = len(list)
			list = append(list, FunctionTally{Name: fact.FunctionName(r, m.Function)})
		}
		list[at[m.Function]].Tally.add(m)
	}
	return list
}

func (t *Tally) add(m *results.Mutant) {
	t.Total++
	switch m.Status {
	case results.Killed:
		t.kill(m)
	case results.Survived:
		if m.Exposed() {
			t.Exposed++
		} else {
			t.Survived++
		}
	case results.Equivalent:
		t.Equivalent++
	case results.Unviable:
		t.Unviable++
	case results.Ignored:
		t.Ignored++
	default:
		t.NotRun++
	}
}

func (t *Tally) kill(m *results.Mutant) {
	switch {
	case m.KilledBy == nil || m.KilledBy.By == results.ByTest:
		t.ByTests++
	case m.KilledBy.By == results.ByDriver:
		t.byDrivers++
		t.ByFuzzing++
	default:
		t.ByFuzzing++
	}
}

// Judged returns the number of mutants that were killed or survived.
func (t Tally) Judged() int { return t.ByTests + t.ByFuzzing + t.Exposed + t.Survived }

// String formats t as "142 mutants: 103 killed by tests, ...".
func (t Tally) String() string {
	fuzzing := prose.Exact(t.ByFuzzing) + " by fuzzing"
	if t.byDrivers > 0 {
		fuzzing += " (" + prose.Exact(t.byDrivers) + " through generated drivers only)"
	}
	return prose.Exact(t.Total) + prose.Noun(t.Total, " mutant: ", " mutants: ") + strings.Join([]string{
		prose.Exact(t.ByTests) + " killed by tests",
		fuzzing,
		prose.Exact(t.Exposed) + " exposed",
		prose.Exact(t.Survived) + " survived",
		prose.Exact(t.Equivalent) + " equivalent",
		prose.Exact(t.Unviable) + " unviable",
		prose.Exact(t.Ignored) + " ignored",
		prose.Exact(t.NotRun) + " not run",
	}, ", ")
}

// Effort says what was run, and for how long.
func Effort(r *results.Results) string {
	targets, drivers := 0, 0
	for i := range r.Harnesses {
		if r.Harnesses[i].Kind == results.HarnessDriver {
			drivers++
		} else {
			targets++
		}
	}
	parts := []string{"no test to run"}
	if r.Stats.Tests > 0 {
		parts[0] = prose.Plural(r.Stats.Tests, "test", "tests") + " run"
	}
	if targets == 0 {
		parts = append(parts, "no fuzz target")
	} else {
		parts = append(parts, prose.Plural(targets, "fuzz target", "fuzz targets"))
	}
	if drivers > 0 {
		parts = append(parts, prose.Plural(drivers, "generated driver", "generated drivers"))
	}
	if targets+drivers > 0 {
		parts = append(parts, prose.Count(r.Stats.Execs)+prose.Noun(int(min(r.Stats.Execs, 2)), " execution", " executions"))
	}
	return strings.Join(append(parts, prose.Duration(r.Seconds.Total)), ", ")
}

// Scope says how many functions are in scope, and why.
func Scope(r *results.Results) string {
	changed, others, skipped := 0, 0, 0
	for i := range r.Scope {
		switch f := &r.Scope[i]; {
		case f.Skipped != "":
			skipped++
		case f.Reason == results.ReasonAdded || f.Reason == results.ReasonChanged:
			changed++
		default:
			others++
		}
	}
	s := prose.Plural(changed, "changed function", "changed functions")
	switch {
	case changed == 0:
		s = prose.Plural(others, "function", "functions")
	case others > 0:
		s += " and " + prose.Exact(others) + " affected"
	}
	if skipped > 0 {
		s += " (" + prose.Exact(skipped) + " more left out)"
	}
	return s
}

// leftOfChange ends a sentence about mutants that are not judged: it says how many of them are on changed lines.
func leftOfChange(r *results.Results) string {
	n := 0
	for i := range r.Mutants {
		if m := &r.Mutants[i]; m.Status == results.NotRun && m.Evidence.OnDiff {
			n++
		}
	}
	if n == 0 || r.Options.All {
		return ""
	}
	return ", " + prose.Exact(n) + " of them on changed lines"
}

// Verdict says in one sentence why the results mean less than they may seem to. It returns "" if all mutants were
// judged.
func Verdict(r *results.Results) string {
	t := Count(r)
	if why := fact.Broken(r); why != "" {
		return prose.Exact(t.NotRun) + " of " + prose.Plural(t.Total, "mutant", "mutants") + " not judged: " + why + "."
	}
	more := ""
	if r.Partial {
		more = " The run was cut short; a longer --time lets it judge more."
	}
	switch {
	case t.Judged() > 0 && t.NotRun > 0:
		return prose.Exact(t.NotRun) + " of " + prose.Plural(t.Total, "mutant", "mutants") + " not judged" + leftOfChange(r) + "." + more
	case t.Judged() > 0 && r.Partial:
		return "The run was cut short."
	case t.Judged() > 0:
		return ""
	case len(r.Scope) == 0:
		return "Nothing was judged: no function is in scope."
	case t.Total == 0 && r.Partial:
		return "Nothing was judged: the time was up before there was a mutant. A longer --time lets it judge."
	case t.Total == 0:
		return "Nothing was judged: the functions in scope have no mutants."
	case !slices.ContainsFunc(r.Mutants, func(m results.Mutant) bool { return !strings.HasPrefix(m.Reason, aridReason) }):
		return "Nothing was judged: the change only touches code that is never mutated, such as logging (see mutantfuzz list --arid)."
	default:
		return "Nothing was judged: no mutant got a verdict, so this says nothing about the tests." + more
	}
}

// aridReason begins the reason of mutants in code that is never mutated. Package mutate writes it.
const aridReason = "arid code: "
