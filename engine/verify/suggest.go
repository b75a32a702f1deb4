package verify

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/patch"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/suggestion"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/witness"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// candidate is a change to a test file of the user that may notice a mutant, in the form in which it is checked.
type candidate struct {
	patch.Edit
	mutant *evidence.Mutant
	pkg    string   // package whose test binary holds it
	tests  []string // all must pass on the program, and one must fail with the mutant
	state  state

	row      *suggestion.Row     // nil: it is a function
	function *regression         // nil: it is a row
	written  suggestion.Function // the function as it is written there
	testify  bool                // it is written with functions of testify
}

// state is what is known about a candidate or a regression.
type state int

const (
	untried state = iota
	sound         // it compiles, and passes on the program
	dropped       // it does not compile, fails on the program, or cannot be put there
	offered       // it also fails with the mutant, and is in the mutant's evidence
)

// tableRounds bounds how often rows are tried, the first time together. Later rounds try those that failed where
// another row of their table may be to blame.
const tableRounds = 3

// suggestFor makes tests for the mutants of list that are exposed and confirmed. It comes last, so that verdicts are
// confirmed even if there is no time for tests.
func (v *Verifier) suggestFor(ctx context.Context, list []*evidence.Mutant) error {
	exposed := slices.DeleteFunc(slices.Clone(list), func(m *evidence.Mutant) bool {
		return m.Verdict().Input == nil || m.Rebuilt.Outcome != evidence.Confirmed
	})
	for _, m := range exposed {
		if r := v.newRegression(m); r != nil {
			v.regressions[m.Number] = r
		}
	}
	if err := v.tryCandidates(ctx, exposed); err != nil {
		return err
	}
	for _, m := range exposed {
		v.doubt(m)
	}
	return pool.Each(ctx, v.Pool, exposed, v.suggest)
}

// tablesOfTests returns the tables of all tests that are loaded with types.
func (v *Verifier) tablesOfTests() *suggestion.Tables {
	if v.tables == nil {
		v.tables = suggestion.TablesOf(v.Types.Tests())
	}
	return v.tables
}

// doubt removes the call that exposes m if a test with nothing but that call and what the program gave does not pass on
// the program: then the input does more than that call.
func (v *Verifier) doubt(m *evidence.Mutant) {
	if r := v.regressions[m.Number]; r != nil && r.state == dropped && !m.Exposed.InTest {
		m.Exposed.Setup, m.Exposed.Call = nil, ""
	}
}

// propose collects candidates for m: rows for tables, and its function in place.
func (v *Verifier) propose(m *evidence.Mutant) {
	c := v.callOf(m)
	if c == nil {
		c = v.watchedCall(m)
	} else {
		v.proposeRows(m, c)
	}
	r := v.regressions[m.Number]
	if r == nil {
		return
	}
	source, callee := v.Path(m.File), ""
	if c != nil {
		callee = v.beside(r.file, c.Callee)
	}
	if filepath.Dir(source) != filepath.Dir(r.file) {
		source = cmp.Or(callee, source)
	}
	r.newFile = v.fileFor(source, r)
	if c == nil {
		return
	}
	c.Package = r.Package
	path, at, ok := suggestion.Place(v.Types.Tests(), c, source, callee)
	if !ok || !suits(r, path) {
		return
	}
	for _, written := range inStyle(r, path) {
		ending := inPlace
		if written != r {
			ending += "Asserting"
		}
		e := patch.Edit{Path: path, At: at, Text: "\n\n" + written.Declaration(ending), Decl: true, Imports: written.Imports}
		v.add(&candidate{Edit: e, mutant: m, tests: []string{r.Name + ending}, function: r, written: written.Function, testify: written != r})
	}
}

// suits reports whether r may stand in a test file of the user. It may not if only some builds of the package have what
// it tests, and the file is part of all of them.
func suits(r *regression, path string) bool {
	src, err := regular.Source(path)
	return r.Constraint == "" || err == nil && weave.Constraint(path, src) != ""
}

