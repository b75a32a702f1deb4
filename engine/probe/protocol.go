//go:build go1.21

package probe

// This file is what the coordinator and a woven test binary say to each other:
// environment variables and a job file going in, a state file and a stream of
// events coming out.

// Environment variables of a woven test binary. With none of them set the
// probe does nothing and the tests behave as they do unwoven.
const (
	EnvState  = "MUTANTFUZZ_STATE"  // state file to map, of Layout.Size bytes
	EnvMutant = "MUTANTFUZZ_MUTANT" // what M is from the start of the process, before any init; default 0
	EnvSteps  = "MUTANTFUZZ_STEPS"  // step bound of the whole process, in a job of each JobRun run; 0 or unset: none
	EnvMemory = "MUTANTFUZZ_MEMORY" // bytes of data the process may map; 0 or unset: no limit
	EnvJob    = "MUTANTFUZZ_JOB"    // job file (JSON); the binary is started with -test.run=^Target$
	EnvEvents = "MUTANTFUZZ_EVENTS" // number of the inherited file descriptor that events go to
)

// Values of M that are no mutant. Mutants are numbered from 1.
const (
	Original = 0  // the function as written
	Probed   = -1 // its clone that also records infection
	Identity = -2 // the clone that mutants share, with none of them active
)

// Layout places the parts of a state file. Numbers are in the byte order of
// the machine, which writer and reader share: little-endian wherever the
// fuzzing runs today.
type Layout struct {
	Blocks  int // block counters, uint32 each
	Funcs   int // function marks, one byte each
	Mutants int // infection marks 0..Mutants, one byte each
}

// Offsets in a state file before the arrays.
const (
	StateMagic    = "mfzstat1"
	StateRuns     = 8   // int64: runs begun, the heartbeat
	StateSteps    = 16  // int64: steps taken, counted by chunks of up to StepChunk when one is used up
	StateMutant   = 24  // int32: M of the run going on
	StateFlags    = 28  // uint32: Flag... of what has happened in this process
	StateMutants  = 32  // int64: runs begun with a mutant active
	StateInput    = 40  // int64: length of the input of the run going on, -1 if none or if it does not fit
	StateInRun    = 48  // int64: 1 while user code runs
	stateArrays   = 128 // first array
	StateInputMax = 1 << 20
	StepChunk     = 1 << 16
)

// Flags of a state file.
const (
	FlagHang      = 1 << iota // the step bound was exceeded
	FlagRecursion             // the stack grew past its bound
	FlagMemory                // the heap grew past its bound
)

// BlocksAt is the offset of the block counters.
func (l Layout) BlocksAt() int { return stateArrays }

// FuncsAt is the offset of the function marks.
func (l Layout) FuncsAt() int { return l.BlocksAt() + 4*l.Blocks }

// MutantsAt is the offset of the infection marks.
func (l Layout) MutantsAt() int { return (l.FuncsAt() + l.Funcs + 7) &^ 7 }

// InputAt is the offset of the input buffer: StateInputMax bytes, for
// DecodeStateInput.
func (l Layout) InputAt() int { return (l.MutantsAt() + l.Mutants + 1 + 7) &^ 7 }

// Size is the length of a state file.
func (l Layout) Size() int { return l.InputAt() + StateInputMax }

// Infection marks.
const (
	MarkEvaluated = 1 // the watched expression was evaluated
	MarkInfected  = 2 // ... and the mutant's value differed
)

// Kinds of jobs.
const (
	// JobFuzz replays the corpus, fuzzes the mutants, then the program.
	JobFuzz = "fuzz"
	// JobRun runs each corpus entry Repeat times with M as EnvMutant says and
	// reports every run.
	JobRun = "run"
	// JobTrials tries mutants on the tests of the package. The binary is
	// started with the weaver's test for it in -test.run.
	JobTrials = "trials"
	// JobCover runs the job's tests once each with the probed clones active, and
	// reports what each did. It is started as JobTrials is.
	JobCover = "cover"
)

