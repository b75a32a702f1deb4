// Package results defines what one analysis found: plain data and its JSON form. The engine fills it in and the
// renderers read it. Neither needs the other, so a machine that never ran the code can render and post a saved
// results.json.
//
// In every type, File is slash-separated and relative to the repository root. Lines and columns count from 1, columns
// in bytes. Offsets count bytes from 0. The schema allows no larger ones than 1e9, so that whoever calculates with forged
// ones does not overflow. The JSON form omits absent objects, and its lists are never null.
package results

import (
	"cmp"
	"slices"
	"strings"
)

// Schema names this version of the format.
const Schema = "mutantfuzz/results/v1"

// Results holds everything that one analysis found.
type Results struct {
	Schema    string     `json:"schema"`
	Tool      Tool       `json:"tool"`
	Revisions Revisions  `json:"revisions"`
	Options   Options    `json:"options"`
	Scope     []Function `json:"scope"`
	// AddedData lists the package variables and struct fields that the change adds, as import/path.variable and
	// import/path.Type.Field.
	AddedData []string  `json:"added_data,omitempty"`
	Harnesses []Harness `json:"harnesses"`
	Mutants   []Mutant  `json:"mutants"`
	Crashes   []Crash   `json:"crashes"`
	Findings  []Finding `json:"findings"` // derived from the mutants, crashes and tests
	OldTests  []OldTest `json:"old_tests"`
	NewTests  []NewTest `json:"new_tests"`
	// FlakyTests are tests that the change adds or alters and that pass in some runs of the unmutated program and fail
	// in others: at most MaxQuarantined, sorted by name.
	FlakyTests []FlakyTest `json:"flaky_tests,omitempty"`
	Corpus     Corpus      `json:"corpus"`
	Skeletons  []Skeleton  `json:"skeletons"`
	Undriven   []Undriven  `json:"undriven,omitempty"`
	Score      Score       `json:"score"`
	Stats      Stats       `json:"stats"`
	Seconds    Seconds     `json:"seconds"`
	// Warnings tell the user things that are not findings, such as quarantined tests, functions left out and loosened
	// options.
	Warnings []string `json:"warnings"`
	// Quarantined lists tests that do not always pass without a mutant, so their results are not used: at most
	// MaxQuarantined, sorted by name.
	Quarantined []Quarantined `json:"quarantined,omitempty"`
	// Partial reports that the run was interrupted, or ran out of time, before every mutant was judged.
	Partial bool `json:"partial"`
}

// Tool is the program that made the results.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Go      string `json:"go"` // toolchain that built the analysed program, as in "go1.26.8"
}

// Revisions are the compared commits. All fields are empty without git.
type Revisions struct {
	Base      string `json:"base"`
	Head      string `json:"head"`       // empty: the working tree
	MergeBase string `json:"merge_base"` // what the diff was taken against
	// Fixes says that the subject of a commit between MergeBase and Head, or the current one, says that it fixes
	// something in the program.
	Fixes bool `json:"fixes,omitempty"`
	// Alike says that the subjects of all these commits say that the program behaves as before, but faster or in cleaner code.
	Alike bool `json:"alike,omitempty"`
	// OtherTests says that the tree has tests in other languages, which are not run.
	OtherTests bool `json:"other_tests,omitempty"`
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
	Sandbox     []string `json:"sandbox"` // what confines the child processes; empty: nothing
	// MaxFindings is the number of findings, 1 to 100, that a review shows with an entry of their own. 0 means that the
	// run does not say.
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
	Skipped   string `json:"skipped"`            // why it is not mutated; empty: it is mutated
	Untested  bool   `json:"untested,omitempty"` // its package has no test file
	Uncalled  bool   `json:"uncalled,omitempty"` // only its own package could call it, but does not
	Constant  bool   `json:"constant,omitempty"` // it only returns constants, or composite literals of constants
	// Unrun lists, in source order, the first MaxUnrun places of the function that neither a test nor a fuzz target is
	// seen to run. Only changed lines count, unless Reason is ReasonAll or ReasonTestChanged: then every line does.
	// Unrun is only known for functions with a surviving mutant that nothing reaches.
	Unrun []Code `json:"unrun,omitempty"`
}

