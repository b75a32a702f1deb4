package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// soundness analyses every module twice: as usual, and with every mutant run on every test. It prints the mutants
// that are killed only the second time: pruning has left out a test that notices them. Equivalent mutants count
// as pruned. Mutants that ran on some tests are counted separately, because random tests may kill such a mutant
// in one analysis and not in another.
func soundness(ctx context.Context, l *lab) (bool, error) {
	fmt.Fprint(l.out, "| module | mutants | spared all tests | equivalent | killed when run anyway | spared some tests | killed when run on all |\n|---|--:|--:|--:|--:|--:|--:|\n")
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
		p := pruned(usual)
		wrong := killedAnyway(slices.Concat(p.all, p.equivalent), unpruned.Results)
		late := killedAnyway(p.some, unpruned.Results)
		fmt.Fprintf(l.out, "| %s | %d | %d | %d | %d | %d | %d |\n", m.query,
			len(usual.Results.Mutants), len(p.all), len(p.equivalent), len(wrong), len(p.some), len(late))
		for _, s := range slices.Concat(wrong, late) {
			details = append(details, m.query+" "+s)
		}
		holds = holds && len(wrong) == 0
	}
	for _, s := range details {
		fmt.Fprintf(l.out, "\n%s\n", s)
	}
	return holds, nil
}

// runEngine analyses m without the command line, which has no flag for unpruned.
func (l *lab) runEngine(ctx context.Context, m module, unpruned bool) (*engine.Output, error) {
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
	return out, nil
}

// spared holds names of mutants. all are the survivors that no test was run on, because none reaches or infects
// them; some are the other survivors.
type spared struct{ all, some, equivalent []string }

func pruned(o *engine.Output) (s spared) {
	for i := range o.Results.Mutants {
		m := &o.Results.Mutants[i]
		switch {
		case m.Status == results.Equivalent:
			s.equivalent = append(s.equivalent, name(m))
		case slices.Contains(o.Spared, m.ID):
			s.all = append(s.all, name(m))
		case m.Status == results.Survived:
			s.some = append(s.some, name(m))
		}
	}
	return s
}

// killedAnyway returns those of names that r says are killed, each with the test.
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
