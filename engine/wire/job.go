//go:build go1.21

package wire

// Kinds of jobs.
const (
	// JobFuzz replays the corpus, fuzzes the mutants, then the program.
	JobFuzz = "fuzz"
	// JobRun runs each corpus entry Repeat times with M as EnvMutant says and
	// reports every run.
	JobRun = "run"
	// JobSimplify makes the first entry of Corpus easier to read, and reports the result if that is
	// another: the one mutant in Live still has to differ from the program as it does on the entry
	// or, with none, the program to fail in the same place. Then some of the inputs that led to it are
	// reported before it. What people have written is easy to read: values of the other entries, of f.Add where the
	// target is no driver, and in Tested and Dictionary. ProgramExecs bounds the inputs that are tried, each of which
	// the program runs, and the mutant.
	JobSimplify = "simplify"
	// JobTrials tries mutants on the tests of the package. The binary is
	// started with the weaver's test for it in -test.run.
	JobTrials = "trials"
	// JobCover runs the job's tests once each with the probed clones active, and
	// reports what each did. It is started as JobTrials is.
	JobCover = "cover"
	// JobWatch runs the job's tests Repeat times each with M as EnvMutant says, and
	// reports what the calls of one function gave. It is started as JobTrials is.
	JobWatch = "watch"
)

// Job is what a worker is to do with one fuzz target.
type Job struct {
	Kind   string      `json:"kind"`
	Target string      `json:"target"`           // FuzzXxx
	Corpus []JobEntry  `json:"corpus"`           // in order; f.Add seeds and testdata/fuzz come before these
	Seeds  bool        `json:"seeds"`            // JobRun: run f.Add seeds and testdata/fuzz too, before Corpus
	Deadly []string    `json:"deadly,omitempty"` // JobFuzz: IDs of entries that ended a process before, and are left out
	Live   []JobMutant `json:"live"`             // the mutants to run, in rank order: those not yet killed or exposed, and those that undo a change which tests notice
	Home   string      `json:"home"`             // import path of the package under test, if its tests may name types that it does not export
	Driver bool        `json:"driver"`           // the target is a driver: inputs on which the original fails are none that it may be given
	Reads  bool        `json:"reads,omitempty"`  // JobSimplify: the last argument of the driver is bytes that it makes values of
	Fresh  []JobEntry  `json:"fresh,omitempty"`  // JobSimplify: where there are some, the result goes another way through Focus than all of Corpus but the first, of which these may take the place

	Focus        []Focus     `json:"focus"`            // changed functions and those near them
	Undone       []JobMutant `json:"undone,omitempty"` // for a driver: the mutants that undo the whole change of a function, killed or not
	Based        bool        `json:"based,omitempty"`  // for a driver: report failures that no mutant of Undone mends, too; the base is run on them
	Seed         uint64      `json:"seed"`             // of the random numbers
	Dictionary   [][]byte    `json:"dictionary"`       // literals of the code under test: the bytes of strings, numbers as Go source
	Tested       [][]byte    `json:"tested,omitempty"` // those of its tests: for JobSimplify, and for a driver
	Survey       bool        `json:"survey,omitempty"` // JobFuzz: only run what is there on the original, and fuzz nothing
	ReplayTime   int64       `json:"replay_time"`      // JobFuzz: bound in ns on running what is there before anything is fuzzed; <0: none
	MutantExecs  int64       `json:"mutant_execs"`     // bound on stage A, runs of original and mutants; <0: none
	ProgramExecs int64       `json:"program_execs"`    // bound on stage B; <0: none
	MutantTime   int64       `json:"mutant_time"`      // bound on stage A in ns, from the start of the job; <0: none. With neither bound there is no stage A
	ProgramTime  int64       `json:"program_time"`     // bound on stage B in ns, on top of what stage A had; <0: none
	Patience     int64       `json:"patience"`         // runs without anything new after which a stage ends; 0: it does not
	MaxInput     int         `json:"max_input"`        // bytes an input may grow to; 0: 1 << 16
	StepFactor   int64       `json:"step_factor"`      // a mutant may take this many times the original's steps; 0: 20
	StepFloor    int64       `json:"step_floor"`       // ... and at least this many; 0: 1 << 20
	NoStrike     bool        `json:"no_strike"`        // keep sites that differ between two runs of the original
	Struck       []int       `json:"struck"`           // observation sites known to be non-deterministic

	Repeat   int  `json:"repeat"`   // JobRun, JobWatch: runs of each entry, or test; 0: 1
	Render   bool `json:"render"`   // JobRun: fill Observation.Text and Args
	Coverage bool `json:"coverage"` // JobRun: fill Run.Blocks and Run.Infected

	Watch  int         `json:"watch,omitempty"`  // JobWatch: the site of the function
	Tests  []TrialTest `json:"tests,omitempty"`  // JobTrials: what Trial.Tests refers to
	Trials []Trial     `json:"trials,omitempty"` // JobTrials: in order
}

// Timed reports whether a part of the job is bounded by time, so that its results may be others in another run. Otherwise nothing in it
// is time-dependent but the time limits that end a worker.
func (j *Job) Timed() bool { return j.ReplayTime >= 0 || j.MutantTime >= 0 || j.ProgramTime >= 0 }

// TrialTest is a test that mutants are tried on.
type TrialTest struct {
	Name  string `json:"name"`  // TestXxx
	Steps int64  `json:"steps"` // step bound of a run; 0: none
	// Once says that the test is not repeated if it fails: a process of its own is to show that the mutant fails it.
	Once bool `json:"once,omitempty"`
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
	// OldFirst and OldEnd bound the counters [OldFirst, OldEnd) of the code that it puts back, if it undoes a part of the change.
	OldFirst int `json:"old_first,omitempty"`
	OldEnd   int `json:"old_end,omitempty"`
	// Sites are those of calls of the mutated function, if it undoes a part of the change.
	Sites []int `json:"sites,omitempty"`
	// Ended says that an input of a driver is known on which it panics, if it undoes a part of the change: what is looked for is one on which it
	// gives another result.
	Ended bool `json:"ended,omitempty"`
}
