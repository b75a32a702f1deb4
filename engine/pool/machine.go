package pool

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/scratch"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

// TargetReadsMachine reports whether the job in c of a fuzz target, without a mutant, opens what is on this machine, and not in the
// repository, or looks up a variable of its environment.
func (r *Runner) TargetReadsMachine(ctx context.Context, sl *Slot, t *weave.Target, c worker.Command) (bool, error) {
	c.Args, c.OutputLimit = logOpened(), 1<<20
	exit, err := r.RunTarget(ctx, sl, t, c)
	return err == nil && readsMachine(string(exit.Output), t.Dir, r.Tree), err
}

// logOpened are the flags that make package testing write into the output what the process opens and looks up in its environment;
// none on systems that have no name for that output.
func logOpened() []string {
	const stdout = "/dev/stdout"
	if _, err := os.Stat(stdout); err != nil {
		return nil
	}
	return []string{"-test.testlogfile=" + stdout}
}

// readsMachine reports whether output with such a log, of a process in a folder dir of the tree, has a file or folder that is there
// and not below the tree or in a copy of it, and that was opened within a run or a call between [wire.RunBegins] and [wire.RunEnds], or a
// variable that is set and was looked up there: what that gives is another thing on another machine, so that no test can expect it. Devices
// count for nothing, nor does the folder for temporary files, whose name nobody cares for.
func readsMachine(output, dir, tree string) bool {
	within := false
	for line := range strings.Lines(output) {
		what, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case what == "getenv" && name == wire.RunBegins:
			within = true
		case what == "getenv" && name == wire.RunEnds:
			within = false
		case within && what == "open" && isOfMachine(name, dir, tree), within && what == "getenv" && isSet(name):
			return true
		}
	}
	return false
}

func isOfMachine(name, dir, tree string) bool {
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	rel, err := filepath.Rel(tree, name)
	if err == nil && filepath.IsLocal(rel) || scratch.Mentioned(name) || strings.HasPrefix(name, "/dev/") {
		return false
	}
	_, err = os.Lstat(name)
	return err == nil
}

func isSet(name string) bool {
	_, set := os.LookupEnv(name)
	return set && !slices.Contains([]string{"TMPDIR", "TMP", "TEMP"}, name)
}
