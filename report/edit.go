package report

import "github.com/mutantfuzz/mutantfuzz/report/results"

// Edit returns the edit that m makes, as reviews show it in tables and lists, but without code marks. It does not
// depend on what runs showed about m. The text is untrusted.
func Edit(m *results.Mutant) string { return summary(m).plain("", "") }