// inStyle returns the forms in which r can be written into a test file. The first one is in the style of the tests
// there.
func inStyle(r *regression, path string) []*regression {
	src, err := regular.Source(path)
	if err != nil || r.asserting == nil {
		return []*regression{r}
	}
	if testify := suggestion.Testify(src); testify != "" {
		if other := r.asserting(testify); other != nil {
			return []*regression{other, r}
		}
	}
	return []*regression{r}
}

// beside returns the file that declares fn, if that is in the folder of file; "": it is not, or is unknown.
func (v *Verifier) beside(file string, fn *types.Func) string {
	for _, p := range v.Types.Targets {
		if source := p.Fset.Position(fn.Pos()).Filename; source != "" && filepath.Dir(source) == filepath.Dir(file) {
			return source
		}
	}
	return ""
}

// proposeRows adds rows for tables of tests that make the call c.
func (v *Verifier) proposeRows(m *evidence.Mutant, c *suggestion.Call) {
	for _, r := range v.tablesOfTests().Rows(c) {
		row := r
		v.add(&candidate{Edit: r.Edit, mutant: m, tests: r.Tests, row: &row})
	}
}

// inPlace is the ending of function names while candidates are checked: the same function is in a file of its own, too.
const inPlace = "InPlace"

func (v *Verifier) add(c *candidate) {
	for _, p := range v.Packages {
		if p.Dir == filepath.Dir(c.Path) {
			c.pkg = p.ImportPath
		}
	}
	if c.pkg != "" {
		v.candidates[c.mutant.Number] = append(v.candidates[c.mutant.Number], c)
	}
}

// callOf returns the call on which m differs from the program, nil if it is not known.
func (v *Verifier) callOf(m *evidence.Mutant) *suggestion.Call {
	o := v.Fuzzer.Difference(m)
	if o == nil || o.Original == nil || o.Site < 0 || o.Site >= len(v.Woven.Sites) {
		return nil
	}
	s := &v.Woven.Sites[o.Site]
	p, call := suggestion.CallAt(v.Types.Targets, v.Path(s.File), s.Line, s.Source)
	if call == nil || len(call.Args) != len(s.Args) || suggestion.Callee(p, call) == nil {
		return nil
	}
	c := &suggestion.Call{Callee: suggestion.Callee(p, call), Package: s.Package}
	observed := slices.Clone(o.Original.Args)
	next := func() string {
		if len(observed) == 0 {
			return ""
		}
		defer func() { observed = observed[1:] }()
		return observed[0]
	}
	if s.Recv {
		c.Recv = suggestion.Value{Source: next()}
	}
	for i, a := range s.Args {
		value := suggestion.Value{Source: suggestion.Constant(p, call.Args[i]), Text: a.Const}
		if a.Const == "" {
			value.Source = next()
			value.Name = witness.NameOf(value.Source, a.Named)
		}
		c.Args = append(c.Args, value)
	}
	c.Results = suggestion.Results(o, s.Returned)
	return c
}

// watchedCall returns no more than the callee of the call on which m differs, for calls that were watched while tests
// ran: it is not known where they are made. It returns nil if the callee is not known, either.
func (v *Verifier) watchedCall(m *evidence.Mutant) *suggestion.Call {
	o := v.Fuzzer.Difference(m)
	if o == nil || o.Site < 0 || o.Site >= len(v.Woven.Sites) {
		return nil
	}
	s := &v.Woven.Sites[o.Site]
	callee := suggestion.DeclaredAt(v.Types.Touched, v.Path(s.File), s.Line)
	if callee == nil {
		return nil
	}
	return &suggestion.Call{Callee: callee, Package: s.Package}
}