// Limits on the source code kept in results.
const (
	MaxUnrun     = 8    // places of a function
	MaxCodeLines = 20   // lines of a place
	MaxCodeBytes = 2000 // bytes of a place
)

// Code is an excerpt of the source at head.
type Code struct {
	StartLine int `json:"start_line"`
	EndLine   int `json:"end_line"` // not before StartLine
	// Under is the head of the enclosing statement, without the brace: "if n > 0", or "if n > 0 … else" for the else
	// branch. It is empty if the head takes more than one line, or if no such statement encloses the code. A case
	// clause has its head in Source instead.
	Under string `json:"under,omitempty"`
	// Source holds the lines, joined by "\n", without other code on the first and last line: at most MaxCodeLines lines
	// and MaxCodeBytes bytes.
	Source string `json:"source"`
}

// Harness kinds.
const (
	HarnessTarget = "target" // a FuzzXxx function that the user wrote
	HarnessDriver = "driver" // a generated function
)

// Harness is a fuzz target or a generated driver: it turns bytes into a run of the program.
type Harness struct {
	Name          string   `json:"name"` // import/path.Name, such as import/path.FuzzXxx
	Kind          string   `json:"kind"`
	Types         []string `json:"types"`     // types of the fuzzed arguments, such as "[]byte"
	Functions     []string `json:"functions"` // IDs of the functions in scope that it reached
	Deterministic bool     `json:"deterministic"`
	Execs         int64    `json:"execs"`
	Edges         int      `json:"edges"` // blocks covered in the instrumented packages

	ProgramExecs int64 `json:"program_execs,omitempty"` // the part of Execs that ran without a mutant
	// Invalid is the part of ProgramExecs that yields no information: the target skipped the input, or the program
	// panicked on values that a driver made.
	Invalid int64 `json:"invalid,omitempty"`
	// Differ counts the mutants that no test kills, but for which the program gives another result, or fails, on an
	// input of this target. Noticed counts those of them for which the target itself fails.
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
	Pending    = "pending" // only in the output of "mutantfuzz list"
)

// Values of Mutant.Reason for mutants that did not run because the program could not be analysed.
const (
	TestsFail    = "tests fail without any mutant"
	DoesNotBuild = "the program or its tests do not build"
	NoRoom       = "the go command has too little room on disk, memory or open files"
)

// QuarantinedRun begins Mutant.Reason of a survivor that quarantined tests run, too. All other tests have run and pass.
const QuarantinedRun = "quarantined tests run this code, and might notice the edit: "

// FailingMayRun begins Mutant.Reason of a survivor that tests which fail without a mutant may run. If the reason goes on
// after a semicolon, other tests have not run; otherwise all of them have, and pass.
const FailingMayRun = "tests that fail on the unmodified code may run this code, and might notice the edit: "

// SkippedMayRun begins Mutant.Reason of a survivor that tests of the change may run which skipped themselves or a subtest,
// and ran nothing of the function.
const SkippedMayRun = "tests that the change adds or alters are skipped here, and might notice the edit: "

// OtherMayRun begins Mutant.Reason of a survivor that tests in another language may notice, which the change adds or alters.
const OtherMayRun = "tests in another language come with the change and are not run here; they might notice the edit: "

// OnlyQuarantined begins Mutant.Reason of an ignored mutant that was not judged: only quarantined tests run it.
const OnlyQuarantined = "the only tests that could notice this edit are quarantined: "

// LeftOut is a value of Function.Skipped. It holds for all functions in scope of a package that is left out.
const LeftOut = "its package, or the tests of its package, do not build"

// Stages of a mutant: reach, infect, propagate, reveal (Li, Offutt: Test Oracle Strategies for Model-Based Testing, TSE
// 2017). The stage is empty for equivalent, unviable, ignored, not_run and pending mutants.
const (
	NotReached = "not_reached"
	Reached    = "reached"
	Infected   = "infected"
	Propagated = "propagated"
	Revealed   = "revealed"
)

