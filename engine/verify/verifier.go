// Package verify rebuilds single mutants the plain way, without any weaving,
// so that verdicts of the woven binary can be checked against the real thing.
package verify

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/fuzz"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/suggestion"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Verifier checks verdicts on plain builds. Only the test files are woven in
// them, so that observations can be read.
type Verifier struct {
	*pool.Runner
	Fuzzer      *fuzz.Fuzzer         // with what was found by fuzzing
	Judged      *judge.Result        // of the tests
	Crashes     []results.Crash      // those that are confirmed, once that is done
	shown       func() Shown         // see New
	harness     map[string]string    // overlay with the woven test files
	original    map[string]string    // binaries of the unmutated program by import path
	onBase      map[string]string    // plain test binaries of the base by target
	regressions map[int]*regression  // by mutant
	candidates  map[int][]*candidate // likewise, the most likely first
	tables      *suggestion.Tables   // of the tests; nil: not looked for yet
	kills       []*evidence.Mutant   // the sample that is to be checked
	checked     map[*evidence.Mutant]bool
	simplified  map[*evidence.Mutant]bool // their inputs are as easy to read as can be
}

const (
	// maxShown bounds how many mutants are confirmed for showing where nobody
	// says which will be.
	maxShown = 8
	// verifyRounds bounds how often others take the place of mutants that do not
	// stand the check.
	verifyRounds = 8
	// simplifyPart is the part of the remaining time that making inputs easier to read may take.
	simplifyPart = 0.3
	// rowsPart is the part of the time that is left then that checking what is shown beside others may take.
	rowsPart = 0.5
	// Time is kept for keptBuilds builds, up to keptPart of what is left.
	keptBuilds, keptPart = 3, 0.5
	// Of killsForOne kills one is rebuilt plainly on average, and maxSampled of a run at most: a
	// rebuild takes as long as judging many mutants.
	killsForOne, maxSampled = 100, 3
)

// Shown are the mutants that a report would show, by ID.
type Shown struct {
	Confirmed []string // in its order, those that have to be confirmed before
	Inputs    []string // those whose inputs it would show
}

// New returns a verifier of what is known of the mutants of f. Shown says which a report
// would show now; it is called again if some are not confirmed. Nil: exposed mutants and
// survivors, in order.
func New(f *fuzz.Fuzzer, judged *judge.Result, shown func() Shown) *Verifier {
	v := &Verifier{
		Runner: f.Runner, Fuzzer: f, Judged: judged, Crashes: f.Crashes, shown: shown,
		onBase: map[string]string{}, regressions: map[int]*regression{}, candidates: map[int][]*candidate{},
		checked: map[*evidence.Mutant]bool{}, simplified: map[*evidence.Mutant]bool{},
	}
	v.kills = v.sampleKills()
	return v
}

// Keep is how much of the time that is left is to be kept for a verifier, if a build takes a number of seconds: enough for
// some more builds, up to a part of it.
func Keep(left time.Duration, build float64) time.Duration {
	return min(time.Duration(keptBuilds*build*float64(time.Second)), time.Duration(keptPart*float64(left)))
}

// Verify confirms the crashes, and then the verdicts on the mutants that a report would show.
func (v *Verifier) Verify(ctx context.Context) (err error) {
	if v.Crashes, err = v.confirmed(ctx, v.Crashes); err != nil {
		return err
	}
	return v.Verdicts(ctx)
}

// Verdicts checks the survivors that a report would show, in its order, and those that replace
// the ones that are not confirmed; and beside the first of them a random sample of the kills. The
// inputs of survivors are made easier to read before that, and what is shown beside others is checked
// last. Called again, it checks what is new.
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

// confirm rebuilds survivors and kills, makes tests for the survivors that an input exposes, and notes what the base gives for these.
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
		if m.Verdict().Status == results.Killed {
			return v.kill(ctx, sl, m)
		}
		return v.survivor(ctx, sl, m)
	})
	if err != nil {
		return err
	}
	if err := v.suggestFor(ctx, survivors); err != nil {
		return err
	}
	return v.compareWithBase(ctx, survivors)
}

// checkRows checks what is shown beside other mutants, if a call of its own exposes it, in a part of the remaining time: so that there is a
// test for it, too. That there is no time is no error.
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
		if m.Rebuilt.Outcome == evidence.Unchecked { // it may take the place of another one
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

// fresh are those of a list, which stays as it is, that are not in known yet, and are from then on.
func fresh(list []*evidence.Mutant, known map[*evidence.Mutant]bool) []*evidence.Mutant {
	return slices.DeleteFunc(slices.Clone(list), func(m *evidence.Mutant) bool {
		was := known[m]
		known[m] = true
		return was
	})
}

// simplify makes the inputs of mutants easier to read, in a part of the remaining time. That there
// is none is no error.
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

// sampleKills draws kills at random, by the run's seed: of a number that killsForOne does not divide,
// the rest has its chance of one more. Hangs are left out, since plain
// builds have no step bound, and so are kills in programs that a test builds, which a
// rebuild of the test does not contain.
func (v *Verifier) sampleKills() []*evidence.Mutant {
	killed := slices.DeleteFunc(v.Fuzzer.Mutants.With(results.Killed), func(m *evidence.Mutant) bool {
		d := m.Verdict()
		return d.By.Kind == results.KindHang || d.By == m.BuiltKill
	})
	random := rand.New(rand.NewPCG(uint64(v.Fuzzer.Seed), 1))
	random.Shuffle(len(killed), func(i, j int) { killed[i], killed[j] = killed[j], killed[i] })
	return killed[:min((len(killed)+random.IntN(killsForOne))/killsForOne, maxSampled)]
}
