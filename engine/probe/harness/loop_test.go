package harness

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// wovenDir is the folder in which the woven module is built. All tests share it.
var wovenDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "woven")
	if err != nil {
		panic(err)
	}
	wovenDir = dir
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// woven copies the module testdata/woven and the probe's run-time into wovenDir, and builds the test binary. It does so
// once and returns the folder.
var woven = sync.OnceValues(func() (string, error) {
	dir := wovenDir
	for _, name := range []string{"go.mod", "woven.go", "woven_test.go"} {
		if err := copyFile(filepath.Join("testdata", "woven", name), filepath.Join(dir, name)); err != nil {
			return dir, err
		}
	}
	folder := filepath.Join(dir, "mutantfuzzprobe")
	for name, text := range probe.Sources("example.com/woven/mutantfuzzprobe") {
		name = filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return dir, err
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return dir, err
		}
	}
	if err := copyFile(filepath.Join("testdata", "woven", "layout.go"), filepath.Join(folder, probe.LayoutFile)); err != nil {
		return dir, err
	}
	// The folder has a new path each time. With -trimpath, the build cache helps all the same.
	build := exec.Command("go", "test", "-c", "-trimpath", "-vet=off", "-o", "woven.test", ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		return dir, errors.New(string(out))
	}
	return dir, nil
})

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o644)
}

// wovenLayout is the layout of the state file, as in testdata/woven/layout.go.
var wovenLayout = wire.Layout{Blocks: 64, Funcs: 16, Mutants: 16}

// outcome is what a worker left behind.
type outcome struct {
	events []wire.Event
	err    error  // from the exit status; nil: 0
	output string // standard output and standard error
	state  []byte // the state file
}

// runJob runs the woven binary on a job, as a worker does.
func runJob(t testing.TB, job wire.Job, env ...string) outcome {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no inherited file descriptors")
	}
	dir, err := woven()
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	path := filepath.Join(scratch, "job.json")
	text, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	statePath := filepath.Join(scratch, "state")
	var output bytes.Buffer
	command := exec.Command(filepath.Join(dir, "woven.test"), "-test.paniconexit0", "-test.run=^"+job.Target+"$")
	command.Dir, command.Stdout, command.Stderr = dir, &output, &output
	command.ExtraFiles = []*os.File{writer}
	command.Env = append(os.Environ(), wire.EnvJob+"="+path, wire.EnvEvents+"=3", wire.EnvState+"="+statePath)
	command.Env = append(command.Env, env...)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	writer.Close()
	watchdog := time.AfterFunc(time.Minute, func() { command.Process.Kill() })
	defer watchdog.Stop()
	got := outcome{events: readEvents(t, reader)}
	got.err = command.Wait()
	got.output = output.String()
	if got.state, err = os.ReadFile(statePath); err != nil {
		t.Fatal(err)
	}
	return got
}

func readEvents(t testing.TB, from *os.File) []wire.Event {
	t.Helper()
	var events []wire.Event
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e wire.Event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatalf("event %q: %v", lines.Text(), err)
		}
		events = append(events, e)
	}
	return events
}

// of returns the events of a kind.
func (o outcome) of(kind string) []wire.Event {
	var list []wire.Event
	for _, e := range o.events {
		if e.Event == kind {
			list = append(list, e)
		}
	}
	return list
}

// last returns the last statistics. The job has to be done.
func (o outcome) last(t testing.TB) wire.Stats {
	t.Helper()
	all := o.of(wire.EventStats)
	if len(all) == 0 || len(o.of(wire.EventDone)) != 1 {
		t.Fatalf("the job was not finished: %+v\n%s", o.events, o.output)
	}
	return *all[len(all)-1].Stats
}

// only returns the only event of a kind. There has to be exactly one.
func (o outcome) only(t testing.TB, kind string) wire.Event {
	t.Helper()
	list := o.of(kind)
	if len(list) != 1 {
		t.Fatalf("%d %s events instead of one: %+v\n%s", len(list), kind, o.events, o.output)
	}
	return list[0]
}

// firstValue decodes the first value of an event's entry.
func firstValue(t testing.TB, e wire.Event) any {
	t.Helper()
	values, err := wire.DecodeEntry(e.Entry.Data)
	if err != nil {
		t.Fatal(err)
	}
	return values[0]
}

