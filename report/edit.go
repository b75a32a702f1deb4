package report

import "github.com/mutantfuzz/mutantfuzz/report/results"

// Edit returns the edit that m is as reviews show it in tables and lists, without marks of
// code. What runs showed of m does not count. It is foreign text.
func Edit(m *results.Mutant) string { return summary(m).plain("", "") }
