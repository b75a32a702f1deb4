package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/internal/stabledir"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"mutantfuzz": main})
}

// nightly says that tests also run further cases, which take minutes.
var nightly = flag.Bool("nightly", false, "run what takes minutes, too")

// TestScripts runs the real program on the small modules in testdata/script/*.txtar. Scripts that build and fuzz are
// skipped with -short, and further cases without -nightly.
func TestScripts(t *testing.T) {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:         "testdata/script",
		WorkdirRoot: scriptRoot(t),
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "commit": commit, "validate": validate, "verdict": verdict, "builds": builds, "repeat": repeat, "event": event,
			"listen": listen, "dialled": dialled, "confinement": confinement, "litter": litter, "await": await, "vanishes": vanishes,
			"mutant": mutant, "put": put, "large": large, "same": same, "identical": identical, "distinct": distinct, "compile": compile, "covered": covered,
			"stopped": stopped, "peak": peak, "reused": reused, "damage": damage, "holds": holds, "fuzzed": fuzzed, "restarted": restarted, "reaches": reaches, "replace": replace, "pipes": pipes,
		},
		Condition: confines,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, ".home")
			env.Setenv("HOME", home)
			env.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
			env.Setenv("GOCACHE", strings.TrimSpace(string(cache)))
			env.Setenv("GOPROXY", "off")
			env.Setenv("GOTOOLCHAIN", "local")
			env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			env.Setenv("MUTANTFUZZ", lookUp(env.Getenv("PATH"), "mutantfuzz"))
			env.Values[scriptEnv{}] = env.Vars
			return os.Mkdir(home, 0o755)
		},
	})
}

// scriptRoot returns the folder in which the scripts get theirs. It is "" with -testwork, which keeps their folders.
func scriptRoot(t *testing.T) string {
	if keep := flag.Lookup("testwork"); keep != nil && keep.Value.String() == "true" {
		return ""
	}
	return stabledir.Make(t)
}

// exits N program args...: the program ends with status N.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// commit MESSAGE: commits everything in the current folder. It first makes the folder a repository if it is none.
func commit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: commit MESSAGE")
	}
	if _, err := os.Stat(ts.MkAbs(".git")); err != nil {
		ts.Check(ts.Exec("git", "init", "-q", "-b", "main"))
	}
	ts.Check(ts.Exec("git", "add", "-A"))
	ts.Check(ts.Exec("git", "-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-q", "-m", args[0]))
}

// validate FILE: the results can be loaded, which includes that they match the schema.
func validate(ts *testscript.TestScript, neg bool, args []string) {
	resultsIn(ts, args[0])
}

func resultsIn(ts *testscript.TestScript, file string) *results.Results {
	r, err := results.Load(ts.MkAbs(file))
	ts.Check(err)
	return r
}

// verdict FILE FUNCTION REPLACEMENT VERDICT: a mutant of the function with that replacement has the verdict. VERDICT is
// a regular expression for the status, followed by what killed the mutant or else its stage:
// "killed test/hang" or "survived propagated".
func verdict(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: verdict FILE FUNCTION REPLACEMENT VERDICT")
	}
	want := regexp.MustCompile("^" + args[3] + "$")
	var seen []string
	for _, m := range resultsIn(ts, args[0]).Mutants {
		_, name, _ := strings.Cut(m.Function, ".")
		if name = name[strings.LastIndexByte(name, '.')+1:]; name != args[1] {
			continue
		}
		got := m.Status + " " + m.Stage
		if k := m.KilledBy; k != nil {
			got = m.Status + " " + k.By + "/" + k.Kind
		}
		if strings.TrimSpace(m.Replacement) == args[2] && want.MatchString(got) {
			return
		}
		seen = append(seen, fmt.Sprintf("%q: %s", m.Replacement, got))
	}
	ts.Fatalf("no mutant %q of %s with verdict %s; there are\n%s", args[2], args[1], args[3], strings.Join(seen, "\n"))
}

// mutant VARIABLE FILE FUNCTION REPLACEMENT: sets the variable to the ID of the mutant of the function with that
// replacement. Spaces around the replacement do not count.
func mutant(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: mutant VARIABLE FILE FUNCTION REPLACEMENT")
	}
	var seen []string
	for _, m := range resultsIn(ts, args[1]).Mutants {
		if !strings.HasSuffix(m.Function, "."+args[2]) {
			continue
		}
		if strings.TrimSpace(m.Replacement) == args[3] {
			ts.Setenv(args[0], m.ID)
			return
		}
		seen = append(seen, strconv.Quote(m.Replacement))
	}
	ts.Fatalf("no mutant %q of %s; there are\n%s", args[3], args[2], strings.Join(seen, "\n"))
}

