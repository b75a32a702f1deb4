//go:build go1.21

// Package wire is the protocol between the coordinator and a woven test binary:
// environment variables and a job file go in, a state file and a stream of events
// come out. It also has the encodings of inputs that both sides read and write.
//
// Both sides are compiled with it. The weaver places its sources in the program
// under test, below those of the run-time, so it uses the standard library only,
// has no init, and keeps no state.
package wire

// Environment variables of a woven test binary. With none of them set the
// probe does nothing and the tests behave as they do unwoven.
const (
	EnvState     = "MUTANTFUZZ_STATE"     // state file to map, of Layout.Size bytes
	EnvMutant    = "MUTANTFUZZ_MUTANT"    // value of M from the start of the process, before any init; default 0
	EnvSteps     = "MUTANTFUZZ_STEPS"     // step bound of the whole process, in a job of each JobRun run; 0 or unset: none
	EnvAllocated = "MUTANTFUZZ_ALLOCATED" // bytes that the process may allocate in all, freed or not; 0 or unset: any number
	EnvMemory    = "MUTANTFUZZ_MEMORY"    // bytes of data the process may map; 0 or unset: no limit
	EnvJob       = "MUTANTFUZZ_JOB"       // job file (JSON); the binary is started with -test.run=^Target$
	EnvEvents    = "MUTANTFUZZ_EVENTS"    // number of the inherited file descriptor that events go to
)

// Variables that are looked up in the environment before and after each run of [JobRun], and each call that
// [JobWatch] records, for the log of package testing, which has that beside what is opened in between.
const (
	RunBegins = "MUTANTFUZZ_RUN_BEGINS"
	RunEnds   = "MUTANTFUZZ_RUN_ENDS"
)

// Values of M that are no mutant. Mutants are numbered from 1.
const (
	Original = 0  // the function as written
	Probed   = -1 // its clone that also records infection
	Identity = -2 // the clone that mutants share, with none of them active
)