// fuzzJob returns a fuzzing job that is bounded by executions, not by time.
func fuzzJob(target string, execs int64, live ...wire.JobMutant) wire.Job {
	return wire.Job{
		Kind: wire.JobFuzz, Target: target, Live: live, Seed: 1,
		MutantExecs: execs, ProgramExecs: execs, ReplayTime: -1, MutantTime: -1, ProgramTime: -1,
	}
}

func TestBoundaryMutantIsExposedAtTheBoundary(t *testing.T) {
	job := fuzzJob("FuzzClassify", 5000, wire.JobMutant{ID: 1, Block: 0, Probed: true})
	job.Dictionary = [][]byte{[]byte("1000")}
	got := runJob(t, job)
	e := got.only(t, wire.EventExpose)
	if e.Mutant != 1 || e.Site != 1 || firstValue(t, e) != 1000 {
		t.Errorf("exposed %+v by %v, want mutant 1 at site 1 by 1000", e, firstValue(t, e))
	}
	if n := len(got.of(wire.EventKill)); n != 0 {
		t.Errorf("%d kills though nothing fails", n)
	}
	stats := got.last(t)
	if !reflect.DeepEqual(stats.Reached, []int{1}) || !reflect.DeepEqual(stats.Infected, []int{1}) {
		t.Errorf("reached %v, infected %v, want mutant 1 in both", stats.Reached, stats.Infected)
	}
	if stats.PrunedInfection == 0 {
		t.Error("no mutant run was spared though most inputs do not infect")
	}
}

func TestFailedAssertionKillsAndTheInputIsMinimal(t *testing.T) {
	got := runJob(t, fuzzJob("FuzzClamp", 5000, wire.JobMutant{ID: 2, Block: 4}))
	e := got.only(t, wire.EventKill)
	if e.Mutant != 2 || e.Outcome != wire.OutcomeFailure || firstValue(t, e) != 101 {
		t.Errorf("%+v by %v, want a failure of mutant 2 by 101", e, firstValue(t, e))
	}
	if !strings.Contains(e.Message, "woven_test.go:") {
		t.Errorf("message %q does not say where the target failed", e.Message)
	}
	if len(got.of(wire.EventCrash)) != 0 {
		t.Error("the original is said to fail")
	}
}

func TestCommittedSeedIsReportedUnminimised(t *testing.T) {
	job := fuzzJob("FuzzClamp", 1000, wire.JobMutant{ID: 2, Block: 4})
	job.Corpus = []wire.JobEntry{{ID: "given", Data: wire.EncodeEntry([]any{5000})}}
	got := runJob(t, job)
	e := got.only(t, wire.EventKill)
	if e.Entry.ID != "given" || firstValue(t, e) != 5000 {
		t.Errorf("killed by %+v, want the given entry", e.Entry)
	}
	if n := got.last(t).MutantExecs; n != 0 {
		t.Errorf("%d mutant runs charged though replay decides all", n)
	}
}

func TestSurveyRunsWhatIsGivenAndNoMutant(t *testing.T) {
	job := fuzzJob("FuzzClamp", 1000, wire.JobMutant{ID: 2, Block: 4})
	job.Survey = true
	job.Corpus = []wire.JobEntry{{ID: "given", Data: wire.EncodeEntry([]any{5000})}}
	got := runJob(t, job)
	if stats := got.last(t); len(got.of(wire.EventKill)) > 0 || stats.Execs > 0 || stats.Stage != "replay" || !slices.Contains(stats.Reached, 2) {
		t.Errorf("kills %v, %d runs, reached %v", got.of(wire.EventKill), stats.Execs, stats.Reached)
	}
}

