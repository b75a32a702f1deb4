package report

import (
	"github.com/mutantfuzz/mutantfuzz/internal/config"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
)

// dismissed offers the configuration that dismisses the same mutants in all pull requests.
func (m *markdown) dismissed() {
	entries := finding.Dismissals(m.results, m.selection)
	if len(entries) == 0 || m.detail >= noFolded {
		return
	}
	m.fold("What was dismissed here, for the "+prose.HTMLCode(config.Name)+" of the team: it is about all pull requests", func() {
		m.WriteString(prose.Fence("yaml", string(config.Encode(entries))) + "\n")
	})
}
