package evidence

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Unrun returns functions as in results.json, with the code that the change touches and that is not seen to run. ran
// are the counters that tests and the user's fuzz targets moved. Unrun adds to them.
func (l Mutants) Unrun(functions []diffscope.Function, woven *weave.Woven, ran map[int]bool) (list []results.Function) {
	mutants, blocks := map[string]Mutants{}, map[string][]weave.Block{}
	for _, m := range l {
		mutants[m.Function] = append(mutants[m.Function], m)
		if m.Reached {
			ran[m.Block] = true
		}
	}
	for n, b := range woven.Blocks {
		if id := woven.Funcs[b.Func].ID; b.Code.End > 0 && !ran[n] {
			blocks[id] = append(blocks[id], b)
		}
	}
	for i := range functions {
		f := functions[i].Function
		// Several init functions share an ID.
		in := mutants[f.ID].having(func(m *Mutant) bool { return has(&f, m.File, m.Line) })
		if in.followed() {
			u := unrun{src: in[0].Source, function: &functions[i], ignored: in.ignoredLines()}
			f.Unrun = u.code(slices.DeleteFunc(slices.Clone(blocks[f.ID]), func(b weave.Block) bool { return !has(&f, b.File, b.Line) }))
		}
		list = append(list, f)
	}
	return list
}

// has reports whether a line is within a function.
func has(f *results.Function, file string, line int) bool {
	return f.File == file && f.StartLine <= line && line <= f.EndLine
}

// followed reports whether it is known which code does not run in the function that all of l mutate. That is so if
// one of them survived and is not reached: while a mutant is alive, all tests run that may call its function, and Unseen
// marks all mutants of a function that may run unseen. Its only reservation may be that tests of dependents are missing:
// then it is known what the tests of its package do not run.
func (l Mutants) followed() bool {
	return slices.ContainsFunc(l, func(m *Mutant) bool {
		return m.Survives() && (m.Verdict().Reason == "" || m.Tests != nil && m.Tests.OwnOnly) && !m.Reached && !m.Unseen
	})
}

// ignoredLines returns the lines with mutants that a comment in the source suppresses.
func (l Mutants) ignoredLines() map[int]bool {
	lines := map[int]bool{}
	for _, m := range l {
		if m.Ignored != "" && m.Arid == "" {
			lines[m.Line] = true
		}
	}
	return lines
}

// unrun finds the code of a function that is not seen to run.
type unrun struct {
	src      []byte
	function *diffscope.Function
	ignored  map[int]bool
}

// code returns the first places, in blocks of the function, that are not seen to run: at most MaxUnrun.
func (u *unrun) code(blocks []weave.Block) (list []results.Code) {
	for _, b := range u.merged(blocks) {
		for _, r := range u.touched(b.Code) {
			if len(list) == results.MaxUnrun {
				return list
			}
			list = append(list, excerpt(u.src, r, b.Head, b.Else))
		}
	}
	return list
}

// merged returns blocks in the order of their code. It drops blocks within others, and joins blocks without code
// between them.
func (u *unrun) merged(blocks []weave.Block) (list []weave.Block) {
	slices.SortFunc(blocks, func(a, b weave.Block) int {
		return cmp.Or(cmp.Compare(a.Code.Start, b.Code.Start), cmp.Compare(b.Code.End, a.Code.End))
	})
	for _, b := range blocks {
		if n := len(list); n > 0 && (b.Code.Start <= list[n-1].Code.End || !hasCode(u.src[list[n-1].Code.End:b.Code.Start])) {
			list[n-1].Code.End = max(list[n-1].Code.End, b.Code.End)
		} else {
			list = append(list, b)
		}
	}
	return list
}

// touched returns the parts of code that are on lines that count.
func (u *unrun) touched(code mutate.Span) (parts []mutate.Span) {
	open, start, line := false, code.Start, lineOf(u.src, code.Start)
	for text := range bytes.Lines(u.src[code.Start:code.End]) {
		indent, end := len(text)-len(bytes.TrimLeft(text, " \t")), start+len(bytes.TrimRight(text, " \t\r\n"))
		switch {
		case !u.counts(line):
			open = false
		case open && end > start+indent:
			parts[len(parts)-1].End = end
		case !open && hasCode(bytes.Trim(text, "}]);, \t\r\n")): // otherwise the line only closes untouched code
			parts, open = append(parts, mutate.Span{Start: start + indent, End: end}), true
		}
		start += len(text)
		line++
	}
	return parts
}

// counts reports whether a line is touched by the change, or its function is in scope without a change. A line that a
// comment ignores does not count.
func (u *unrun) counts(line int) bool {
	reason := u.function.Reason
	return !u.ignored[line] && (reason == results.ReasonAll || reason == results.ReasonTestChanged ||
		slices.ContainsFunc(u.function.Changed, func(l diffscope.Lines) bool { return l.First <= line && line <= l.Last }))
}

// hasCode reports whether source has more than blank lines and lines that are comments.
func hasCode(source []byte) bool {
	for line := range bytes.Lines(source) {
		if text := strings.TrimSpace(string(line)); text != "" && !strings.HasPrefix(text, "//") {
			return true
		}
	}
	return false
}
