package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// scopeFlags say what to analyse; run and list share them.
type scopeFlags struct {
	dir, base, head, diff string
	all                   bool
	packages              []string
	build, test           []string // flags after "--", separated by splitTestFlags
}

func (f *scopeFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVarP(&f.dir, "dir", "C", ".", "any folder of the repository")
	flags.StringVar(&f.base, "base", "", "compare against the merge base with `REV` (default: the event's base commit, else origin/HEAD)")
	flags.StringVar(&f.head, "head", "", "analyse `REV` in a scratch checkout (default: the working tree)")
	flags.StringVar(&f.diff, "diff", "", "use the unified diff in `FILE` instead of revisions; - is standard input")
	flags.BoolVar(&f.all, "all", false, "ignore the diff: every function of the packages")
}

// arguments separates args into packages and, after "--", flags of go test.
func (f *scopeFlags) arguments(cmd *cobra.Command, args []string) (err error) {
	f.packages = args
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		f.packages = args[:dash]
		f.build, f.test, err = splitTestFlags(args[dash:])
	}
	return err
}

// find returns the scope that the flags ask for, and a function that closes it. If that function is never called,
// because the process is killed, a guard removes the folders of the scope.
func (c *Command) find(ctx context.Context, f *scopeFlags) (*diffscope.Scope, func(), error) {
	cfg := diffscope.Config{Env: os.Environ()}
	dismiss := func() error { return nil }
	if guard, err := sandbox.NewGuard(); err == nil { // without a guard, the folders stay if we are killed
		cfg.Env, cfg.Made, dismiss = append(cfg.Env, guard.Env()...), guard.Bequeath, guard.Close
	}
	scope, err := c.findWith(ctx, f, cfg)
	if err != nil {
		return nil, nil, errors.Join(err, dismiss())
	}
	return scope, func() {
		_ = scope.Close() // the guard removes what is left
		_ = dismiss()
	}, nil
}

// findWith is find with the environment and the Made function of cfg.
func (c *Command) findWith(ctx context.Context, f *scopeFlags, cfg diffscope.Config) (*diffscope.Scope, error) {
	cfg = diffscope.Config{
		Dir: f.dir, Base: f.base, Head: f.head, All: f.all, Packages: f.packages,
		Event: c.Getenv("GITHUB_EVENT_PATH"), Flags: f.build, Env: cfg.Env, Made: cfg.Made,
	}
	if _, err := os.Stat(os.TempDir()); err != nil {
		return nil, usagef("no folder for temporary files: %w\nhint: let TMPDIR name a folder that can be written", err)
	}
	if f.diff != "" {
		diff, err := c.readDiff(f.diff)
		if err != nil {
			return nil, err
		}
		cfg.Diff, cfg.HaveDiff = diff, true
	}
	return diffscope.Find(ctx, cfg)
}

func (c *Command) readDiff(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(c.Stdin)
	}
	diff, err := os.ReadFile(name)
	if err != nil {
		return nil, usagef("reading the diff: %w\nhint: --diff takes a file with a unified diff, or - for standard input", err)
	}
	return diff, nil
}

// identify fills in r.Tool: this program and, if anything is in scope, the version of the toolchain that builds
// the analysed one.
func identify(ctx context.Context, r *results.Results, scope *diffscope.Scope) error {
	r.Tool.Name, r.Tool.Version = "mutantfuzz", version()
	tool, ok := builder(scope)
	if !ok {
		return nil
	}
	v, err := tool.Version(ctx)
	if ctx.Err() == nil {
		r.Tool.Go = v
		return err
	}
	return nil // partial results need no version
}

// builder returns the go command of the first unit with something in scope. In other units the go command may not
// work. ok is false if nothing is in scope.
func builder(scope *diffscope.Scope) (tool gotool.Go, ok bool) {
	if len(scope.Functions) == 0 {
		return tool, false
	}
	unit := scope.Units[scope.Functions[0].Unit]
	return gotool.Go{Dir: unit.Dir, Env: append(os.Environ(), unit.Env...)}, true
}

// within bounds the work before the analysis by the time limit of the whole run. A limit of 0 or less means none.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

// runnable returns an error if the program is built for another system, since its tests cannot run here. If the
// time is up it returns nil: nothing will run anyway.
func runnable(ctx context.Context, scope *diffscope.Scope) error {
	tool, ok := builder(scope)
	if !ok {
		return nil
	}
	system, err := tool.System(ctx)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil
	}
	if err == nil && system != runtime.GOOS {
		err = usagef("GOOS is %s: tests built for it cannot run here\nhint: unset GOOS, or run mutantfuzz on that system", system)
	}
	return err
}

// version returns the module version of this program, or "(devel)".
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

func (c *Command) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version, and the Go that built it",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				return &internalError{errors.New("this program has no build information")}
			}
			_, err := fmt.Fprintf(c.Stdout, "mutantfuzz %s %s\n", version(), info.GoVersion)
			return err
		},
	}
}
