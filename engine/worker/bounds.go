package worker

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Bounds says which numbers and types are valid in the events of a child, given what is woven into its binary. User
// code can write events too. Events are checked against Bounds and the job, so that their receivers need not check
// again.
type Bounds struct {
	Layout wire.Layout
	Sites  int      // observation sites, from 0
	Types  []string // of the target's arguments, as in weave.Target; nil: unknown
}

// Bounds on texts and on counts. What the probe writes stays well below.
const (
	maxText       = 16 << 10  // bytes of a message or a stack, for people; the rest is cut off
	maxRendered   = 4 << 10   // bytes of a rendered value; likewise
	maxValues     = 256       // arguments, or results, of one observed call; the rest is left out
	maxObserved   = 1025      // observations of a run
	maxCount      = 1 << 44   // runs or steps: more than months yield, and sums do not overflow
	maxSeconds    = 1e8       // in a stage
	maxCrashes    = 1000      // of one child
	maxEvents     = 1 << 17   // of one child, not counting statistics
	maxEventBytes = 256 << 20 // total size of these
	someStats     = 100       // statistics that a child may send at once ...
	statsRate     = 16        // ... and statistics each second; the probe sends four
)

// checker checks the events of one child.
type checker struct {
	*Bounds
	job    *wire.Job
	mutant int            // initial M of the child
	live   map[int]bool   // mutants of the job
	undone map[int]bool   // mutants of the job that undo the whole change of a function
	given  map[string]int // by entry ID or test: how often it may still run
	began  time.Time
	count  map[string]int // events so far, by kind
	events int            // ... not counting statistics
	bytes  int            // total size of these
}

// newChecker returns a checker for a child with the given job and initial mutant.
func newChecker(b *Bounds, job *wire.Job, mutant int) *checker {
	l := &checker{
		Bounds: b, job: job, mutant: mutant, live: map[int]bool{}, undone: map[int]bool{}, given: map[string]int{}, began: time.Now(), count: map[string]int{},
	}
	for _, m := range job.Live {
		l.live[m.ID] = true
	}
	for _, m := range job.Undone {
		l.undone[m.ID] = true
	}
	for _, e := range job.Corpus {
		l.given[e.ID] += max(job.Repeat, 1)
	}
	if job.Kind == wire.JobCover || job.Kind == wire.JobWatch {
		for _, t := range job.Tests {
			l.given[t.Name] = max(job.Repeat, 1)
		}
	}
	return l
}

// kinds are the valid events for each kind of job.
var kinds = map[string][]string{
	wire.JobFuzz: {
		wire.EventReady, wire.EventEntry, wire.EventKill, wire.EventExpose, wire.EventCrash, wire.EventStrike,
		wire.EventStats, wire.EventDrift, wire.EventDone, wire.EventInvalid, wire.EventError,
	},
	wire.JobRun:      {wire.EventReady, wire.EventRun, wire.EventDone, wire.EventInvalid, wire.EventError},
	wire.JobSimplify: {wire.EventReady, wire.EventEntry, wire.EventStats, wire.EventDone, wire.EventInvalid, wire.EventError},
	wire.JobTrials:   {wire.EventReady, wire.EventTrial, wire.EventClean, wire.EventDone, wire.EventError},
	wire.JobCover:    {wire.EventReady, wire.EventRun, wire.EventDone, wire.EventError},
	wire.JobWatch:    {wire.EventReady, wire.EventRun, wire.EventDone, wire.EventError},
}

// look makes the checks that are possible before a line is decoded, since decoding some lines takes much memory. It
// bounds the number of objects and of elements, outside of strings.
func (l *checker) look(line []byte) error {
	objects, items, quoted := 0, 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			objects++
		case c == ',', c == '[':
			items++
		}
	}
	if objects > 16+maxObserved || items > 1<<20+8*(l.Layout.Blocks+l.Layout.Funcs+l.Layout.Mutants) {
		return fmt.Errorf("an event of %d objects and %d elements", objects, items)
	}
	return nil
}

// check returns what is invalid in e, an event of size bytes, or nil. It shortens texts in e.
func (l *checker) check(e *wire.Event, size int) error {
	if err := among("event of a job of kind "+l.job.Kind, kinds[l.job.Kind], e.Event); err != nil {
		return err
	}
	if err := l.tooMany(e, size); err != nil {
		return err
	}
	shorten(&e.Message, maxText)
	shorten(&e.Stack, maxText)
	switch e.Event {
	case wire.EventReady:
		return l.funcs(e.Funcs)
	case wire.EventEntry:
		return cmp.Or(l.entry(e.Entry), reasonsOf(e), l.liveOnes(e.Mutants))
	case wire.EventCrash:
		return cmp.Or(l.entry(e.Entry), l.mending(e.Mutant))
	case wire.EventKill, wire.EventExpose:
		return cmp.Or(l.entry(e.Entry), l.liveOnes([]int{e.Mutant}), l.site(e.Site))
	case wire.EventStrike:
		return l.site(e.Site)
	case wire.EventDrift:
		return l.drift(e)
	case wire.EventInvalid:
		return unfit(e.Entry)
	case wire.EventStats:
		return l.stats(e.Stats)
	case wire.EventRun:
		return l.run(e.Run)
	case wire.EventTrial:
		return l.trial(e)
	}
	return nil
}