// put FILE ID: applies a mutant to the source below the current folder. It relies only on what the results promise to
// other programs: replacing the bytes from offset to end_offset of file by replacement makes the mutant.
func put(ts *testscript.TestScript, neg bool, args []string) {
	var r struct {
		Mutants []struct {
			ID, File, Original, Replacement string
			Offset                          int
			EndOffset                       int `json:"end_offset"`
		}
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &r))
	for _, m := range r.Mutants {
		if m.ID != args[1] {
			continue
		}
		src := ts.ReadFile(m.File)
		if src[m.Offset:m.EndOffset] != m.Original {
			ts.Fatalf("%s has not the original of %s", m.File, m.ID)
		}
		ts.Check(os.WriteFile(ts.MkAbs(m.File), []byte(src[:m.Offset]+m.Replacement+src[m.EndOffset:]), 0o644))
		return
	}
	ts.Fatalf("no mutant %s", args[1])
}

// large FILE: writes a file that is larger than results may be.
func large(ts *testscript.TestScript, neg bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), make([]byte, results.MaxSize+1), 0o644))
}

// lookUp returns the path of a program in a list of folders, which has the form of PATH, or "" if it is not there.
func lookUp(list, name string) string {
	for _, dir := range filepath.SplitList(list) {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// builds FILE LOG: the results and the log of the go command both have exactly one woven build.
func builds(ts *testscript.TestScript, neg bool, args []string) {
	r := resultsIn(ts, args[0])
	woven := strings.Count(ts.ReadFile(args[1]), string(filepath.Separator)+"woven-")
	if woven != 2 || r.Stats.Builds != 1 { // a build names the folder twice, in -overlay and -o
		ts.Fatalf("%d mentions of woven builds in the log, %d builds in the results", woven, r.Stats.Builds)
	}
	if len(r.Mutants) < 10 {
		ts.Fatalf("only %d mutants", len(r.Mutants))
	}
}

// repeat FILE FILE: the second run began with the corpus of the first, and comes to the same verdict on every mutant.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	first, second := resultsIn(ts, args[0]), resultsIn(ts, args[1])
	if first.Corpus.Before != 0 || len(first.Corpus.New) == 0 || second.Corpus.Before < len(first.Corpus.New) {
		ts.Fatalf("corpus of %d entries, %d new; then of %d", first.Corpus.Before, len(first.Corpus.New), second.Corpus.Before)
	}
	for i, m := range first.Mutants {
		if again := second.Mutants[i]; again.ID != m.ID || again.Status != m.Status || again.Exposed() != m.Exposed() {
			ts.Fatalf("mutant %s is %s at stage %q; then %s is %s at stage %q", m.ID, m.Status, m.Stage, again.ID, again.Status, again.Stage)
		}
	}
}

// [!] fuzzed FILE HARNESS [FUNCTION...]: the harness was (not) fuzzed. If so, it ran at least 1000 times and reached
// just these functions.
func fuzzed(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || neg && len(args) > 2 {
		ts.Fatalf("usage: [!] fuzzed FILE HARNESS [FUNCTION...]")
	}
	list := resultsIn(ts, args[0]).Harnesses
	i := slices.IndexFunc(list, func(h results.Harness) bool { return h.Name == args[1] })
	if (i >= 0) == neg {
		ts.Fatalf("the harnesses are %+v", list)
	}
	if !neg && (list[i].Execs < 1000 || !slices.Equal(list[i].Functions, args[2:])) {
		ts.Fatalf("%s ran %d times and reached %v", args[1], list[i].Execs, list[i].Functions)
	}
}

// reaches FILE HARNESS [FUNCTION...]: the harness reached just these functions, however often it ran.
func reaches(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: reaches FILE HARNESS [FUNCTION...]")
	}
	list := resultsIn(ts, args[0]).Harnesses
	i := slices.IndexFunc(list, func(h results.Harness) bool { return h.Name == args[1] })
	if i < 0 || !slices.Equal(list[i].Functions, args[2:]) {
		ts.Fatalf("the harnesses are %+v", list)
	}
}

// restarted FILE EXECS: workers were restarted, and program and mutants ran at least EXECS times while fuzzing.
func restarted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: restarted FILE EXECS")
	}
	least, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	if s := resultsIn(ts, args[0]).Stats; s.WorkersRestarted == 0 || s.Execs < least {
		ts.Fatalf("%d workers were replaced, and fuzzing took %d runs; want 1 or more, and %d", s.WorkersRestarted, s.Execs, least)
	}
}

// reused FILE MIN MAX: the verdicts on MIN to MAX mutants came from the cache.
func reused(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: reused FILE MIN MAX")
	}
	low, err := strconv.Atoi(args[1])
	ts.Check(err)
	high, err := strconv.Atoi(args[2])
	ts.Check(err)
	if n := resultsIn(ts, args[0]).Stats.Reused; n < low || n > high {
		ts.Fatalf("%d verdicts are reused, want %d to %d", n, low, high)
	}
}

