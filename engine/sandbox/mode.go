package sandbox

// Mode says what becomes of the rules by which the kernel confines tests and
// fuzzing.
type Mode string

// Values of Mode.
const (
	On     Mode = "on"     // in force; loosened for tests that fail under them and pass without
	Strict Mode = "strict" // in force; tests that fail under them judge nothing
	Off    Mode = "off"    // not in force
)
