package sandbox

// Mode says whether the kernel confines tests and fuzzing, and whether the rules are loosened for tests that need it.
type Mode string

// Values of Mode.
const (
	On     Mode = "on"     // the rules are in force, but loosened for tests that fail under them and pass without
	Strict Mode = "strict" // the rules are in force; tests that fail under them are quarantined
	Off    Mode = "off"    // the rules are not in force
)
