// Package replay interprets runs of an entry in fresh processes: what they amount to, and where a mutant's runs
// differ from the program's.
package replay

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/scratch"
	"github.com/mutantfuzz/mutantfuzz/engine/stack"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/witness"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Times is how often an entry runs in each process to confirm a verdict.
const Times = 2

// Runs is the result of a job in fresh processes.
type Runs struct {
	Runs    []*wire.Run
	Entries []corpus.Entry // reported by the processes
	Done    bool           // the process finished the job
	Exit    worker.Exit
	Death   *worker.Outcome // how the process died of its entry; nil: it did not
	Unlike  bool            // it ended differently in another process, or depends on the machine
}

// Bad reports whether the harness failed in any way, in the first run or by the end of its process.
func (r *Runs) Bad() bool { return r.Death != nil || len(r.Runs) > 0 && Failed(r.Runs[0].Outcome) }

// Failed reports whether the outcome of a run is a failure of its harness.
func Failed(outcome string) bool {
	return outcome == wire.OutcomeFailure || outcome == wire.OutcomePanic || outcome == wire.OutcomeHang
}

// Steady reports whether all runs had the same outcome, in every process.
func (r *Runs) Steady() bool {
	if r.Unlike {
		return false
	}
	if r.Death != nil {
		return len(r.Runs) == 0 || Failed(r.Runs[0].Outcome)
	}
	differs := func(run *wire.Run) bool { return run.Outcome != r.Runs[0].Outcome }
	return len(r.Runs) >= Times && !slices.ContainsFunc(r.Runs, differs)
}

// fatal is the outcome of a run that ends its process, in addition to the outcomes in wire.
const fatal = "fatal"

// kinds maps outcomes to the kinds of kills and of crashes in results.
var kinds = map[string]struct{ kill, crash string }{
	wire.OutcomeFailure: {results.KindEntry, results.CrashFailure},
	wire.OutcomePanic:   {results.KindCrash, results.CrashPanic},
	wire.OutcomeHang:    {results.KindHang, results.CrashHang},
	fatal:               {results.KindCrash, results.CrashFatal},
}

// KillKind returns the kind of the kill. The runs must be bad.
func (r *Runs) KillKind() string { return kinds[r.outcome()].kill }

// CrashKind returns the kind of the crash. The runs must be bad.
func (r *Runs) CrashKind() string { return kinds[r.outcome()].crash }

// outcome returns the outcome of runs that are bad.
func (r *Runs) outcome() string {
	switch {
	case r.Death == nil:
		return r.Runs[0].Outcome
	case r.Death.Kind == results.KindHang:
		return wire.OutcomeHang
	}
	return fatal
}

// Crash describes the runs as a failure of the program itself. The runs must be bad.
func (r *Runs) Crash(harness, entry, tree string) *results.Crash {
	crash := &results.Crash{Harness: harness, Entry: entry, Introduced: results.IntroducedUnknown, Kind: r.CrashKind()}
	if r.Death != nil {
		crash.Message = r.Death.Message
	} else {
		crash.Message, crash.Stack = r.Runs[0].Message, stack.Clean(r.Runs[0].Stack, tree)
	}
	return crash
}

// UnsteadySites returns the observation sites at which some run differs from the first, sorted. Verdicts ignore them.
func (r *Runs) UnsteadySites() (sites []int) {
	for i := 1; i < len(r.Runs); i++ {
		for _, d := range witness.Differences(r.Runs[0].Observations, r.Runs[i].Observations) {
			sites = append(sites, d.Site)
		}
	}
	slices.Sort(sites)
	return slices.Compact(sites)
}

// Ending returns the call of the program in which the mutant fails, after the same calls as the program. If the
// mutant's process reported no run, that is the call at the site stopped, if the program makes only one there. Ending
// returns nil if there is no such call.
func (r *Runs) Ending(mutated *Runs, stopped int) *witness.Difference {
	var before []wire.Observation
	d := &witness.Difference{Ends: mutated.CrashKind()}
	message := ""
	if len(mutated.Runs) > 0 {
		before, message = mutated.Runs[0].Observations, mutated.Runs[0].Message
	}
	if mutated.Death != nil {
		message = mutated.Death.Message
	}
	if len(r.Runs) == 0 {
		return nil
	}
	d.Ran = r.Runs[0].Observations
	i := onlyAt(d.Ran, stopped)
	if len(mutated.Runs) > 0 {
		for i = 0; i < len(before) && i < len(d.Ran) && before[i].Site == d.Ran[i].Site && ended(before[i], d.Ran[i]); {
			i++
		}
	}
	if i < 0 || i == len(d.Ran) || i < len(before) && before[i].Site != d.Ran[i].Site {
		return nil
	}
	d.Site, d.Original = d.Ran[i].Site, &d.Ran[i]
	d.Nth = witness.CallsAt(d.Site, d.Ran[:i])
	first, _, _ := strings.Cut(message, "\n")
	d.Mutant = &wire.Observation{Site: d.Site, Args: d.Original.Args, Text: strings.TrimSpace(first)}
	return d
}

// onlyAt returns the index of the only call at a site; -1 if there is none, or more than one.
func onlyAt(ran []wire.Observation, site int) int {
	at := -1
	for i, o := range ran {
		if o.Site == site {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// ended reports whether the call o returned, given the same call in another run: it has results, or left the same
// behind. Of a call that did not return, only the arguments are known.
func ended(o, other wire.Observation) bool {
	if o.Open && !other.Open {
		return false
	}
	return o.Hash == other.Hash || o.Text != "" || len(o.Values) > 0
}

// Portable removes the folders of scratch copies, which exist only here, from the observations of runs. Values as Go
// source that mention such a folder become "", which stands for no such form.
func Portable(runs []*wire.Run) {
	for _, run := range runs {
		for i := range run.Observations {
			o := &run.Observations[i]
			o.Text = scratch.Portable(o.Text)
			for k := range o.After {
				o.After[k] = scratch.Portable(o.After[k])
			}
			for _, list := range [][]string{o.Args, o.Values} {
				for k, source := range list {
					if scratch.Mentioned(source) {
						list[k] = ""
					}
				}
			}
		}
	}
}
