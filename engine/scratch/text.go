package scratch

import "regexp"

// inCopy matches the path of a copy's tree, or of the folder that holds a copy.
var inCopy = regexp.MustCompile("[^\\s\"'`:]*/" + namePrefix + `[0-9]+(?:/tree/[^/\s"'` + "`" + `]+)?`)

// Mentioned reports whether text names a path in a copy. Nobody else has such a path.
func Mentioned(text string) bool { return inCopy.MatchString(text) }

// Portable returns text with a dot in place of every path that inCopy matches. For instance,
// "/tmp/mutantfuzz-scratch-1/tree/repo/a.go" becomes "./a.go".
func Portable(text string) string { return inCopy.ReplaceAllString(text, ".") }
