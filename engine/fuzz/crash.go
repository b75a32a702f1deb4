package fuzz

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/replay"
	"github.com/mutantfuzz/mutantfuzz/engine/stack"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/witness"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// undoneSteps bounds the steps of a run with the change undone.
const undoneSteps = 16 * pool.StepFloor

// Brought describes the failure of the program on an entry of a driver, if the change brought it. For that, the program
// must not fail with m, which undoes the change of a function. Any caller must be able to write the call, with nothing
// left out, and the panic must not be a statement that the change adds. In the difference that it returns, Original is
// what m gives. Both results are nil if the change did not bring the failure.
func (f *Fuzzer) Brought(ctx context.Context, sl *pool.Slot, t *Target, m *evidence.Mutant, e corpus.Entry) (*results.Crash, *witness.Difference, error) {
	original, err := f.RunEntry(ctx, sl, t, 0, 0, e)
	if err != nil || original == nil || !original.Steady() || !original.Bad() {
		return nil, nil, err
	}
	undone, err := f.RunEntry(ctx, sl, t, m.Number, undoneSteps, e)
	if err != nil || undone == nil || !undone.Steady() || undone.Bad() {
		return nil, nil, err
	}
	d := undone.Ending(original, f.stoppedAt(t, original.Exit))
	if d == nil {
		return nil, nil, nil
	}
	by := f.Exposure(t, e, d)
	if !t.anybody(by.Setup, by.Call) {
		return nil, nil, nil
	}
	crash := original.Crash(t.Name, e.ID, f.Tree)
	if f.meant(crash) {
		return nil, nil, nil
	}
	crash.MendedBy, crash.Setup, crash.Call, crash.Before = m.ID, by.Setup, by.Call, by.Original
	return crash, d, nil
}

// Failing describes the failure of the program on an entry; nil: there is none to report. A failure in a driver counts
// only if any caller can write the call, and the panic is not a statement that the change adds. What the base does is
// not known here.
func (f *Fuzzer) Failing(ctx context.Context, sl *pool.Slot, t *Target, e corpus.Entry) (*results.Crash, error) {
	r, err := f.RunEntry(ctx, sl, t, 0, 0, e)
	if err != nil || r == nil || !r.Steady() || !r.Bad() {
		return nil, err
	}
	crash := r.Crash(t.Name, e.ID, f.Tree)
	if !t.Driver {
		return crash, nil
	}
	if crash.Setup, crash.Call = f.failing(t, e, r); crash.Call == "" || f.meant(crash) {
		return nil, nil
	}
	return crash, nil
}

// meant reports whether the change intends a failure: it is a panic in a changed line that calls panic.
func (f *Fuzzer) meant(c *results.Crash) bool {
	file, number, _ := strings.Cut(stack.Place(c), ":")
	line, err := strconv.Atoi(number)
	if err != nil || c.Kind != results.CrashPanic {
		return false
	}
	path := filepath.Join(f.Tree, filepath.FromSlash(file))
	if !slices.ContainsFunc(f.Functions, func(fn diffscope.Function) bool {
		return fn.Path == path && slices.ContainsFunc(fn.Changed, func(l diffscope.Lines) bool { return l.First <= line && line <= l.Last })
	}) {
		return false
	}
	source, err := os.ReadFile(path)
	lines := strings.Split(string(source), "\n")
	return err == nil && line <= len(lines) && strings.Contains(lines[line-1], "panic(")
}

// addCrash records a failure of the program, unless a similar one is known. Failures in the user's fuzz targets are
// similar if they have the same stack.Key, others if they have the same kind and place. A failure that a driver found
// is dropped where a user's target fails in the same place. Of several drivers' failures in one place the clearest is
// kept; see clearer.
func (f *Fuzzer) addCrash(c *claim) {
	crash := *c.verdict.crash
	same := func(other results.Crash) bool {
		if crash.Call == "" && other.Call == "" {
			return stack.Key(&other) == stack.Key(&crash)
		}
		return crash.Kind == other.Kind && stack.Place(&crash) == stack.Place(&other)
	}
	if crash.Call == "" {
		f.Crashes = slices.DeleteFunc(f.Crashes, func(other results.Crash) bool { return other.Call != "" && same(other) })
	}
	if i := slices.IndexFunc(f.Crashes, same); i >= 0 {
		f.repeats = append(f.repeats, c)
		if first := &f.Crashes[i]; first.Call != "" && clearer(&crash, first) {
			if t := f.Named(first.Harness); t != nil {
				t.drop(first.Entry, results.EntryCrash)
			}
			*first = crash
			c.target.add(c.entry, results.EntryCrash, 0)
		}
		return
	}
	f.Crashes = append(f.Crashes, crash)
	c.target.add(c.entry, results.EntryCrash, 0)
}

// clearer reports whether a, a crash that a driver found, says more than b in the same place: it is gone with a change
// undone or, if that is equal, its call fills in fewer structs by hand.
func clearer(a, b *results.Crash) bool {
	if (a.MendedBy == "") != (b.MendedBy == "") {
		return a.MendedBy != ""
	}
	return filledIn(a) < filledIn(b)
}

// filledIn counts the struct literals in the call of a driver's crash and its setup.
func filledIn(c *results.Crash) int { return witness.Structs(append(slices.Clone(c.Setup), c.Call)) }

// repeatedOn returns the other entries of t on which the program failed in the place of a crash.
func (f *Fuzzer) repeatedOn(t *Target, crash *results.Crash) (list []corpus.Entry) {
	for _, c := range f.repeats {
		if c.target == t && c.verdict.crash.Kind == crash.Kind && stack.Place(c.verdict.crash) == stack.Place(crash) {
			list = append(list, c.entry)
		}
	}
	return list
}

// failing returns the driver's call that does not return in r, and the statements before it, as any caller can write
// them. The call is empty if it has no such form.
func (f *Fuzzer) failing(t *Target, e corpus.Entry, r *replay.Runs) (setup []string, call string) {
	site := f.DrivenSite(t)
	if len(r.Runs) == 0 {
		return nil, ""
	}
	d := &witness.Difference{Site: site, Ran: r.Runs[0].Observations}
	i := slices.IndexFunc(d.Ran, func(o wire.Observation) bool { return o.Site == site })
	if i < 0 {
		return nil, ""
	}
	d.Original = &d.Ran[i]
	setup, call = d.Driven(f.Woven.Sites, t.Target, e)
	if !t.anybody(setup, call) {
		return nil, ""
	}
	return setup, call
}

// anybody reports whether any caller can write a driver's call and the statements before it, with nothing left out; see
// witness.LeavesNothingOut.
func (t *Target) anybody(setup []string, call string) bool {
	all := append(slices.Clone(setup), call)
	return call != "" && !t.made.Inner && !witness.OnlyAtHome(all) && witness.LeavesNothingOut(all)
}
