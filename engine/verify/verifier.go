// Package verify rebuilds single mutants the plain way, without weaving the code under test, to check the verdicts that
// the woven binary gave. It also makes and checks the tests that are suggested, and runs inputs on the base.
package verify

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/fuzz"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/suggestion"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Verifier checks verdicts on plain builds. Only their test files may be woven, so that observations can be read.
type Verifier struct {
	*pool.Runner
	Fuzzer      *fuzz.Fuzzer         // after fuzzing
	Judged      *judge.Result        // what the tests say
	Crashes     []results.Crash      // once Verify has returned, only the confirmed ones
	Serial      bool                 // time is short: one build after the other, so that at least the first verdicts are confirmed
	building    sync.Mutex           // held while building, if Serial
	shown       func() Shown         // see New
	harness     map[string]string    // overlay with the woven test files
	original    map[string]string    // test binaries of the unmutated program, by import path
	controls    controls             // runs of tests without a mutant
	onBase      map[string]string    // plain test binaries of the base, by target
	regressions map[int]*regression  // by number of the mutant
	crashTests  []string             // names of the tests of crashes
	candidates  map[int][]*candidate // likewise, the most likely first
	tables      *suggestion.Tables   // of the tests; nil: not looked for yet
	kills       []*evidence.Mutant   // the sample that is still to be checked
	checked     map[*evidence.Mutant]bool
	simplified  map[*evidence.Mutant]bool // their inputs were simplified
}

const (
	// maxShown bounds the crashes that are simplified, and the mutants that are confirmed if shown is nil.
	maxShown = 8
	// verifyRounds bounds how often other mutants take the place of those that are not confirmed.
	verifyRounds = 8
	// simplifyPart is the part of the remaining time that simplifying inputs may take.
	simplifyPart = 0.3
	// rowsPart is the part of the then remaining time that checking what is shown beside others may take.
	rowsPart = 0.5
	// Keep keeps time for keptBuilds builds, but at most keptPart of what is left.
	keptBuilds, keptPart = 3, 0.5
	// On average one of killsForOne kills is rebuilt plainly, and at most maxSampled in a run: a rebuild takes as long
	// as judging many mutants.
	killsForOne, maxSampled = 100, 3
)

// Shown has the IDs of the mutants that a report would show.
type Shown struct {
	Confirmed []string // those that must be confirmed first, in the order of the report
	Inputs    []string // those whose inputs it would show
}

// New returns a verifier of what f knows of its mutants. shown says which mutants a report would show at the moment,
// and is called again if some are not confirmed. If it is nil, exposed mutants and then other survivors are taken, in
// order.
func New(f *fuzz.Fuzzer, judged *judge.Result, shown func() Shown) *Verifier {
	v := &Verifier{
		Runner: f.Runner, Fuzzer: f, Judged: judged, Crashes: f.Crashes, shown: shown,
		onBase: map[string]string{}, regressions: map[int]*regression{}, candidates: map[int][]*candidate{},
		checked: map[*evidence.Mutant]bool{}, simplified: map[*evidence.Mutant]bool{},
	}
	v.kills = v.sampleKills()
	return v
}

// Keep returns how much of the remaining time to keep for a verifier, given how long one build takes: enough for some
// more builds, but at most a part of what is left.
func Keep(left, build time.Duration) time.Duration {
	return min(keptBuilds*build, time.Duration(keptPart*float64(left)))
}

// Verify confirms the crashes, and then the verdicts on the mutants that a report would show.
func (v *Verifier) Verify(ctx context.Context) (err error) {
	if v.Crashes, err = v.confirmed(ctx, v.Crashes); err != nil {
		return err
	}
	return v.Verdicts(ctx)
}

// Verdicts checks the survivors that a report would show, and those that replace the ones that are not confirmed. With
// the first of them it checks a random sample of the kills. It simplifies the survivors' inputs before that, and checks
// what is shown beside others last. Called again, it checks only what is new.
func (v *Verifier) Verdicts(ctx context.Context) error {
	for range verifyRounds {
		shown, inputs := v.toShow()
		altered := fresh(v.Fuzzer.Mutants.Altering(), v.simplified)
		shown, unread := fresh(shown, v.checked), slices.Concat(fresh(inputs, v.simplified), altered)
		if len(shown)+len(unread)+len(v.kills) == 0 {
			return nil
		}
		if err := v.simplify(ctx, unread); err != nil {
			return err
		}
		if err := v.confirm(ctx, shown, v.kills); err != nil {
			return err
		}
		v.kills = nil
		if err := v.checkRows(ctx, inputs); err != nil {
			return err
		}
		if err := v.compareRows(ctx, slices.Concat(inputs, altered)); err != nil {
			return err
		}
	}
	return nil
}