// Categories of operators, by what their mutants change. Other values are allowed.
const (
	CategoryReversal   = "reversal" // undoes a hunk of the change
	CategoryRelational = "relational"
	CategoryConnector  = "connector" // && and ||
	CategoryRemoval    = "removal"   // leaves out statements or branches
	CategoryArithmetic = "arithmetic"
	CategoryUnary      = "unary"
)

// Mutant is one small change to one function. Replacing the bytes [Offset, EndOffset) of File by Replacement makes the
// mutant. If Needs is set, this holds for the range and texts that Whole returns instead.
type Mutant struct {
	ID          string `json:"id"`
	Function    string `json:"function"`
	Operator    string `json:"operator"`
	Category    string `json:"category"` // of the operator
	File        string `json:"file"`
	Line        int    `json:"line"`
	Column      int    `json:"column"`
	EndLine     int    `json:"end_line"`
	EndColumn   int    `json:"end_column"`
	Offset      int    `json:"offset"`
	EndOffset   int    `json:"end_offset"`
	Original    string `json:"original"`
	Replacement string `json:"replacement"`
	// Context holds the complete source lines Line to EndLine at head, joined by "\n": at most 20; empty: unknown.
	Context string `json:"context"`
	Status  string `json:"status"`
	Stage   string `json:"stage"`
	// Reason says why a mutant is ignored, unviable, equivalent or not run. For a killed or surviving mutant it is a
	// reservation about the verdict, or empty.
	Reason    string     `json:"reason"`
	KilledBy  *KilledBy  `json:"killed_by,omitempty"`
	ExposedBy *ExposedBy `json:"exposed_by,omitempty"`
	Verified  bool       `json:"verified"` // a rebuild without weaving gave the same verdict
	Evidence  Evidence   `json:"evidence"`
	Needs     *Needs     `json:"needs,omitempty"`
}

// Evidence says how thoroughly a mutant was tried, and what was learned about it.
type Evidence struct {
	Tests    int       `json:"tests"`               // tests that ran the mutated code
	By       []string  `json:"by,omitempty"`        // some of these tests, at most 5, as import/path.TestXxx
	ByChange []NewTest `json:"by_change,omitempty"` // the tests in By that the change adds or alters; they come first
	Blind    []string  `json:"blind,omitempty"`     // the tests in By that check nothing: only a panic or hang fails them
	Execs    int64     `json:"execs"`               // fuzzing runs with the mutant active, without those of drivers whose result is random
	Driven   int64     `json:"driven,omitempty"`    // the part of Execs through generated drivers, which assert nothing
	// ByCallers is the part of Driven through drivers that call something other packages can call.
	ByCallers int64 `json:"by_callers,omitempty"`
	// Agreed is, for hunk reversal, the number of different inputs, as far as they were told apart, on which the harness
	// called the mutated function itself and the function succeeded with the same results as in the program.
	Agreed int64 `json:"agreed,omitempty"`
	// OldUnrun is, for hunk reversal, the number of places in the restored code that no fuzzing input reached.
	OldUnrun int `json:"old_unrun,omitempty"`
	// Spared is a lower bound on further fuzzing inputs that reach the mutant but cannot infect it: the mutated
	// expression keeps its value.
	Spared int64 `json:"spared,omitempty"`
	OnDiff bool  `json:"on_diff"` // the mutated code is on a line that the change touches
	// Beside says that OnDiff holds, but that the change left the mutated code itself as it was, entirely or mostly. It
	// is never set for hunk reversal.
	Beside  bool   `json:"beside,omitempty"`
	Changed string `json:"changed,omitempty"` // for hunk reversal: the hunk's head lines, "first-last"
	Whole   bool   `json:"whole,omitempty"`   // for hunk reversal: undoes the whole change to its function
	// Old is, for a hunk reversal that undoes the whole change to its function and that tests notice, an input for
	// which the old lines give another result. It is nil if no such input is known.
	Old *ExposedBy `json:"old,omitempty"`
	// Program says that the mutant may have run unobserved. Either its function is part of a program that may run in
	// processes that are not followed. Or a test that fails or is skipped even without a mutant may call its function.
	// Or build constraints leave test files of its package out. Or tests of another module of the repository use its
	// package.
	Program bool `json:"program,omitempty"`
	// OwnOnly says that all tests of the mutant's own package ran, but that tests of dependent packages, one of which
	// may notice it, are missing: they did not run in time, do not build, or fail even without it.
	OwnOnly bool `json:"own_only,omitempty"`
	// Failing says that tests which do not pass without the mutant either may notice this survivor, so its verdict
	// means little.
	Failing bool `json:"failing,omitempty"`
	// Seldom says that a test fails in few of its runs with this survivor. Reason names the test.
	Seldom bool `json:"seldom,omitempty"`
	// Awaits says that tests that the change adds or alters were skipped here or are written in another language, or that
	// those of other packages did not all run, for the same reasons as in OwnOnly.
	Awaits bool `json:"awaits,omitempty"`
	// Unrun says that a driver reaches the mutant, but no test and no fuzz target does.
	Unrun bool `json:"unrun,omitempty"`
	// BranchEnd is, for a mutant that makes the condition of an if statement false, the offset of the end of the branch
	// after that condition; 0 for other mutants.
	BranchEnd int `json:"branch_end,omitempty"`
	// Branch is the source of that branch, joined by "\n", at most 20 lines. It is empty if the branch is empty or an
	// else follows.
	Branch string `json:"branch,omitempty"`
	// Case is the head, without its colon, of the case clause whose statements the mutant leaves out; empty for other
	// mutants.
	Case string `json:"case,omitempty"`
	// Given is, for a mutant that makes the condition of an if statement constant, the source of the expression that gave
	// the variable of that condition its value, as in "os.Open(name)" for "err != nil". It is empty if the condition is not
	// about one variable, or if the statement before does not assign it in a short line.
	Given string `json:"given,omitempty"`
	// Unread names local variables that nothing would read any more if the code that the mutant disables were deleted.
	// Whoever makes the edit by hand has to use them, or the file does not compile. If Branch is set, that code includes
	// the branch.
	Unread []string `json:"unread,omitempty"`
	// Same says of a survivor that the mutated expression already had the mutant's value whenever a test or fuzz target
	// evaluated it.
	Same bool `json:"same,omitempty"`
	// Never is the code of the branch that never ran because the condition of its if statement always had the value
	// that the mutant forces. It is nil if there is no such branch, and for other mutants.
	Never *Code `json:"never,omitempty"`
}