func TestPanicOfTheOriginalIsACrashAndTheLoopGoesOn(t *testing.T) {
	job := fuzzJob("FuzzFirst", 20_000)
	got := runJob(t, job)
	e := got.only(t, wire.EventCrash)
	if e.Outcome != wire.OutcomePanic || !strings.Contains(e.Message, "index out of range") {
		t.Errorf("crash %+v", e)
	}
	if !strings.HasPrefix(e.Stack, "example.com/woven.First\n") {
		t.Errorf("the stack does not begin where the program panicked:\n%s", e.Stack)
	}
	if string(firstValue(t, e).([]byte)) != "!" {
		t.Errorf("crashes on %q, want the smallest input", firstValue(t, e))
	}
	if n := got.last(t).Execs; n != 40_000 {
		t.Errorf("%d runs, want the program's 20,000, and the mutants', of which there is none to fuzz", n)
	}
}

func TestAFailureUnderADriverIsACrashIfItGoesAwayWithTheChangeUndone(t *testing.T) {
	job := fuzzJob("FuzzFirst", 20_000)
	job.Driver = true
	if list := runJob(t, job).of(wire.EventCrash); len(list) > 0 {
		t.Errorf("%+v, although nothing can be undone", list)
	}
	// The first input fails even with the change undone.
	seed := wire.EncodeEntry([]any{[]byte("!?")})
	job.Corpus = []wire.JobEntry{{ID: wire.EntryID(seed), Data: seed}}
	for _, tt := range []struct {
		undone  wire.JobMutant
		crashes int
	}{
		{wire.JobMutant{ID: 13, Block: 8}, 1},
		{wire.JobMutant{ID: 13, Block: 0}, 0}, // the input does not reach it
		{wire.JobMutant{ID: 3, Block: 8}, 0},  // the mutant changes nothing there
	} {
		job.Undone = []wire.JobMutant{tt.undone}
		got := runJob(t, job)
		list := got.of(wire.EventCrash)
		if len(list) != tt.crashes {
			t.Fatalf("%+v: %+v", tt.undone, list)
		}
		for _, e := range list {
			if e.Mutant != 13 || string(firstValue(t, e).([]byte)) != "!" || !strings.Contains(e.Message, "index out of range") {
				t.Errorf("%+v of %q", e, firstValue(t, e))
			}
		}
		if n := got.last(t).MutantExecs; n != 0 {
			t.Errorf("%d runs of mutants are counted", n)
		}
	}
}

func TestExitLeavesMutantAndInputInTheState(t *testing.T) {
	job := fuzzJob("FuzzQuit", 100_000, wire.JobMutant{ID: 3, Block: 12})
	job.Dictionary = [][]byte{[]byte("q")}
	got := runJob(t, job)
	if got.err == nil || len(got.of(wire.EventDone)) != 0 {
		t.Fatalf("the worker survived os.Exit: %+v", got.events)
	}
	at := func(offset int) int64 { return int64(leUint64(got.state[offset:])) }
	if int32(at(wire.StateMutant)) != 3 || at(wire.StateInRun) != 1 {
		t.Errorf("mutant %d, in run %d; want mutant 3 running", int32(at(wire.StateMutant)), at(wire.StateInRun))
	}
	input := got.state[wovenLayout.InputAt():]
	values, err := wire.DecodeStateInput(input[:at(wire.StateInput)])
	if err != nil {
		t.Fatal(err)
	}
	if s := values[0].(string); !strings.HasPrefix(s, "q") {
		t.Errorf("the state holds the input %q, which does not exit", s)
	}
}

func TestExitLeavesWhatAllRunsReachedInTheState(t *testing.T) {
	job := fuzzJob("FuzzQuit", 100_000, wire.JobMutant{ID: 3, Block: 12}, wire.JobMutant{ID: 2, Block: 4})
	job.Dictionary = [][]byte{[]byte("q")}
	got := runJob(t, job)
	if got.err == nil {
		t.Fatal("the worker survived os.Exit")
	}
	if seen := got.state[wovenLayout.SeenAt():][:wovenLayout.Blocks]; seen[12] == 0 || seen[4] != 0 {
		t.Errorf("blocks seen: %v; want 12 and not 4", seen)
	}
	if marks := got.state[wovenLayout.GatheredAt():][:4]; marks[3] != wire.MarkEvaluated|wire.MarkInfected || marks[2] != 0 {
		t.Errorf("marks gathered: %v; want mutant 3 infected and nothing of mutant 2", marks)
	}
}