// tooMany counts e. It returns an error if there are more events than a probe ever sends: user code may send them
// without end.
func (l *checker) tooMany(e *wire.Event, size int) error {
	l.count[e.Event]++
	n, most := l.count[e.Event], maxEvents
	switch e.Event {
	case wire.EventStats:
		most = someStats + int(statsRate*time.Since(l.began).Seconds())
	case wire.EventCrash:
		most = maxCrashes
	case wire.EventKill, wire.EventExpose:
		most = someStats + 4*len(l.live)
	case wire.EventTrial:
		most = len(l.job.Trials)
	}
	if e.Event != wire.EventStats {
		l.events++
		l.bytes += size
	}
	if n > most || l.events > maxEvents || l.bytes > maxEventBytes {
		return fmt.Errorf("too many events: %d %q among %d of %d bytes", n, e.Event, l.events, l.bytes)
	}
	return nil
}

// within checks that each of numbers is in [low, high), and that there are at most most of them.
func within(numbers []int, low, high, most int, what string) error {
	if len(numbers) > most {
		return fmt.Errorf("%d numbers of %ss, of which there are %d", len(numbers), what, high-low)
	}
	for _, n := range numbers {
		if n < low || n >= high {
			return fmt.Errorf("%s %d is none of %d to %d", what, n, low, high-1)
		}
	}
	return nil
}

// amounts checks counts.
func amounts(counts ...int64) error {
	for _, n := range counts {
		if n < 0 || n > maxCount {
			return fmt.Errorf("a count of %d", n)
		}
	}
	return nil
}

// among checks that word is one of words.
func among(what string, words []string, word string) error {
	if !slices.Contains(words, word) {
		return fmt.Errorf("%.40q is no %s", word, what)
	}
	return nil
}

// funcs checks the numbers of entered functions.
func (l *checker) funcs(numbers []int) error {
	return within(numbers, 0, l.Layout.Funcs, 4*l.Layout.Funcs, "function")
}

func (l *checker) mutants(numbers []int) error {
	return within(numbers, 1, l.Layout.Mutants+1, l.Layout.Mutants, "mutant")
}

func (l *checker) blocks(numbers []int) error {
	return within(numbers, 0, l.Layout.Blocks, l.Layout.Blocks, "block")
}

// site checks an observation site; -1 stands for all calls past a number.
func (l *checker) site(n int) error { return within([]int{n}, -1, l.Sites, 1, "site") }

// liveOnes checks that the numbers are mutants of the job.
func (l *checker) liveOnes(numbers []int) error {
	if len(numbers) > len(l.live) {
		return fmt.Errorf("%d mutants of %d in the job", len(numbers), len(l.live))
	}
	for _, n := range numbers {
		if !l.live[n] {
			return fmt.Errorf("mutant %d is not in the job", n)
		}
	}
	return nil
}

// mending checks the mutant that a child reports as making a crash disappear. A driver names one that undoes the
// change of a function, or none if the base is to tell. A target names none.
func (l *checker) mending(mutant int) error {
	none := mutant == 0 && (!l.job.Driver || l.job.Based)
	if !none && (!l.job.Driver || !l.undone[mutant]) {
		return fmt.Errorf("a crash with the mutant %d", mutant)
	}
	return nil
}

// drift checks the mutant and the entry that a child blames for a change of its state. Both may be missing.
func (l *checker) drift(e *wire.Event) (err error) {
	if e.Mutant != 0 {
		err = l.liveOnes([]int{e.Mutant})
	}
	if e.Entry != nil && err == nil {
		err = l.entry(e.Entry)
	}
	return err
}

// unfit checks an entry that is no input of the target. It only has a name: that of its file in the corpus, or of the
// code that adds it.
func unfit(e *wire.JobEntry) error {
	if e == nil || e.ID == "" || len(e.ID) > 255 || e.Data != "" {
		return errors.New("an entry without a name is no input")
	}
	return nil
}

func reasonsOf(e *wire.Event) (err error) {
	if len(e.Reasons) > len(reasons) {
		return fmt.Errorf("%d reasons for one entry", len(e.Reasons))
	}
	for _, reason := range e.Reasons {
		err = cmp.Or(err, among("reason", reasons, reason))
	}
	return err
}

