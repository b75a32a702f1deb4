package sandbox

// Mode says whether the kernel confines tests and fuzzing, and whether the rules are
// loosened for tests that need it.
type Mode string

// Values of Mode.
const (
	On     Mode = "on"     // in force; loosened for tests that fail under them and pass without
	Strict Mode = "strict" // in force; tests that fail under them are quarantined
	Off    Mode = "off"    // not in force
)
