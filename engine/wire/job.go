//go:build go1.21

package wire

// Kinds of jobs.
const (
	// JobFuzz replays the corpus, fuzzes the mutants, then the program.
	JobFuzz = "fuzz"
	// JobRun runs each corpus entry Repeat times with the mutant in EnvMutant, and reports every run.
	JobRun = "run"
	// JobSimplify looks for an input that is easier to read than the first entry of Corpus and shows the same. With a
	// mutant in Live, the mutant has to differ from the program as it does on the entry. Without one, the program has
	// to fail at the same place. If there is such an input, it is the last one reported; without a mutant, some of the
	// inputs that were found on the way are reported before it.
	//
	// Values that people wrote are easy to read: those of the other entries, of f.Add if the target is no driver, and
	// of Tested and Dictionary. ProgramExecs bounds the number of inputs tried.
	JobSimplify = "simplify"
	// JobTrials runs mutants against the tests of the package. -test.run has to match the weaver's test for that.
	JobTrials = "trials"
	// JobCover runs each of Tests once with the probed clones active, and reports what it did. It starts like
	// JobTrials.
	JobCover = "cover"
	// JobWatch runs each of Tests Repeat times with the mutant in EnvMutant, and reports what the calls of one function
	// returned. It starts like JobTrials.
	JobWatch = "watch"
)

// Job says what a worker has to do with one fuzz target, or with the tests of one package.
type Job struct {
	Kind   string      `json:"kind"`             // Job...
	Target string      `json:"target"`           // FuzzXxx, or the name of a driver
	Corpus []JobEntry  `json:"corpus"`           // in order; seeds of f.Add and testdata/fuzz come before these
	Seeds  bool        `json:"seeds"`            // JobRun: also run seeds of f.Add and testdata/fuzz, before Corpus
	Deadly []string    `json:"deadly,omitempty"` // JobFuzz: IDs of entries to leave out, because they ended a process
	Live   []JobMutant `json:"live"`             // the mutants to run, in rank order; JobSimplify: at most one
	Home   string      `json:"home"`             // package whose unexported types rendered values may name; "": none
	Driver bool        `json:"driver"`           // Target is a driver: inputs that crash the original may be invalid
	Reads  bool        `json:"reads,omitempty"`  // JobSimplify: the driver decodes its last argument, a []byte
	// Fresh is for JobSimplify. If it is not empty, the result has to take a path through Focus that no entry of Corpus
	// but the first takes, and an entry of Fresh may replace the first.
	Fresh []JobEntry `json:"fresh,omitempty"`
	// Twins is for JobSimplify of a driver: the sites that call the same function as an earlier one, and that one. A
	// difference may move between them: it need not matter which of several calls of a function shows it.
	Twins map[int]int `json:"twins,omitempty"`

	Focus      []Focus     `json:"focus"`            // changed functions and those near them
	Undone     []JobMutant `json:"undone,omitempty"` // driver: mutants that undo the whole change to a function
	Based      bool        `json:"based,omitempty"`  // driver: also report failures that no mutant of Undone prevents
	Seed       uint64      `json:"seed"`             // of the random numbers
	Dictionary [][]byte    `json:"dictionary"`       // literals of the code under test, see weave.Woven
	Tested     [][]byte    `json:"tested,omitempty"` // literals of its tests; for JobSimplify and drivers
	Survey     bool        `json:"survey,omitempty"` // JobFuzz: only run the given inputs on the original, fuzz nothing
	ReplayTime int64       `json:"replay_time"`      // JobFuzz: bound on running the given inputs, in ns; <0: none
	// Stage A fuzzes the mutants, stage B the program. Without MutantExecs and MutantTime there is no stage A.
	MutantExecs  int64 `json:"mutant_execs"`  // bound on stage A: runs of original and mutants; <0: none
	ProgramExecs int64 `json:"program_execs"` // bound on stage B, plus what stage A left over; <0: none
	MutantTime   int64 `json:"mutant_time"`   // bound on stage A in ns, from the start of the job; <0: none
	ProgramTime  int64 `json:"program_time"`  // bound on stage B in ns, plus what stage A left over; <0: none
	Patience     int64 `json:"patience"`      // runs without anything new that end a stage; 0: no such bound
	MaxInput     int   `json:"max_input"`     // bytes an input may grow to; 0: 1 << 16
	StepFactor   int64 `json:"step_factor"`   // a mutant may take this many times the original's steps; 0: 20
	StepFloor    int64 `json:"step_floor"`    // ... and at least this many; 0: 1 << 20
	NoStrike     bool  `json:"no_strike"`     // keep sites that differ between two runs of the original
	Struck       []int `json:"struck"`        // observation sites known to be non-deterministic

	Repeat   int  `json:"repeat"`   // JobRun, JobWatch: runs of each entry or test; 0: 1
	Render   bool `json:"render"`   // JobRun: fill the text fields of Observation
	Coverage bool `json:"coverage"` // JobRun: fill Run.Blocks and Run.Infected

	Watch  int         `json:"watch,omitempty"`  // JobWatch: the site of the function
	Tests  []TrialTest `json:"tests,omitempty"`  // JobTrials: see Trial.Tests; JobCover, JobWatch: the tests to run
	Trials []Trial     `json:"trials,omitempty"` // JobTrials: in order
}

