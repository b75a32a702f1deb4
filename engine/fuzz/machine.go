package fuzz

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// readsMachine reports whether a run of an entry opens what is on this machine, and not in the copy of the repository: what it
// gives is another thing elsewhere, so that no test can expect it. Package testing logs what the process opens; on systems without
// /dev/stdout nothing is known of it.
func (f *Fuzzer) readsMachine(ctx context.Context, sl *pool.Slot, t *Target, e corpus.Entry) (bool, error) {
	job := &wire.Job{Kind: wire.JobRun, Target: t.Func, Corpus: jobEntries([]corpus.Entry{e})}
	c := t.run(job, wire.Original, 0, func(*wire.Event) {})
	c.Args, c.OutputLimit = []string{"-test.testlogfile=/dev/stdout"}, 1<<20
	exit, err := f.RunTarget(ctx, sl, t.Target, c)
	return err == nil && opensOutside(string(exit.Output), sl.Scratch.Dir(t.Dir), sl.Scratch.Base()), err
}

// opensOutside reports whether a log of package testing, of a process in dir, has a file or folder that is there and not
// below base, and that was opened within a run of an entry. Devices count for nothing.
func opensOutside(log, dir, base string) bool {
	within := false
	for line := range strings.Lines(log) {
		what, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case what == "getenv" && name == wire.RunBegins:
			within = true
		case what == "getenv" && name == wire.RunEnds:
			within = false
		case within && what == "open" && isOutside(name, dir, base):
			return true
		}
	}
	return false
}

func isOutside(name, dir, base string) bool {
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	rel, err := filepath.Rel(base, name)
	if err == nil && filepath.IsLocal(rel) || strings.HasPrefix(name, "/dev/") {
		return false
	}
	_, err = os.Lstat(name)
	return err == nil
}