// entry checks that an input is complete, has its own ID, and has the target's types.
func (l *checker) entry(e *wire.JobEntry) error {
	if e == nil {
		return errors.New("an event without its entry")
	}
	if e.ID != wire.EntryID(e.Data) {
		return fmt.Errorf("an entry with the ID %.40q of another", e.ID)
	}
	values, err := wire.DecodeEntry(e.Data)
	if err != nil {
		return err
	}
	if l.Types != nil && len(values) != len(l.Types) {
		return fmt.Errorf("an entry of %d values for %d arguments", len(values), len(l.Types))
	}
	for i, want := range l.Types {
		if got := fmt.Sprintf("%T", values[i]); got != cmp.Or(unaliased[want], want) {
			return fmt.Errorf("value %d of an entry is of type %s, not %s", i+1, got, want)
		}
	}
	return nil
}

// unaliased maps types to their names in %T.
var unaliased = map[string]string{"byte": "uint8", "rune": "int32", "[]byte": "[]uint8"}

func (l *checker) stats(s *wire.Stats) error {
	if s == nil {
		return errors.New("statistics without any")
	}
	if err := among("stage", stages, s.Stage); err != nil {
		return err
	}
	for _, seconds := range s.Seconds {
		if !(seconds >= 0 && seconds <= maxSeconds) {
			return fmt.Errorf("%g seconds in a stage", seconds)
		}
	}
	for _, counts := range []map[int]int64{s.ByMutant, s.Agreed, s.Spared} {
		for n, runs := range counts {
			if err := cmp.Or(l.mutants([]int{n}), amounts(runs)); err != nil {
				return err
			}
		}
	}
	if len(s.Seeds) > wire.MaxSeeds {
		return fmt.Errorf("%d seeds", len(s.Seeds))
	}
	return cmp.Or(
		amounts(s.Execs, s.MutantExecs, s.Originals, s.Invalid, s.Unconfirmed, s.PrunedReach, s.PrunedInfection, int64(s.Entries)),
		l.blocks(s.Blocks), l.blocks(s.Old), l.mutants(s.Reached), l.mutants(s.Infected),
	)
}

// Valid values of some fields.
var (
	reasons       = []string{"covers", "counts", "kills", "exposes", "crash"}
	stages        = []string{"replay", "mutants", "program"}
	runOutcomes   = []string{wire.OutcomeOK, wire.OutcomeSkip, wire.OutcomeFailure, wire.OutcomePanic, wire.OutcomeHang}
	trialOutcomes = []string{
		wire.OutcomeOK, wire.OutcomeFailure, wire.OutcomePanic, wire.OutcomeHang, wire.OutcomeDrift, wire.OutcomeRandom,
	}
)

func (l *checker) run(r *wire.Run) error {
	if r == nil {
		return errors.New("a run without any")
	}
	if r.Mutant != l.mutant {
		return fmt.Errorf("a run of mutant %d in a process of mutant %d", r.Mutant, l.mutant)
	}
	if !l.job.Seeds {
		if l.given[r.Entry] == 0 {
			return fmt.Errorf("a run of entry %.40q, which is none of the job's, or one too many", r.Entry)
		}
		l.given[r.Entry]--
	}
	if len(r.Observations) > maxObserved {
		return fmt.Errorf("%d observations of one run", len(r.Observations))
	}
	shorten(&r.Message, maxText)
	shorten(&r.Stack, maxText)
	for i := range r.Observations {
		if err := l.observation(&r.Observations[i]); err != nil {
			return err
		}
	}
	return cmp.Or(
		among("outcome of a run", runOutcomes, r.Outcome), within([]int{r.Repeat}, 0, max(l.job.Repeat, 1), 1, "repeat"),
		amounts(r.Steps, r.Nanos), l.blocks(r.Blocks), l.mutants(r.Infected), l.marks(r.Marks),
	)
}

// marks checks numbers of mutants, which are negative if they were infected.
func (l *checker) marks(numbers []int) error {
	numbers = slices.Clone(numbers)
	for i, n := range numbers {
		numbers[i] = max(n, -n)
	}
	return l.mutants(numbers)
}

func (l *checker) observation(o *wire.Observation) error {
	shorten(&o.Text, maxRendered)
	for _, list := range []*[]string{&o.After, &o.Errors, &o.Args, &o.Values, &o.Is} {
		*list = (*list)[:min(len(*list), maxValues)]
		for i, text := range *list {
			if len(text) > maxRendered && (list == &o.Args || list == &o.Values) {
				(*list)[i] = "" // a truncated expression would not be valid source
			}
			shorten(&(*list)[i], maxRendered)
		}
	}
	return l.site(o.Site)
}

// trial checks that e is the verdict on the next mutant of the job.
func (l *checker) trial(e *wire.Event) error {
	if want := l.job.Trials[l.count[e.Event]-1].Mutant; e.Mutant != want {
		return fmt.Errorf("a trial of mutant %d in the turn of mutant %d", e.Mutant, want)
	}
	return cmp.Or(among("outcome of a trial", trialOutcomes, e.Outcome), l.funcs(e.Funcs))
}

// shorten cuts a text to limit bytes.
func shorten(text *string, limit int) {
	if len(*text) > limit {
		*text = strings.ToValidUTF8((*text)[:limit], "") + "…"
	}
}
