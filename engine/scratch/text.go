package scratch

import "regexp"

// inCopy matches the path of a copy's tree, or of another folder of a copy.
var inCopy = regexp.MustCompile("[^\\s\"'`:]*/" + namePrefix + `[0-9]+(?:/tree/[^/\s"'` + "`" + `]+)?`)

// Mentioned reports whether a text names a place in a copy, which nobody else has.
func Mentioned(text string) bool { return inCopy.MatchString(text) }

// Portable is a text with a dot for the folder of a copy.
func Portable(text string) string { return inCopy.ReplaceAllString(text, ".") }