func leUint64(b []byte) (n uint64) {
	for i := 7; i >= 0; i-- {
		n = n<<8 | uint64(b[i])
	}
	return n
}

func TestEndlessLoopThatRecoversIsAHang(t *testing.T) {
	got := runJob(t, fuzzJob("FuzzSpin", 2000, wire.JobMutant{ID: 4, Block: 16}))
	if e := got.only(t, wire.EventKill); e.Outcome != wire.OutcomeHang || e.Mutant != 4 {
		t.Errorf("%+v, want a hang of mutant 4", e)
	}
	got.last(t)
}

func TestEndlessRecursionIsStoppedBeforeTheProcessDies(t *testing.T) {
	job := fuzzJob("FuzzDepth", 500, wire.JobMutant{ID: 5, Block: 20})
	job.StepFloor = 1 << 40 // so that only the stack can stop it
	got := runJob(t, job)
	if e := got.only(t, wire.EventKill); e.Outcome != wire.OutcomeHang || !strings.Contains(e.Message, "stack") {
		t.Errorf("%+v, want a hang because of the stack", e)
	}
	got.last(t)
}

func TestTooMuchMemoryIsStoppedBeforeTheSystemDoes(t *testing.T) {
	job := fuzzJob("FuzzHoard", 200, wire.JobMutant{ID: 12, Block: 52})
	job.StepFloor = 1 << 40 // so that only the heap can stop it
	got := runJob(t, job, wire.EnvMemory+"=400000000")
	if e := got.only(t, wire.EventKill); e.Outcome != wire.OutcomeHang || !strings.Contains(e.Message, "heap") {
		t.Errorf("%+v, want a hang because of the heap", e)
	}
	got.last(t)
}

func TestJobBoundedByTimeEnds(t *testing.T) {
	job := fuzzJob("FuzzJoin", -1, wire.JobMutant{ID: 7, Block: 28}, wire.JobMutant{ID: 9, Block: 36})
	job.MutantTime, job.ProgramTime = 5e7, 5e7
	stats := runJob(t, job).last(t)
	if stats.Execs == 0 || !reflect.DeepEqual(stats.Reached, []int{7}) {
		t.Errorf("%d runs, reached %v; want mutant 7 reached and 9 not", stats.Execs, stats.Reached)
	}
}

func TestSkippedRunsAreNoFailures(t *testing.T) {
	got := runJob(t, fuzzJob("FuzzEven", 3000, wire.JobMutant{ID: 6, Block: 24}))
	e := got.only(t, wire.EventKill)
	if n := firstValue(t, e).(int); n%2 == 0 || e.Outcome != wire.OutcomeFailure {
		t.Errorf("%+v by %v, want a failure by an odd number", e, n)
	}
	if len(got.of(wire.EventCrash)) != 0 {
		t.Error("a skip is reported as a crash")
	}
	got.last(t)
}

func TestAllArgumentTypesAreFuzzed(t *testing.T) {
	got := runJob(t, fuzzJob("FuzzJoin", 5000, wire.JobMutant{ID: 7, Block: 28}))
	want := []string{"string", "int64", "bool", "float64", "[]byte", "uint8", "int32"}
	if e := got.only(t, wire.EventReady); !reflect.DeepEqual(e.Types, want) {
		t.Errorf("types %v, want %v", e.Types, want)
	}
	if e := got.only(t, wire.EventExpose); e.Mutant != 7 {
		t.Errorf("%+v, want mutant 7", e)
	}
}

func TestReceiverIsObservedAndEachRunHasItsOwnT(t *testing.T) {
	job := fuzzJob("FuzzPut", 500, wire.JobMutant{ID: 8, Block: 32})
	job.Corpus = []wire.JobEntry{{ID: "four", Data: wire.EncodeEntry([]any{"four"})}}
	got := runJob(t, job)
	if e := got.only(t, wire.EventExpose); e.Mutant != 8 || e.Entry.ID != "four" {
		t.Errorf("%+v, want mutant 8 exposed by the receiver it leaves unchanged", e)
	}
	if len(got.of(wire.EventCrash)) != 0 {
		t.Error("a cleanup ran too early")
	}
	got.last(t)
}

