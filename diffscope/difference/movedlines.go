package difference

import (
	"bytes"
	"regexp"
	"unicode"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
	"github.com/mutantfuzz/mutantfuzz/diffscope/sourcediff"
)

// leastMoved is how many letters and digits lines must have together to count as moved, as with git diff
// --color-moved. Lines that match commonLine do not count: anybody may write them anew.
const leastMoved = 20

// commonLine matches a line that is found in most code.
var commonLine = regexp.MustCompile(`^(if err != nil \{|(\} )?else \{|return( \w+(, \w+)*)?|continue|break|default:)$`)

// maxPlaces bounds how many places of the same line are looked at: a common line says little.
const maxPlaces = 100

// Removal holds the lines that a change removes from functions. They may have moved elsewhere.
type Removal struct {
	runs [][]string              // consecutive code lines, as codeLine returns them
	at   map[string][]placeInRun // the places of a line, at most maxPlaces
}

// placeInRun is the place of a line in Removal.runs.
type placeInRun struct{ run, line int }

// Removed collects the lines that deleted functions had and that changed functions lost, outside test files.
func Removed(deleted []*declaration.Decl, head []*declaration.File) *Removal {
	r := &Removal{at: map[string][]placeInRun{}}
	for _, d := range deleted {
		if d.IsFunction() && !d.File.IsTest() {
			r.add(d.Lines())
		}
	}
	for _, file := range head {
		for _, d := range file.Decls {
			if !d.IsFunction() || !d.Changed || d.From == nil || file.IsTest() {
				continue
			}
			old := d.Before()
			for _, e := range sourcediff.Lines(old, d.Lines()) {
				r.add(old[e.OldFirst:e.OldEnd])
			}
		}
	}
	return r
}

// add records consecutive lines.
func (r *Removal) add(lines [][]byte) {
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

// codeLine returns a line with each run of blanks as one space and none at the ends; "" if it has at most a comment.
func codeLine(line []byte) string {
	if line = bytes.Join(bytes.Fields(line), []byte(" ")); bytes.HasPrefix(line, []byte("//")) {
		return ""
	}
	return string(line)
}

// without returns the ranges without lines that the change only moved there, at any indentation. first is the number
// of the first of lines.
func (r *Removal) without(ranges []Lines, lines [][]byte, first int) (fresh []Lines) {
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

// moved returns the ranges of the given lines that were moved, in order. first is the number of the first line.
func (r *Removal) moved(lines [][]byte, first int) (found []Lines) {
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
		if n := r.longest(texts[i:]); letters(uncommon(texts[i:i+n])) >= leastMoved {
			found = append(found, Lines{numbers[i], numbers[i+n-1]})
			i += n - 1
		}
	}
	return found
}

// longest returns how many of the texts, from the first on, were removed together in the same order.
func (r *Removal) longest(texts []string) (most int) {
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

// uncommon returns the lines that do not match commonLine.
func uncommon(texts []string) (list []string) {
	for _, text := range texts {
		if !commonLine.MatchString(text) {
			list = append(list, text)
		}
	}
	return list
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