// Job is what a worker is to do with one fuzz target.
type Job struct {
	Kind   string      `json:"kind"`
	Target string      `json:"target"` // FuzzXxx
	Corpus []JobEntry  `json:"corpus"` // in order; f.Add seeds and testdata/fuzz come before these
	Seeds  bool        `json:"seeds"`  // JobRun: run f.Add seeds and testdata/fuzz too, before Corpus
	Live   []JobMutant `json:"live"`   // mutants not yet killed or exposed, in rank order

	Focus        []Focus  `json:"focus"`         // changed functions and those near them
	Seed         uint64   `json:"seed"`          // of the random numbers
	Dictionary   [][]byte `json:"dictionary"`    // literals of the code under test: the bytes of strings, numbers as Go source
	MutantExecs  int64    `json:"mutant_execs"`  // bound on stage A, runs of original and mutants; <0: none
	ProgramExecs int64    `json:"program_execs"` // bound on stage B; <0: none
	MutantTime   int64    `json:"mutant_time"`   // bound on stage A in ns, from the start of the job; <0: none. With neither bound there is no stage A
	ProgramTime  int64    `json:"program_time"`  // bound on stage B in ns, on top of what stage A had; <0: none
	MaxInput     int      `json:"max_input"`     // bytes an input may grow to; 0: 1 << 16
	StepFactor   int64    `json:"step_factor"`   // a mutant may take this many times the original's steps; 0: 20
	StepFloor    int64    `json:"step_floor"`    // ... and at least this many; 0: 1 << 20
	NoStrike     bool     `json:"no_strike"`     // keep sites that differ between two runs of the original
	Struck       []int    `json:"struck"`        // observation sites known to be non-deterministic

	Repeat   int  `json:"repeat"`   // JobRun: runs of each entry; 0: 1
	Render   bool `json:"render"`   // JobRun: fill Observation.Text and Args
	Coverage bool `json:"coverage"` // JobRun: fill Run.Blocks and Run.Infected

	Tests  []TrialTest `json:"tests,omitempty"`  // JobTrials: what Trial.Tests refers to
	Trials []Trial     `json:"trials,omitempty"` // JobTrials: in order
}

// TrialTest is a test that mutants are tried on.
type TrialTest struct {
	Name  string `json:"name"`  // TestXxx
	Steps int64  `json:"steps"` // step bound of a run; 0: none
}

// Trial is a mutant to try.
type Trial struct {
	Mutant int   `json:"mutant"`
	Tests  []int `json:"tests"` // indices in Job.Tests, in order
	// Repeats and RepeatTime bound the further runs of a test, the latter in ns of
	// processor time; of tests that sleep, in a quarter of the time that passes.
	Repeats    int   `json:"repeats"`
	RepeatTime int64 `json:"repeat_time"`
}

// Focus is a function that the search should run: a changed one, or one from
// which that is few calls away.
type Focus struct {
	First    int `json:"first"` // its counters are [First, End)
	End      int `json:"end"`
	Distance int `json:"distance"` // calls from a changed function; 0: it is one
}

// JobEntry is one input, in Go's corpus encoding.
type JobEntry struct {
	ID   string `json:"id"`
	Data string `json:"data"`
}

// JobMutant is a live mutant as the loop needs it.
type JobMutant struct {
	ID     int  `json:"id"`     // value of M
	Block  int  `json:"block"`  // counter that is non-zero when the mutant is reached
	Probed bool `json:"probed"` // its infection is recorded in the probed clone; otherwise it infects whenever reached
	Change bool `json:"change"` // it undoes a part of the change under review
}

// Kinds of events.
const (
	EventReady   = "ready"   // the target called f.Fuzz, and Types is set; or trials begin
	EventEntry   = "entry"   // an input worth keeping: Entry, Reasons, Mutants
	EventKill    = "kill"    // Mutant fails on Entry where the original does not
	EventExpose  = "expose"  // Mutant differs from the original at Site on Entry
	EventCrash   = "crash"   // the original fails on Entry
	EventStrike  = "strike"  // Site differs between two runs of the original
	EventStats   = "stats"   // counts so far, a few times a second, and once at the end
	EventRun     = "run"     // JobRun: one run; JobCover: one test, its name in Run.Entry
	EventClean   = "clean"   // JobTrials: what came before was seen in a process that mutants have not changed
	EventTrial   = "trial"   // JobTrials: Mutant came out as Outcome; Message names the test or subtest that decided
	EventDrift   = "drift"   // a known input no longer behaves as it did: process state has changed; the worker stops, done follows
	EventDone    = "done"    // the job is finished
	EventInvalid = "invalid" // a corpus entry could not be decoded: Entry.ID, Message
	EventError   = "error"   // the probe's own fault or a target it cannot drive: Message
)

