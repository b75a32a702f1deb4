package witness

import (
	"fmt"
	"go/ast"
	"go/parser"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// maxEffect is how much is shown of what a call did, in characters.
const maxEffect = 80

// part is a result of a call, or what became of an operand, with the program and with a mutant.
type part struct {
	original, mutant string
	beside           bool // ... a result that is beside an error on one side only, where callers do not look
}

// effects describe what an observed call did, by the program and by a mutant, for people. Of what is
// too long only what differs is shown, and "_" in the place of results that are alike.
func effects(s *weave.Site, original, mutant *wire.Observation) (string, string) {
	const none = "(the call is not made)"
	switch {
	case original == nil && mutant == nil:
		return none, none
	case original == nil:
		return none, begin(alone(s, mutant), maxEffect)
	case mutant == nil:
		return begin(alone(s, original), maxEffect), none
	}
	results, operands := resultParts(original, mutant), operandParts(s, original, mutant)
	switch {
	case slices.ContainsFunc(results, part.differs):
		operands = nil
	case len(operands) > 0:
		results = nil
	}
	return joined(results, operands)
}

// alone describes a call that only one of program and mutant makes.
func alone(s *weave.Site, o *wire.Observation) string {
	text := o.Text
	for i, after := range o.After {
		if after != "" {
			text += "; " + operand(s, i) + " becomes " + after
		}
	}
	return strings.TrimPrefix(text, "; ")
}

// onlyError is what a call returned with "_" in the place of all but its error, if that is one and there is no room for all of it: callers look
// at nothing else then. If it is the error that takes the room, its text is cut.
func onlyError(o *wire.Observation, returned string) string {
	list := split(returned)
	last := len(list) - 1
	if utf8.RuneCountInString(returned) <= maxEffect || len(list) != len(o.Errors) || o.Errors[last] == "" {
		return returned
	}
	others := strings.Repeat("_, ", last)
	if all := others + list[last]; utf8.RuneCountInString(all) <= maxEffect {
		return all
	}
	if all := strings.Join(append(list[:last:last], ""), ", "); utf8.RuneCountInString(all)+leastError <= maxEffect {
		others = all
	}
	return others + begin(list[last], maxEffect-utf8.RuneCountInString(others))
}

// resultParts are the results one by one, if they can be told apart, else all as one.
func resultParts(a, b *wire.Observation) (parts []part) {
	x, y := split(a.Text), split(b.Text)
	if len(x) != len(y) || len(x) != len(a.Errors) || len(x) != len(b.Errors) {
		if a.Text == "" && b.Text == "" {
			return nil
		}
		return []part{{original: a.Text, mutant: b.Text}}
	}
	oneFails := fails(a) != fails(b)
	for i := range x {
		parts = append(parts, part{x[i], y[i], oneFails && a.Errors[i] == "" && b.Errors[i] == ""})
	}
	return parts
}

// operandParts are the receiver and the arguments that are not alike after the call.
func operandParts(s *weave.Site, a, b *wire.Observation) (parts []part) {
	after := func(o *wire.Observation, i int) string {
		if i >= len(o.After) || o.After[i] == "" {
			return operand(s, i) + " stays as it is"
		}
		return operand(s, i) + " becomes " + o.After[i]
	}
	for i := range max(len(a.After), len(b.After)) {
		if p := (part{original: after(a, i), mutant: after(b, i)}); p.differs() {
			parts = append(parts, p)
		}
	}
	return parts
}

func (p part) differs() bool { return p.original != p.mutant }

// length is how long the longer side is, in characters.
func (p part) length() int {
	return max(utf8.RuneCountInString(p.original), utf8.RuneCountInString(p.mutant))
}

// joined are the two sides of parts. If one side is too long, all parts are shortened.
func joined(results, operands []part) (original, mutant string) {
	sides := func(list []part, separator string) (x, y string) {
		var a, b []string
		for _, p := range list {
			a, b = append(a, p.original), append(b, p.mutant)
		}
		return strings.Join(a, separator), strings.Join(b, separator)
	}
	both := func() (string, string) {
		a, b := sides(results, ", ")
		c, d := sides(operands, "; ")
		return strings.TrimPrefix(strings.TrimSuffix(a+"; "+c, "; "), "; "), strings.TrimPrefix(strings.TrimSuffix(b+"; "+d, "; "), "; ")
	}
	if original, mutant = both(); max(utf8.RuneCountInString(original), utf8.RuneCountInString(mutant)) <= maxEffect {
		return original, mutant
	}
	differ := slices.ContainsFunc(results, part.differs)
	for i, p := range results {
		if differ && !p.differs() || p.beside && p.length() > maxEffect/4 {
			results[i] = part{original: "_", mutant: "_"}
		}
	}
	limit := share(slices.Concat(results, operands), maxEffect)
	for _, list := range [][]part{results, operands} {
		for i, p := range list {
			list[i].original, list[i].mutant = placed(p.original, p.mutant, limit)
		}
	}
	return both()
}

// share is how long each of several parts may be, so that all of them together and what is
// between them are no longer than room: the short ones leave theirs to the others.
func share(parts []part, room int) int {
	var lengths []int
	for _, p := range parts {
		lengths = append(lengths, p.length()+len("; "))
	}
	slices.Sort(lengths)
	for i, n := range lengths {
		each := room / (len(lengths) - i)
		if n > each {
			return max(each-len("; "), 3)
		}
		room -= n
	}
	return lengths[len(lengths)-1] // all of them as they are
}

// placed shortens two values to a number of characters, if they are too long: to the smallest parts that differ, and what
// these are of, if there is room for that.
func placed(a, b string, limit int) (string, string) {
	if max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)) <= limit {
		return a, b
	}
	path, x, y := innermost(a, b)
	if path == "" {
		if a, b = differing(a, b); max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)) <= limit {
			return a, b
		}
	} else {
		x, y = differing(x, y)
	}
	if room := limit - utf8.RuneCountInString(path+": "); path != "" && room >= limit/2 && x != "" && y != "" {
		x, y = apart(x, y, room)
		return path + ": " + x, path + ": " + y
	}
	if x, y := withoutType(a), withoutType(b); x != y {
		a, b = x, y
	}
	return apart(a, b, limit)
}