// confirm rebuilds survivors and kills, makes tests for the survivors that an input exposes, and notes what the base
// gives on these inputs.
func (v *Verifier) confirm(ctx context.Context, survivors, kills []*evidence.Mutant) error {
	if len(survivors)+len(kills) == 0 {
		return nil
	}
	v.Phase("verify", len(survivors)+len(kills))
	if err := v.open(ctx, survivors); err != nil {
		return err
	}
	err := pool.Each(ctx, v.Pool, slices.Concat(v.quickFirst(survivors), kills), func(ctx context.Context, sl *pool.Slot, m *evidence.Mutant) error {
		defer v.Step()
		err := v.verdict(ctx, sl, m)
		if errors.As(err, new(unclear)) {
			v.Warn("the verdict on mutant %s could not be confirmed: %v", m.ID, err)
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	v.awaitBase(survivors)
	if err := v.suggestFor(ctx, survivors); err != nil {
		return err
	}
	return v.compareWithBase(ctx, survivors)
}

// verdict checks the verdict on m.
func (v *Verifier) verdict(ctx context.Context, sl *pool.Slot, m *evidence.Mutant) error {
	if m.Verdict().Status == results.Killed {
		return v.kill(ctx, sl, m)
	}
	return v.survivor(ctx, sl, m)
}

// checkRows confirms mutants that are shown beside others, if a call of their own exposes them, so that there are tests
// for them, too. It takes a part of the remaining time. Running out of time is no error.
func (v *Verifier) checkRows(ctx context.Context, inputs []*evidence.Mutant) error {
	var rows []*evidence.Mutant
	for _, m := range inputs {
		if !v.checked[m] && m.Exposed != nil && m.Exposed.Call != "" && !slices.ContainsFunc(inputs, func(o *evidence.Mutant) bool {
			return (v.checked[o] || slices.Contains(rows, o)) && sameCall(o, m)
		}) {
			rows = append(rows, m)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	part, cancel := deadline.Part(ctx, rowsPart)
	defer cancel()
	err := v.confirm(part, fresh(rows, v.checked), nil)
	for _, m := range rows {
		// It may still take the place of another one.
		if m.Rebuilt.Outcome == evidence.Unchecked {
			delete(v.checked, m)
		}
	}
	if err != nil && (ctx.Err() != nil || part.Err() == nil) {
		return err
	}
	return nil
}

// sameCall reports whether the same call exposes two mutants.
func sameCall(a, b *evidence.Mutant) bool {
	return a.Exposed != nil && b.Exposed != nil && a.Exposed.Call == b.Exposed.Call && slices.Equal(a.Exposed.Setup, b.Exposed.Setup)
}

// fresh returns the mutants of list that are not in known, and adds them to known. list stays as it is.
func fresh(list []*evidence.Mutant, known map[*evidence.Mutant]bool) []*evidence.Mutant {
	return slices.DeleteFunc(slices.Clone(list), func(m *evidence.Mutant) bool {
		was := known[m]
		known[m] = true
		return was
	})
}

// simplify simplifies the inputs of mutants in a part of the remaining time. Running out of that part is no error.
func (v *Verifier) simplify(ctx context.Context, list []*evidence.Mutant) error {
	part, cancel := deadline.Part(ctx, simplifyPart)
	defer cancel()
	if err := v.Fuzzer.Simplify(part, list); err != nil && part.Err() == nil {
		return err
	}
	return context.Cause(ctx)
}

// toShow returns the survivors that a report would show, and those whose inputs it would show.
func (v *Verifier) toShow() (list, inputs []*evidence.Mutant) {
	survivors := v.Fuzzer.Mutants.With(results.Survived)
	if v.shown == nil {
		exposed := slices.DeleteFunc(slices.Clone(survivors), (*evidence.Mutant).Open)
		list = slices.Concat(exposed, survivors.Open())
		list = list[:min(len(list), maxShown)]
		return list, slices.Clone(list)
	}
	shown := v.shown()
	return survivors.Named(shown.Confirmed), survivors.Named(shown.Inputs)
}

// sampleKills draws kills at random by the run's seed, one of killsForOne on average. It leaves out hangs, since plain
// builds have no step bound, and kills in programs that a test builds, since a rebuild of the test does not contain the
// mutant.
func (v *Verifier) sampleKills() []*evidence.Mutant {
	killed := slices.DeleteFunc(v.Fuzzer.Mutants.With(results.Killed), func(m *evidence.Mutant) bool {
		d := m.Verdict()
		return d.By.Kind == results.KindHang || d.By == m.BuiltKill
	})
	random := rand.New(rand.NewPCG(uint64(v.Fuzzer.Seed), 1))
	random.Shuffle(len(killed), func(i, j int) { killed[i], killed[j] = killed[j], killed[i] })
	return killed[:min((len(killed)+random.IntN(killsForOne))/killsForOne, maxSampled)]
}
