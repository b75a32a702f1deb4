package edit

import (
	"go/token"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/prose"
)

// diffLine is a line of a diff.
type diffLine struct {
	sign byte // '-' or '+', or ' ' for a line on both sides
	text string
	rank int // how much the line tells; see below
}

// Ranks of changed lines, by what the other side has.
const (
	rankLayout  = iota // a line with the same tokens; or the changed line is only brackets
	rankRenamed        // a line that differs only in identifiers
	rankOther          // no such line
)

// Lines returns the change as at most limit lines of a diff, each with its sign. It shortens long lines and folds
// unchanged lines between changed ones. If the diff is too long, lines that only differ in layout count as unchanged.
// If it is still too long, the least telling changed lines are left out and counted at their place, because whoever
// makes the edit by hand has to know of them.
func (c Change) Lines(limit int) []string {
	exact := withoutBlanks(diffOf(c.before, c.after, func(line string) string { return line }))
	loose := slices.DeleteFunc(diffOf(c.before, c.after, Tokens), func(l diffLine) bool { return Tokens(l.text) == "" })
	if changed(loose) == 0 {
		loose = exact
	}
	for _, all := range [][]diffLine{asBlocks(exact), exact, asBlocks(loose), loose} {
		if whole := withGaps(all, nil); len(whole) <= limit {
			return texts(whole)
		}
	}
	all := asBlocks(loose)
	rankLines(all)
	for n := limit - 1; ; n-- {
		if most := withGaps(all, telling(all, n)); len(most) <= limit {
			return texts(most)
		}
	}
}

// withoutBlanks returns a diff without the blank lines among the first and last changed ones, unless there are no others.
func withoutBlanks(all []diffLine) []diffLine {
	tells := func(l diffLine) bool { return l.sign != ' ' && strings.TrimSpace(l.text) != "" }
	first := slices.IndexFunc(all, tells)
	if first < 0 {
		return all
	}
	last := len(all) - 1
	for !tells(all[last]) {
		last--
	}
	return all[first : last+1]
}

// texts returns lines of a diff as they are shown.
func texts(all []diffLine) (lines []string) {
	for _, l := range all {
		lines = append(lines, string(l.sign)+prose.Shorten(l.text, prose.MaxLineLength))
	}
	return lines
}

// maxGap is the maximum number of unchanged lines that are shown between changed ones. They matter: a branch that was
// put under a condition is what the condition is for.
const maxGap = 4

// withGaps returns the changed lines of all, and the unchanged lines between them, or "…" if there are more than
// maxGap. If chosen is not nil, it has the indices of the changed lines to show, and the others are counted in their
// place.
func withGaps(all []diffLine, chosen map[int]bool) (shown []diffLine) {
	var gap []diffLine
	left := 0 // changed lines in the gap, which are left out
	fill := func(last bool) {
		switch {
		case left > 0:
			gap = []diffLine{{sign: ' ', text: "… " + prose.Plural(left, "more line", "more lines")}}
		case len(shown) == 0 || last:
			gap = nil
		case len(gap) > maxGap:
			gap = []diffLine{{sign: ' ', text: "…"}}
		}
		shown, gap, left = append(shown, gap...), nil, 0
	}
	for i, l := range all {
		switch {
		case l.sign == ' ':
			gap = append(gap, l)
		case chosen != nil && !chosen[i]:
			left++
		default:
			fill(false)
			shown = append(shown, l)
		}
	}
	fill(true)
	return shown
}

// maxRewritten is the number of lines up to which a diff is searched for rewritten code. The search takes the square of
// their number, and results may come from anybody.
const maxRewritten = 1000

// asBlocks shows rewritten code as a block of old lines followed by a block of new ones. That applies where only common
// lines, such as brackets, are unchanged in between: a reader cannot follow two interleaved versions.
func asBlocks(all []diffLine) (shown []diffLine) {
	if len(all) > maxRewritten {
		return all
	}
	for len(all) > 0 {
		n := rewritten(all)
		if n == 0 {
			shown, all = append(shown, all[0]), all[1:]
			continue
		}
		for _, sign := range []byte("-+") {
			for _, l := range all[:n] {
				if l.sign == sign || l.sign == ' ' {
					shown = append(shown, diffLine{sign: sign, text: l.text, rank: l.rank})
				}
			}
		}
		all = all[n:]
	}
	return shown
}

