package evidence

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// excerpt returns the part code of src for the results, with the head of its block. other says that the code is in
// the else branch.
func excerpt(src []byte, code, head mutate.Span, other bool) results.Code {
	return results.Code{
		StartLine: lineOf(src, code.Start), EndLine: lineOf(src, code.End-1), Under: under(src, head, other), Source: bounded(indented(src, code)),
	}
}

// lineOf returns the line of an offset, from 1.
func lineOf(src []byte, offset int) int { return bytes.Count(src[:offset], []byte("\n")) + 1 }

// indented returns the part code of src. It includes the indentation of the first line.
func indented(src []byte, code mutate.Span) string {
	start := bytes.LastIndexByte(src[:code.Start], '\n') + 1
	if len(bytes.TrimSpace(src[start:code.Start])) > 0 {
		start = code.Start
	}
	return strings.ReplaceAll(string(src[start:code.End]), "\r\n", "\n")
}

// bounded cuts source to what results may hold.
func bounded(source string) string {
	lines := strings.Split(source, "\n")
	source = strings.Join(lines[:min(len(lines), results.MaxCodeLines)], "\n")
	if len(source) <= results.MaxCodeBytes {
		return source
	}
	n := results.MaxCodeBytes
	for n > 0 && !utf8.RuneStart(source[n]) {
		n--
	}
	return source[:n]
}

// under returns the head of a block on one line, as in "if n > 0"; "" if it takes more, or is too long.
func under(src []byte, head mutate.Span, other bool) string {
	text := string(bytes.TrimSpace(src[head.Start:head.End]))
	if strings.Contains(text, "\n") || len(text) > results.MaxCodeBytes {
		return ""
	}
	if other {
		text += " … else"
	}
	return text
}

// never returns the code in the branch of an if statement that runs only without m. It returns nil if there is none.
func (m *Mutant) never() *results.Code {
	branch := m.Else
	if m.BranchEnd > m.EndOffset {
		branch = mutate.Span{Start: m.EndOffset, End: m.BranchEnd}
	}
	if branch.End <= branch.Start || branch.End > len(m.Source) {
		return nil
	}
	body := m.Source[branch.Start:branch.End]
	// Without a brace it is an else-if, or the code after the statement.
	if block := bytes.TrimLeft(body, " \t\r\n"); bytes.HasPrefix(block, []byte("{")) {
		open := len(body) - len(block)
		body = bytes.TrimSuffix(body[open+1:], []byte("}"))
		branch.Start += open + 1
	}
	branch.Start += len(body) - len(bytes.TrimLeft(body, " \t\r\n"))
	branch.End = branch.Start + len(bytes.TrimSpace(body))
	if branch.End == branch.Start {
		return nil
	}
	code := excerpt(m.Source, branch, mutate.Span{}, false)
	return &code
}
