//go:build go1.21

// Package wire is the protocol between the coordinator and a woven test binary: environment variables and a job file go
// in, a state file and a stream of events come out. It also has the encodings of inputs that both sides read and write.
//
// Both sides are compiled with it: the weaver places its sources in the program under test, next to those of the probe.
// So it only uses the standard library, has no init function, and keeps no state.
package wire

// Environment variables of a woven test binary. With none of them set the probe does nothing, and the tests behave as
// they do without weaving.
const (
	EnvState     = "MUTANTFUZZ_STATE"     // name of the state file to map, of Layout.Size bytes
	EnvMutant    = "MUTANTFUZZ_MUTANT"    // value of M from the start of the process, before any init; unset: 0
	EnvSteps     = "MUTANTFUZZ_STEPS"     // bound on the steps of the process; JobRun: of each run; 0 or unset: none
	EnvAllocated = "MUTANTFUZZ_ALLOCATED" // bytes that the process may allocate in total, freed or not; 0 or unset: any
	EnvMemory    = "MUTANTFUZZ_MEMORY"    // bytes of data that the process may map; 0 or unset: no limit
	EnvJob       = "MUTANTFUZZ_JOB"       // job file (JSON); -test.run has to match the job's target or test
	EnvEvents    = "MUTANTFUZZ_EVENTS"    // number of the inherited file descriptor that events go to
)

// RunBegins and RunEnds are environment variables that the probe looks up before and after each run of [JobRun] and
// each call that [JobWatch] records. Their values do not matter. Package testing logs lookups together with the files
// that are opened (-test.testlogfile), so the log shows what was opened in between.
const (
	RunBegins = "MUTANTFUZZ_RUN_BEGINS"
	RunEnds   = "MUTANTFUZZ_RUN_ENDS"
)

// Values of M that are no mutant. Mutants are numbered from 1.
const (
	Original = 0  // the function as written
	Probed   = -1 // the probed clone, which also records infection
	Identity = -2 // the clone that mutants share, with no mutant active
)
