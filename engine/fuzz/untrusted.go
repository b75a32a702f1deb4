package fuzz

// maxInvalid is how often a job is started again because its child reports invalid
// data, and how many runs of a target are given up for that until it is run no more.
const maxInvalid = 3

// noteInvalid notes that a run of t was given up because its child reported invalid
// data each time. t is not fuzzed any more, but what was found so far is confirmed.
func (f *Fuzzer) noteInvalid(t *Target, invalid error) {
	f.mu.Lock()
	first := t.invalidRuns == 0
	t.invalidRuns++
	f.mu.Unlock()
	if first {
		f.Warn("%s is not fuzzed any more: its test process reported invalid data: %v", t.Name, invalid)
	}
}

// givenUp reports whether t is not run any more, not even to confirm what was found.
func (f *Fuzzer) givenUp(t *Target) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return t.invalidRuns >= maxInvalid
}