// differing are two structs, or maps, with only the fields that differ, if that is what two texts are and they have others, too.
func differing(a, b string) (string, string) {
	x, y := fieldsOf(a), fieldsOf(b)
	if x == nil || y == nil || x.head != y.head {
		return a, b
	}
	return x.without(y), y.without(x)
}

// structText is the text of a struct or a map: what is before its fields, and these, by their names or keys in order.
type structText struct {
	head   string
	names  []string
	values map[string]string
}

// fieldsOf is a text as one of a struct or a map; nil: it is none.
func fieldsOf(text string) *structText {
	x, err := parser.ParseExpr(text)
	if err != nil {
		return nil
	}
	if pointer, ok := x.(*ast.UnaryExpr); ok {
		x = pointer.X
	}
	literal, ok := x.(*ast.CompositeLit)
	if !ok || int(literal.End())-1 != len(text) {
		return nil
	}
	s := &structText{head: text[:literal.Lbrace-1], values: map[string]string{}}
	for _, e := range literal.Elts {
		field, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		switch field.Key.(type) {
		case *ast.Ident, *ast.BasicLit:
		default:
			return nil
		}
		name := text[field.Key.Pos()-1 : field.Key.End()-1]
		s.names = append(s.names, name)
		s.values[name] = text[field.Value.Pos()-1 : field.Value.End()-1]
	}
	return s
}

// without is s without the fields that other has, too, with the same values: "…" is in their place.
func (s *structText) without(other *structText) string {
	var fields []string
	for _, name := range s.names {
		if value, ok := other.values[name]; !ok || value != s.values[name] {
			fields = append(fields, name+": "+s.values[name])
		}
	}
	if len(fields) < len(s.names) {
		fields = append(fields, "…")
	}
	return s.head + "{" + strings.Join(fields, ", ") + "}"
}