// rewritten returns the number of lines at the start of all to show as one block; 0: there is no such block. A block
// has old lines after new ones, and no unchanged line in between except common ones.
func rewritten(all []diffLine) (n int) {
	last := byte('-')
	for i, l := range all {
		switch {
		case l.sign == ' ' && (i == 0 || !isCommon(l.text)):
			return n
		case l.sign == ' ':
			continue
		case last == '+' && l.sign == '-':
			n = i + 1
		case n > 0 && n == i: // the block goes on
			n = i + 1
		}
		last = l.sign
	}
	return n
}

// isCommon reports whether a line is found in most code, so that it says little that a change keeps it.
func isCommon(line string) bool {
	switch strings.Trim(Tokens(line), "(){}[];, ") {
	case "", "return", "return nil", "else", "break", "continue", "default :":
		return true
	}
	return false
}

// Size returns the number of changed lines in the diff of the change.
func (c Change) Size() int {
	return changed(diffOf(c.before, c.after, func(line string) string { return line }))
}

// changed counts the lines that are on one side only.
func changed(all []diffLine) (n int) {
	for _, l := range all {
		if l.sign != ' ' {
			n++
		}
	}
	return n
}

// maxCompared limits the work of a comparison, in pairs of lines. Beyond it, no two lines count as equal.
const maxCompared = 1 << 16

// diffOf compares two lists of lines by their longest common subsequence. Lines are equal if key gives the same for
// both. Where lines were replaced, the old ones come first.
func diffOf(before, after []string, key func(string) string) (all []diffLine) {
	keys := func(lines []string) (list []string) {
		for _, line := range lines {
			list = append(list, key(line))
		}
		return list
	}
	x, y := keys(before), keys(after)
	common := commonLengths(x, y)
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && common != nil && x[i] == y[j]:
			all = append(all, diffLine{sign: ' ', text: before[i]})
			i, j = i+1, j+1
		case i < len(x) && (j == len(y) || common == nil || common[i+1][j] >= common[i][j+1]):
			all = append(all, diffLine{sign: '-', text: before[i]})
			i++
		default:
			all = append(all, diffLine{sign: '+', text: after[j]})
			j++
		}
	}
	return all
}

// commonLengths returns, for all i and j, the length of the longest common subsequence of x[i:] and y[j:]. It returns
// nil if that would be too much work.
func commonLengths(x, y []string) [][]int {
	if (len(x)+1)*(len(y)+1) > maxCompared {
		return nil
	}
	lengths := make([][]int, len(x)+1)
	for i := range lengths {
		lengths[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				lengths[i][j] = lengths[i+1][j+1] + 1
			} else {
				lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1])
			}
		}
	}
	return lengths
}

// rankLines ranks the changed lines. The ranks of unchanged lines do not count.
func rankLines(all []diffLine) {
	sources, shapes := map[byte]map[string]bool{'-': {}, '+': {}, ' ': {}}, map[byte]map[string]bool{'-': {}, '+': {}, ' ': {}}
	for _, l := range all {
		sources[l.sign][Tokens(l.text)], shapes[l.sign][lineShape(l.text)] = true, true
	}
	other := map[byte]byte{'-': '+', '+': '-'}
	for i, l := range all {
		switch text := Tokens(l.text); {
		case strings.Trim(text, "(){}[];, ") == "" || sources[other[l.sign]][text]:
			all[i].rank = rankLayout
		case shapes[other[l.sign]][lineShape(l.text)]:
			all[i].rank = rankRenamed
		default:
			all[i].rank = rankOther
		}
	}
}

// telling returns the indices of the n changed lines that tell most. Among lines of the same rank it takes the first
// ones, half of them from each side as far as there are enough.
func telling(all []diffLine, n int) map[int]bool {
	chosen := map[int]bool{}
	for rank := rankOther; rank >= rankLayout; rank-- {
		sides := map[byte][]int{}
		for i, l := range all {
			if l.rank == rank {
				sides[l.sign] = append(sides[l.sign], i)
			}
		}
		old, now := sides['-'], sides['+']
		room := n - len(chosen)
		fromOld := min(len(old), max(room/2, room-len(now)))
		for _, i := range slices.Concat(old[:fromOld], now[:min(len(now), room-fromOld)]) {
			chosen[i] = true
		}
	}
	return chosen
}

// lineShape returns the tokens of a line without the names of identifiers.
func lineShape(line string) string {
	var all []string
	for t := range Lexemes(line) {
		if t.Token.IsLiteral() && t.Token != token.IDENT {
			all = append(all, t.Text)
		} else {
			all = append(all, t.Token.String())
		}
	}
	return strings.Join(all, " ")
}
