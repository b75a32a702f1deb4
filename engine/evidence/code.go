package evidence

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// excerpt is some code of src, which is done under a head, or where that says otherwise.
func excerpt(src []byte, code, head mutate.Span, other bool) results.Code {
	return results.Code{
		StartLine: lineOf(src, code.Start), EndLine: lineOf(src, code.End-1), Under: under(src, head, other), Source: bounded(indented(src, code)),
	}
}

// lineOf is the line of an offset, from 1.
func lineOf(src []byte, offset int) int { return bytes.Count(src[:offset], []byte("\n")) + 1 }

// indented is some code of src with what stands in front of it on its first line, if that is nothing but space.
func indented(src []byte, code mutate.Span) string {
	start := bytes.LastIndexByte(src[:code.Start], '\n') + 1
	if len(bytes.TrimSpace(src[start:code.Start])) > 0 {
		start = code.Start
	}
	return strings.ReplaceAll(string(src[start:code.End]), "\r\n", "\n")
}

// bounded is as much of source as results have.
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

// under is what code is done under, on a line.
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

// never is the code of the branch of an if statement that m keeps from being done; nil: there is none.
func (m *Mutant) never() *results.Code {
	branch := m.Else
	if m.BranchEnd > m.EndOffset {
		branch = mutate.Span{Start: m.EndOffset, End: m.BranchEnd}
	}
	if branch.End <= branch.Start || branch.End > len(m.Source) {
		return nil
	}
	body := m.Source[branch.Start:branch.End]
	if block := bytes.TrimLeft(body, " \t\r\n"); bytes.HasPrefix(block, []byte("{")) { // else an if statement, or what follows
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
