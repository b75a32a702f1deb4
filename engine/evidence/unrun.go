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

// Unrun returns functions as results.json has them, with the code that the change touches and that nothing is seen to run. Ran are
// the counters that tests and fuzz targets of the user's moved; it is added to.
func (l Mutants) Unrun(functions []diffscope.Function, woven *weave.Woven, ran map[int]bool) (list []results.Function) {
	mutants, blocks := map[string]Mutants{}, map[string][]weave.Block{}
	for _, m := range l {
		mutants[m.Function] = append(mutants[m.Function], m)
		if m.Infected || m.Reached && !m.Probed { // a probe is evaluated in front of a branch that the mutant empties, too
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
		in := mutants[f.ID].having(func(m *Mutant) bool { return has(&f, m.File, m.Line) }) // several init functions have one ID
		if in.followed() {
			u := unrun{src: in[0].Source, function: &functions[i], ignored: in.ignoredLines()}
			f.Unrun = u.code(slices.DeleteFunc(slices.Clone(blocks[f.ID]), func(b weave.Block) bool { return !has(&f, b.File, b.Line) }))
		}
		list = append(list, f)
	}
	return list
}

// has reports whether a line is one of a function's.
func has(f *results.Function, file string, line int) bool {
	return f.File == file && f.StartLine <= line && line <= f.EndLine
}

// followed reports whether it is known what does not run of the function that the mutants are of. One that nothing reaches, and
// that survived without a reservation, says so: as long as one is alive, all tests that may come to its function are run, and
// what may run where nothing tells that it did is marked by function.
func (l Mutants) followed() bool {
	return slices.ContainsFunc(l, func(m *Mutant) bool {
		return m.Survives() && m.Verdict().Reason == "" && !m.Reached && !m.Unseen
	})
}

// ignoredLines are the lines with mutants that a comment in the source ignores.
func (l Mutants) ignoredLines() map[int]bool {
	lines := map[int]bool{}
	for _, m := range l {
		if m.Ignored != "" && m.Arid == "" {
			lines[m.Line] = true
		}
	}
	return lines
}

// unrun finds the code of a function that nothing is seen to run.
type unrun struct {
	src      []byte
	function *diffscope.Function
	ignored  map[int]bool
}

// code returns the first places of the function that nothing is seen to run, which are in some of its blocks.
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

// merged are blocks in the order of their code, without those in others. Blocks with nothing between them are one.
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

// touched are the parts of some code on lines that count.
func (u *unrun) touched(code mutate.Span) (parts []mutate.Span) {
	open, start, line := false, code.Start, lineOf(u.src, code.Start)
	for text := range bytes.Lines(u.src[code.Start:code.End]) {
		indent, end := len(text)-len(bytes.TrimLeft(text, " \t")), start+len(bytes.TrimRight(text, " \t\r\n"))
		switch {
		case !u.counts(line):
			open = false
		case open && end > start+indent:
			parts[len(parts)-1].End = end
		case !open && hasCode(bytes.Trim(text, "}]);, \t\r\n")): // else it ends what is not touched
			parts, open = append(parts, mutate.Span{Start: start + indent, End: end}), true
		}
		start += len(text)
		line++
	}
	return parts
}

// counts reports whether a line is one that the change touches, or one of a function that is in scope without a change, and no
// comment ignores it.
func (u *unrun) counts(line int) bool {
	reason := u.function.Reason
	return !u.ignored[line] && (reason == results.ReasonAll || reason == results.ReasonTestChanged ||
		slices.ContainsFunc(u.function.Changed, func(l diffscope.Lines) bool { return l.First <= line && line <= l.Last }))
}

// hasCode reports whether source has more than comments that begin their lines.
func hasCode(source []byte) bool {
	for line := range bytes.Lines(source) {
		if text := strings.TrimSpace(string(line)); text != "" && !strings.HasPrefix(text, "//") {
			return true
		}
	}
	return false
}
