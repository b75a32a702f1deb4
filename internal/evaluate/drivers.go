package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/engine/driver"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Claims about drivers, over all modules.
const (
	drivenShare = 0.75 // of the functions that are not dangerous and have something to pass
	shownShare  = 0.40 // of the mutants that the modules' own tests leave alive
)

// kinds are the kinds of drivers without one of their parts, by the name of that part.
var kinds = map[string]driver.Kind{
	"":             {},
	"constructors": {NoConstructors: true},
	"entries":      {NoEntries: true},
	"constants":    {NoConstants: true},
	"tests":        {}, // driven sets Unwatched instead
}

// drivers analyses whole modules that have no fuzz target. It counts the functions that drivers were written for,
// and how many of the mutants that no test kills they tell from the program.
func drivers(ctx context.Context, l *lab) (bool, error) {
	kind, ok := kinds[l.without]
	if !ok {
		return false, fmt.Errorf("-without %q: no part of drivers\nhint: %s", l.without, strings.Join(slices.Sorted(maps.Keys(kinds))[1:], ", "))
	}
	fmt.Fprint(l.out, "| module | functions | dangerous | nothing to pass | no value | driven | alive after the tests | shown within tests | shown by an input | as a call | through what other packages can call | share |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	var all driven
	for _, m := range l.modules {
		fmt.Fprintf(l.log, "%s\n", m.query)
		r, err := l.driven(ctx, m, kind)
		if err != nil {
			return false, fmt.Errorf("%s: %w", m.query, err)
		}
		d := countDriven(r)
		for _, h := range r.Harnesses {
			if h.Kind == results.HarnessTarget {
				return false, fmt.Errorf("%s has the fuzz target %s\nhint: choose modules without any", m.query, h.Name)
			}
		}
		fmt.Fprintf(l.out, "| %s | %s |\n", m.query, d)
		all.add(d)
	}
	fmt.Fprintf(l.out, "| all | %s |\n", all)
	safe := float64(all.driven + all.valueless)
	return float64(all.driven) >= drivenShare*safe && float64(all.within+all.shown) >= shownShare*float64(all.alive), nil
}

// driven analyses m with drivers. Their fuzzing takes a minute at most.
func (l *lab) driven(ctx context.Context, m module, kind driver.Kind) (*results.Results, error) {
	ctx, cancel := context.WithTimeout(ctx, l.limit)
	defer cancel()
	scope, err := diffscope.Find(ctx, diffscope.Config{Dir: m.dir, All: true, Packages: m.packages})
	if err != nil {
		return nil, err
	}
	defer scope.Close()
	out, err := engine.Run(ctx, engine.Config{
		Tests: engine.TestsPackage, Workers: l.workers, Seed: l.seed, Execs: -1, MutantShare: 0.5,
		Harnesses: []engine.HarnessKind{kind}, Unwatched: l.without == "tests",
		// No report is made, so no mutant has to be confirmed by a rebuild. Inputs are confirmed in any case.
		Shown: func(*results.Results) engine.Shown { return engine.Shown{} },
	}, scope)
	if err != nil {
		return nil, err
	}
	return out.Results, nil
}

// driven holds counts of functions and mutants: the columns of the table, without the share.
type driven struct{ functions, dangerous, empty, valueless, driven, alive, within, shown, written, public int }

func countDriven(r *results.Results) (d driven) {
	for _, f := range r.Scope {
		if f.Skipped == "" {
			d.functions++
		}
	}
	for _, u := range r.Undriven {
		switch {
		case strings.HasPrefix(u.Why, "it leads to"):
			d.dangerous++
		case strings.HasPrefix(u.Why, "it takes nothing"), strings.HasPrefix(u.Why, "it cannot be called"):
			d.empty++
		default:
			d.valueless++
		}
	}
	d.driven = d.functions - d.dangerous - d.empty - d.valueless
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if m.Status != results.Survived {
			continue
		}
		d.alive++
		x := m.ExposedBy
		if x != nil && x.InTest {
			d.within++
		}
		if x != nil && x.Driver {
			d.shown++
			if x.Call != "" {
				d.written++
			}
			if !x.Inner {
				d.public++
			}
		}
	}
	return d
}

func (d *driven) add(o driven) {
	d.functions, d.dangerous, d.empty, d.valueless = d.functions+o.functions, d.dangerous+o.dangerous, d.empty+o.empty, d.valueless+o.valueless
	d.driven, d.alive, d.within, d.shown, d.written, d.public = d.driven+o.driven, d.alive+o.alive, d.within+o.within, d.shown+o.shown, d.written+o.written, d.public+o.public
}

// String returns the columns of d in a row of the table.
func (d driven) String() string {
	share := "–"
	if d.alive > 0 {
		share = fmt.Sprintf("%d %%", 100*(d.within+d.shown)/d.alive)
	}
	return fmt.Sprintf("%d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %s",
		d.functions, d.dangerous, d.empty, d.valueless, d.driven, d.alive, d.within, d.shown, d.written, d.public, share)
}
