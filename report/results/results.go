// Package results is what one analysis found: plain data and its JSON form.
// The engine fills it and the renderers read it; neither needs the other, so a
// saved results.json can be rendered and posted by a machine that never ran
// the code.
//
// In every field: File is slash-separated and relative to the repository root;
// lines and columns count from 1, columns in bytes; offsets are bytes from 0.
// Absent objects are omitted, lists are never null.
package results

import (
	"cmp"
	"slices"
	"strings"
)

// Schema names this version of the format.
const Schema = "mutantfuzz/results/v1"

// Results is one analysis.
type Results struct {
	Schema    string     `json:"schema"`
	Tool      Tool       `json:"tool"`
	Revisions Revisions  `json:"revisions"`
	Options   Options    `json:"options"`
	Scope     []Function `json:"scope"`
	// AddedData are the package variables and the fields of structs that the change adds, as import/path.variable and
	// import/path.Type.Field.
	AddedData []string  `json:"added_data,omitempty"`
	Harnesses []Harness `json:"harnesses"`
	Mutants   []Mutant  `json:"mutants"`
	Crashes   []Crash   `json:"crashes"`
	Findings  []Finding `json:"findings"` // what is worth saying of mutants and crashes; it follows from them
	OldTests  []OldTest `json:"old_tests"`
	NewTests  []NewTest `json:"new_tests"`
	// FlakyTests are tests that the change adds or alters, and that pass in some runs of the program and fail in others: the first
	// MaxQuarantined, sorted by name.
	FlakyTests []FlakyTest `json:"flaky_tests,omitempty"`
	Corpus     Corpus      `json:"corpus"`
	Skeletons  []Skeleton  `json:"skeletons"`
	Undriven   []Undriven  `json:"undriven,omitempty"`
	Score      Score       `json:"score"`
	Stats      Stats       `json:"stats"`
	Seconds    Seconds     `json:"seconds"`
	// Warnings are things the user should know that are no findings: quarantined
	// tests, functions left out, options loosened.
	Warnings []string `json:"warnings"`
	// Quarantined are tests whose results are not used, since they do not pass whenever they run without a mutant: the first
	// MaxQuarantined, sorted by name.
	Quarantined []Quarantined `json:"quarantined,omitempty"`
	// Partial says that the run was interrupted or ran out of time before
	// every mutant was judged.
	Partial bool `json:"partial"`
}

// Tool is the program that made the results.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Go      string `json:"go"` // toolchain that built the analysed program, as in "go1.26.8"
}

// Revisions are the commits compared. All are empty without git.
type Revisions struct {
	Base      string `json:"base"`
	Head      string `json:"head"`       // empty: the working tree
	MergeBase string `json:"merge_base"` // what the diff was taken against
}

// Options are the settings that shaped the run.
type Options struct {
	Packages    []string `json:"packages"`
	All         bool     `json:"all"`
	TimeSeconds float64  `json:"time_seconds"` // 0: no bound
	Execs       int64    `json:"execs"`        // -1: bounded by time
	MutantShare float64  `json:"mutant_share"`
	Workers     int      `json:"workers"`
	Seed        int64    `json:"seed"`
	Tests       string   `json:"tests"`
	SkipTests   string   `json:"skip_tests"`
	TestFlags   []string `json:"test_flags"`
	Sandbox     []string `json:"sandbox"` // what confines the children; empty: nothing does
	// MaxFindings is how many findings of a review have an entry of their own, 1 to 100;
	// 0: the run does not say.
	MaxFindings int `json:"max_findings,omitempty"`
}

// Reasons why a function is in scope.
const (
	ReasonAdded       = "added"
	ReasonChanged     = "changed"
	ReasonUsesChanged = "uses_changed"
	ReasonTestChanged = "test_changed"
	ReasonAll         = "all"
)