// Values of KilledBy.By and KilledBy.Kind.
const (
	ByTest   = "test"
	ByTarget = "target"
	ByDriver = "driver"

	KindTest  = "test"  // a failed assertion of a test
	KindEntry = "entry" // a failed assertion of a harness on an entry
	KindCrash = "crash" // panic, exit, fatal error or out of memory
	KindHang  = "hang"  // the step bound, or the deadline twice
)

// KilledBy is what revealed a mutant.
type KilledBy struct {
	By    string `json:"by"`
	Kind  string `json:"kind"`
	Name  string `json:"name"`            // import/path.TestXxx[/sub] or import/path.FuzzXxx
	Entry string `json:"entry,omitempty"` // the corpus entry that revealed it; empty: none did
}

// ExposedBy is an input for which program and mutant visibly differ although no test or fuzz target fails.
type ExposedBy struct {
	Harness    string `json:"harness"`
	Entry      string `json:"entry"`
	Site       string `json:"site"`                  // the observed call: "file:line: source"
	Original   string `json:"original"`              // what the program gives for the call
	Mutant     string `json:"mutant"`                // what the mutant gives for the call
	Errors     string `json:"errors,omitempty"`      // which side is or contains an error: one of ErrorIn…; empty: none
	OnlyErrors bool   `json:"only_errors,omitempty"` // they differ only in their errors
	// OriginalIs and MutantIs name, if both give an error but not the same to callers that ask with errors.Is, an
	// exported error variable that only the program's error is, and one that only the mutant's is. At most one is empty.
	OriginalIs string `json:"original_is,omitempty"`
	MutantIs   string `json:"mutant_is,omitempty"`
	Call       string `json:"call,omitempty"` // the call with its arguments as Go source; empty: not known
	// Partly is a call that Call cannot express, as the source has it, with variables among its arguments replaced by
	// their values where these are short.
	Partly string `json:"partly,omitempty"`
	// Setup lists, in order, the Go statements before the call that make the values it is called on.
	Setup []string `json:"setup,omitempty"`
	// Driver says that the harness is a generated driver. It makes values for a call of the mutated function, or of a
	// function that leads to it. Real callers may never pass such values.
	Driver bool `json:"driver,omitempty"`
	// InTest says that a test makes the call and does not check its result. Harness is the test, and Entry is empty.
	InTest bool `json:"in_test,omitempty"`
	// Inner says that other packages cannot make the driver's call: not at all, or not with such values.
	Inner bool `json:"inner,omitempty"`
	// AsBefore is set for hunk reversal only. It says that the program still gives Original with the whole change to
	// the function undone, or on the base.
	AsBefore bool `json:"as_before,omitempty"`
	// Unlike says that the input takes another path through the mutated function than all inputs that tests are seen to
	// pass to it.
	Unlike bool `json:"unlike,omitempty"`
	// NotOnBase says that the base has no such call, because the test that makes it does not build there, or that there
	// was no time to find out.
	NotOnBase bool `json:"not_on_base,omitempty"`
	// Base is what the base gives for the call, as package fmt writes it, if that differs from Original. A result that
	// is empty is written as "" in quotes. Base is empty if the result is the same, or not known.
	Base string `json:"base,omitempty"`
	// Ends says how the mutant fails in the call, where the program returns: one of Crash…; empty: it returns, too.
	Ends string `json:"ends,omitempty"`
	// Test is the source of a complete Go file with one test function that asserts the program's result. It was
	// compiled and run. It is empty if no such test can be written.
	Test       string      `json:"test,omitempty"`
	TestFile   string      `json:"test_file,omitempty"` // an unused name for that file, relative to the root
	Suggestion *Suggestion `json:"suggestion,omitempty"`
}

