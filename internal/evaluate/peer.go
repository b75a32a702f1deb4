package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
)

// rate is the outcome of one run of a tool.
type rate struct {
	judged int           // mutants that tests ran on
	tests  time.Duration // spent on judging them; the whole run if the tool does not say
	whole  time.Duration // from start to end of the process
	cut    bool          // the run was cut off
}

// count says how many mutants were judged, and whether the run was cut off.
func (r rate) count() string {
	if r.cut {
		return fmt.Sprintf("%d, cut off", r.judged)
	}
	return strconv.Itoa(r.judged)
}

// tool is something that judges the mutants of a module.
type tool struct {
	name    string
	install func(context.Context, *lab) error
	judge   func(context.Context, *lab, module) (rate, error)
}

var tools = map[string]tool{
	"gremlins": {"gremlins 0.6.0", installGremlins, runGremlins},
	"ooze":     {"ooze 0.2.0", installOoze, runOoze},
}

// ours is mutantfuzz.
var ours = tool{"mutantfuzz", func(context.Context, *lab) error { return nil }, func(ctx context.Context, l *lab, m module) (rate, error) {
	a, err := l.analyse(ctx, m, l.workers)
	if err != nil {
		return rate{}, err
	}
	return rate{judged: judged(a.Results), tests: time.Duration(a.Seconds.Tests * float64(time.Second)), whole: a.took}, nil
}}

// installGremlins installs gremlins into the lab's folder.
func installGremlins(ctx context.Context, l *lab) error {
	_, err := command{dir: l.dir, env: []string{"GOBIN=" + l.dir}, args: []string{
		"go", "install", "github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0",
	}}.run(ctx)
	return err
}

// gomutants is a peer that the module proxy does not have. It is built from its repository at this commit.
const gomutants, gomutantsCommit = "szhekpisov/gomutants", "278a7b142fbdd59f2c54255298a444c374da22a2"

// installGomutants builds gomutants into the lab's folder.
func installGomutants(ctx context.Context, l *lab) error {
	source := filepath.Join(l.dir, "gomutants.source")
	for _, c := range []command{
		{dir: l.dir, args: []string{"git", "init", "-q", source}},
		{dir: source, args: []string{"git", "fetch", "-q", "--depth=1", "--no-tags", l.github + "/" + gomutants, gomutantsCommit}},
		{dir: source, args: []string{"git", "checkout", "-q", "--detach", gomutantsCommit}},
		{dir: source, args: []string{"go", "build", "-o", filepath.Join(l.dir, "gomutants"), "."}},
	} {
		if _, err := c.run(ctx); err != nil {
			return err
		}
	}
	return nil
}

// gomutants runs gomutants on the changed lines of a checkout, with the tests of its packages.
func (l *lab) gomutants(ctx context.Context, c *checkout) (rate, error) {
	file := filepath.Join(l.dir, "gomutants.json")
	if err := os.RemoveAll(file); err != nil {
		return rate{}, err
	}
	_, took, err := alone(ctx, command{dir: c.module, args: append([]string{
		filepath.Join(l.dir, "gomutants"), "-changed-since", c.commit + "^", "-cache", "off", "-workers", strconv.Itoa(l.workers), "-output", file,
	}, c.packages...)})
	if err != nil {
		return rate{}, err
	}
	return readReportFile(file, took)
}

// runGremlins runs gremlins on a whole module.
//
// Gremlins limits the time of a test to a multiple of what a cached run takes. With its default for that, nearly
// every mutant times out.
func runGremlins(ctx context.Context, l *lab, m module) (rate, error) {
	file := filepath.Join(l.dir, "gremlins.json")
	if err := os.RemoveAll(file); err != nil {
		return rate{}, err
	}
	seen := verdictLines{verdict: gremlinsVerdict, now: time.Now}
	_, took, err := alone(ctx, command{dir: m.dir, watch: &seen, args: []string{
		filepath.Join(l.dir, "gremlins"), "unleash", "--timeout-coefficient", "60", "--workers", strconv.Itoa(l.workers), "--output", file, ".",
	}})
	if errors.Is(err, context.DeadlineExceeded) {
		return seen.rate(took)
	}
	if err != nil {
		return rate{}, err
	}
	return readReportFile(file, took)
}

// alone runs a peer and then ends the processes that it leaves behind, as it may when it is cut off. Tests that
// loop for ever would slow down whatever is measured next.
func alone(ctx context.Context, c command) (out []byte, took time.Duration, err error) {
	guard, err := sandbox.NewGuard()
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, guard.Close()) }()
	c.env = append(c.env, guard.Env()...)
	return c.timed(ctx)
}

