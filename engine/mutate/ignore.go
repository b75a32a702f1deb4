package mutate

import (
	"bytes"
	"go/ast"
	"strings"
)

// directive silences the line that it stands on, the line below its comment if
// it stands alone, or the function whose doc comment contains it.
const directive = "//mutantfuzz:ignore"

// ignores holds the reasons given in ignore directives.
type ignores struct {
	function string         // reason for the whole function; empty: it is not silenced
	lines    map[int]string // reasons by line
}

// reason returns why mutants of a line are silenced; "" if they are not.
func (i ignores) reason(line int) string {
	if i.function != "" {
		return i.function
	}
	return i.lines[line]
}

// findIgnores collects the directives for the function and for lines of its file.
func findIgnores(f *Function) ignores {
	found := ignores{lines: make(map[int]string)}
	for _, group := range f.Syntax.Comments {
		for _, c := range group.List {
			reason, ok := ignoreReason(c.Text)
			if !ok {
				continue
			}
			if group == f.Decl.Doc {
				found.function = reason
			}
			line := f.Fset.PositionFor(c.Pos(), false).Line
			if f.alone(c) {
				line = f.Fset.PositionFor(group.End(), false).Line + 1
			}
			found.lines[line] = reason
		}
	}
	return found
}

// ignoreReason returns the reason that a directive gives. It is not ok if the comment is no directive.
func ignoreReason(comment string) (reason string, ok bool) {
	rest, ok := strings.CutPrefix(comment, directive)
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", false
	}
	if reason = strings.TrimSpace(rest); reason == "" {
		reason = "no reason given"
	}
	return reason, true
}

// alone reports whether nothing but white space precedes the comment on its
// line.
func (f *Function) alone(c *ast.Comment) bool {
	before := f.Source[:f.Fset.PositionFor(c.Pos(), false).Offset]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return len(bytes.TrimSpace(line)) == 0
}
