package verify

import (
	"context"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/fuzz"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// checkDriven reports whether a test with the call that a driver found fails on the program, and passes with the
// change undone, both built plainly, and does not fail on the base either, if it builds there. Then c has that test, and the
// smallest part of the change that is to blame; or else another call, in which the base fails as the program does in this
// one.
func (v *Verifier) checkDriven(ctx context.Context, t *fuzz.Target, entry corpus.Entry, c *results.Crash, others []corpus.Entry) (bool, error) {
	m := v.Fuzzer.Mutants.ByID(c.MendedBy)
	sl := v.Take()
	crash, d, err := v.Fuzzer.Brought(ctx, sl, t, m, entry)
	v.Give(sl)
	if err != nil || crash == nil {
		return false, err
	}
	test := v.testOfCrash(crash, &v.Woven.Sites[d.Site], m)
	if test == nil {
		return false, nil
	}
	if holds, err := v.tells(ctx, test, m); err != nil || !holds {
		return false, err
	}
	*c = *crash
	if c.Introduced, err = v.introduced(ctx, test); err != nil || c.Introduced == results.IntroducedNo {
		return false, err
	}
	if older, err := v.older(ctx, seedRun{target: t, deadline: seedDeadline}, c, others); err != nil || older {
		return older, err
	}
	if part, err := v.mendedBy(ctx, t, entry); err != nil {
		return false, err
	} else if part != "" {
		c.MendedBy = part
	}
	c.Test, c.TestFile = string(test.source), v.Rel(test.file)
	return true, nil
}

// introduced says whether the change brought a failure that a test shows, by a run of the test on the base.
func (v *Verifier) introduced(ctx context.Context, test *regression) (string, error) {
	if v.BaseTree == "" {
		return results.IntroducedUnknown, nil
	}
	exit, builds, err := v.runOnTheBase(ctx, test)
	if err != nil || !builds { // it may call what is new
		return results.IntroducedUnknown, err
	}
	return introducedBy(exit), nil
}

// testOfCrash is a test with the call at s that fails; nil: none can be written. It asserts no result: what the base gives
// need not be right.
func (v *Verifier) testOfCrash(c *results.Crash, s *weave.Site, m *evidence.Mutant) *regression {
	name := v.free(v.nameFor(tested(m, s), s)+map[string]string{results.CrashHang: "_Ends", results.CrashPanic: "_NoPanic"}[c.Kind], s)
	call := c.Call
	if s.Results > 0 {
		call = strings.TrimSuffix(strings.Repeat("_, ", s.Results), ", ") + " = " + call
	}
	return v.testOf(s, append(slices.Clone(c.Setup), call), "", name, m)
}

// tells reports whether a test fails on the program, and passes with m.
func (v *Verifier) tells(ctx context.Context, test *regression, m *evidence.Mutant) (bool, error) {
	path, text, err := v.Mutated(m.Mutant)
	if err != nil {
		return false, err
	}
	sl := v.Take()
	defer v.Give(sl)
	b := build.TestBuild{Kind: "verify", Overlay: v.Files(), Packages: []string{test.pkg}, Files: map[string][]byte{test.file: test.source}}
	for _, failing := range []bool{true, false} {
		if !failing {
			b.Files[path] = text
		}
		built, err := v.BuildTests(ctx, b)
		if err != nil {
			return false, unlessBroken(err) // an import may be unused, or the call not be what it seems
		}
		if ends, err := v.endsTwice(ctx, sl, built, test.pkg, []string{test.Name}, failing); err != nil || !ends {
			return false, err
		}
	}
	return true, nil
}
