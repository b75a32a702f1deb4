//go:build go1.21

package wire

// Kinds of events.
const (
	EventReady  = "ready"  // the target called f.Fuzz, and Types is set; or trials begin
	EventEntry  = "entry"  // an input worth keeping: Entry, Reasons, Mutants
	EventKill   = "kill"   // Mutant fails on Entry where the original does not
	EventExpose = "expose" // Mutant differs from the original at Site on Entry
	EventCrash  = "crash"  // the original fails on Entry
	EventStrike = "strike" // Site differs between two runs of the original
	EventStats  = "stats"  // counts so far, a few times a second, and once at the end
	EventRun    = "run"    // JobRun: one run; JobCover, JobWatch: one test, its name in Run.Entry
	EventClean  = "clean"  // JobTrials: what came before was seen in a process that mutants have not changed
	EventTrial  = "trial"  // JobTrials: Mutant came out as Outcome; Message names the test or subtest that decided
	// EventDrift: a known input no longer behaves as it did, so process state has
	// changed. The worker stops, and stats and done follow. Mutant is the one that
	// may have changed it, 0 if unknown; Entry an input on which that mutant seems to
	// differ from the original, nil if unknown.
	EventDrift   = "drift"
	EventDone    = "done"    // the job is finished
	EventInvalid = "invalid" // a corpus entry is no input of the target: Entry.ID, Message
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
	Agreed          map[int]int64 `json:"agreed,omitempty"`    // at the end: of ByMutant, those that gave what the original gave, and in which a call at one of the mutant's Sites succeeded
	Old             []int         `json:"old,omitempty"`       // at the end: counters of code that mutants put back, see JobMutant.OldFirst, that runs of them moved
	Spared          map[int]int64 `json:"spared,omitempty"`    // at the end: of PrunedInfection, those of each mutant
	Seeds           []string      `json:"seeds,omitempty"`     // at the end: IDs of inputs that the target adds itself, by f.Add; at most MaxSeeds
	Seconds         [3]float64    `json:"seconds"`             // spent in replay, mutants, program
	Entries         int           `json:"entries"`
	Originals       int64         `json:"originals,omitempty"` // of Execs, those of the original
	Invalid         int64         `json:"invalid,omitempty"`   // of Originals: what the target skipped, and for a driver what the original failed on
}

// MaxSeeds is how many inputs that a target adds itself are named.
const MaxSeeds = 1000

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
	// Succeeded says that the call gave some value, and that the last result is no error. It stays in the process.
	Succeeded bool `json:"-"`
	// What follows is rendered on request. The receiver, where it is observed,
	// comes before the arguments.
	Args   []string `json:"args,omitempty"`   // each argument as Go source, "" where it has no such form
	Open   bool     `json:"open,omitempty"`   // the run ended before it returned, or nothing says when it did
	After  []string `json:"after,omitempty"`  // each argument for people as the call left it, "" where it looks unchanged
	Text   string   `json:"text,omitempty"`   // the results for people
	Values []string `json:"values,omitempty"` // each result as Go source, "" where it has no such form
	Errors []string `json:"errors,omitempty"` // the text of each result that is an error, "" for others
}
