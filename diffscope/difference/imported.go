package difference

import (
	"regexp"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
	"github.com/mutantfuzz/mutantfuzz/diffscope/sourcediff"
)

// altered narrows ranges of lines if the file imports a package in place of another. It drops lines that differ from
// the base only in the package of a name, as "old.F(x)" and "new.F(x)" do: the line itself does the same.
func altered(d *declaration.Decl, ranges []Lines) (list []Lines) {
	swapped := exchanged(d.From.File.Imports(), d.File.Imports())
	if swapped == nil {
		return ranges
	}
	unqualified := func(lines [][]byte) (list [][]byte) {
		for _, line := range lines {
			list = append(list, swapped.ReplaceAll(line, []byte("${1}_.")))
		}
		return list
	}
	for _, e := range sourcediff.Code(unqualified(d.Before()), unqualified(d.Lines())) {
		for _, r := range ranges {
			first, last := max(r.First, d.First+e.First), min(r.Last, d.First+e.End-1)
			if first <= last {
				list = append(list, Lines{first, last})
			}
		}
	}
	return list
}

// exchanged returns a regular expression for the qualifiers of packages that only one of two files imports. It
// returns nil unless each file imports one that the other does not.
func exchanged(old, now map[string]string) *regexp.Regexp {
	gone, fresh := without(old, now), without(now, old)
	if len(gone) == 0 || len(fresh) == 0 {
		return nil
	}
	return regexp.MustCompile(`(^|[^.\w])(?:` + strings.Join(append(gone, fresh...), "|") + `)\.`)
}

// without returns the names in imports that others lacks, quoted for a regular expression.
func without(imports, others map[string]string) (names []string) {
	for name := range imports {
		if others[name] == "" {
			names = append(names, regexp.QuoteMeta(name))
		}
	}
	return names
}
