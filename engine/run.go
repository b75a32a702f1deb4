package engine

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// run is one analysis over all units.
type run struct {
	cfg      Config
	scope    *diffscope.Scope
	progress Progress
	began    time.Time
	res      results.Results
	entries  map[string][]corpus.Entry
	spared   []string
	work     string // temporary folder; created on first use
	slots    *slots
	guard    *sandbox.Guard
	units    int        // with functions in scope, not yet analysed
	mu       sync.Mutex // guards what several slots write: res.Stats, res.Warnings, a unit's aside
}

func newRun(cfg Config, scope *diffscope.Scope) *run {
	r := &run{cfg: cfg, scope: scope, progress: cfg.Progress, entries: map[string][]corpus.Entry{}}
	if r.progress == nil {
		r.progress = silent{}
	}
	if r.cfg.Now == nil {
		r.cfg.Now = time.Now
	}
	if r.cfg.Env == nil {
		r.cfg.Env = os.Environ()
	}
	r.cfg.Sandbox = cmp.Or(r.cfg.Sandbox, SandboxOn)
	r.cfg.Workers = max(r.cfg.Workers, 1)
	r.began = r.cfg.Now()
	for i := range scope.Units {
		if len(r.functionsOf(i)) > 0 {
			r.units++
		}
	}
	return r
}

// startGuard starts what ends the processes of the run should we be killed, and
// marks those of the go command.
func (r *run) startGuard() {
	var err error
	if r.guard, err = sandbox.NewGuard(); err != nil {
		r.warn("processes that tests leave behind are not looked for: %v", err)
		return
	}
	r.cfg.Env = slices.Concat(r.cfg.Env, r.guard.Env())
}

func (r *run) functionsOf(unit int) []diffscope.Function {
	var list []diffscope.Function
	for _, f := range r.scope.Functions {
		if f.Unit == unit {
			list = append(list, f)
		}
	}
	return list
}

// unit returns the analysis of one unit, or nil where nothing in it is in
// scope.
func (r *run) unit(i int) *unit {
	functions := r.functionsOf(i)
	if len(functions) == 0 {
		return nil
	}
	su := r.scope.Units[i]
	return &unit{
		run: r, Unit: su, functions: functions, number: i,
		tool:     gotool.Go{Dir: su.Dir, Env: slices.Concat(r.cfg.Env, su.Env)},
		byID:     map[string]*mutant{},
		sites:    map[int]*observed{},
		sources:  map[string][]byte{},
		plain:    map[string]string{},
		tests:    map[string]map[string]bool{},
		seconds:  map[string]time.Duration{},
		spent:    map[string]time.Duration{},
		reachers: map[string][]string{},
	}
}

// folder returns the temporary folder of the run. In GitHub Actions it is below the
// runner's own: tests that are allowed to write to shared temporary folders cannot
// write there.
func (r *run) folder() (string, error) {
	if r.work != "" {
		return r.work, nil
	}
	in := ""
	for _, kv := range r.cfg.Env {
		if dir, ok := strings.CutPrefix(kv, "RUNNER_TEMP="); ok && filepath.IsAbs(dir) {
			in = dir
		}
	}
	dir, err := os.MkdirTemp(in, "mutantfuzz-")
	if err != nil {
		return "", err
	}
	r.work, err = filepath.EvalSymlinks(dir)
	r.guard.Bequeath(r.work)
	return r.work, err
}

func (r *run) close() {
	if r.slots != nil {
		r.slots.close()
	}
	if r.guard != nil {
		_ = r.guard.Close()
	}
	if r.work != "" {
		os.RemoveAll(r.work)
	}
}

// left is the time that remains; a very long time without a bound.
func (r *run) left() time.Duration {
	if r.cfg.Time <= 0 {
		return 1000 * time.Hour
	}
	return r.cfg.Time - r.cfg.Now().Sub(r.began)
}

// share is a part of the time that remains, of which every unit still to come
// gets as much.
func (r *run) share(part float64) time.Duration {
	return time.Duration(float64(r.left()) * part / float64(max(r.units, 1)))
}

// warn adds a warning to the results, once.
func (r *run) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.res.Warnings, text) {
		r.res.Warnings = append(r.res.Warnings, text)
		r.progress.Say("warning: " + text)
	}
}

func (r *run) countBuild() { r.res.Stats.Builds++ }

// timed adds the time f takes to the phase.
func (u *unit) timed(phase string, f func() error) error {
	start := u.cfg.Now()
	err := f()
	u.seconds[phase] += u.cfg.Now().Sub(start)
	return err
}
