package verify

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Undoing a part of a change alone may make a program that never existed. If an input tells that from the program, the
// base says whether the change itself is the reason: then the test with the input, which passes on the program, fails
// there. What the base gives is worth knowing for other inputs, too: perhaps no test exists because nobody saw what the
// change does.

// onBasePart is the part of the remaining time that running the inputs of other edits on the base may take.
const onBasePart = 0.2

// compareWithBase runs the tests of exposed mutants on the base. For a mutant that undoes part of the change it notes
// whether the base gives the same as the program, or does not have the call. For other inputs it notes what the base
// gives, if that differs.
func (v *Verifier) compareWithBase(ctx context.Context, list []*evidence.Mutant) error {
	if v.BaseTree == "" {
		return nil
	}
	part, cancel := deadline.Part(ctx, onBasePart)
	defer cancel()
	for _, m := range list {
		r := v.regressions[m.Number]
		if r == nil || m.Exposed == nil {
			continue
		}
		if !slices.Contains([]state{sound, offered}, r.state) {
			m.Exposed.NotOnBase = false
			continue
		}
		var err error
		switch {
		case m.Hunk != nil && !m.Exposed.AsBefore:
			var exit worker.Exit
			var builds bool
			if exit, builds, err = v.runOnTheBase(ctx, r); err == nil {
				m.Exposed.AsBefore, m.Exposed.NotOnBase = builds && exit.Outcome().Passed(), !builds
			}
		case ofChange(m):
			err = v.noteBase(part, m, r)
		}
		if err != nil && (ctx.Err() != nil || part.Err() == nil) {
			return err
		}
	}
	return nil
}

// awaitBase notes of mutants that undo part of the change that the base is not known to have the call which exposes them,
// until compareWithBase has asked: suggesting tests may take all of the time, and only a base that gives something else
// shows that the change alters behaviour.
func (v *Verifier) awaitBase(list []*evidence.Mutant) {
	for _, m := range list {
		if v.BaseTree != "" && m.Hunk != nil && m.Exposed != nil && !m.Exposed.AsBefore && v.regressions[m.Number] != nil {
			m.Exposed.NotOnBase = true
		}
	}
}

// ofChange reports whether m is on a changed line and exposed by a call that a test can repeat.
func ofChange(m *evidence.Mutant) bool {
	return m.Hunk == nil && m.Changed() && m.Exposed != nil && !m.Exposed.InTest
}

// compareRows notes what the base gives for inputs without a regression test: those of edits that are shown beside
// others, and of mutants that undo part of the change and that tests kill. Each input runs on the program first, in a
// test of its own; for the latter this sets Held.
func (v *Verifier) compareRows(ctx context.Context, rows []*evidence.Mutant) error {
	if v.BaseTree == "" {
		return nil
	}
	part, cancel := deadline.Part(ctx, onBasePart)
	defer cancel()
	for _, m := range rows {
		if m.Exposed == nil || !ofChange(m) && !m.Noticed() || m.Exposed.Base != "" || v.regressions[m.Number] != nil {
			continue
		}
		r := v.newRegression(m)
		if r == nil {
			continue
		}
		sound, err := v.holds(part, r)
		if m.Held = sound && m.Noticed(); err == nil && sound {
			err = v.noteBase(part, m, r)
		}
		if err != nil && (ctx.Err() != nil || part.Err() == nil) {
			return err
		}
	}
	return nil
}

// holds reports whether a test passes on the program.
func (v *Verifier) holds(ctx context.Context, r *regression) (bool, error) {
	built, err := v.BuildTests(ctx, build.TestBuild{
		Kind: "verify", Overlay: v.Files(), Packages: []string{r.pkg}, Files: map[string][]byte{r.file: r.source},
	})
	if err != nil || built[r.pkg] == "" {
		return false, gotool.UnlessBroken(err)
	}
	sl := v.Take()
	defer v.Give(sl)
	return v.endsTwice(ctx, sl, built, r.pkg, []string{r.Name}, false)
}

// noteBase notes what the base gives for the input that exposes m, if that differs from what the program gives.
func (v *Verifier) noteBase(ctx context.Context, m *evidence.Mutant, r *regression) error {
	exit, builds, err := v.runOnTheBase(ctx, r)
	if err == nil && builds {
		m.Exposed.Base, m.Exposed.AsBefore = gives(exit, m.Exposed), m.Hunk != nil && exit.Outcome().Passed()
	}
	return err
}

// complaint matches what a test written by this package says if a result differs.
var complaint = regexp.MustCompile(`(?m)^\s+mutantfuzz_\w+_test\.go:\d+: (.*)$`)

// resultOf matches what follows the call where a test says something of one of several results.
var resultOf = regexp.MustCompile(`^: result \d+ = `)

// gives returns what the call of x gave, as the failing test that makes it reports; "" if the test does not say.
func gives(exit worker.Exit, x *results.ExposedBy) string {
	var said []string
	asError := func(text string) string { return "error(" + strconv.Quote(text) + ")" }
	for _, found := range complaint.FindAllSubmatch(exit.Output, -1) {
		line := strings.TrimPrefix(string(found[1]), x.Call) // it begins with the call, or with the name of the function
		if end := strings.LastIndex(line, ", want "); end > 0 {
			_, value, ok := strings.Cut(line[:end], " = ")
			if !ok {
				return ""
			}
			switch {
			case x.OtherSentinel() && value != "<nil>": // the test asks which error it is
				said = append(said, asError(value))
			default:
				said = append(said, cmp.Or(strings.ReplaceAll(value, "<nil>", "nil"), `""`))
			}
		} else if strings.HasPrefix(line, " = ") || resultOf.MatchString(line) {
			return "" // the value has several lines
		} else if _, text, ok := strings.Cut(line, ": "); ok && text == "no error" {
			said = append(said, text)
		} else if ok {
			said = append(said, asError(text))
		}
	}
	return strings.Join(said, ", ")
}

// runOnTheBase runs a test on the base, and reports whether it builds there.
func (v *Verifier) runOnTheBase(ctx context.Context, r *regression) (exit worker.Exit, builds bool, err error) {
	file := v.OnBase(r.file)
	built, err := v.BuildTests(ctx, build.TestBuild{
		Kind: "base", Dir: v.OnBase(v.Dir), Files: map[string][]byte{file: r.source}, Packages: []string{r.pkg},
	})
	if broken := (*gotool.BuildError)(nil); errors.As(err, &broken) {
		return exit, false, nil
	}
	if err != nil || built[r.pkg] == "" {
		return exit, false, err
	}
	sl := v.Take()
	defer v.Give(sl)
	run, err := v.Run(ctx, sl, v.TestCommand(built[r.pkg], filepath.Dir(file), seedDeadline, r.Name))
	return run.Exit, true, err
}
