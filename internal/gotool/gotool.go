// Package gotool drives the go command: finding modules, listing packages,
// building test binaries with an overlay, and saying what went wrong in words
// a user can act on.
package gotool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// ErrNoGo says that there is no go command on PATH.
var ErrNoGo = errors.New("go command not found on PATH\nhint: install Go from https://go.dev/dl, or add its bin folder to PATH")

// killGrace is how long a cancelled command may keep its output pipes open before they are closed.
const killGrace = 2 * time.Second

// Go runs the go command in one folder: that of a unit, or any folder in it.
type Go struct {
	Dir string   // where the command runs
	Env []string // its whole environment; nil: os.Environ()
}

// downloads matches the lines in which the go command says which modules it fetches.
var downloads = regexp.MustCompile(`(?m)^go: downloading .*\n?`)

// CommandError is a go command that failed as a whole, for example because it cannot read go.mod or does not know
// a flag. A program that does not compile is a [BuildError] instead.
type CommandError struct {
	Args   []string // without "go"
	Dir    string
	Output string // standard error without the lines about downloads, trimmed
	Err    error  // from os/exec, or what the machine lacks; see [Lack]
}

// Error returns the subcommand, the folder and what the command said. It leaves out the arguments, which are ours
// and many.
func (e *CommandError) Error() string {
	said := e.Output
	if said == "" {
		said = e.Err.Error()
	}
	return fmt.Sprintf("go %s in %s: %s", e.Args[0], e.Dir, said)
}

// Unwrap returns Err.
func (e *CommandError) Unwrap() error { return e.Err }

// Version returns the version of the toolchain that builds the folder, such as "go1.26.8". Toolchain switching
// makes it differ between units.
func (g Go) Version(ctx context.Context) (string, error) {
	return g.variable(ctx, "GOVERSION")
}

// System returns the operating system that the folder is built for, in the form of GOOS.
func (g Go) System(ctx context.Context) (string, error) {
	return g.variable(ctx, "GOOS")
}

// Caches returns the folders of the build cache and of the module cache.
func (g Go) Caches(ctx context.Context) (build, modules string, err error) {
	both, err := g.variable(ctx, "GOCACHE", "GOMODCACHE")
	build, modules, _ = strings.Cut(both, "\n")
	return build, modules, err
}

// variable returns one variable of "go env", or several, one per line.
func (g Go) variable(ctx context.Context, names ...string) (string, error) {
	out, err := g.run(ctx, append([]string{"env", "-json=false"}, names...)...)
	return strings.TrimRight(string(out), "\r\n"), err
}

// run runs the go command and returns its standard output. It returns ErrNoGo,
// a *StoppedError, or a *CommandError. Cancelling ctx kills the command
// and everything it started.
func (g Go) run(ctx context.Context, args ...string) ([]byte, error) {
	stdout, _, err := g.output(ctx, args...)
	return stdout, err
}

// output is run, but also returns standard error.
func (g Go) output(ctx context.Context, args ...string) (out, errs []byte, err error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return nil, nil, ErrNoGo
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = g.Dir
	cmd.Env = g.environ()
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = killGrace
	killWithChildren(cmd)
	err = cmd.Run()
	switch {
	case err == nil:
		return stdout.Bytes(), stderr.Bytes(), nil
	case ctx.Err() != nil:
		return nil, nil, &StoppedError{Args: args, Dir: g.Dir, Err: context.Cause(ctx)}
	}
	said := strings.TrimSpace(downloads.ReplaceAllString(stderr.String(), ""))
	if lack := Lack(said); lack != nil {
		err = lack
	}
	return stdout.Bytes(), stderr.Bytes(), &CommandError{Args: args, Dir: g.Dir, Output: said, Err: err}
}

// environ returns the command's environment. PWD keeps the spelling of a folder that was reached through a
// symbolic link, so that the go command prints the file names that overlays and callers use.
func (g Go) environ() []string {
	env := g.Env
	if env == nil {
		env = os.Environ()
	}
	return append(env[:len(env):len(env)], "PWD="+g.Dir)
}
