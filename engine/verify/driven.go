package verify

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/fuzz"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// checkDriven reports whether a crash that a driver found holds: a test with its call fails on the program and passes
// with the change undone, both built plainly, and it does not fail on the base, if it builds there. Then c gets that
// test and the smallest part of the change that is to blame. If the base fails in the same way on another of the
// inputs, c gets that input instead.
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
	v.crashTests = append(v.crashTests, test.Name)
	return true, nil
}

// maxBased bounds how many failures of drivers are run on the base because undoing the change does not build. basedPart
// is the part of the remaining time that they may take.
const (
	maxBased  = 4
	basedPart = 0.25
)

// based returns those failures of drivers that the change brought, as runs of the base show. It drops those that there
// is no time for: callers need not be able to make such inputs.
func (v *Verifier) based(ctx context.Context, crashes []results.Crash) (kept []results.Crash, err error) {
	part, cancel := deadline.Part(ctx, basedPart)
	defer cancel()
	for i, c := range crashes {
		holds := false
		if i < maxBased && part.Err() == nil {
			if holds, err = v.checkBased(part, &c); err != nil && part.Err() == nil {
				return kept, err
			}
		}
		if holds {
			kept = append(kept, c)
		} else {
			v.Fuzzer.Named(c.Harness).Refute(c.Entry)
		}
	}
	return kept, context.Cause(ctx)
}

// checkBased is checkDriven for a crash whose change cannot be undone, because that does not build. It takes the first
// of the crash's inputs on which the base does not fail. If the base fails in the same way on another one, c gets that
// input instead.
func (v *Verifier) checkBased(ctx context.Context, c *results.Crash) (bool, error) {
	t := v.Fuzzer.Named(c.Harness)
	entry, ok := t.Entry(c.Entry)
	m := v.Fuzzer.Based(t)
	if m == nil || !ok {
		return false, nil
	}
	others, err := v.simplifyCrash(ctx, c)
	if err != nil {
		return false, err
	}
	for _, e := range append(slices.Clip(others), entry) {
		s := seedRun{target: t, entry: e, deadline: deadlineOf(c)}
		exit, err := v.runOnBase(ctx, s)
		if err != nil || exit == nil {
			return false, err
		}
		if introducedBy(*exit) != results.IntroducedYes {
			continue
		}
		sl := v.Take()
		crash, err := v.Fuzzer.Failing(ctx, sl, t, e)
		v.Give(sl)
		if err != nil || crash == nil {
			return false, err
		}
		test := v.testOfCrash(crash, &v.Woven.Sites[v.Fuzzer.DrivenSite(t)], m)
		if test == nil {
			return false, nil
		}
		if fails, err := v.ends(ctx, test, nil, true); err != nil || !fails {
			return false, err
		}
		if crash.Introduced, err = v.introduced(ctx, test); err != nil || crash.Introduced != results.IntroducedYes {
			return false, err
		}
		v.Fuzzer.Replace(c, t, e, crash)
		c.Test, c.TestFile = string(test.source), v.Rel(test.file)
		v.crashTests = append(v.crashTests, test.Name)
		_, err = v.older(ctx, s, c, others)
		return true, err
	}
	return false, nil
}

// introduced returns whether the change brought the failure that a test shows, by running the test on the base.
func (v *Verifier) introduced(ctx context.Context, test *regression) (string, error) {
	if v.BaseTree == "" {
		return results.IntroducedUnknown, nil
	}
	exit, builds, err := v.runOnTheBase(ctx, test)
	if err != nil || !builds { // the test may call what is new
		return results.IntroducedUnknown, err
	}
	return introducedBy(exit), nil
}

// testOfCrash returns a test that makes the crashing call at s, nil if none can be written. It asserts no result: what
// the base gives need not be right.
func (v *Verifier) testOfCrash(c *results.Crash, s *weave.Site, m *evidence.Mutant) *regression {
	name := v.free(v.nameFor(tested(m, s), s)+map[string]string{results.CrashHang: "_Ends", results.CrashPanic: "_NoPanic"}[c.Kind], s)
	call := c.Call
	if s.Results > 0 {
		call = strings.TrimSuffix(strings.Repeat("_, ", s.Results), ", ") + " = " + call
	}
	r := v.testOf(s, append(slices.Clone(c.Setup), call), "", name, m)
	if r != nil {
		r.hangs = c.Kind == results.CrashHang
		if n := len(v.crashTests); n > 0 { // another crash may have its test in the file for m
			r.file = strings.TrimSuffix(r.file, "_test.go") + "_" + strconv.Itoa(n+1) + "_test.go"
		}
	}
	return r
}

// tells reports whether a test fails on the program and passes with m, both built plainly.
func (v *Verifier) tells(ctx context.Context, test *regression, m *evidence.Mutant) (bool, error) {
	path, text, err := v.Mutated(m.Mutant)
	if err != nil {
		return false, err
	}
	if fails, err := v.ends(ctx, test, nil, true); err != nil || !fails {
		return false, err
	}
	return v.ends(ctx, test, map[string][]byte{path: text}, false)
}

// ends reports whether a test fails, or passes, each time on the program with some files replaced. A test that does not
// build does neither: an import may be unused, or the call not be what it seems.
func (v *Verifier) ends(ctx context.Context, test *regression, files map[string][]byte, failing bool) (bool, error) {
	b := build.TestBuild{Kind: "verify", Overlay: v.Files(), Packages: []string{test.pkg}, Files: map[string][]byte{test.file: test.source}}
	maps.Copy(b.Files, files)
	built, err := v.BuildTests(ctx, b)
	if err != nil {
		return false, gotool.UnlessBroken(err)
	}
	sl := v.Take()
	defer v.Give(sl)
	if failing && test.hangs && built[test.pkg] != "" { // once, and not for as long as a test may take
		run, err := v.RunPlain(ctx, sl, built[test.pkg], executor.Spec{Suite: v.Judged.SuiteOf(test.pkg), Tests: []string{test.Name}, Limit: hangLimit})
		return run.Failed(), err
	}
	return v.endsTwice(ctx, sl, built, test.pkg, []string{test.Name}, failing)
}
