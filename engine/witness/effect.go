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

// maxEffect bounds what is shown of the effect of a call, in characters.
const maxEffect = 80

// part is one result of a call, or what became of one operand, with the program and with a mutant.
type part struct {
	original, mutant string
	beside           bool // a result beside an error that only one side returns: callers ignore it then
}

// effects describes for people what an observed call did, with the program and with a mutant. If that is too long, it
// shows only what differs, with "_" for results that are equal.
func effects(s *weave.Site, original, mutant *wire.Observation) (string, string) {
	const none = "(not called)"
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
			text += "; " + becomes(operand(s, i), after)
		}
	}
	return strings.TrimPrefix(text, "; ")
}

// onlyError returns what a call returned. If that is too long and the last result is an error, the other results become
// "_": callers look at nothing else then. If the error itself is too long, its text is cut.
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
	if room := maxEffect - utf8.RuneCountInString(others); room >= leastError {
		return others + begin(list[last], room)
	}
	return begin(returned, maxEffect)
}

// resultParts returns the results one by one or, if they cannot be told apart, all of them as one part.
func resultParts(a, b *wire.Observation) (parts []part) {
	x, y := split(a.Text), split(b.Text)
	if len(x) != len(y) || len(x) != len(a.Errors) || len(x) != len(b.Errors) {
		if a.Text == "" && b.Text == "" {
			return nil
		}
		return []part{{original: a.Text, mutant: b.Text}}
	}
	oneFails := fails(a) != fails(b)
	if now, with := Sentinels(a, b); now != with {
		last := len(x) - 1
		x[last], y[last] = errorThat(now, with), errorThat(with, now)
	}
	for i := range x {
		parts = append(parts, part{x[i], y[i], oneFails && a.Errors[i] == "" && b.Errors[i] == ""})
	}
	return parts
}

// errorThat describes an error by the error variable that it is, or else by the one that it is not.
func errorThat(is, isNot string) string {
	if is != "" {
		return "an error that is " + is
	}
	return "an error that is not " + isNot
}

// operandParts returns the receiver and the arguments that differ after the call.
func operandParts(s *weave.Site, a, b *wire.Observation) (parts []part) {
	after := func(o *wire.Observation, i int) string {
		if i >= len(o.After) {
			return becomes(operand(s, i), "")
		}
		return becomes(operand(s, i), o.After[i])
	}
	for i := range max(len(a.After), len(b.After)) {
		if p := (part{original: after(a, i), mutant: after(b, i)}); p.differs() {
			parts = append(parts, p)
		}
	}
	return parts
}

// becomes says what an operand of a call is after it; "": as before. Of a new buffer that is what was written to it.
func becomes(operand, after string) string {
	isNew, text := newBuffer.MatchString(operand), content.FindStringSubmatch(after)
	switch {
	case isNew && after == "":
		return "writes nothing"
	case isNew && text != nil:
		return "writes " + text[1]
	case after == "":
		return operand + " is unchanged"
	}
	return operand + " becomes " + after
}

// newBuffer matches an empty buffer that a call takes, and content what becomes of one.
var (
	newBuffer = regexp.MustCompile(`^(?:&?(?:bytes\.Buffer|strings\.Builder)\{\}|new\((?:bytes\.Buffer|strings\.Builder)\))$`)
	content   = regexp.MustCompile(`(?s)^\*(?:bytes\.Buffer|strings\.Builder)\((".*)\)$`)
)

func (p part) differs() bool { return p.original != p.mutant }

// length returns the length of the longer side, in characters.
func (p part) length() int {
	return max(utf8.RuneCountInString(p.original), utf8.RuneCountInString(p.mutant))
}

// joined returns the two sides of all parts as text. If one side is too long, the parts are shortened.
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

// share returns how long each of several parts may be, so that together with the separators they fit into room. Parts
// that need less leave the rest to the others.
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
	return lengths[len(lengths)-1] // all of them fit
}

// placed shortens two values that are longer than limit to the smallest parts that differ. It puts the path to these
// before them, if there is room.
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

// differing reduces two texts of structs, or of maps, to the fields that differ. Other texts stay as they are.
func differing(a, b string) (string, string) {
	x, y := fieldsOf(a), fieldsOf(b)
	if x == nil || y == nil || x.head != y.head {
		return a, b
	}
	return x.without(y), y.without(x)
}

// structText is the text of a struct or a map: what comes before the brace, and the fields or keys with their values.
type structText struct {
	head   string
	names  []string
	values map[string]string
}

// fieldsOf parses the text of a struct or a map. It returns nil for other texts.
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

// without returns the text of s without the fields that other has with the same values. "…" stands for them.
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

// literalType matches the type of a composite literal at the start of a text, or after "becomes".
var literalType = regexp.MustCompile(`^((?:.*? becomes )?)&?(?:\w+\.)?\w+\{`)

// withoutType removes the name of a literal's type. The fields say more if there is no room for both.
func withoutType(text string) string { return literalType.ReplaceAllString(text, "$1{") }

// apart shortens two texts that are longer than limit. It keeps the place where they first differ, and a little of what
// comes before it.
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
	// The text that is shown begins with a word or a value, if possible.
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

// begin returns the beginning of a text of Go values. It does not cut through an escape sequence.
func begin(text string, limit int) string {
	s := []rune(text)
	if len(s) <= limit {
		return text
	}
	return partOfEscape.ReplaceAllString(string(s[:limit-1]), "$1") + "…"
}

// anError matches the text of an error. leastError is the least room, in characters, in which both ends of it are
// shown.
var anError = regexp.MustCompile(`^\*?[\w.]+\(".*"\)$`)

const leastError = 30

// ends returns the beginning and the end of an error's text that is too long: the beginning says where it failed, the
// end why. ok is false if no word begins in the end part, which might then begin within an escape sequence.
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

// partOfEscape matches an escape sequence at the end of a text that may be incomplete.
var partOfEscape = regexp.MustCompile(`((?:^|[^\\])(?:\\\\)*)\\(?:x[0-9a-f]?|u[0-9a-f]{0,3}|U[0-9a-f]{0,7})?$`)

// maxOperand bounds the source that may serve as the name of an operand, in bytes.
const maxOperand = 30

// operand names the i-th observed operand of a call: by its source, if that is short.
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

// orElse returns the source of an operand if it is known and short, else name.
func orElse(source, name string) string {
	if source = strings.TrimPrefix(source, "&"); source == "" || len(source) > maxOperand {
		return name
	}
	return source
}

// sources returns the receiver and the arguments of a call as they are written; empty if its source is not known.
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
