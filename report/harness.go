package report

import (
	"fmt"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// minDiffer is the minimum number of mutants with other results on inputs of a target for the review to say that the
// target notices none of them.
const minDiffer = 5

// harnesses writes how good the fuzz targets are: the share of valid inputs, the number of failures of the program, and
// how many of the edits that change a result they notice (Vikram, thesis, chapter 4).
func (m *markdown) harnesses() {
	var targets []*results.Harness
	for i := range m.results.Harnesses {
		if h := &m.results.Harnesses[i]; h.ProgramExecs > 0 && h.Kind == results.HarnessTarget {
			targets = append(targets, h)
		}
	}
	if len(targets) == 0 || m.detail >= noFolded {
		return
	}
	m.fold("How good the fuzz targets are", func() {
		m.WriteString("| target | runs | valid inputs | failures of the program | edits it notices |\n|---|--:|--:|--:|--:|\n")
		for _, h := range targets[:min(len(targets), maxFunctions)] {
			m.WriteString("| " + prose.Cell(fact.Local(h.Name)) + " | " + prose.Count(h.ProgramExecs) + " | " + validShare(h) + " | " +
				prose.Exact(failuresOf(m.results, h.Name)) + " | " + noticedOf(h) + " |\n")
		}
		m.WriteString("\n")
		if more := len(targets) - maxFunctions; more > 0 {
			m.paragraph("… and " + prose.Plural(more, "more target", "more targets"))
		}
		m.paragraph("An input is valid if the target does not skip it. Only edits count that no test notices and that change a result on an input of the target.")
		for _, h := range targets {
			if h.Differ >= minDiffer && h.Noticed == 0 {
				m.paragraph(prose.Say("%s notices no edit that changes a result: it seems to check nothing but that the program does not panic.", fact.Local(h.Name)).Markdown())
			}
		}
	})
}

// validShare returns the share of a harness's runs without a mutant whose input is valid.
func validShare(h *results.Harness) string {
	valid := max(h.ProgramExecs-h.Invalid, 0)
	if valid > 0 && valid*100 < h.ProgramExecs {
		return "under 1 %"
	}
	return fmt.Sprintf("%d %%", valid*100/h.ProgramExecs)
}

// noticedOf says for how many of the mutants with other results on its inputs a target fails.
func noticedOf(h *results.Harness) string {
	if h.Differ == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", h.Noticed, h.Differ)
}

// failuresOf counts the failures of the program that a harness found.
func failuresOf(r *results.Results, harness string) (n int) {
	for i := range r.Crashes {
		if r.Crashes[i].Harness == harness {
			n++
		}
	}
	return n
}