// Timed reports whether a part of the job is bounded by time, so that another run may give other results. In other jobs
// only the time limits that end a worker depend on time.
func (j *Job) Timed() bool { return j.ReplayTime >= 0 || j.MutantTime >= 0 || j.ProgramTime >= 0 }

// TrialTest is a test that mutants are tried on.
type TrialTest struct {
	Name  string `json:"name"`  // TestXxx
	Steps int64  `json:"steps"` // step bound of a run; 0: none
	// Once says that the test as a whole is not repeated if it fails. Unless a subtest fails again by itself, the failure is
	// then only a hint, to be confirmed in a process of its own.
	Once bool `json:"once,omitempty"`
}

// Trial is a mutant to try.
type Trial struct {
	Mutant int   `json:"mutant"`
	Tests  []int `json:"tests"` // indices in Job.Tests, in order
	// Repeats and RepeatTime bound the further runs of a test. RepeatTime is in ns of processor time or, for tests that
	// sleep, of a quarter of the elapsed time.
	Repeats    int   `json:"repeats"`
	RepeatTime int64 `json:"repeat_time"`
}

// Focus is a function that the search should run: a changed one, or one that leads to it in a few calls.
type Focus struct {
	First    int `json:"first"` // its counters are [First, End)
	End      int `json:"end"`
	Distance int `json:"distance"` // number of calls to the nearest changed function; 0: it is changed itself
}

// JobEntry is one input, in Go's corpus encoding.
type JobEntry struct {
	ID   string `json:"id"` // see EntryID
	Data string `json:"data"`
}

// JobMutant is a live mutant as the fuzz loop needs it. The fields after Change only matter for mutants with Change.
type JobMutant struct {
	ID     int  `json:"id"`     // value of M
	Block  int  `json:"block"`  // counter that is non-zero once the mutant is reached
	Probed bool `json:"probed"` // the probed clone records its infection; otherwise it counts as infected when reached
	Change bool `json:"change"` // it undoes a part of the change under review
	// OldFirst and OldEnd bound the counters [OldFirst, OldEnd) of the old code that it restores.
	OldFirst int `json:"old_first,omitempty"`
	OldEnd   int `json:"old_end,omitempty"`
	// Sites are those of calls of the mutated function with results that callers can see.
	Sites []int `json:"sites,omitempty"`
	// Ended says that an input is known on which the mutant panics. A driver then only looks for inputs on which it
	// gives another result.
	Ended bool `json:"ended,omitempty"`
}
