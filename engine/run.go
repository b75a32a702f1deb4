package engine

import (
	"cmp"
	"os"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/journal"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/engine/workspace"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// run is one analysis over all programs in scope.
type run struct {
	cfg       Config
	scope     *diffscope.Scope
	programs  []*program.Program
	journal   *journal.Journal
	workspace *workspace.Workspace
	began     time.Time
	res       results.Results
	unknown   bool   // it is not known of some program which new tests pass without the change
	out       Output // all but Results
}

func newRun(cfg Config, scope *diffscope.Scope) *run {
	if cfg.Env == nil {
		cfg.Env = os.Environ()
	}
	cfg.Tests = cmp.Or(cfg.Tests, TestsAuto)
	if cfg.Execs == 0 {
		cfg.Harnesses = nil // nothing is fuzzed
	}
	r := &run{cfg: cfg, scope: scope, journal: journal.New(cfg.Progress), began: time.Now(), out: Output{Entries: map[string][]corpus.Entry{}}}
	r.workspace = workspace.New(cfg.Env, pool.Config{
		Workers: max(cfg.Workers, 1), Tree: scope.Tree, BaseTree: scope.BaseTree, Sandbox: cmp.Or(cfg.Sandbox, sandbox.On),
		Protected: append([]string{scope.Root, scope.Tree}, pool.Protected(cfg.Env)...),
	})
	for i := range scope.Units {
		if p := program.New(scope, i, cfg.Env, cfg.BuildFlags); p != nil {
			r.programs = append(r.programs, p)
		}
	}
	return r
}

// startGuard starts the guard and marks the processes of the go command, so that the guard can end them.
func (r *run) startGuard() {
	mark, err := r.workspace.Guard()
	if err != nil {
		r.journal.Warn("processes that tests leave running may not be ended: %v", err)
	}
	for _, p := range r.programs {
		p.Tool.Env = slices.Concat(p.Tool.Env, mark)
	}
}
