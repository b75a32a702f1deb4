package fuzz

// maxLies is how often a child runs that lies each time, and how many runs of a
// target are given up for that before none is begun any more.
const maxLies = 3

// distrust gives up fuzzing t, a run of which has lied again and again. What was
// found so far is confirmed, as far as that goes without lies.
func (f *Fuzzer) distrust(t *Target, lie error) {
	f.mu.Lock()
	first := t.lied == 0
	t.lied++
	f.mu.Unlock()
	if first {
		f.Warn("%s is not fuzzed any more: what its test process says cannot be: %v", t.Name, lie)
	}
}

// distrusted reports whether nothing that t says is worth another run.
func (f *Fuzzer) distrusted(t *Target) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return t.lied >= maxLies
}
