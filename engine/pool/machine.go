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

// TargetReadsMachine reports whether the job in c of a fuzz target, without a mutant, depends on this machine: it
// opens something outside of the repository, or looks up an environment variable.
func (r *Runner) TargetReadsMachine(ctx context.Context, sl *Slot, t *weave.Target, c worker.Command) (bool, error) {
	c.Args, c.OutputLimit = logOpened(), 1<<20
	exit, err := r.RunTarget(ctx, sl, t, c)
	return err == nil && readsMachine(string(exit.Output), t.Dir, r.Tree), err
}

// logOpened returns the flags that make package testing log to standard output what the process opens and looks up in
// its environment. It returns none on systems without a name for standard output.
func logOpened() []string {
	const stdout = "/dev/stdout"
	if _, err := os.Stat(stdout); err != nil {
		return nil
	}
	return []string{"-test.testlogfile=" + stdout}
}

// readsMachine reports whether a process depended on this machine, which no test can expect to be like another.
// output holds its log; see logOpened. dir is its folder, in tree. What counts are files and folders that exist
// outside of tree and its copies, and variables that are set, if they were used between [wire.RunBegins] and
// [wire.RunEnds]. Devices do not count, nor do the variables that name the folder for temporary files.
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