// holds PATTERN TEXT: waits until a file that matches PATTERN contains TEXT.
func holds(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: holds PATTERN TEXT")
	}
	for {
		files, err := filepath.Glob(ts.MkAbs(args[0]))
		ts.Check(err)
		for _, name := range files {
			if data, err := os.ReadFile(name); err == nil && bytes.Contains(data, []byte(args[1])) {
				return
			}
		}
		time.Sleep(5 * time.Millisecond) // only the timeout of the test ends an endless wait
	}
}

// replace FILE OLD NEW: replaces OLD by NEW everywhere in the file, which must contain OLD.
func replace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: replace FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(text, args[1], args[2])), 0o644))
}

// damage DIR: replaces the second half of every file in the folder by garbage.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	files, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*"))
	ts.Check(err)
	if len(files) == 0 {
		ts.Fatalf("there is nothing in %s", args[0])
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		ts.Check(err)
		ts.Check(os.WriteFile(name, append(data[:len(data)/2], "\n{\"key\": 7}\n\x00{"...), 0o644))
	}
}

// pipes DIR: replaces every file in the folder by a named pipe.
func pipes(ts *testscript.TestScript, neg bool, args []string) {
	files, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*"))
	ts.Check(err)
	if len(files) == 0 {
		ts.Fatalf("there is nothing in %s", args[0])
	}
	for _, name := range files {
		ts.Check(os.Remove(name))
		ts.Check(ts.Exec("mkfifo", name))
	}
}

// event FILE BASE: writes the event of a pull request to FILE. Its base commit is the content of the file BASE.
func event(ts *testscript.TestScript, neg bool, args []string) {
	base := strings.TrimSpace(ts.ReadFile(args[1]))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), fmt.Appendf(nil, `{"pull_request": {"base": {"sha": %q}}}`, base), 0o644))
}

// confines decides the conditions of scripts. confines:WHAT holds if the system can enforce that part of a sandbox,
// root if root runs the tests, and nightly if the flag -nightly is set.
func confines(condition string) (bool, error) {
	switch condition {
	case "root":
		return os.Geteuid() == 0, nil
	case "nightly":
		return *nightly, nil
	}
	what, ok := strings.CutPrefix(condition, "confines:")
	if !ok {
		return false, fmt.Errorf("unknown condition %q", condition)
	}
	s, err := sandbox.New(nil, sandbox.Rules{Confined: true, Network: true})
	if err != nil {
		return false, err
	}
	defer s.Close()
	return slices.Contains(s.InForce(), what), nil
}

// listen NAME: starts a server, and sets the variable NAME to its address.
func listen(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: listen NAME")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { l.Close() })
	ts.Setenv(args[0], l.Addr().String())
	file := ts.MkAbs(args[0] + ".dialled")
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close()
			_ = os.WriteFile(file, nil, 0o644) // dialled notices if the file is missing
		}
	}()
}

// [!] dialled NAME: the server was (not) dialled since the last such check.
func dialled(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: [!] dialled NAME")
	}
	if err := os.Remove(ts.MkAbs(args[0] + ".dialled")); (err == nil) == neg {
		ts.Fatalf("the server %s: dialled %v", args[0], err == nil)
	}
}

// [!] confinement FILE WHAT: according to the results, WHAT did (not) confine child processes.
func confinement(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] confinement FILE WHAT")
	}
	if got := resultsIn(ts, args[0]).Options.Sandbox; slices.Contains(got, args[1]) == neg {
		ts.Fatalf("children were confined by %v", got)
	}
}

// [!] litter NAME=VALUE: there are (no) processes with that setting in their environment. The processes of mutantfuzz
// itself end when it does.
func litter(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: [!] litter NAME=VALUE")
	}
	if found := processes(args[0]); (len(found) > 0) == neg {
		ts.Fatalf("processes with %s: %v", args[0], found)
	}
}

// [!] await NAME=VALUE [WORD]: waits until there is a (no) process with that setting in its environment and WORD in its
// command line.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: [!] await NAME=VALUE [WORD]")
	}
	word := strings.Join(args[1:], "")
	for {
		found := slices.ContainsFunc(processes(args[0]), func(line string) bool { return strings.Contains(line, word) })
		if found != neg {
			return
		}
		time.Sleep(20 * time.Millisecond) // only the timeout of the test ends an endless wait
	}
}

// vanishes PATTERN: waits until no file matches PATTERN.
func vanishes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: vanishes PATTERN")
	}
	for {
		if found, err := filepath.Glob(ts.MkAbs(args[0])); err != nil || len(found) == 0 {
			ts.Check(err)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// processes returns the command lines of all processes with a setting, such as "NAME=VALUE", in their environment.
func processes(setting string) []string {
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	var found []string
	for _, name := range environs {
		env, err := os.ReadFile(name)
		if err != nil || !slices.Contains(strings.Split(string(env), "\x00"), setting) {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
		found = append(found, strings.ReplaceAll(string(line), "\x00", " "))
	}
	return found
}
