package engine

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/journal"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// run is one analysis over all programs in scope.
type run struct {
	cfg      Config
	scope    *diffscope.Scope
	programs []*program.Program
	journal  *journal.Journal
	guard    *sandbox.Guard // nil: there is none
	work     string         // temporary folder; created on first use
	pool     *pool.Pool     // opened on first use
	began    time.Time
	res      results.Results
	unknown  bool   // whether the tests of some program pass without the change
	out      Output // but for Results
}

func newRun(cfg Config, scope *diffscope.Scope) *run {
	r := &run{cfg: cfg, scope: scope, journal: journal.New(cfg.Progress), began: time.Now(), out: Output{Entries: map[string][]corpus.Entry{}}}
	if r.cfg.Env == nil {
		r.cfg.Env = os.Environ()
	}
	r.cfg.Sandbox = cmp.Or(r.cfg.Sandbox, sandbox.On)
	r.cfg.Tests = cmp.Or(r.cfg.Tests, TestsAuto)
	r.cfg.Workers = max(r.cfg.Workers, 1)
	for i := range scope.Units {
		if p := program.New(scope, i, r.cfg.Env, cfg.BuildFlags); p != nil {
			r.programs = append(r.programs, p)
		}
	}
	return r
}

// startGuard starts the guard, which ends the processes of the run if we are killed,
// and marks those of the go command for it.
func (r *run) startGuard() {
	var err error
	if r.guard, err = sandbox.NewGuard(); err != nil {
		r.journal.Warn("orphan processes of tests may be left behind: %v", err)
		return
	}
	for _, p := range r.programs {
		p.Tool.Env = slices.Concat(p.Tool.Env, r.guard.Env())
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

// slots returns the pool of the run.
func (r *run) slots() (*pool.Pool, error) {
	if r.pool != nil {
		return r.pool, nil
	}
	work, err := r.folder()
	if err != nil {
		return nil, err
	}
	r.pool, err = pool.New(pool.Config{
		Workers: r.cfg.Workers, Tree: r.scope.Tree, BaseTree: r.scope.BaseTree, Work: work, Sandbox: r.cfg.Sandbox, Guard: r.guard,
		Protected: append([]string{r.scope.Root, r.scope.Tree}, pool.Protected(r.cfg.Env)...),
	})
	return r.pool, err
}

func (r *run) close() {
	if r.pool != nil {
		r.pool.Close()
	}
	if r.guard != nil {
		_ = r.guard.Close()
	}
	if r.work != "" {
		os.RemoveAll(r.work)
	}
}
