package config

import (
	"slices"
	"strconv"
	"strings"
)

// Store is the name of the file in a shared corpus that keeps what was dismissed in reviews. Its entries are like
// those of a configuration file, with the oldest first.
const Store = "dismissed.yml"

// Merge returns the entries of store, followed by those of more that are not there already. If there are more
// than a store may hold, it drops the oldest.
func Merge(store, more []Dismissal) []Dismissal {
	all := slices.Clone(store)
	for _, d := range more {
		d.plain = withoutLayout(d.Edit)
		if !slices.ContainsFunc(all, d.same) {
			all = append(all, d)
		}
	}
	return all[max(0, len(all)-maxDismissed):]
}

// same reports whether two entries are about the same mutants.
func (d Dismissal) same(other Dismissal) bool {
	return d.Function == other.Function && d.Operator == other.Operator && d.plain == other.plain
}

// Encode returns entries as the text of a file that [Decode] reads.
func Encode(list []Dismissal) []byte {
	var b strings.Builder
	b.WriteString("dismissed:\n")
	for _, d := range list {
		b.WriteString(d.String())
	}
	return []byte(b.String())
}

// String returns the entry as it stands in a file. YAML reads a string that Go has quoted as the same text.
func (d Dismissal) String() string {
	var lines []string
	for _, key := range []struct{ name, value string }{{"function", d.Function}, {"operator", d.Operator}, {"edit", d.Edit}, {"reason", d.Reason}} {
		if key.value != "" {
			lines = append(lines, key.name+": "+strconv.Quote(key.value)+"\n")
		}
	}
	return "  - " + strings.Join(lines, "    ")
}
