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
)

// Undone alone, a part of a change may make a program that never was. Where an input tells it from the program, the base says
// whether that is the change: the test with the input, which passes on the program, fails there. What it gives there is worth
// knowing of other inputs, too: a test may be missing because nobody has seen what the change does to them.

// onBasePart is the part of the remaining time that inputs of other edits may take on the base.
const onBasePart = 0.2

// compareWithBase notes which of the inputs that expose undone parts of the change give the same on the base, and which it
// does not know; and of other inputs that callers may pass what the base gives, if it is something else.
func (v *Verifier) compareWithBase(ctx context.Context, list []*evidence.Mutant) error {
	if v.BaseTree == "" {
		return nil
	}
	part, cancel := deadline.Part(ctx, onBasePart)
	defer cancel()
	for _, m := range list {
		r := v.regressions[m.Number]
		if r == nil || m.Exposed == nil || !slices.Contains([]state{sound, offered}, r.state) {
			continue
		}
		var err error
		switch {
		case m.Hunk != nil && !m.Exposed.AsBefore:
			var exit worker.Exit
			var builds bool
			if exit, builds, err = v.runOnTheBase(ctx, r); err == nil {
				m.Exposed.AsBefore, m.Exposed.NotOnBase = builds && passes(exit), !builds
			}
		case ofCallers(m):
			err = v.noteBase(part, m, r)
		}
		if err != nil && (ctx.Err() != nil || part.Err() == nil) {
			return err
		}
	}
	return nil
}

// ofCallers reports whether a mutant of a changed line is exposed by a call that callers of the package may make.
func ofCallers(m *evidence.Mutant) bool {
	return m.Hunk == nil && m.Changed() && m.Exposed != nil && !m.Exposed.Inner && !m.Exposed.InTest
}

// compareRows notes what the base gives for inputs of edits that are shown beside others, or undo what tests notice, and that no test is
// suggested for. Each is run on the program first, as that test would be.
func (v *Verifier) compareRows(ctx context.Context, rows []*evidence.Mutant) error {
	if v.BaseTree == "" {
		return nil
	}
	part, cancel := deadline.Part(ctx, onBasePart)
	defer cancel()
	for _, m := range rows {
		if m.Exposed == nil || !ofCallers(m) && !m.Noticed() || m.Exposed.Base != "" || v.regressions[m.Number] != nil {
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

// noteBase notes what the base gives for the input that exposes m, if that is something else.
func (v *Verifier) noteBase(ctx context.Context, m *evidence.Mutant, r *regression) error {
	exit, builds, err := v.runOnTheBase(ctx, r)
	if err == nil && builds {
		m.Exposed.Base, m.Exposed.AsBefore = gives(exit, m.Exposed.Call), m.Hunk != nil && passes(exit)
	}
	return err
}

// passes reports whether a run of a test passes.
func passes(exit worker.Exit) bool {
	o := exit.Outcome()
	return o.Kind == "" && o.Message == ""
}

// complaint matches what a test that we wrote says where a result is another one.
var complaint = regexp.MustCompile(`(?m)^\s+mutantfuzz_\w+_test\.go:\d+: (.*)$`)

// gives is what a call gives in a test that we wrote, as that says it where it fails; "": it does not say.
func gives(exit worker.Exit, call string) string {
	var said []string
	for _, found := range complaint.FindAllSubmatch(exit.Output, -1) {
		line := strings.TrimPrefix(string(found[1]), call) // it begins with the call, or the name of the function
		if end := strings.LastIndex(line, ", want "); end > 0 {
			_, value, ok := strings.Cut(line[:end], " = ")
			if !ok {
				return ""
			}
			said = append(said, cmp.Or(strings.ReplaceAll(value, "<nil>", "nil"), `""`))
		} else if _, text, ok := strings.Cut(line, ": "); ok && text == "no error" {
			said = append(said, text)
		} else if ok {
			said = append(said, "error("+strconv.Quote(text)+")")
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
	exit, err = v.Once(ctx, sl, worker.TestCommand(built[r.pkg], filepath.Dir(file), seedDeadline, r.Name))
	return exit, true, err
}
