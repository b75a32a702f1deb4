package pool

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// loosened is what a sandbox allows because tests need it.
type loosened struct {
	files, network bool
	interfaces     bool // the network interfaces of the machine are visible
}

// or returns what l or m allows.
func (l loosened) or(m loosened) loosened {
	return loosened{l.files || m.files, l.network || m.network, l.interfaces || m.interfaces}
}

// looksAtInterfaces reports whether packages use the network interfaces of the machine. A network namespace has other
// interfaces: the packages would behave differently than under go test, perhaps without any test failing.
func looksAtInterfaces(packages map[string]*gotool.Package) bool {
	for _, p := range packages {
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestFiles()) {
			src, err := regular.Source(filepath.Join(p.Dir, name))
			if err == nil && bytes.Contains(src, []byte("net.Interface")) {
				return true
			}
		}
	}
	return false
}

// String returns what is allowed, as a phrase that fits after "allows tests".
func (l loosened) String() string {
	switch {
	case l.files && l.network:
		return "the network and writing to the folders for temporary files of the machine"
	case l.network:
		return "the network"
	}
	return "writing to the folders for temporary files of the machine"
}

// sandbox returns the sandbox of sl with l allowed. It makes it on first use.
func (r *Runner) sandbox(sl *Slot, l loosened) (*sandbox.Sandbox, error) {
	if s := sl.sandboxes[l]; s != nil {
		return s, nil
	}
	s, err := sandbox.New(r.Guard, r.rules(sl, l))
	if err != nil {
		return nil, err
	}
	sl.sandboxes[l] = s
	r.noteInForce(s.InForce()...)
	if r.Sandbox != sandbox.Off {
		r.warnOfGaps(l, s.InForce())
	}
	return s, nil
}

// rules returns the rules of a sandbox with l allowed.
func (r *Runner) rules(sl *Slot, l loosened) sandbox.Rules {
	if r.Sandbox == sandbox.Off {
		return sandbox.Rules{}
	}
	rules := sandbox.Rules{
		Confined: true, Temporary: l.files, Network: !l.network, Interfaces: l.interfaces,
		Writable:  []string{sl.Scratch.Base(), sl.State.Path(), r.buildCache()},
		Protected: r.Protected,
	}
	if r.BaseTree != "" {
		rules.Writable = append(rules.Writable, r.BaseTree) // crashes are replayed there
	}
	return rules
}

// Protected returns the files and folders, named in the environment env, through which a step of GitHub Actions can
// affect later steps, and those of the user's own programs and settings.
func Protected(env []string) (list []string) {
	for _, kv := range env {
		if name, value, _ := strings.Cut(kv, "="); slices.Contains(runnersOwn, name) && filepath.IsAbs(value) {
			list = append(list, value)
		}
	}
	return list
}

// runnersOwn are the variables that name protected files and folders.
var runnersOwn = []string{
	"GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY", "GITHUB_EVENT_PATH",
	"GITHUB_WORKSPACE", "GITHUB_ACTION_PATH", "RUNNER_TEMP", "RUNNER_TOOL_CACHE", "RUNNER_WORKSPACE",
	"HOME", "XDG_CONFIG_HOME", "GOPATH", "GOROOT", "GOBIN", "GOCACHE", "GOMODCACHE",
}

// warnOfGaps warns of the rules that the kernel cannot enforce.
func (r *Runner) warnOfGaps(l loosened, inForce []string) {
	lacks := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(inForce, name) })
	}
	var may []string
	if lacks(sandbox.InForceFiles) {
		may = append(may, "write to every file that this user may write to", "read the memory of programs of this user")
	}
	if lacks(sandbox.InForceSignals) {
		may = append(may, "signal processes of this user")
	}
	if !l.network && lacks(sandbox.InForceNetwork, sandbox.InForceTCP) {
		may = append(may, "reach the network")
	}
	if len(may) > 0 {
		r.Warn("this system cannot fully confine tests (Linux with Landlock can): they can %s", strings.Join(may, ", "))
	}
}

// noteInForce adds names to the rules that InForce returns, once each. It also adds what holds on every system: an
// environment without credentials; copies of the tree, home and temporary folder; limits on time, output and memory.
func (p *Pool) noteInForce(names ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, name := range append([]string{"environment", "scratch-copy", "limits"}, names...) {
		if !slices.Contains(p.inForce, name) {
			p.inForce = append(p.inForce, name)
		}
	}
}

// InForce returns the rules that children ran under, as results.json names them.
func (p *Pool) InForce() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.inForce)
}

