package diffscope

import (
	"regexp"
	"strings"
)

// altered leaves of ranges of lines those that differ from the base in more than the package that a name is selected from, where
// the file imports one instead of another: what such a line does itself is what it did.
func (d *decl) altered(ranges []Lines) (list []Lines) {
	swapped := exchanged(d.from.file.imports(), d.file.imports())
	if swapped == nil {
		return ranges
	}
	unqualified := func(lines [][]byte) (list [][]byte) {
		for _, line := range lines {
			list = append(list, swapped.ReplaceAll(line, []byte("${1}_.")))
		}
		return list
	}
	for _, e := range diffCode(unqualified(d.before()), unqualified(d.lines())) {
		for _, r := range ranges {
			first, last := max(r.First, d.first+e.first), min(r.Last, d.first+e.end-1)
			if first <= last {
				list = append(list, Lines{first, last})
			}
		}
	}
	return list
}

// exchanged matches the names of packages that only one of two files imports, where something is selected from them; nil: not both
// import one that the other one does not.
func exchanged(old, now map[string]string) *regexp.Regexp {
	gone, fresh := without(old, now), without(now, old)
	if len(gone) == 0 || len(fresh) == 0 {
		return nil
	}
	return regexp.MustCompile(`(^|[^.\w])(?:` + strings.Join(append(gone, fresh...), "|") + `)\.`)
}

// without are the names in imports that others have not, as parts of a regular expression.
func without(imports, others map[string]string) (names []string) {
	for name := range imports {
		if others[name] == "" {
			names = append(names, regexp.QuoteMeta(name))
		}
	}
	return names
}