// verdictLines counts the verdicts that a peer prints as it goes. There is nothing else of a run that is cut off.
type verdictLines struct {
	verdict     *regexp.Regexp // matches a line with one
	now         func() time.Time
	n           int
	first, last time.Time
	rest        []byte // beginning of a line whose end is still to come
}

var (
	gremlinsVerdict = regexp.MustCompile(`^\s*(KILLED|LIVED|TIMED OUT) \S+ at `)
	oozeVerdict     = regexp.MustCompile(`^laboratory result for '`)
)

func (v *verdictLines) Write(p []byte) (int, error) {
	lines := bytes.Split(append(v.rest, p...), []byte("\n"))
	v.rest = bytes.Clone(lines[len(lines)-1])
	for _, line := range lines[:len(lines)-1] {
		if !v.verdict.Match(line) {
			continue
		}
		v.n++
		v.last = v.now()
		if v.n == 1 {
			v.first = v.last
		}
	}
	return len(p), nil
}

// rate returns the rate of a run that was cut off after took. It does not count the time until the first verdict
// as time of the tests: the peer builds the program and measures its coverage then.
func (v *verdictLines) rate(took time.Duration) (rate, error) {
	if v.n < 2 {
		return rate{}, fmt.Errorf("it gave %d verdicts in %s", v.n, took.Round(time.Second))
	}
	tests := v.last.Sub(v.first)
	return rate{judged: v.n, tests: tests * time.Duration(v.n) / time.Duration(v.n-1), whole: took, cut: true}, nil
}

// readReportFile reads the report in a file. took is the time that the run took.
func readReportFile(file string, took time.Duration) (rate, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return rate{}, err
	}
	r, err := readReport(data)
	r.whole = took
	return r, err
}

// readReport reads a report in the format of gremlins, which gomutants uses, too. A mutant whose tests run out of
// time counts as judged.
func readReport(data []byte) (rate, error) {
	var report struct {
		Elapsed float64 `json:"elapsed_time"`
		Files   []struct {
			Mutations []struct {
				Status string `json:"status"`
			} `json:"mutations"`
		} `json:"files"`
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return rate{}, fmt.Errorf("the report of the peer: %w", err)
	}
	r := rate{tests: time.Duration(report.Elapsed * float64(time.Second))}
	for _, f := range report.Files {
		for _, m := range f.Mutations {
			switch m.Status {
			case "KILLED", "LIVED", "TIMED OUT":
				r.judged++
			}
		}
	}
	return r, nil
}

const oozeTest = `package mutation

import (
	"os"
	"testing"

	"github.com/gtramontina/ooze"
)

func TestMutation(t *testing.T) {
	ooze.Release(t, ooze.WithRepositoryRoot(os.Getenv("OOZE_ROOT")), ooze.WithMinimumThreshold(0), ooze.Parallel())
}
`

// installOoze builds a test binary that runs ooze, which is a library.
func installOoze(ctx context.Context, l *lab) error {
	dir := filepath.Join(l.dir, "ooze")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "mutation_test.go"), []byte(oozeTest), 0o644); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"go", "mod", "init", "mutation"},
		{"go", "get", "-t", "github.com/gtramontina/ooze@v0.2.0"},
		{"go", "test", "-c", "-o", filepath.Join(l.dir, "ooze.test")},
	} {
		if _, err := (command{dir: dir, args: args}).run(ctx); err != nil {
			return err
		}
	}
	return nil
}

// runOoze runs ooze on a module. Ooze does not say how long the tests alone take, so the whole run counts.
func runOoze(ctx context.Context, l *lab, m module) (rate, error) {
	seen := verdictLines{verdict: oozeVerdict, now: time.Now}
	out, took, err := alone(ctx, command{dir: l.dir, watch: &seen, env: []string{"OOZE_ROOT=" + m.dir}, args: []string{
		filepath.Join(l.dir, "ooze.test"), "-test.v", "-test.timeout=0", "-test.parallel=" + strconv.Itoa(l.workers),
	}})
	if errors.Is(err, context.DeadlineExceeded) {
		return seen.rate(took)
	}
	if err != nil {
		return rate{}, err
	}
	r, err := readOoze(out)
	r.tests, r.whole = took, took
	return r, err
}

var oozeTotal = regexp.MustCompile(`Total\S*: +(\d+)`)

// readOoze reads the output of ooze.
func readOoze(out []byte) (rate, error) {
	all := oozeTotal.FindAllSubmatch(out, -1)
	if len(all) == 0 {
		return rate{}, fmt.Errorf("ooze gives no total:\n%s", end(string(out)))
	}
	n, err := strconv.Atoi(string(all[len(all)-1][1])) // the last: tests of mutants may print what looks like a total
	return rate{judged: n}, err
}