// Loosen finds out whether tests that fail in the sandbox without any mutant would pass with access to the network,
// to shared temporary files, or to both. If so, it allows that to all tests of the program from then on, and returns
// true. It ignores tests that fail even with both, unless all do. run runs tests in sl; no tests stand for all of
// pkg. Fuzzing gets only what fuzz targets need.
//
// A strict sandbox is never loosened.
func (r *Runner) Loosen(ctx context.Context, sl *Slot, pkg string, tests []string, run func(tests []string) (Run, error)) (bool, error) {
	if r.Sandbox != sandbox.On {
		return false, nil
	}
	defer func() { sl.allowed = nil }()
	try := func(l loosened, tests []string) (Run, error) {
		if ctx.Err() != nil {
			return Run{}, context.Cause(ctx)
		}
		sl.allowed = &l
		return run(tests)
	}
	passes := func(l loosened) (bool, error) {
		ran, err := try(l, tests)
		return err == nil && ran.passed(), err
	}
	now, _ := r.loosened()
	all := loosened{files: true, network: true}.or(now)
	s, err := r.sandbox(sl, now)
	if err != nil || now == all || !slices.ContainsFunc(s.InForce(), isAllowable) {
		return false, err
	}
	if len(tests) > 0 {
		if tests, err = passing(tests, func(tests []string) (Run, error) { return try(all, tests) }); err != nil || len(tests) == 0 {
			return false, err
		}
	}
	// If they do not always fail, they are flaky, and not because of the sandbox.
	if fail, err := always(func() (bool, error) { ok, err := passes(now); return !ok, err }); err != nil || !fail {
		return false, err
	}
	if pass, err := always(func() (bool, error) { return passes(all) }); err != nil || !pass {
		return false, err
	}
	needed, err := least(now, all, passes)
	if err != nil {
		return false, err
	}
	r.allow(needed, pkg, tests)
	return true, nil
}

// sampled is how many tests, if there are many, stand for all of them: running all may take long.
const sampled = 3

// passing returns those of tests that pass when they run together. It runs only the first few, fuzz targets before
// others, and the rest if none of these pass. Targets come first because other tests do not tell what targets need.
func passing(tests []string, run func([]string) (Run, error)) (passed []string, err error) {
	targets, others := splitTargets(tests)
	tests = append(targets, others...)
	n := min(len(tests), sampled)
	for _, some := range [][]string{tests[:n], tests[n:]} {
		if len(some) == 0 || len(passed) > 0 {
			break
		}
		ran, err := run(some)
		if err != nil {
			return nil, err
		}
		passed = slices.DeleteFunc(slices.Clone(some), func(test string) bool {
			return slices.ContainsFunc(ran.Outcome.Failed, func(name string) bool { return ledger.TopLevel(name) == test })
		})
	}
	return passed, nil
}

// splitTargets divides tests into fuzz targets and others.
func splitTargets(tests []string) (targets, others []string) {
	for _, test := range tests {
		if strings.HasPrefix(test, "Fuzz") {
			targets = append(targets, test)
		} else {
			others = append(others, test)
		}
	}
	return targets, others
}

// least returns the least that has to be allowed, in addition to now, for tests to pass that pass with all.
func least(now, all loosened, passes func(loosened) (bool, error)) (loosened, error) {
	for _, l := range []loosened{{network: true}, {files: true}} {
		if l = l.or(now); l == now || l == all {
			continue
		}
		if ok, err := passes(l); err != nil || ok {
			return l, err
		}
	}
	return all, nil
}

// isAllowable reports whether a rule that is in force can be loosened.
func isAllowable(inForce string) bool {
	return inForce == sandbox.InForceFiles || inForce == sandbox.InForceNetwork || inForce == sandbox.InForceTCP
}

// A result of tests in a sandbox has to repeat several times in a row. After severalFor it need not repeat again.
const (
	several    = 3
	severalFor = time.Second
)

// always reports whether holds returns true several times in a row.
func always(holds func() (bool, error)) (bool, error) {
	began := time.Now()
	for i := 0; i < several && (i == 0 || time.Since(began) < severalFor); i++ {
		if ok, err := holds(); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// allow loosens the sandbox of the program as the tests of pkg need it.
func (r *Runner) allow(l loosened, pkg string, tests []string) {
	r.mu.Lock()
	r.forTests = r.forTests.or(l)
	if targets, _ := splitTargets(tests); len(tests) == 0 || len(targets) > 0 {
		r.forTargets = r.forTargets.or(l)
	}
	r.mu.Unlock()
	if l.network {
		r.noteInForce("network-loosened")
	}
	if l.files {
		r.noteInForce("files-loosened")
	}
	who, fail := "tests", "fail"
	if len(tests) > 0 {
		who = strings.Join(tests, ", ")
	}
	if len(tests) == 1 {
		fail = "fails"
	}
	r.Warn("the sandbox allows the tests of this module %s, because without that %s of %s %s; the code of a pull request gets the same access, unless --sandbox=strict is set", l, who, pkg, fail)
}

// loosened returns what tests may do, and what fuzzing may do.
func (r *Runner) loosened() (tests, targets loosened) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.forTests, r.forTargets
}
