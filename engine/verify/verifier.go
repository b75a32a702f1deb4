// Package verify rebuilds single mutants the plain way, without any weaving,
// so that verdicts of the woven binary can be checked against the real thing.
package verify

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/fuzz"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Verifier checks verdicts on plain builds. Only the test files are woven in
// them, so that observations can be read.
type Verifier struct {
	*pool.Runner
	Fuzzer      *fuzz.Fuzzer         // with what was found by fuzzing
	Judged      *judge.Result        // of the tests
	shown       func() []string      // see New
	harness     map[string]string    // overlay with the woven test files
	original    map[string]string    // binaries of the unmutated program by import path
	regressions map[int]*regression  // by mutant
	candidates  map[int][]*candidate // likewise, the most likely first
}

const (
	// maxShown bounds how many mutants are confirmed for showing where nobody
	// says which will be.
	maxShown = 8
	// verifyRounds bounds how often others take the place of mutants that do not
	// stand the check.
	verifyRounds = 3
	// killsForOne of the kills, or fewer, have one of them rebuilt plainly, up to
	// maxSampled: a rebuild takes as long as judging many mutants.
	killsForOne, maxSampled = 100, 3
)

// New returns a verifier of what is known of the mutants of f. Shown names those that a
// report would show now, in its order; it is called again if some are not confirmed. Nil:
// exposed mutants and survivors, in order.
func New(f *fuzz.Fuzzer, judged *judge.Result, shown func() []string) *Verifier {
	return &Verifier{Runner: f.Runner, Fuzzer: f, Judged: judged, shown: shown, regressions: map[int]*regression{}, candidates: map[int][]*candidate{}}
}

// pathOf is the file that m changes.
func pathOf(m *evidence.Mutant, tree string) string {
	return filepath.Join(tree, filepath.FromSlash(m.File))
}

// textOf returns the text of the file that m changes, with m in it.
func textOf(m *evidence.Mutant, tree string) ([]byte, error) {
	src, err := regular.Source(pathOf(m, tree))
	if err != nil {
		return nil, err
	}
	return apply(m, src)
}

// apply returns the text of a file with m in it. It fails where the file no longer holds
// what the mutant replaces.
func apply(m *evidence.Mutant, src []byte) ([]byte, error) {
	if m.EndOffset > len(src) || string(src[m.Offset:m.EndOffset]) != m.Original {
		return nil, fmt.Errorf("%s changed since the analysis began", m.File)
	}
	return slices.Concat(src[:m.Offset], []byte(m.Replacement), src[m.EndOffset:]), nil
}

// Survivors checks those that a report would show, in its order, and those that replace
// the ones that are not confirmed.
func (v *Verifier) Survivors(ctx context.Context) error {
	checked := map[*evidence.Mutant]bool{}
	for range verifyRounds {
		fresh := slices.DeleteFunc(v.toShow(), func(m *evidence.Mutant) bool { return checked[m] })
		if len(fresh) == 0 {
			return nil
		}
		v.Phase("verify", len(fresh))
		if err := v.open(ctx, fresh); err != nil {
			return err
		}
		err := pool.Each(ctx, v.Pool, fresh, func(ctx context.Context, sl *pool.Slot, m *evidence.Mutant) error {
			defer v.Step()
			return v.survivor(ctx, sl, m)
		})
		if err != nil {
			return err
		}
		if err := v.suggestFor(ctx, fresh); err != nil {
			return err
		}
		for _, m := range fresh {
			checked[m] = true
		}
	}
	return nil
}

// toShow returns the survivors that a report would show.
func (v *Verifier) toShow() (list []*evidence.Mutant) {
	survivors := v.Fuzzer.Mutants.With(results.Survived)
	if v.shown == nil {
		exposed := slices.DeleteFunc(slices.Clone(survivors), (*evidence.Mutant).Open)
		list = slices.Concat(exposed, survivors.Open())
		return list[:min(len(list), maxShown)]
	}
	for _, id := range v.shown() {
		if m := survivors.ByID(id); m != nil {
			list = append(list, m)
		}
	}
	return list
}

// Kills checks a random sample of the kills.
func (v *Verifier) Kills(ctx context.Context) error {
	sample := v.sampleKills()
	v.Phase("kills", len(sample))
	return pool.Each(ctx, v.Pool, sample, func(ctx context.Context, sl *pool.Slot, m *evidence.Mutant) error {
		defer v.Step()
		return v.kill(ctx, sl, m)
	})
}

// sampleKills draws kills at random, by the run's seed. Hangs are left out, since plain
// builds have no step bound, and so are kills in programs that a test builds, which a
// rebuild of the test does not contain.
func (v *Verifier) sampleKills() []*evidence.Mutant {
	killed := slices.DeleteFunc(v.Fuzzer.Mutants.With(results.Killed), func(m *evidence.Mutant) bool {
		d := m.Verdict()
		return d.By.Kind == results.KindHang || d.By == m.BuiltKill
	})
	random := rand.New(rand.NewPCG(uint64(v.Fuzzer.Seed), 1))
	random.Shuffle(len(killed), func(i, j int) { killed[i], killed[j] = killed[j], killed[i] })
	return killed[:min((len(killed)+killsForOne-1)/killsForOne, maxSampled)]
}

// surveyOf is the survey of a package's suite; nil: there is none.
func (v *Verifier) surveyOf(pkg string) *judge.Survey {
	for _, s := range v.Judged.Surveys {
		if s.Suite.Package == pkg {
			return s
		}
	}
	return nil
}
