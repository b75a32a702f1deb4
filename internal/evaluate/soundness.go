package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// soundness analyses every module twice, as usual and with every mutant run on
// every test, and prints the mutants that only the second time are killed:
// those would have been spared a test that notices them. Equivalent ones count
// among the spared.
func soundness(ctx context.Context, l *lab) (bool, error) {
	fmt.Fprint(l.out, "| module | mutants | spared all tests | equivalent | killed when run anyway |\n|---|--:|--:|--:|--:|\n")
	holds := true
	var details []string
	for _, m := range l.modules {
		usual, err := l.runEngine(ctx, m, false)
		if err != nil {
			return false, err
		}
		unpruned, err := l.runEngine(ctx, m, true)
		if err != nil {
			return false, err
		}
		spared, equivalent := pruned(usual)
		wrong := killedAnyway(slices.Concat(spared, equivalent), unpruned)
		fmt.Fprintf(l.out, "| %s | %d | %d | %d | %d |\n", m.query, len(usual.Mutants), len(spared), len(equivalent), len(wrong))
		for _, s := range wrong {
			details = append(details, m.query+" "+s)
		}
		holds = holds && len(wrong) == 0
	}
	for _, s := range details {
		fmt.Fprintf(l.out, "\n%s\n", s)
	}
	return holds, nil
}

// runEngine analyses m without the command line, which has no flag for what
// unpruned is.
func (l *lab) runEngine(ctx context.Context, m module, unpruned bool) (*results.Results, error) {
	ctx, cancel := context.WithTimeout(ctx, l.limit)
	defer cancel()
	scope, err := diffscope.Find(ctx, diffscope.Config{Dir: m.dir, All: true, Packages: m.packages})
	if err != nil {
		return nil, err
	}
	defer scope.Close()
	fmt.Fprintf(l.log, "%s: every test on every mutant: %t\n", m.query, unpruned)
	out, err := engine.Run(ctx, engine.Config{Tests: engine.Tests(l.tests), Workers: l.workers, Seed: l.seed, Unpruned: unpruned}, scope)
	if err != nil {
		return nil, err
	}
	if out.Results.Partial {
		return nil, fmt.Errorf("%s was not analysed in full\nhint: give it more time with -limit", m.query)
	}
	return out.Results, nil
}

// pruned are the names of mutants that no test was run on, because none
// reaches or infects them, and of those that are equivalent.
func pruned(r *results.Results) (spared, equivalent []string) {
	for i := range r.Mutants {
		m := &r.Mutants[i]
		switch {
		case m.Status == results.Equivalent:
			equivalent = append(equivalent, name(m))
		case m.Status == results.Survived && (m.Stage == results.NotReached || m.Stage == results.Reached):
			spared = append(spared, name(m))
		}
	}
	return spared, equivalent
}

// killedAnyway are those of names that r says are killed, each with the test.
func killedAnyway(names []string, r *results.Results) []string {
	var list []string
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if m.KilledBy != nil && slices.Contains(names, name(m)) {
			list = append(list, name(m)+" by "+m.KilledBy.Name)
		}
	}
	return list
}