// Function is one function in scope.
type Function struct {
	ID        string `json:"id"` // import/path.Func or import/path.Type.Method
	Package   string `json:"package"`
	Name      string `json:"name"` // Func or Type.Method
	File      string `json:"file"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Reason    string `json:"reason"`
	Skipped   string `json:"skipped"`            // why it is not mutated; empty: it is
	Untested  bool   `json:"untested,omitempty"` // its package has no test file
	Uncalled  bool   `json:"uncalled,omitempty"` // only its package can call it, and does not, nor do its tests
	Constant  bool   `json:"constant,omitempty"` // it does nothing but return constants, or composite literals of these
	// Unrun is the code on lines that the change touches, or of all of the function where it is in scope without a change,
	// that no test and no fuzz target of the user's is seen to run, in order of its lines: the first MaxUnrun of these
	// places. It is known of functions with a mutant that survived and that nothing runs.
	Unrun []Code `json:"unrun,omitempty"`
}

// Bounds of code that results have as text.
const (
	MaxUnrun     = 8    // places in a function
	MaxCodeLines = 20   // of a place
	MaxCodeBytes = 2000 // of a place
)

// Code is some of the source at head.
type Code struct {
	StartLine int `json:"start_line"`
	EndLine   int `json:"end_line"` // not before StartLine
	// Under is what it is done under, without the brace, as in "if n > 0", or "if n > 0 … else" of the other branch. Empty: that
	// takes more than a line, or it is in no block with such a head. A clause has its own in Source.
	Under string `json:"under,omitempty"`
	// Source are the lines, joined by "\n", without what else is on the first and the last one: the first MaxCodeLines of them,
	// MaxCodeBytes at most.
	Source string `json:"source"`
}

// Harness kinds.
const (
	HarnessTarget = "target" // a FuzzXxx function of the user's
	HarnessDriver = "driver" // generated
)

// Harness turns bytes into a run.
type Harness struct {
	Name          string   `json:"name"` // import/path.FuzzXxx
	Kind          string   `json:"kind"`
	Types         []string `json:"types"`     // of the fuzzed arguments, as in "[]byte"
	Functions     []string `json:"functions"` // IDs in scope that a run of it reached
	Deterministic bool     `json:"deterministic"`
	Execs         int64    `json:"execs"`
	Edges         int      `json:"edges"` // blocks covered in the instrumented packages

	ProgramExecs int64 `json:"program_execs,omitempty"` // of Execs, the runs without a mutant
	// Invalid are those of ProgramExecs that say nothing: a target skipped the input, or the program panicked on what a
	// driver made.
	Invalid int64 `json:"invalid,omitempty"`
	// Differ counts the mutants that no test kills and with which the program gives another result on an input of a
	// target, or fails; Noticed those of them on which the target fails.
	Differ  int `json:"differ,omitempty"`
	Noticed int `json:"noticed,omitempty"`
}

// Statuses of a mutant.
const (
	Killed     = "killed"
	Survived   = "survived"
	Equivalent = "equivalent"
	Unviable   = "unviable"
	Ignored    = "ignored"
	NotRun     = "not_run"
	Pending    = "pending" // only in what list prints
)

// Reasons of mutants that are not run because the program cannot be analysed.
const (
	TestsFail    = "tests fail without any mutant"
	DoesNotBuild = "the program or its tests do not build"
	NoRoom       = "the go command has too little room on disk, memory or open files"
)

// Stages of a mutant (Li, Offutt: Test Oracle Strategies for Model-Based
// Testing, TSE 2017: reach, infect, propagate, reveal). The stage is empty
// for equivalent, unviable, ignored, not_run and pending.
const (
	NotReached = "not_reached"
	Reached    = "reached"
	Infected   = "infected"
	Propagated = "propagated"
	Revealed   = "revealed"
)

// Categories of operators, by what a mutant changes. Other values are allowed.
const (
	CategoryReversal   = "reversal" // a hunk of the change undone
	CategoryRelational = "relational"
	CategoryConnector  = "connector" // && and ||
	CategoryRemoval    = "removal"   // statements and branches left out
	CategoryArithmetic = "arithmetic"
	CategoryUnary      = "unary"
)

// Mutant is one small change to one function. Replacing the bytes
// [Offset, EndOffset) of File by Replacement makes it; of one that needs something
// besides, those of Whole.
type Mutant struct {
	ID          string     `json:"id"`
	Function    string     `json:"function"`
	Operator    string     `json:"operator"`
	Category    string     `json:"category"` // of the operator
	File        string     `json:"file"`
	Line        int        `json:"line"`
	Column      int        `json:"column"`
	EndLine     int        `json:"end_line"`
	EndColumn   int        `json:"end_column"`
	Offset      int        `json:"offset"`
	EndOffset   int        `json:"end_offset"`
	Original    string     `json:"original"`
	Replacement string     `json:"replacement"`
	Context     string     `json:"context"` // the complete source lines Line to EndLine at head, joined by "\n", 20 at most; empty: unknown
	Status      string     `json:"status"`
	Stage       string     `json:"stage"`
	Reason      string     `json:"reason"` // why, for ignored, unviable, equivalent and not_run
	KilledBy    *KilledBy  `json:"killed_by,omitempty"`
	ExposedBy   *ExposedBy `json:"exposed_by,omitempty"`
	Verified    bool       `json:"verified"` // rebuilt without weaving, with the same verdict
	Evidence    Evidence   `json:"evidence"`
	Needs       *Needs     `json:"needs,omitempty"`
}

// Evidence is how hard a mutant was tried.
type Evidence struct {
	Tests    int       `json:"tests"`               // tests that ran the mutated code
	By       []string  `json:"by,omitempty"`        // some of them, 5 at most, as import/path.TestXxx
	ByChange []NewTest `json:"by_change,omitempty"` // those of by that the change adds or alters, which come first
	Blind    []string  `json:"blind,omitempty"`     // those of by that look at nothing that they get
	Execs    int64     `json:"execs"`               // fuzzing runs with the mutant active
	Driven   int64     `json:"driven,omitempty"`    // of these: through a generated driver, which asserts nothing
	// ByCallers is how many of driven are through a driver that calls what other packages can call.
	ByCallers int64 `json:"by_callers,omitempty"`
	Agreed    int64 `json:"agreed,omitempty"` // of execs, where the mutant undoes a part of the change: the target called the function itself, which gave the same results, and no error
	// OldUnrun is how many places of the code that it puts back, if it undoes a part of the change, no fuzzing input came to.
	OldUnrun int    `json:"old_unrun,omitempty"`
	Spared   int64  `json:"spared,omitempty"`  // fuzzing inputs besides, at least, that run its code and that it cannot alter: what it replaces has the same value
	OnDiff   bool   `json:"on_diff"`           // the mutated code is on a line the diff changed
	Beside   bool   `json:"beside,omitempty"`  // ... but of what the change left as it was, or mostly; never of one that undoes a part of the change
	Changed  string `json:"changed,omitempty"` // for hunk reversal: the hunk's head lines, "first-last"
	Whole    bool   `json:"whole,omitempty"`   // for hunk reversal: it undoes all of the change to its function
	// Old is, for hunk reversal that tests notice, an input on which the function gives another result with its old lines; nil: none is known,
	// or it undoes only a part of the change to its function.
	Old *ExposedBy `json:"old,omitempty"`
	// Program says that it may run where nothing tells that it did: it is part of a program, which may run in processes that are
	// not followed, or a test that does not run to its end, since it fails or is skipped without a mutant, may call its function, or
	// build constraints leave test files of its package out, or tests of another module of the repository use it.
	Program bool `json:"program,omitempty"`
	// OwnOnly says that tests of packages that depend on its own did not run, for want of time or because they do not build, or fail
	// without it, too, one of which may notice it; its own tests all ran.
	OwnOnly bool `json:"own_only,omitempty"`
	// Failing says of a survivor that tests which do not pass without it either may notice it, so that little is known of it.
	Failing bool `json:"failing,omitempty"`
	// Seldom says of a survivor that a test fails with it in few runs: the reason says which.
	Seldom bool `json:"seldom,omitempty"`
	// Awaits says that tests of other packages that the change adds or alters did not all run, for the same reasons.
	Awaits bool `json:"awaits,omitempty"`
	// Unrun says that no test and no fuzz target of the user's reaches it, although a driver does.
	Unrun bool `json:"unrun,omitempty"`
	// BranchEnd is, for a condition that never holds, the offset where the block ends that begins after it; 0: another mutant.
	BranchEnd int `json:"branch_end,omitempty"`
	// Branch is the source in that block, joined by "\n", 20 lines at most; empty: it has none, or there is another branch.
	Branch string `json:"branch,omitempty"`
	// Case is the head of the case of which all that is done is left out, without its colon; empty: another mutant.
	Case string `json:"case,omitempty"`
	// Unread are local variables that nothing would read if the code that the mutant keeps from running were taken out: whoever
	// makes the edit by hand has to use them, or the file does not compile. With Branch, the branch is taken out as well.
	Unread []string `json:"unread,omitempty"`
	// Same says of a survivor that what it replaces had the value that it puts there whenever tests came to it, or fuzz targets of the user's.
	Same bool `json:"same,omitempty"`
	// Never is, for the condition of an if statement that was evaluated in runs and had always the value that the mutant gives it,
	// the code of the branch that is done with the other value. Nil: it has none, or another mutant.
	Never *Code `json:"never,omitempty"`
}

// Values of KilledBy.By and KilledBy.Kind.
const (
	ByTest   = "test"
	ByTarget = "target"
	ByDriver = "driver"

	KindTest  = "test"  // a failed assertion of a test
	KindEntry = "entry" // a failed assertion of a harness on an entry
	KindCrash = "crash" // panic, exit, fatal error, memory
	KindHang  = "hang"  // the step bound, or a deadline twice
)

// KilledBy is what revealed a mutant.
type KilledBy struct {
	By    string `json:"by"`
	Kind  string `json:"kind"`
	Name  string `json:"name"`            // import/path.TestXxx[/sub] or import/path.FuzzXxx
	Entry string `json:"entry,omitempty"` // corpus entry, where one did
}

// ExposedBy is an input on which program and mutant differ visibly although
// no test or harness fails.
type ExposedBy struct {
	Harness    string `json:"harness"`
	Entry      string `json:"entry"`
	Site       string `json:"site"`                  // the observed call: "file:line: source"
	Original   string `json:"original"`              // what the program gives there
	Mutant     string `json:"mutant"`                // what the mutant gives there
	Errors     string `json:"errors,omitempty"`      // which of them is or has an error: one of ErrorIn…; empty: none
	OnlyErrors bool   `json:"only_errors,omitempty"` // they differ in their errors alone
	Call       string `json:"call,omitempty"`        // the call with its arguments as Go source, where it has such a form
	// Partly is, of a call without such a form, how it is written there, with what is passed in the place of variables where that is short.
	Partly string `json:"partly,omitempty"`
	// Setup are the Go statements before the call that make what it is called on, in order.
	Setup []string `json:"setup,omitempty"`
	// Driver says that the harness is generated: it makes values for a call of the mutated function, or of one
	// that leads to it, and no caller has to make such ones.
	Driver bool `json:"driver,omitempty"`
	// InTest says that the call is one that a test makes, Harness, which does not look at what comes of it. There
	// is no entry then.
	InTest bool `json:"in_test,omitempty"`
	// Inner says that the driver calls a function that other packages cannot call.
	Inner bool `json:"inner,omitempty"`
	// AsBefore says that the mutant undoes a part of the change, and that with all of the change to its function undone, or
	// on the base, the program gives Original, too.
	AsBefore bool `json:"as_before,omitempty"`
	// Unlike says that the input goes another way through the mutated function than any that tests are seen to pass to it.
	Unlike bool `json:"unlike,omitempty"`
	// NotOnBase says that the base has no such call: the test with it does not build there.
	NotOnBase bool `json:"not_on_base,omitempty"`
	// Base is what the base gives in the call, as package fmt writes it, or "" in quotes if that is empty, if it is something else; empty: it is the same, or not known.
	Base string `json:"base,omitempty"`
	// Ends is how the mutant ends in the call, where the program returns: one of Crash….
	Ends string `json:"ends,omitempty"`
	// Test is the source of a Go file of its own, with one test function that asserts the
	// original's result; empty if none can be written. It was compiled, and run.
	Test       string      `json:"test,omitempty"`
	TestFile   string      `json:"test_file,omitempty"` // a name for that file, which is not taken, relative to the root
	Suggestion *Suggestion `json:"suggestion,omitempty"`
}

// Fails reports whether the program gives an error for the input.
func (x *ExposedBy) Fails() bool { return x.Errors == ErrorInOriginal || x.Errors == ErrorInBoth }

// Absent reports whether program and mutant both say that there is no result, by a last one that is false, as map lookups do: callers look at
// nothing else then, as a rule.
func (x *ExposedBy) Absent() bool {
	return strings.HasSuffix(x.Original, ", false") && strings.HasSuffix(x.Mutant, ", false")
}

// Kinds of suggestions.
const (
	SuggestedRow      = "row"      // for the table of a test
	SuggestedFunction = "function" // a test function
)

// Suggestion is a test to add that notices a mutant, in the place where it belongs. With it
// the tests compile, pass on the program, and fail with the mutant: all of that was tried.
type Suggestion struct {
	Kind   string `json:"kind"`
	File   string `json:"file"`   // the test file that it changes, relative to the root; it may be new
	Test   string `json:"test"`   // name of the test that fails then
	Source string `json:"source"` // the row or function; of a new file all of it
	Patch  string `json:"patch"`  // unified diff for git apply in the root
	// Imports are the import specifications that File needs besides, as in its source; none for a new file.
	Imports []string `json:"imports,omitempty"`
}

// Values of ExposedBy.Errors.
const (
	ErrorInOriginal = "original"
	ErrorInMutant   = "mutant"
	ErrorInBoth     = "both"
)

// Crash kinds.
const (
	CrashPanic   = "panic"
	CrashFatal   = "fatal" // exit, fatal error, out of memory
	CrashHang    = "hang"
	CrashFailure = "failure" // the harness called t.Error or t.Fatal
)

// Values of Crash.Introduced: whether the change under analysis brought it.
const (
	IntroducedYes     = "yes"
	IntroducedNo      = "no"
	IntroducedUnknown = "unknown" // there is no base that could be run on the input
)

// Crash is a failure of the unmutated program.
type Crash struct {
	Harness    string `json:"harness"`
	Entry      string `json:"entry"`
	Kind       string `json:"kind"`
	Message    string `json:"message"`
	Stack      string `json:"stack"`
	Introduced string `json:"introduced"`
	// MendedBy is the ID of a mutant that undoes a part of the change, with which the program
	// does not fail; empty: none is known.
	MendedBy string `json:"mended_by,omitempty"`
	// Of a generated driver: the call that fails, as Go source, the statements before it that make what it is called
	// on, and what it gives with all of the change to a function undone. Empty: a fuzz target found it.
	Call   string   `json:"call,omitempty"`
	Setup  []string `json:"setup,omitempty"`
	Before string   `json:"before,omitempty"`
	// Test is the source of a Go file of its own, with one test function that makes the call. It fails, and passes with
	// the change undone: both were tried.
	Test     string `json:"test,omitempty"`
	TestFile string `json:"test_file,omitempty"` // as of ExposedBy
}

// Values of OldTest.Change.
const (
	TestDeleted = "deleted"
	TestAltered = "altered"
	TestKept    = "kept" // it is as it was, and fails since the change
)

// OldTest is a test that the change deletes or alters, or leaves as it is: as it was, it fails on the changed
// program, and passes on the base.
type OldTest struct {
	Test     string `json:"test"` // import/path.TestXxx
	Change   string `json:"change"`
	Kind     string `json:"kind"` // KindTest, KindCrash or KindHang
	Message  string `json:"message"`
	MendedBy string `json:"mended_by,omitempty"` // as of a crash; known only of one that is lost
}

// Lost reports whether t is a test that the change leaves as it is, and breaks, or one that it deletes, and that shows that the program panics,
// or does not end. A deleted one that only expects other results says no more than that the change is one.
func (t *OldTest) Lost() bool {
	return t.Change == TestKept || t.Change == TestDeleted && t.Kind != KindTest
}

// MaxQuarantined is how many quarantined tests are listed.
const MaxQuarantined = 100

// Quarantined is a test whose results are not used.
type Quarantined struct {
	Test string `json:"test"` // import/path.TestXxx, or a subtest of it
	Why  string `json:"why"`  // in words that fit after "it"
	// Unended says that all that is wrong with it is that it did not end in time.
	Unended bool `json:"unended,omitempty"`
	// Flaky says that it passes in some runs and fails in others, Change of such a test that the change adds or alters it: TestAdded or
	// TestAltered; "": it does not, or that is not known.
	Flaky  bool   `json:"flaky,omitempty"`
	Change string `json:"change,omitempty"`
}

// FlakyTest is a test that the change adds or alters, run again and again with plain go test, while nothing else ran.
type FlakyTest struct {
	Test    string `json:"test"`   // import/path.TestXxx
	Change  string `json:"change"` // TestAdded or TestAltered
	File    string `json:"file"`
	Line    int    `json:"line"` // of its declaration
	Runs    int    `json:"runs"`
	Failed  int    `json:"failed"`  // of runs; at least one passed
	Message string `json:"message"` // what it says where it fails; empty: nothing that is known
}

// TestAdded is a value of NewTest.Change, beside TestAltered.
const TestAdded = "added"

// NewTest is a test that the change adds or alters. Those in Results.NewTests pass without the change: with the
// code of the base. There are none of these unless all tests of all test files that the change touches pass
// without it, and none if that is not known.
type NewTest struct {
	Test   string `json:"test"` // import/path.TestXxx
	Change string `json:"change"`
}

// Kinds of findings.
const (
	FindingBug       = "bug"       // the program fails where its base does not, as far as is known
	FindingBehaviour = "behaviour" // undoing a part of the change gives another result for an input
	FindingGap       = "gap"       // changed code can be altered, and no test fails
	FindingNotRun    = "not_run"   // nothing runs a function that the change adds
	FindingNote      = "note"      // anything else
)

// Finding is one thing to say of mutants of a function, or of a crash. Every surviving mutant
// and every crash is in exactly one.
type Finding struct {
	ID       string   `json:"id"` // does not depend on lines
	Kind     string   `json:"kind"`
	Title    string   `json:"title"`
	Function string   `json:"function"` // ID in scope; empty for a crash
	File     string   `json:"file"`
	Line     int      `json:"line"`     // first line of its mutants; 0: a crash
	EndLine  int      `json:"end_line"` // last line of them
	Mutants  []string `json:"mutants"`  // IDs, the most telling first
	Crashes  []string `json:"crashes"`  // their entries
	Shown    bool     `json:"shown"`    // it has an entry of its own in the review
	Rank     int      `json:"rank"`     // its place there, from 1; 0: it is not shown
	Why      string   `json:"why"`      // what put it there
}

// Reasons why a corpus entry is kept.
const (
	EntryCovers  = "covers"
	EntryKills   = "kills"
	EntryExposes = "exposes"
	EntryCrash   = "crash"
)

// Corpus is what the run did to the shared corpus.
type Corpus struct {
	Before int     `json:"before"` // entries
	After  int     `json:"after"`
	New    []Entry `json:"new"`
}

// Entry is one new corpus entry.
type Entry struct {
	ID      string   `json:"id"` // first 16 hex digits of the SHA-256 of its file
	Harness string   `json:"harness"`
	Path    string   `json:"path"`           // where corpus.patch puts it, if it has it
	Name    string   `json:"name,omitempty"` // by which go test knows what is in the tree already: "seed#0" of what the target adds itself, else that of a file
	Bytes   int      `json:"bytes"`          // size of the file
	Reasons []string `json:"reasons"`
	Mutants []string `json:"mutants"` // IDs of those it kills or exposes
	Values  []string `json:"values"`  // the arguments as Go source, for people; shortened
}

// Skeleton is a fuzz target to start from, for a function in scope that no
// harness reaches.
type Skeleton struct {
	Function string `json:"function"` // ID in scope
	File     string `json:"file"`     // the test file it belongs in
	Source   string `json:"source"`   // Go source that compiles once it is in that file
}

// Undriven is a function in scope that no driver was written for.
type Undriven struct {
	Function string `json:"function"` // ID in scope
	Why      string `json:"why"`
}

// Score counts the mutants. Test and Differential are nil when nothing was
// judged. Survived includes the exposed.
type Score struct {
	Test         *float64 `json:"test"`         // killed / (killed + survived)
	Differential *float64 `json:"differential"` // (killed + exposed) / (killed + survived)
	Killed       int      `json:"killed"`
	Survived     int      `json:"survived"`
	Exposed      int      `json:"exposed"`
	Equivalent   int      `json:"equivalent"`
	Unviable     int      `json:"unviable"`
	Ignored      int      `json:"ignored"`
	NotRun       int      `json:"not_run"`
}

// Stats are counts of the fuzzing.
type Stats struct {
	Execs            int64   `json:"execs"`
	ExecsPerSecond   float64 `json:"execs_per_second"`
	MutantExecs      int64   `json:"mutant_execs"`
	PrunedReach      int64   `json:"pruned_reach"`     // mutant runs spared because the input does not reach the mutant
	PrunedInfection  int64   `json:"pruned_infection"` // ... or does not infect it
	WorkersRestarted int     `json:"workers_restarted"`
	Unconfirmed      int     `json:"unconfirmed"` // verdicts dropped because they did not repeat
	Tests            int     `json:"tests"`       // tests run on mutants
	Builds           int     `json:"builds"`      // woven builds
	Reused           int     `json:"reused"`      // mutants judged by verdicts of earlier runs alone
}

// Seconds is wall-clock time by phase.
type Seconds struct {
	Diff    float64 `json:"diff"`
	Load    float64 `json:"load"`
	Weave   float64 `json:"weave"`
	Build   float64 `json:"build"`
	Tests   float64 `json:"tests"`
	Replay  float64 `json:"replay"`
	Mutants float64 `json:"mutants"`
	Program float64 `json:"program"`
	Verify  float64 `json:"verify"`
	Report  float64 `json:"report"`
	Total   float64 `json:"total"`
	// Changed is when the packages' own tests had judged all mutants on changed
	// lines, counted as Total is; 0: there are none, or it was not known.
	Changed float64 `json:"changed,omitempty"`
}

// Exposed reports whether m survived although it differs from the program on a known
// input.
func (m *Mutant) Exposed() bool { return m.Status == Survived && m.Stage == Propagated }

// OutOfMemory reports whether a mutant ends there because no machine has the memory for it.
func (x *ExposedBy) OutOfMemory() bool {
	return x.Ends != "" && (strings.Contains(x.Mutant, "out of memory") || strings.Contains(x.Mutant, "cannot allocate memory"))
}

// Sort puts functions and mutants into the order in which they stand in the files.
func (r *Results) Sort() {
	slices.SortFunc(r.Scope, func(a, b Function) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.StartLine, b.StartLine))
	})
	slices.SortStableFunc(r.Mutants, func(a, b Mutant) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.EndOffset, b.EndOffset))
	})
}

// Finish puts results in order, and adds what follows from the rest of them, once nothing is added any more.
func (r *Results) Finish() {
	r.Schema = Schema
	r.Sort()
	r.Count()
	r.Corpus.After = r.Corpus.Before
	for i := range r.Corpus.New {
		if r.Corpus.New[i].Name == "" { // else the tree has it
			r.Corpus.After++
		}
	}
	if s := r.Seconds; s.Mutants+s.Program > 0 {
		r.Stats.ExecsPerSecond = float64(r.Stats.Execs) / (s.Mutants + s.Program)
	}
}

// Count recomputes the score from the mutants.
func (r *Results) Count() {
	var s Score
	for i := range r.Mutants {
		m := &r.Mutants[i]
		switch m.Status {
		case Killed:
			s.Killed++
		case Survived:
			s.Survived++
			if m.Exposed() {
				s.Exposed++
			}
		case Equivalent:
			s.Equivalent++
		case Unviable:
			s.Unviable++
		case Ignored:
			s.Ignored++
		case NotRun:
			s.NotRun++
		}
	}
	if judged := s.Killed + s.Survived; judged > 0 {
		test := float64(s.Killed) / float64(judged)
		diff := float64(s.Killed+s.Exposed) / float64(judged)
		s.Test, s.Differential = &test, &diff
	}
	r.Score = s
}