// tryCandidates finds out which candidates and regressions for list compile and pass on the program.
func (v *Verifier) tryCandidates(ctx context.Context, list []*evidence.Mutant) error {
	var all []*candidate
	var alone []*regression
	for _, m := range list {
		v.propose(m)
		all = append(all, v.candidates[m.Number]...)
		if r := v.regressions[m.Number]; r != nil {
			alone = append(alone, r)
		}
	}
	for round := 0; round < tableRounds && (len(all) > 0 || round == 0 && len(alone) > 0); round++ {
		now := all
		if round > 0 {
			now, alone = apart(all), nil
		}
		if err := v.tryTogether(ctx, now, alone); err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(c *candidate) bool { return c.state != untried })
	}
	for _, c := range all {
		c.state = dropped
	}
	return nil
}

// apart returns candidates, the first in the list, of which no two run in the same test.
func apart(list []*candidate) (first []*candidate) {
	for _, c := range list {
		if !slices.ContainsFunc(first, c.meets) {
			first = append(first, c)
		}
	}
	return first
}

// meets reports whether some test runs both c and another candidate: a wrong row makes it fail for the right one, too.
func (c *candidate) meets(o *candidate) bool {
	return o != c && o.pkg == c.pkg && slices.ContainsFunc(o.tests, func(test string) bool { return slices.Contains(c.tests, test) })
}

