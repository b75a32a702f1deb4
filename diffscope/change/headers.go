package change

import (
	"bytes"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
)

// normalise converts a diff from outside into the form that the parser takes: lines end in "\n", and names in git's
// headers begin with a/ and b/, because the parser always strips one folder from them.
func normalise(diff []byte) ([]byte, error) {
	lines := strings.SplitAfter(strings.ReplaceAll(string(diff), "\r\n", "\n"), "\n")
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "diff --cc "), strings.HasPrefix(line, "diff --combined "):
			return nil, fault.New(fault.BrokenDiff, "make it against one parent, as git diff BASE...HEAD does",
				"line %d: a combined diff of a merge, which has more than one base", i+1)
		case strings.HasPrefix(line, gitHeader):
			header := lines[i : i+headerLength(lines[i:])]
			if old, name, ok := plainNames(header); ok {
				addPrefixes(header, old, name)
			}
		}
	}
	var b bytes.Buffer
	for _, line := range lines {
		b.WriteString(line)
	}
	return b.Bytes(), nil
}

// gitHeader begins the header of a file in git's diffs.
const gitHeader = "diff --git "

// headerLength returns how many lines the header at the start of lines has.
func headerLength(lines []string) int {
	for n, line := range lines {
		if n > 0 && (line == "" || strings.HasPrefix(line, "@@ ") || strings.HasPrefix(line, gitHeader)) {
			return n
		}
	}
	return len(lines)
}

// plainNames returns the two names, as written, of a header made with --no-prefix. ok is false for other headers.
// Such a header has the same name twice, or the names of its rename or copy lines.
func plainNames(header []string) (old, name string, ok bool) {
	names := strings.TrimSuffix(strings.TrimPrefix(header[0], gitHeader), "\n")
	if half := len(names) / 2; len(names)%2 == 1 && names[half] == ' ' && names[:half] == names[half+1:] {
		return names[:half], names[half+1:], true
	}
	for _, line := range header {
		verb, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if verb == "rename" || verb == "copy" {
			if from, is := strings.CutPrefix(rest, "from "); is {
				old = from
			}
			if to, is := strings.CutPrefix(rest, "to "); is {
				name = to
			}
		}
	}
	return old, name, old != "" && names == old+" "+name
}

// addPrefixes puts a/ and b/ before the names in a header, except those of
// renames, which never have them.
func addPrefixes(header []string, old, name string) {
	header[0] = gitHeader + prefixed("a/", old) + " " + prefixed("b/", name) + "\n"
	for i, line := range header {
		for start, prefix := range map[string]string{"--- ": "a/", "+++ ": "b/"} {
			if name, ok := strings.CutPrefix(line, start); ok && !strings.HasPrefix(name, "/dev/null") {
				header[i] = start + prefixed(prefix, name)
			}
		}
	}
}

// prefixed puts a prefix before a name, within its quotes if it has any.
func prefixed(prefix, name string) string {
	if quoted, ok := strings.CutPrefix(name, `"`); ok {
		return `"` + prefix + quoted
	}
	return prefix + name
}
