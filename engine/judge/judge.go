// Package judge decides which mutants the tests kill and which survive.
//
// The oracle is the go command: a mutant is killed if "go test" of a package fails with it and passes without it. It
// survives if "go test" passes. The runs below find that out faster, or confirm it:
//
//   - A survey runs the tests without a mutant. It learns what they reach and infect, how long they take, and which
//     of them are flaky. Flaky tests kill nothing, except those that hardly ever fail.
//   - A trial runs many mutants in one process. It hints at the test that kills a mutant. It is enough for a kill if
//     the process is shown to be clean.
//   - A run alone runs one test in a process of its own, with the mutant active.
//   - A whole-suite run runs all tests of a package as go test does, with the mutant active from the start. A
//     survivor has to pass it.
//
// Every run is an entry in the ledger of a suite. [ledger.Decide] derives from the entries of a mutant and its plan
// what they amount to, and which run is due. [Result.Decide] combines the suites.
package judge

// Mutant is what judging needs to know about a mutant.
type Mutant struct {
	Number  int    // value of the probe's M, from 1
	Package string // import path
	Block   int    // counter that is moved when it is reached; -1: unknown, treated as never reached
	Probed  bool   // surveys record whether it infects the state; otherwise it is taken to whenever it is reached
	Class   int    // mutants are judged in ascending order of class
}
