package diffscope

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// leastMoved is the number of letters and digits that lines need to have together to be taken
// for moved ones, as with git diff --color-moved: anybody may write a "}" or "return nil" anew.
const leastMoved = 20

// maxPlaces is how many places of the same line are looked at: a line that is common says little.
const maxPlaces = 100

// removal is what a change takes away from functions: the lines that may turn up elsewhere in it.
type removal struct {
	runs [][]string              // code lines that followed each other, without the space around them
	at   map[string][]placeInRun // where a line is, at most maxPlaces
}

// placeInRun is the place of a line in a removal.
type placeInRun struct{ run, line int }

// removed collects the lines of functions that head has no longer where they were.
func removed(deleted []*decl, head []*file) *removal {
	r := &removal{at: map[string][]placeInRun{}}
	for _, d := range deleted {
		if d.function() && !d.file.test() {
			r.add(d.lines())
		}
	}
	for _, file := range head {
		for _, d := range file.decls {
			if !d.function() || !d.changed || d.from == nil || file.test() {
				continue
			}
			old := d.before()
			for _, e := range diffLines(old, d.lines()) {
				r.add(old[e.oldFirst:e.oldEnd])
			}
		}
	}
	return r
}

// add notes lines that followed each other.
func (r *removal) add(lines [][]byte) {
	var run []string
	for _, line := range lines {
		if text := codeLine(line); text != "" {
			run = append(run, text)
		}
	}
	for i, text := range run {
		if at := r.at[text]; len(at) < maxPlaces {
			r.at[text] = append(at, placeInRun{len(r.runs), i})
		}
	}
	r.runs = append(r.runs, run)
}

// codeLine is a line without the space around it, and with one for each run of blanks in it; empty: it has nothing but a
// comment.
func codeLine(line []byte) string {
	if line = bytes.Join(bytes.Fields(line), []byte(" ")); bytes.HasPrefix(line, []byte("//")) {
		return ""
	}
	return string(line)
}

// without returns the ranges among lines, of which the first has the number first, without
// those lines that the change has only moved there, at any indentation.
func (r *removal) without(ranges []Lines, lines [][]byte, first int) (fresh []Lines) {
	for _, span := range ranges {
		for _, moved := range r.moved(lines[span.First-first:span.Last-first+1], span.First) {
			if span.First < moved.First {
				fresh = append(fresh, Lines{span.First, moved.First - 1})
			}
			span.First = moved.Last + 1
		}
		if span.First <= span.Last {
			fresh = append(fresh, span)
		}
	}
	return fresh
}

// moved returns which of some lines, the first of which has the number first, were moved, in order.
func (r *removal) moved(lines [][]byte, first int) (found []Lines) {
	var texts []string
	var numbers []int
	for i, line := range lines {
		if text := codeLine(line); text != "" {
			texts, numbers = append(texts, text), append(numbers, first+i)
		}
	}
	for i := 0; i < len(texts); i++ {
		if letters(texts[i:i+1]) == 0 {
			continue
		}
		if n := r.longest(texts[i:]); letters(texts[i:i+n]) >= leastMoved {
			found = append(found, Lines{numbers[i], numbers[i+n-1]})
			i += n - 1
		}
	}
	return found
}

// longest is how many of the first of some lines followed each other where they were removed.
func (r *removal) longest(texts []string) (most int) {
	for _, at := range r.at[texts[0]] {
		run := r.runs[at.run][at.line:]
		n := 0
		for n < min(len(texts), len(run)) && texts[n] == run[n] {
			n++
		}
		most = max(most, n)
	}
	return most
}

// letters counts the letters and digits of some lines.
func letters(texts []string) (n int) {
	for _, text := range texts {
		for _, c := range text {
			if c != utf8.RuneError && (unicode.IsLetter(c) || unicode.IsDigit(c)) {
				n++
			}
		}
	}
	return n
}