func TestSiteThatIsNeverTheSameIsStruck(t *testing.T) {
	got := runJob(t, fuzzJob("FuzzTicket", 1000, wire.JobMutant{ID: 9, Block: 36}))
	if e := got.only(t, wire.EventStrike); e.Site != 8 {
		t.Errorf("struck %+v, want site 8", e)
	}
	if len(got.of(wire.EventExpose))+len(got.of(wire.EventDrift)) != 0 {
		t.Errorf("a verdict rests on a struck site: %+v", got.events)
	}
}

func TestChangedPackageStateStopsTheWorkerAsDrift(t *testing.T) {
	got := runJob(t, fuzzJob("FuzzShift", 1000, wire.JobMutant{ID: 10, Block: 40}))
	e := got.only(t, wire.EventDrift)
	if e.Mutant != 10 || e.Entry == nil {
		t.Errorf("%+v, want mutant 10 blamed, with an input", e)
	}
	if stage := got.last(t).Stage; stage != "replay" {
		t.Errorf("the worker went on to stage %s", stage)
	}
	if n := len(got.of(wire.EventExpose)); n != 0 {
		t.Errorf("%d exposures from a process that cannot be trusted", n)
	}
	got.only(t, wire.EventDone)
}

func TestInputsThatGetFurtherInTheMutantAreKept(t *testing.T) {
	job := fuzzJob("FuzzNested", 30_000, wire.JobMutant{ID: 11, Block: 44})
	job.ProgramExecs = 0
	got := runJob(t, job)
	if e := got.only(t, wire.EventExpose); e.Mutant != 11 || !strings.HasSuffix(firstValue(t, e).(string), "yz") {
		t.Errorf("%+v, want mutant 11 exposed by a text that ends in yz", e)
	}
}

func TestSameSeedAndBudgetGiveTheSameEvents(t *testing.T) {
	job := fuzzJob("FuzzJoin", 3000, wire.JobMutant{ID: 7, Block: 28})
	job.Seed = 42
	first, second := runJob(t, job), runJob(t, job)
	a, b := timeless(first), timeless(second)
	if !reflect.DeepEqual(a, b) {
		t.Errorf("two runs differ:\n%v\n%v", a, b)
	}
	job.Seed = 43
	if reflect.DeepEqual(a, timeless(runJob(t, job))) {
		t.Error("another seed changes nothing")
	}
}

// timeless returns the events as JSON without what depends on time: all statistics but the last, and the seconds there.
func timeless(o outcome) []string {
	var lines []string
	for i, e := range o.events {
		if e.Event == wire.EventStats {
			if i+2 < len(o.events) {
				continue // not the last statistics
			}
			e.Stats.Seconds = [3]float64{}
		}
		line, _ := json.Marshal(e)
		lines = append(lines, string(line))
	}
	return lines
}

func TestUnfitEntriesAreNamedAndLeftOut(t *testing.T) {
	job := fuzzJob("FuzzClamp", 0)
	job.Corpus = []wire.JobEntry{
		{ID: "garbage", Data: "garbage"},
		{ID: "type", Data: wire.EncodeEntry([]any{"text"})},
		{ID: "count", Data: wire.EncodeEntry([]any{1, 2})},
		{ID: "good", Data: wire.EncodeEntry([]any{1})},
	}
	got := runJob(t, job)
	var ids []string
	for _, e := range got.of(wire.EventInvalid) {
		ids = append(ids, e.Entry.ID)
	}
	if want := []string{"garbage", "type", "count"}; !reflect.DeepEqual(ids, want) {
		t.Errorf("invalid entries %v, want %v", ids, want)
	}
	if n := got.last(t).Entries; n != 2 {
		t.Errorf("%d entries, want the seed and the good one", n)
	}
}