// tryTogether builds the program with candidates in place and regressions in files of their own, and runs both. It
// drops a candidate that fails, unless another candidate in the same test may be to blame.
func (v *Verifier) tryTogether(ctx context.Context, list []*candidate, alone []*regression) error {
	built, err := v.buildCandidates(ctx, list, alone)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(slices.Clone(list), func(c *candidate) bool { return c.state == dropped })
	err = pool.Each(ctx, v.Pool, list, func(ctx context.Context, sl *pool.Slot, c *candidate) error {
		passes, err := v.endsTwice(ctx, sl, built, c.pkg, c.tests, false)
		switch {
		case err == nil && passes:
			c.state = sound
		case !slices.ContainsFunc(list, c.meets):
			c.state = dropped
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := v.tryInSuite(ctx, built, list); err != nil {
		return err
	}
	alone = slices.DeleteFunc(slices.Clone(alone), func(r *regression) bool { return r.state == dropped })
	return pool.Each(ctx, v.Pool, alone, func(ctx context.Context, sl *pool.Slot, r *regression) error {
		passes, err := v.passesInPlace(ctx, sl, built, r)
		switch {
		case passes:
			r.state = sound
		case err == nil && built[r.pkg] != "":
			r.state = dropped
		}
		return err
	})
}

// tryInSuite drops candidates that fail on the program if all tests of their package run: an earlier test may change
// what they find.
func (v *Verifier) tryInSuite(ctx context.Context, built map[string]string, list []*candidate) error {
	return pool.Each(ctx, v.Pool, slices.Sorted(maps.Keys(built)), func(ctx context.Context, sl *pool.Slot, pkg string) error {
		failed, known, err := v.inSuite(ctx, sl, built[pkg], pkg)
		for _, c := range list {
			if !known || c.pkg != pkg || c.state != sound || !slices.ContainsFunc(c.tests, failed.has) {
				continue
			}
			c.state = dropped
			if c.function != nil {
				c.function.onlyAlone = true
			}
		}
		return err
	})
}

// maxSuite bounds how long all tests of a package may take, for suggestions to be run with all of them.
const maxSuite = 5 * time.Second

// failures has the names of tests and subtests that failed.
type failures []string

// has reports whether a test or a subtest of it failed.
func (f failures) has(test string) bool {
	return slices.ContainsFunc(f, func(name string) bool { return ledger.TopLevel(name) == test })
}

// inSuite runs all tests of a package in a binary that was built with suggestions, and returns those that failed. known
// is false if they take long or do not run to their end.
func (v *Verifier) inSuite(ctx context.Context, sl *pool.Slot, binary, pkg string) (failed failures, known bool, err error) {
	s := v.Judged.SurveyOf(pkg)
	if binary == "" || s == nil || s.Took == 0 || s.Took > maxSuite {
		return nil, false, nil
	}
	run, err := v.RunPlain(ctx, sl, binary, v.Judged.Plain(pkg, nil, v.Judged.QuarantinedOf(pkg)...))
	if err != nil || run.Failed() && run.Outcome.Kind != results.KindTest {
		return nil, false, err
	}
	return run.Outcome.Failed, true, nil
}

// hangLimit bounds how long a test may run with a mutant that is known to hang in it.
const hangLimit = 3 * time.Second

// notice reports whether tests fail with m in the binaries built. They must fail twice, or once if the mutant hangs.
func (v *Verifier) notice(ctx context.Context, sl *pool.Slot, m *evidence.Mutant, built map[string]string, pkg string, tests []string) (bool, error) {
	if m.Exposed.Ends != results.CrashHang || built[pkg] == "" {
		return v.endsTwice(ctx, sl, built, pkg, tests, true)
	}
	run, err := v.RunPlain(ctx, sl, built[pkg], executor.Spec{Suite: v.Judged.SuiteOf(pkg), Tests: tests, Limit: hangLimit})
	return run.Failed(), err
}

// endsTwice reports whether tests fail, or with failing false pass, two times in the binaries built.
func (v *Verifier) endsTwice(ctx context.Context, sl *pool.Slot, built map[string]string, pkg string, tests []string, failing bool) (bool, error) {
	if built[pkg] == "" {
		return false, nil
	}
	for range 2 {
		run, err := v.RunPlain(ctx, sl, built[pkg], v.Judged.Plain(pkg, tests, v.Judged.QuarantinedOf(pkg)...))
		if err != nil || failing && !run.Failed() || !failing && !v.passed(run, pkg) {
			return false, err
		}
	}
	return true, nil
}

// passesInPlace reports whether r passes two times in the binaries built, with its file in its folder: the program may give
// something else for another folder.
func (v *Verifier) passesInPlace(ctx context.Context, sl *pool.Slot, built map[string]string, r *regression) (bool, error) {
	if built[r.pkg] == "" {
		return false, nil
	}
	for range 2 {
		run, err := v.RunPlainWith(ctx, sl, r.file, r.source, built[r.pkg], v.Judged.Plain(r.pkg, []string{r.Name}, v.Judged.QuarantinedOf(r.pkg)...))
		if err != nil || !v.passed(run, r.pkg) {
			return false, err
		}
	}
	return true, nil
}

// buildCandidates builds the program with candidates and regressions. It drops those that do not compile.
func (v *Verifier) buildCandidates(ctx context.Context, list []*candidate, alone []*regression) (map[string]string, error) {
	for {
		built, err := v.buildOnce(ctx, list, alone, map[string][]byte{})
		var broken *gotool.BuildError
		// The compiler names at least one of the files that are to blame.
		if !errors.As(err, &broken) || !dropBroken(broken.Output, v.Tool.Dir, list, alone) {
			return built, err
		}
	}
}

// buildOnce builds the program with other files and with those candidates and regressions that are not dropped.
func (v *Verifier) buildOnce(ctx context.Context, list []*candidate, alone []*regression, files map[string][]byte) (map[string]string, error) {
	maps.Copy(files, edited(list))
	var pkgs []string
	for _, c := range list {
		if c.state != dropped {
			pkgs = append(pkgs, c.pkg)
		}
	}
	for _, r := range alone {
		if r.state != dropped {
			files[r.file] = r.source
			pkgs = append(pkgs, r.pkg)
		}
	}
	if len(pkgs) == 0 {
		return nil, nil
	}
	slices.Sort(pkgs)
	return v.BuildTests(ctx, build.TestBuild{Kind: "verify", Overlay: v.Files(), Files: files, Packages: slices.Compact(pkgs)})
}

// dropBroken drops what is in files that the go command complains about, and reports whether there is any. In a file
// with rows, or with functions that call testify, it drops only these: other functions are written like ones that
// compile. dir is the folder in which the go command ran.
func dropBroken(output, dir string, list []*candidate, alone []*regression) (found bool) {
	drop := func(s *state, file string) {
		if *s != dropped && blames(output, dir, file) {
			*s, found = dropped, true
		}
	}
	first := func(c *candidate) bool { return c.row != nil || c.testify }
	has := map[string]bool{} // files that have some of what is dropped first
	for _, c := range list {
		has[c.Path] = has[c.Path] || first(c) && c.state != dropped
	}
	for _, c := range list {
		if first(c) || !has[c.Path] {
			drop(&c.state, c.Path)
		}
	}
	for _, r := range alone {
		drop(&r.state, r.file)
	}
	return found
}

// blames reports whether a line of output begins with a file: with its absolute name, or with its name relative to dir.
func blames(output, dir, file string) bool {
	names := []string{file + ":"}
	if rel, err := filepath.Rel(dir, file); err == nil {
		names = append(names, rel+":", "."+string(filepath.Separator)+rel+":")
	}
	for line := range strings.Lines(output) {
		if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(line, name) }) {
			return true
		}
	}
	return false
}

// edited returns the test files with the candidates in them that are not dropped.
func edited(list []*candidate) map[string][]byte {
	of := map[string][]*candidate{}
	for _, c := range list {
		if c.state != dropped {
			of[c.Path] = append(of[c.Path], c)
		}
	}
	files := map[string][]byte{}
	for path, here := range of {
		if text := with(path, here); text != nil {
			files[path] = text
		}
	}
	return files
}

// with returns a file with candidates in it. It drops those that cannot be put there, such as rows if the file is not
// gofmt'ed, and candidates with an import that does not fit. It returns nil if there are no others.
func with(path string, list []*candidate) (text []byte) {
	src, err := regular.Source(path)
	var edits []patch.Edit
	for _, c := range list {
		edits = append(edits, c.Edit)
	}
	if err == nil {
		if text, err := patch.Apply(src, edits...); err == nil {
			return text
		}
	}
	edits = nil
	for _, c := range list {
		more, fault := patch.Apply(src, append(edits, c.Edit)...)
		if err != nil || fault != nil {
			c.state = dropped
			continue
		}
		edits, text = append(edits, c.Edit), more
	}
	return text
}

// suggest adds to the evidence of m what passes on the program and fails with m: the function in a file of its own, and
// the suggestion to show, which is a row rather than a function.
func (v *Verifier) suggest(ctx context.Context, sl *pool.Slot, m *evidence.Mutant) error {
	list := slices.DeleteFunc(slices.Clone(v.candidates[m.Number]), func(c *candidate) bool { return c.state != sound })
	r := v.regressions[m.Number]
	if r != nil && (r.state != sound || r.onlyAlone) {
		r = nil
	}
	if len(list) == 0 && r == nil {
		return nil
	}
	built, err := v.buildWith(ctx, m, list, r)
	if err != nil {
		return v.notBuilt(ctx, m, err)
	}
	if r != nil {
		if err := v.offer(ctx, sl, m, r, built); err != nil {
			return err
		}
	}
	for _, c := range list {
		fails, err := v.notice(ctx, sl, m, built, c.pkg, c.tests)
		if err != nil {
			return err
		}
		if !fails || c.row == nil && m.Exposed.Test == "" {
			continue
		}
		var failed failures
		known := false
		// What hangs alone hangs after other tests, too.
		if m.Exposed.Ends != results.CrashHang {
			if failed, known, err = v.inSuite(ctx, sl, built[c.pkg], c.pkg); err != nil {
				return err
			}
		}
		if !known || slices.ContainsFunc(c.tests, failed.has) {
			return v.inPlace(c)
		}
		// Another test leaves something behind that makes it pass.
		if c.function != nil {
			m.Exposed.Test, m.Exposed.TestFile = "", ""
		}
	}
	if m.Exposed.Test == "" {
		return nil
	}
	s := &results.Suggestion{Kind: results.SuggestedFunction, Test: r.Name, Source: string(r.source)}
	v.suggested(m, s, r.newFile, nil, r.source)
	return nil
}

// notBuilt passes over a suggestion that does not compile together with m, and warns about other errors.
func (v *Verifier) notBuilt(ctx context.Context, m *evidence.Mutant, err error) error {
	var broken *gotool.BuildError
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !errors.As(err, &broken) {
		v.Warn("the test for mutant %s could not be built: %v", m.ID, err)
	}
	return nil
}

// buildWith builds the program with m, candidates and, unless r is nil, r in a file of its own.
func (v *Verifier) buildWith(ctx context.Context, m *evidence.Mutant, list []*candidate, r *regression) (map[string]string, error) {
	path, text, err := v.Mutated(m.Mutant)
	if err != nil {
		return nil, err
	}
	var alone []*regression
	if r != nil {
		alone = append(alone, r)
	}
	return v.buildOnce(ctx, list, alone, map[string][]byte{path: text})
}

// inPlace adds a candidate to the evidence of its mutant as the suggestion.
func (v *Verifier) inPlace(c *candidate) error {
	s := &results.Suggestion{Kind: results.SuggestedRow}
	if c.row != nil {
		s.Test, s.Source = c.row.Test, c.row.Source
	} else {
		s.Kind, s.Test, s.Source = results.SuggestedFunction, c.function.Name, c.written.Declaration("")
	}
	before, err := regular.Source(c.Path)
	if err != nil {
		return err
	}
	after, err := patch.Apply(before, c.final())
	if err != nil {
		return err
	}
	if s.Imports, err = c.final().Missing(before); err != nil {
		return err
	}
	c.state = offered
	v.suggested(c.mutant, s, c.Path, before, after)
	return nil
}

// final returns the edit that is offered.
func (c *candidate) final() patch.Edit {
	e := c.Edit
	if c.function != nil {
		e.Text = "\n\n" + c.written.Declaration("")
	}
	return e
}

// suggested adds a suggestion that changes or adds the file path to the evidence of m.
func (v *Verifier) suggested(m *evidence.Mutant, s *results.Suggestion, path string, before, after []byte) {
	s.File = v.Rel(path)
	s.Patch = patch.Diff(s.File, before, after)
	m.Exposed.Suggestion = s
}

// Patch returns one patch with everything that is suggested. It is empty if nothing is, or if the patch cannot be made,
// which a warning explains.
func (v *Verifier) Patch() []byte {
	all, err := v.patch()
	if err != nil {
		v.Warn("cannot write the patch with the suggested tests: %v", err)
	}
	return all
}

func (v *Verifier) patch() ([]byte, error) {
	edits, added := map[string][]patch.Edit{}, map[string][]byte{}
	for _, m := range v.Fuzzer.Mutants {
		if m.Verdict().Input == nil || m.Exposed.Suggestion == nil {
			continue
		}
		i := slices.IndexFunc(v.candidates[m.Number], func(c *candidate) bool { return c.state == offered })
		if i >= 0 {
			c := v.candidates[m.Number][i]
			edits[c.Path] = append(edits[c.Path], c.final())
		} else if r := v.regressions[m.Number]; r != nil {
			added[r.newFile] = r.source
		}
	}
	var all bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(added)) {
		all.WriteString(patch.Diff(v.Rel(path), nil, added[path]))
	}
	for _, path := range slices.Sorted(maps.Keys(edits)) {
		before, err := regular.Source(path)
		if err != nil {
			return nil, err
		}
		after, err := patch.Apply(before, edits[path]...)
		if err != nil {
			return nil, err
		}
		all.WriteString(patch.Diff(v.Rel(path), before, after))
	}
	return all.Bytes(), nil
}
