//go:build go1.21

package wire

// Kinds of events, with the fields of Event that are set.
const (
	EventReady  = "ready"  // the target called f.Fuzz, with arguments of Types; or tests begin, with Funcs
	EventEntry  = "entry"  // an input worth keeping: Entry, Reasons, Mutants; JobSimplify: a result
	EventKill   = "kill"   // Mutant fails on Entry and the original does not
	EventExpose = "expose" // Mutant differs from the original at Site on Entry
	EventCrash  = "crash"  // the original fails on Entry; Mutant, if set, is one of Job.Undone that does not
	EventStrike = "strike" // Site differs between two runs of the original
	EventStats  = "stats"  // the counts so far, sent now and then and at the end of the job
	EventRun    = "run"    // JobRun: one run; JobCover, JobWatch: one run of a test, whose name is in Run.Entry
	EventClean  = "clean"  // JobTrials: up to here, mutants have not changed the process
	EventTrial  = "trial"  // JobTrials: Mutant came out as Outcome; Message names the test or subtest that decided
	// EventDrift says that a known input behaves differently than before, so the state of the process has changed. The
	// worker stops fuzzing; stats and done follow. Mutant may have changed the state; 0: unknown. Entry is an input on
	// which that mutant seems to differ from the original; nil: unknown.
	EventDrift   = "drift"
	EventDone    = "done"    // the job is finished
	EventInvalid = "invalid" // a corpus entry is no valid input of the target: Entry.ID, Message
	EventError   = "error"   // the probe failed, or cannot drive the target: Message
)

// Event is one line of JSON on the events descriptor. Its kind decides which fields are set.
type Event struct {
	Event string    `json:"event"` // Event...
	Entry *JobEntry `json:"entry,omitempty"`
	// Reasons are covers (a new block), counts (a known block, another number of times), kills, exposes and crash.
	Reasons []string `json:"reasons,omitempty"`
	Mutant  int      `json:"mutant,omitempty"`
	Mutants []int    `json:"mutants,omitempty"`
	Site    int      `json:"site,omitempty"`
	Outcome string   `json:"outcome,omitempty"` // Outcome... of the run that decided
	Message string   `json:"message,omitempty"`
	// Repeated says of a trial that the failure was repeated, and that the original passes: it is more than a hint.
	Repeated bool     `json:"repeated,omitempty"`
	Stack    string   `json:"stack,omitempty"`
	Types    []string `json:"types,omitempty"`
	Stats    *Stats   `json:"stats,omitempty"`
	Run      *Run     `json:"run,omitempty"`
	// Funcs are indices of functions. EventReady: those that initialisation entered. EventTrial: those and the ones
	// that the runs entered that the outcome rests on.
	Funcs []int `json:"funcs,omitempty"`
}

// Outcomes of a run.
const (
	OutcomeOK      = "ok"
	OutcomeSkip    = "skip"
	OutcomeFailure = "failure" // as by t.Error or t.Fatal
	OutcomePanic   = "panic"
	OutcomeHang    = "hang"   // the run exceeded a bound, see Flag...
	OutcomeDrift   = "drift"  // of a trial: the original failed the test, too
	OutcomeRandom  = "random" // of a trial: a test both passed and failed, and no other test always failed
)

// Stats are counts since the start of the job. Blocks, Reached, Infected, ByMutant, Agreed, Old, Spared and Seeds are
// only set in the last one of a job. Runs of replay, confirmation and minimising do not count.
type Stats struct {
	Stage           string        `json:"stage"`               // replay, mutants, program
	Execs           int64         `json:"execs"`               // runs of the original and of mutants
	MutantExecs     int64         `json:"mutant_execs"`        // runs of mutants
	Unconfirmed     int64         `json:"unconfirmed"`         // verdicts dropped because they did not repeat
	PrunedReach     int64         `json:"pruned_reach"`        // mutant runs saved: the input does not reach the mutant
	PrunedInfection int64         `json:"pruned_infection"`    // mutant runs saved: it does not infect the mutant
	Blocks          []int         `json:"blocks,omitempty"`    // counters that the original covered
	Reached         []int         `json:"reached,omitempty"`   // live mutants that some input reached
	Infected        []int         `json:"infected,omitempty"`  // live mutants that some input infected
	ByMutant        map[int]int64 `json:"by_mutant,omitempty"` // runs of each mutant
	// Agreed is how many of ByMutant gave what the original gave, with a successful call at one of JobMutant.Sites.
	Agreed    map[int]int64 `json:"agreed,omitempty"`
	Old       []int         `json:"old,omitempty"`       // counters of old code that runs moved, see JobMutant.OldFirst
	Spared    map[int]int64 `json:"spared,omitempty"`    // PrunedInfection by mutant
	Seeds     []string      `json:"seeds,omitempty"`     // IDs of inputs that f.Add adds, at most MaxSeeds
	Seconds   [3]float64    `json:"seconds"`             // time spent in the stages replay, mutants and program
	Entries   int           `json:"entries"`             // size of the corpus
	Originals int64         `json:"originals,omitempty"` // runs of the original
	Invalid   int64         `json:"invalid,omitempty"`   // of Originals: those skipped or, with a driver, failed
}

// MaxSeeds bounds Stats.Seeds.
const MaxSeeds = 1000

// Run is one run of one input or, for JobCover and JobWatch, of one test.
type Run struct {
	Entry        string        `json:"entry"` // JobEntry.ID, or the name of the test
	Mutant       int           `json:"mutant"`
	Repeat       int           `json:"repeat"` // from 0
	Outcome      string        `json:"outcome"`
	Message      string        `json:"message,omitempty"`
	Stack        string        `json:"stack,omitempty"`
	Observations []Observation `json:"observations,omitempty"`
	Blocks       []int         `json:"blocks,omitempty"`
	Infected     []int         `json:"infected,omitempty"`
	Steps        int64         `json:"steps,omitempty"`
	Marks        []int         `json:"marks,omitempty"` // JobCover: mutants with an evaluated expression; <0: infected
	Nanos        int64         `json:"nanos,omitempty"` // JobCover: duration in ns
}

// Observation is what one observed call let its caller see.
type Observation struct {
	Site int    `json:"site"`        // -1: all calls of a run beyond a limit
	Hash uint64 `json:"hash,string"` // of what the caller could see
	// Succeeded says that the call returned a value and that its last result is no error. It is not sent.
	Succeeded bool `json:"-"`
	// Of what follows, all but Open is only set on request. An observed receiver is the first of Args and After.
	Args   []string `json:"args,omitempty"`   // each argument as Go source; "" if it cannot be written
	Open   bool     `json:"open,omitempty"`   // nobody saw the call return: the run ended first, or nothing marks it
	After  []string `json:"after,omitempty"`  // each argument after the call, for people; "" if it looks unchanged
	Text   string   `json:"text,omitempty"`   // the results, for people
	Values []string `json:"values,omitempty"` // each result as Go source; "" if it cannot be written
	Errors []string `json:"errors,omitempty"` // the text of each result that is an error; "" for other results
	Is     []string `json:"is,omitempty"`     // the error variables that the last result is, or wraps, by qualified names
}
