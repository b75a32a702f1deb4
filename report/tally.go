package report

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// tally counts the mutants in classes that add up to the total.
type tally struct {
	total, byTests, byFuzzing, byDrivers  int // byDrivers is part of byFuzzing
	exposed, survived                     int // survived does not include exposed
	equivalent, unviable, ignored, notRun int
}

func tallyOf(r *results.Results) tally {
	var t tally
	for i := range r.Mutants {
		t.add(&r.Mutants[i])
	}
	return t
}

// functionTally counts the mutants of one function.
type functionTally struct {
	name  string
	tally tally
}

// byFunction counts the mutants of each function, in the order of the mutants.
func byFunction(r *results.Results) (list []functionTally) {
	at := map[string]int{}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if _, ok := at[m.Function]; !ok {
			at[m.Function] = len(list)
			list = append(list, functionTally{name: fact.FunctionName(r, m.Function)})
		}
		list[at[m.Function]].tally.add(m)
	}
	return list
}

func (t *tally) add(m *results.Mutant) {
	t.total++
	switch m.Status {
	case results.Killed:
		t.kill(m)
	case results.Survived:
		if m.Exposed() {
			t.exposed++
		} else {
			t.survived++
		}
	case results.Equivalent:
		t.equivalent++
	case results.Unviable:
		t.unviable++
	case results.Ignored:
		t.ignored++
	default:
		t.notRun++
	}
}

func (t *tally) kill(m *results.Mutant) {
	switch {
	case m.KilledBy == nil || m.KilledBy.By == results.ByTest:
		t.byTests++
	case m.KilledBy.By == results.ByDriver:
		t.byDrivers++
		t.byFuzzing++
	default:
		t.byFuzzing++
	}
}

// judged returns the number of mutants that were killed or survived.
func (t tally) judged() int { return t.byTests + t.byFuzzing + t.exposed + t.survived }

// String formats t as "142 mutants: 103 killed by tests, ...".
func (t tally) String() string {
	fuzzing := prose.Exact(t.byFuzzing) + " by fuzzing"
	if t.byDrivers > 0 {
		fuzzing += " (" + prose.Exact(t.byDrivers) + " through generated drivers only)"
	}
	return prose.Exact(t.total) + prose.Noun(t.total, " mutant: ", " mutants: ") + strings.Join([]string{
		prose.Exact(t.byTests) + " killed by tests",
		fuzzing,
		prose.Exact(t.exposed) + " exposed",
		prose.Exact(t.survived) + " survived",
		prose.Exact(t.equivalent) + " equivalent",
		prose.Exact(t.unviable) + " unviable",
		prose.Exact(t.ignored) + " ignored",
		prose.Exact(t.notRun) + " not run",
	}, ", ")
}

// effort says what was run, and for how long.
func effort(r *results.Results) string {
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

// scope says how many functions are in scope, and why.
func scope(r *results.Results) string {
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

// verdict says in one sentence why the results mean less than they may seem to. It returns "" if all mutants were
// judged.
func verdict(r *results.Results) string {
	t := tallyOf(r)
	if why := fact.Broken(r); why != "" {
		return prose.Exact(t.notRun) + " of " + prose.Plural(t.total, "mutant", "mutants") + " not judged: " + why + "."
	}
	more := ""
	if r.Partial {
		more = " The run was cut short; a longer --time lets it judge more."
	}
	switch {
	case t.judged() > 0 && t.notRun > 0:
		return prose.Exact(t.notRun) + " of " + prose.Plural(t.total, "mutant", "mutants") + " not judged." + more
	case t.judged() > 0 && r.Partial:
		return "The run was cut short."
	case t.judged() > 0:
		return ""
	case len(r.Scope) == 0:
		return "Nothing was judged: no function is in scope."
	case t.total == 0 && r.Partial:
		return "Nothing was judged: the time was up before there was a mutant. A longer --time lets it judge."
	case t.total == 0:
		return "Nothing was judged: the functions in scope have no mutants."
	case !slices.ContainsFunc(r.Mutants, func(m results.Mutant) bool { return !strings.HasPrefix(m.Reason, aridReason) }):
		return "Nothing was judged: the change only touches code that is never mutated, such as logging (see mutantfuzz list --arid)."
	default:
		return "Nothing was judged: no mutant got a verdict, so this says nothing about the tests." + more
	}
}

// aridReason begins the reason of mutants in code that is never mutated. Package mutate writes it.
const aridReason = "arid code: "