// literalType matches the type of a composite literal that a text begins with, or that an operand becomes.
var literalType = regexp.MustCompile(`^((?:.*? becomes )?)&?(?:\w+\.)?\w+\{`)

// withoutType is a text without the name of a literal's type, which says less than its fields where there is no room for both.
func withoutType(text string) string { return literalType.ReplaceAllString(text, "$1{") }

// apart shortens two texts to a number of characters, if they are too long: to the place where
// they first differ, and a little of what is before it.
func apart(a, b string, limit int) (string, string) {
	x, y := []rune(a), []rune(b)
	if max(len(x), len(y)) <= limit {
		return a, b
	}
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	from := max(0, same-limit/4)
	if same < limit/2 {
		from = 0
	}
	// What is shown begins with a word or a value, where there is one.
	for i := from; from > 0 && i < same; i++ {
		if strings.ContainsRune(" {(,[", x[i]) {
			for from = i + 1; from < same && x[from] == ' '; {
				from++
			}
			break
		}
	}
	both := anError.MatchString(a) && anError.MatchString(b) // they may differ anywhere
	cut := func(s []rune) string {
		if text, ok := ends(s, limit); ok && !both {
			return text
		}
		if from == 0 {
			return begin(string(s), limit)
		}
		return "…" + begin(string(s[from:]), limit-1)
	}
	return cut(x), cut(y)
}

// begin is the beginning of a text of Go values, without a part of an escaped character.
func begin(text string, limit int) string {
	s := []rune(text)
	if len(s) <= limit {
		return text
	}
	return partOfEscape.ReplaceAllString(string(s[:limit-1]), "$1") + "…"
}

// anError matches the text of an error, and leastError is how long it has to be to be shown from both ends.
var anError = regexp.MustCompile(`^\*?[\w.]+\(".*"\)$`)

const leastError = 30

// ends is the beginning and the end of the text of an error that is too long: what comes first says where it failed, and what comes
// last why. It is not ok if the end is not known to begin with a word: it may begin within an escaped character.
func ends(s []rune, limit int) (text string, ok bool) {
	if len(s) <= limit || limit < leastError || !anError.MatchString(string(s)) {
		return "", false
	}
	tail := s[len(s)-(limit-limit/3-1):]
	word := slices.Index(tail, ' ')
	if word < 0 {
		return "", false
	}
	return partOfEscape.ReplaceAllString(string(s[:limit/3]), "$1") + "…" + string(tail[word:]), true
}

// partOfEscape matches an escaped character at the end of a text that may not be whole.
var partOfEscape = regexp.MustCompile(`((?:^|[^\\])(?:\\\\)*)\\(?:x[0-9a-f]?|u[0-9a-f]{0,3}|U[0-9a-f]{0,7})?$`)

// maxOperand is how long the source of an operand is that it is named by, in bytes.
const maxOperand = 30

// operand names the i-th observed operand of a call: as the source does, where that is short.
func operand(s *weave.Site, i int) string {
	recv, args := sources(s)
	if s.Recv {
		if i == 0 {
			return orElse(recv, "the receiver")
		}
		i--
	}
	for n, a := range s.Args {
		if a.Const != "" {
			continue
		}
		if i == 0 {
			name := fmt.Sprintf("argument %d", n+1)
			if n < len(args) {
				name = orElse(args[n], name)
			}
			return name
		}
		i--
	}
	return "an argument"
}

// orElse is the name of an operand: its source, if it is short.
func orElse(source, name string) string {
	if source = strings.TrimPrefix(source, "&"); source == "" || len(source) > maxOperand {
		return name
	}
	return source
}

// sources are the receiver and the arguments of a call as they are written; empty where its
// source is not known.
func sources(s *weave.Site) (recv string, args []string) {
	x, err := parser.ParseExpr(s.Source)
	if err != nil {
		return "", nil
	}
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return "", nil
	}
	text := func(e ast.Expr) string { return s.Source[e.Pos()-1 : e.End()-1] }
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		recv = text(sel.X)
	}
	for _, a := range call.Args {
		args = append(args, text(a))
	}
	return recv, args
}