func TestJobRunReportsEachRunOfTheMutantFromTheStart(t *testing.T) {
	job := wire.Job{Kind: wire.JobRun, Target: "FuzzClassify", Repeat: 2, Render: true, Coverage: true}
	job.Corpus = []wire.JobEntry{{ID: "edge", Data: wire.EncodeEntry([]any{1000})}}
	for mutant, want := range map[string]string{"0": `"small"`, "1": `"big"`} {
		got := runJob(t, job, wire.EnvMutant+"="+mutant)
		runs := got.of(wire.EventRun)
		if len(runs) != 2 || len(got.of(wire.EventDone)) != 1 {
			t.Fatalf("events %+v\n%s", got.events, got.output)
		}
		for i, e := range runs {
			o := e.Run.Observations
			if e.Run.Repeat != i || e.Run.Outcome != wire.OutcomeOK || len(o) != 1 || o[0].Text != want {
				t.Errorf("mutant %s: run %+v, want %s", mutant, e.Run, want)
			}
			if !reflect.DeepEqual(o[0].Args, []string{"1000"}) || !reflect.DeepEqual(o[0].Values, []string{want}) {
				t.Errorf("mutant %s: args %v, values %v", mutant, o[0].Args, o[0].Values)
			}
			if len(e.Run.Blocks) != 2 {
				t.Errorf("mutant %s: blocks %v, want entry and branch", mutant, e.Run.Blocks)
			}
		}
		if !reflect.DeepEqual(runs[0].Run.Observations, runs[1].Run.Observations) {
			t.Errorf("mutant %s: two runs differ", mutant)
		}
	}
}

func TestProcessStepBoundStopsATestAndSaysSo(t *testing.T) {
	dir, err := woven()
	if err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(t.TempDir(), "state")
	command := exec.Command(filepath.Join(dir, "woven.test"), "-test.run=^FuzzDepth$")
	command.Dir = dir
	command.Env = append(os.Environ(), wire.EnvState+"="+state, wire.EnvMutant+"=5", wire.EnvSteps+"=200000")
	out, err := command.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "step bound was exceeded") {
		t.Fatalf("%v\n%s", err, out)
	}
	memory, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	if flags := memory[wire.StateFlags]; flags&wire.FlagHang == 0 {
		t.Errorf("flags %b, want the hang", flags)
	}
	if memory[wovenLayout.BlocksAt()+4*20] == 0 || memory[wovenLayout.FuncsAt()+5] != 1 {
		t.Error("the coverage of the test is lost")
	}
}

func TestWithoutEnvironmentTargetsBehaveAsUnwoven(t *testing.T) {
	dir, err := woven()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(filepath.Join(dir, "woven.test"), "-test.v", "-test.run=^Fuzz(Clamp|Even|Put|Join)$")
	command.Dir = dir
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"--- PASS: FuzzClamp/seed#0", "--- SKIP: FuzzEven/seed#0", "--- PASS: FuzzPut/seed#0", "--- PASS: FuzzJoin"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in the output:\n%s", want, out)
		}
	}
}

func TestMutantOfTheEnvironmentIsActiveInPlainTests(t *testing.T) {
	dir, err := woven()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(filepath.Join(dir, "woven.test"), "-test.run=^FuzzEven$")
	command.Dir = dir
	// On this committed seed, only mutant 6 fails.
	folder := filepath.Join(dir, "testdata", "fuzz", "FuzzEven")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if err := os.WriteFile(filepath.Join(folder, "odd"), []byte(wire.EncodeEntry([]any{3})), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("the original fails: %v\n%s", err, out)
	}
	mutated := exec.Command(command.Path, command.Args[1:]...)
	mutated.Dir, mutated.Env = dir, append(os.Environ(), wire.EnvMutant+"=6")
	if out, err := mutated.CombinedOutput(); err == nil || !strings.Contains(string(out), "odd number is even") {
		t.Errorf("the mutant is not active: %v\n%s", err, out)
	}
	e := runJob(t, fuzzJob("FuzzEven", 100, wire.JobMutant{ID: 6, Block: 24})).only(t, wire.EventKill)
	if want := wire.EntryID(wire.EncodeEntry([]any{3})); e.Entry.ID != want || firstValue(t, e) != 3 {
		t.Errorf("killed by %+v, want the committed entry %s", e.Entry, want)
	}
}

func BenchmarkTrivialTarget(b *testing.B) {
	job := fuzzJob("FuzzTrivial", 0)
	job.ProgramExecs = int64(b.N)
	got := runJob(b, job)
	stats := got.last(b)
	b.ReportMetric(stats.Seconds[2]*1e9/float64(stats.Execs), "ns/run")
}