// Event is one line of JSON on the events descriptor.
type Event struct {
	Event   string    `json:"event"`
	Entry   *JobEntry `json:"entry,omitempty"`
	Reasons []string  `json:"reasons,omitempty"` // covers (a new block), counts (a known block another number of times), kills, exposes, crash
	Mutant  int       `json:"mutant,omitempty"`
	Mutants []int     `json:"mutants,omitempty"`
	Site    int       `json:"site,omitempty"`
	Outcome string    `json:"outcome,omitempty"` // Outcome... of the run that decided
	Message string    `json:"message,omitempty"`
	Stack   string    `json:"stack,omitempty"`
	Types   []string  `json:"types,omitempty"`
	Stats   *Stats    `json:"stats,omitempty"`
	Run     *Run      `json:"run,omitempty"`
	Funcs   []int     `json:"funcs,omitempty"` // of a trial that failed: the functions that were entered, initialisation included
}

// Outcomes of a run.
const (
	OutcomeOK      = "ok"
	OutcomeSkip    = "skip"
	OutcomeFailure = "failure" // t.Error, t.Fatal
	OutcomePanic   = "panic"
	OutcomeHang    = "hang"   // step bound, recursion bound
	OutcomeDrift   = "drift"  // of a trial: the original failed as well
	OutcomeRandom  = "random" // of a trial: the test passed as well as failed, and all others passed
)

// Stats are counts since the start of the job.
type Stats struct {
	Stage           string        `json:"stage"` // replay, mutants, program
	Execs           int64         `json:"execs"` // runs of original and mutants, replay and minimising apart
	MutantExecs     int64         `json:"mutant_execs"`
	Unconfirmed     int64         `json:"unconfirmed"` // verdicts dropped because they did not repeat
	PrunedReach     int64         `json:"pruned_reach"`
	PrunedInfection int64         `json:"pruned_infection"`
	Blocks          []int         `json:"blocks,omitempty"`    // at the end: counters the original covered
	Reached         []int         `json:"reached,omitempty"`   // at the end: live mutants some input reached
	Infected        []int         `json:"infected,omitempty"`  // at the end: live mutants some input infected
	ByMutant        map[int]int64 `json:"by_mutant,omitempty"` // at the end: runs of each mutant
	Seconds         [3]float64    `json:"seconds"`             // spent in replay, mutants, program
	Entries         int           `json:"entries"`
}

// Run is one run of one input.
type Run struct {
	Entry        string        `json:"entry"` // JobEntry.ID
	Mutant       int           `json:"mutant"`
	Repeat       int           `json:"repeat"` // from 0
	Outcome      string        `json:"outcome"`
	Message      string        `json:"message,omitempty"`
	Stack        string        `json:"stack,omitempty"`
	Observations []Observation `json:"observations,omitempty"`
	Blocks       []int         `json:"blocks,omitempty"`
	Infected     []int         `json:"infected,omitempty"`
	Steps        int64         `json:"steps,omitempty"`
	Marks        []int         `json:"marks,omitempty"` // JobCover: mutants whose expression was evaluated; negative: and infected
	Nanos        int64         `json:"nanos,omitempty"` // JobCover: how long it took
}

// Observation is what one call from the harness let its caller see.
type Observation struct {
	Site int    `json:"site"`
	Hash uint64 `json:"hash,string"`
	// What follows is rendered on request. The receiver, where it is observed,
	// comes before the arguments.
	Args   []string `json:"args,omitempty"`   // each argument as Go source, "" where it has no such form
	After  []string `json:"after,omitempty"`  // each argument for people as the call left it, "" where it looks unchanged
	Text   string   `json:"text,omitempty"`   // the results for people
	Values []string `json:"values,omitempty"` // each result as Go source, "" where it has no such form
	Errors []string `json:"errors,omitempty"` // the text of each result that is an error, "" for others
}