// Fails reports whether the program returns an error for the input.
func (x *ExposedBy) Fails() bool { return x.Errors == ErrorInOriginal || x.Errors == ErrorInBoth }

// OtherSentinel reports whether both sides return an error, and callers that ask with errors.Is which one it is get
// another answer.
func (x *ExposedBy) OtherSentinel() bool { return x.OriginalIs != x.MutantIs }

// Absent reports whether program and mutant both say that there is no result, by a last result of false, as in "value,
// ok". Callers then usually ignore the other results.
func (x *ExposedBy) Absent() bool {
	return strings.HasSuffix(x.Original, ", false") && strings.HasSuffix(x.Mutant, ", false")
}

// Kinds of suggestions.
const (
	SuggestedRow      = "row"      // a row for the table of a test
	SuggestedFunction = "function" // a test function
)

// Suggestion is a test to add, in the place where it belongs, that notices a mutant. It was tried out: the tests
// compile with it, pass on the program, and fail with the mutant.
type Suggestion struct {
	Kind   string `json:"kind"`
	File   string `json:"file"`   // the test file to change, relative to the root; may be new
	Test   string `json:"test"`   // the test that then fails with the mutant
	Source string `json:"source"` // the row or function; for a new file all of it
	Patch  string `json:"patch"`  // unified diff for git apply in the root
	// Imports lists the import specifications that File needs in addition, as written in source; empty for a new file.
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

// Values of Crash.Introduced: whether the change under analysis causes the crash.
const (
	IntroducedYes     = "yes"
	IntroducedNo      = "no"
	IntroducedUnknown = "unknown" // no base could be run on the input
)

// Crash is a failure of the unmutated program.
type Crash struct {
	Harness    string `json:"harness"`
	Entry      string `json:"entry"`
	Kind       string `json:"kind"`
	Message    string `json:"message"`
	Stack      string `json:"stack"`
	Introduced string `json:"introduced"`
	// MendedBy is the ID of a hunk reversal with which the program does not fail; empty: none is known.
	MendedBy string `json:"mended_by,omitempty"`
	// Call, Setup and Before describe a crash that a generated driver found, and are empty if a fuzz target found it.
	// Call is the failing call as Go source, and Setup the statements that make the values it is called on. Before is
	// what the call gives with the whole change to a function undone.
	Call   string   `json:"call,omitempty"`
	Setup  []string `json:"setup,omitempty"`
	Before string   `json:"before,omitempty"`
	// Test is the source of a complete Go file with one test function that makes the call. It was tried out: it fails,
	// and it passes with the change undone.
	Test     string `json:"test,omitempty"`
	TestFile string `json:"test_file,omitempty"` // like ExposedBy.TestFile
}

// Values of OldTest.Change.
const (
	TestDeleted = "deleted"
	TestAltered = "altered"
	TestKept    = "kept" // unchanged, but it fails since the change
)

// OldTest is a test that the change deletes, alters or keeps. In its old form it fails on the changed program and
// passes on the base.
type OldTest struct {
	Test     string `json:"test"` // import/path.TestXxx
	Change   string `json:"change"`
	Kind     string `json:"kind"` // KindTest, KindCrash or KindHang
	Message  string `json:"message"`
	MendedBy string `json:"mended_by,omitempty"` // like Crash.MendedBy; only known for a test that is Lost
}

// Lost reports whether the change breaks t without altering it, or deletes t although it shows that the program panics
// or does not end. A deleted test that merely expects other results only says that the change is a change.
func (t *OldTest) Lost() bool {
	return t.Change == TestKept || t.Change == TestDeleted && t.Kind != KindTest
}

// MaxQuarantined is the maximum number of quarantined tests in results, and of flaky ones.
const MaxQuarantined = 100

// Quarantined is a test whose results are not used.
type Quarantined struct {
	Test string `json:"test"` // import/path.TestXxx, or one of its subtests
	Why  string `json:"why"`  // the rest of a sentence that begins with "it"
	// Unended says that the test did not end in time, and that nothing else is wrong with it.
	Unended bool `json:"unended,omitempty"`
	// Flaky says that the test passes in some runs and fails in others. Change says whether the change adds or alters
	// the test: TestAdded, TestAltered, or "" if neither or not known.
	Flaky  bool   `json:"flaky,omitempty"`
	Change string `json:"change,omitempty"`
	// Instrumented says that the test passes unless the code is instrumented, as one that counts allocations may.
	Instrumented bool `json:"instrumented,omitempty"`
	// Undiagnosed says that the test failed, and that there was no time to find out why, nor whether it does in every run.
	Undiagnosed bool `json:"undiagnosed,omitempty"`
}

// FlakyTest is a test that the change adds or alters. It was run repeatedly with plain go test, while nothing else ran.
type FlakyTest struct {
	Test    string `json:"test"`   // import/path.TestXxx
	Change  string `json:"change"` // TestAdded or TestAltered
	File    string `json:"file"`
	Line    int    `json:"line"` // of its declaration
	Runs    int    `json:"runs"`
	Failed  int    `json:"failed"`  // number of Runs that failed; at least one passed
	Message string `json:"message"` // output of a failed run; empty: none is known
}

// TestAdded is a value of NewTest.Change. TestAltered is the other one.
const TestAdded = "added"

// NewTest is a test that the change adds or alters. The tests in Results.NewTests pass even without the change, on the
// code of the base. That list is empty unless all tests in all test files that the change touches are known to pass
// without it.
type NewTest struct {
	Test   string `json:"test"` // import/path.TestXxx
	Change string `json:"change"`
}

// Kinds of findings.
const (
	FindingBug       = "bug"       // the program fails and its base does not, as far as is known
	FindingBehaviour = "behaviour" // undoing a part of the change gives another result for some input
	FindingGap       = "gap"       // changed code can be altered without any test failing
	FindingNotRun    = "not_run"   // nothing runs a function, or a line, that the change adds
	FindingNote      = "note"      // anything else
)

// Finding is one thing to tell the user about mutants, a crash or a test. Every surviving mutant and every crash
// belongs to exactly one finding.
type Finding struct {
	ID       string   `json:"id"` // does not depend on line numbers
	Kind     string   `json:"kind"`
	Title    string   `json:"title"`
	Function string   `json:"function"` // ID in scope; empty if the finding has no mutants
	File     string   `json:"file"`
	Line     int      `json:"line"`     // first line of its mutants or of its test; 0: it has no place
	EndLine  int      `json:"end_line"` // last line of these
	Mutants  []string `json:"mutants"`  // IDs, the most telling first
	Crashes  []string `json:"crashes"`  // entries on which the program crashes
	Shown    bool     `json:"shown"`    // it has an entry of its own in the review
	Rank     int      `json:"rank"`     // position in the review, from 1; 0: not shown
	Why      string   `json:"why"`      // the reason for its rank
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
	Before int     `json:"before"` // number of entries
	After  int     `json:"after"`
	New    []Entry `json:"new"`
}

// Entry is one new corpus entry.
type Entry struct {
	ID      string `json:"id"` // first 16 hex digits of the SHA-256 of its file
	Harness string `json:"harness"`
	Path    string `json:"path"` // where corpus.patch puts it; empty: the patch does not have it
	// Name is set if the tree has the entry already. It is what go test calls the entry: "seed#0" for one that the
	// target adds itself, else the name of its file.
	Name    string   `json:"name,omitempty"`
	Bytes   int      `json:"bytes"` // size of the file
	Reasons []string `json:"reasons"`
	Mutants []string `json:"mutants"` // IDs of the mutants that it kills or exposes
	Values  []string `json:"values"`  // its arguments as Go source, shortened
}

// Skeleton is the source of a fuzz target that the user can start from, for a function in scope that no harness
// reaches.
type Skeleton struct {
	Function string `json:"function"` // ID in scope
	File     string `json:"file"`     // the test file it belongs in
	Source   string `json:"source"`   // Go source that compiles as part of that file
}

// Undriven is a function in scope for which no driver could be written.
type Undriven struct {
	Function string `json:"function"` // ID in scope
	Why      string `json:"why"`
}

// Score counts the mutants by status. Test and Differential are nil if no mutant was judged. Survived includes Exposed.
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

// Stats counts what the run did, most of it while fuzzing.
type Stats struct {
	Execs            int64   `json:"execs"`
	ExecsPerSecond   float64 `json:"execs_per_second"`
	MutantExecs      int64   `json:"mutant_execs"`
	PrunedReach      int64   `json:"pruned_reach"`     // mutant runs skipped because the input does not reach it
	PrunedInfection  int64   `json:"pruned_infection"` // ... or because it does not infect the mutant
	WorkersRestarted int     `json:"workers_restarted"`
	Unconfirmed      int     `json:"unconfirmed"` // verdicts dropped because they could not be reproduced
	Tests            int     `json:"tests"`       // tests that judge mutants, without quarantined ones
	Builds           int     `json:"builds"`      // woven builds
	Reused           int     `json:"reused"`      // mutants judged by cached verdicts of earlier runs alone
}

// Seconds is the wall-clock time of each phase.
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
	// Changed is the time, counted like Total, at which the packages' own tests had judged all mutants on changed
	// lines. It is 0 if there were none, or if the time is not known.
	Changed float64 `json:"changed,omitempty"`
}

// Exposed reports whether m survived although an input is known for which it differs from the program.
func (m *Mutant) Exposed() bool { return m.Status == Survived && m.Stage == Propagated }

// OutOfMemory reports whether the mutant fails in the call because it runs out of memory.
func (x *ExposedBy) OutOfMemory() bool {
	return x.Ends != "" && (strings.Contains(x.Mutant, "out of memory") || strings.Contains(x.Mutant, "cannot allocate memory"))
}

// Sort puts functions and mutants into source order.
func (r *Results) Sort() {
	slices.SortFunc(r.Scope, func(a, b Function) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.StartLine, b.StartLine))
	})
	slices.SortStableFunc(r.Mutants, func(a, b Mutant) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.EndOffset, b.EndOffset))
	})
}

// Finish sorts the results and computes everything that follows from the rest. It is called once the results are
// complete.
func (r *Results) Finish() {
	r.Schema = Schema
	r.Sort()
	r.Count()
	r.Corpus.After = r.Corpus.Before
	for i := range r.Corpus.New {
		if r.Corpus.New[i].Name == "" { // else the tree already has the entry
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
