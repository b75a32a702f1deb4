package edit

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// slack is how many more lines than there is room for an excerpt has, if that is all of the code.
const slack = 2

// LineNumbers names the lines of code, as in "line 3" and "lines 3–5, 9".
func LineNumbers(code ...results.Code) string {
	if text := Ranges(code); strings.ContainsAny(text, ",–") {
		return "lines " + text
	}
	return "line " + Ranges(code)
}

// Ranges lists the lines of code, as in "3–5, 9".
func Ranges(code []results.Code) string {
	var list []string
	for _, c := range code {
		if c.EndLine > c.StartLine {
			list = append(list, prose.Exact(c.StartLine)+"–"+prose.Exact(c.EndLine))
		} else {
			list = append(list, prose.Exact(c.StartLine))
		}
	}
	return strings.Join(list, ", ")
}

// LinesIn counts the lines of code.
func LinesIn(code []results.Code) (n int) {
	for _, c := range code {
		n += max(len(splitLines(c.Source)), c.EndLine-c.StartLine+1)
	}
	return n
}

// Excerpt returns the first lines of code, about as many as there is room for, with comments that say which lines they
// are. The name of the function, if not empty, stands in the first of these comments.
func Excerpt(name string, code []results.Code, room int) string {
	var lines []string
	left, texts := LinesIn(code), make([][]string, len(code))
	for i, c := range code {
		texts[i] = splitLines(c.Source)
	}
	if left > room+slack { // statements say more than comments
		for i, text := range texts {
			texts[i] = withoutRemarks(text)
			left -= len(text) - len(texts[i])
		}
	}
	if left <= room+slack {
		room = left
	}
	for i, c := range code {
		text := texts[i]
		n := min(len(text), room)
		if n == 0 {
			continue
		}
		left, room = left-n, room-n
		remark := LineNumbers(c)
		if name != "" {
			remark, name = name+", "+remark, ""
		}
		if c.Under != "" {
			remark += ", under " + prose.OneLine(c.Under, maxSource)
		}
		lines = append(lines, "// "+remark)
		lines = append(lines, dedented(text)[:n]...)
	}
	if left > 0 {
		lines = append(lines, "// … and "+prose.Plural(left, "more line", "more lines"))
	}
	return strings.Join(lines, "\n")
}

// withoutRemarks returns lines without those that are only a comment.
func withoutRemarks(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "//") })
}

// dedented returns lines without the indentation that all of them have.
func dedented(lines []string) []string {
	common, known := "", false
	for _, line := range lines {
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		switch {
		case strings.TrimSpace(line) == "":
		case !known:
			common, known = indent, true
		default:
			for !strings.HasPrefix(indent, common) {
				common = common[:len(common)-1]
			}
		}
	}
	list := make([]string, len(lines))
	for i, line := range lines {
		list[i] = strings.TrimPrefix(line, common)
	}
	return list
}

// Cases returns the heads of the case clauses that code consists of, without colons; nil if it begins with other code.
func Cases(c results.Code) (heads []string) {
	lines := withoutRemarks(dedented(strings.Split(c.Source, "\n")))
	for i, line := range lines {
		head, _, isCase := strings.Cut(line, ":")
		isCase = isCase && (strings.HasPrefix(head, "case ") || head == "default")
		switch {
		case i == 0 && !isCase:
			return nil
		case isCase:
			heads = append(heads, head)
		}
	}
	return heads
}
