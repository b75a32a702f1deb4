package finding

import (
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// This file has the facts about parts of the change that mutants undo, and about code within them.

// outlines returns the IDs of new unexported functions that a function which gives the same results as before calls in
// its new lines. They hold code that stood there before.
func (k ranking) outlines(r *results.Results) map[string]bool {
	found := map[string]bool{}
	for _, f := range r.Scope {
		name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
		if f.Reason != results.ReasonAdded || token.IsExported(name) || name == "" {
			continue
		}
		calls := callsOf(name)
		found[f.ID] = slices.ContainsFunc(r.Mutants, func(m results.Mutant) bool {
			return edit.IsReversal(&m) && k.agrees[m.Function] && k.scope[m.Function].Package == f.Package && calls.MatchString(m.Original)
		})
	}
	return found
}

// movesOut reports whether the part of the change that m undoes calls a new unexported function of the package in place
// of other code. Most often that code has moved there.
func (k ranking) movesOut(m *results.Mutant) bool {
	if !rewords(m) {
		return false
	}
	old := edit.Effective(m)
	for id, f := range k.scope {
		name := id[strings.LastIndexByte(id, '.')+1:]
		if f.Reason == results.ReasonAdded && name != "" && !token.IsExported(name) && f.Package == k.scope[m.Function].Package {
			if calls := callsOf(name); calls.MatchString(m.Original) && !calls.MatchString(old) {
				return true
			}
		}
	}
	return false
}

// comparisons are the operators that compare two values.
var comparisons = map[string]bool{"==": true, "!=": true, "<": true, "<=": true, ">": true, ">=": true}

// asksByCall reports whether all that the part of the change which m undoes does is to put a call in the place of a
// comparison of the same value, or the other way round, as in "x.IsZero()" for "x == zero".
func asksByCall(m *results.Mutant) bool {
	now, old := differing(strings.Fields(edit.Tokens(m.Original)), strings.Fields(edit.Tokens(edit.Effective(m))))
	compares := func(tokens []string) bool {
		return slices.ContainsFunc(tokens, func(t string) bool { return comparisons[t] })
	}
	asks := func(call, comparison []string) bool {
		return slices.Contains(call, "(") && !compares(call) && compares(comparison) && !slices.Contains(comparison, "&&") && !slices.Contains(comparison, "||") &&
			slices.ContainsFunc(call, func(t string) bool { return token.IsIdentifier(t) && slices.Contains(comparison, t) })
	}
	return asks(now, old) || asks(old, now)
}

// differing returns a and b without the tokens that both begin or end with.
func differing(a, b []string) ([]string, []string) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// callsOf returns a pattern of calls of the function or method name.
func callsOf(name string) *regexp.Regexp {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(strings.ToValidUTF8(name, "\uFFFD")) + `\(`)
}

// guardsEmptiness reports whether the part of the change that m undoes only puts such a check around old code.
func guardsEmptiness(m *results.Mutant) bool {
	added, rest := edit.AddedLines(m)
	added = slices.DeleteFunc(added, func(line string) bool { return strings.Trim(line, "{} ") == "" })
	return len(rest) == 0 && len(added) == 1 && strings.HasPrefix(added[0], "if ") && empty.MatchString(added[0])
}

// inserts reports whether the part of the change that m undoes only adds lines, or only adds something within lines,
// such as an operand. Lines that lock or unlock, which tests hardly notice, or that give a field its zero value do not
// count.
func inserts(m *results.Mutant) bool {
	added, rest := edit.AddedLines(m)
	if len(rest) > 0 {
		return insertsWithin(m)
	}
	return slices.ContainsFunc(added, func(line string) bool { return !locks.MatchString(line) && !zeroField.MatchString(line) })
}

// extends reports whether the part of the change that m undoes keeps all tokens of the old lines but brackets and
// commas, and adds a call of another function.
func extends(m *results.Mutant) bool {
	rest := strings.Fields(edit.Tokens(edit.Effective(m)))
	rest = slices.DeleteFunc(rest, func(token string) bool { return strings.Trim(token, "(){}[],;") == "" })
	left := map[string]int{}
	for _, token := range rest {
		left[token]++
	}
	kept, called, added := 0, false, "" // added is the token before the current one, if it is a name that is not kept
	for _, text := range strings.Fields(edit.Tokens(m.Original)) {
		called = called || text == "(" && added != "" && types.Universe.Lookup(added) == nil
		added = ""
		switch {
		case left[text] > 0:
			left[text]--
			kept++
		case token.IsIdentifier(text):
			added = text
		}
	}
	return len(rest) > 0 && kept == len(rest) && called
}

// addsPanic reports whether the part of the change that m undoes only adds an if statement that only panics.
func addsPanic(m *results.Mutant) bool {
	added, rest := edit.AddedLines(m)
	return len(rest) == 0 && len(added) > 1 && strings.HasPrefix(added[0], "if ") && onlyPanics(strings.Join(added[1:], "\n"))
}

// insertsWithin reports whether the part of the change that m undoes only adds tokens to those that were there, and
// more than brackets and predeclared names, as in a conversion.
func insertsWithin(m *results.Mutant) bool { return len(insertedWords(m)) > 0 }

// insertedWords returns the tokens but brackets and predeclared names that the part of the change which m undoes adds to
// those that were there; nil if it does more than add tokens.
func insertedWords(m *results.Mutant) (words []string) {
	rest := strings.Fields(edit.Tokens(edit.Effective(m)))
	for _, token := range strings.Fields(edit.Tokens(m.Original)) {
		switch {
		case len(rest) > 0 && rest[0] == token:
			rest = rest[1:]
		case strings.Trim(token, "(){}[],;*&") != "" && types.Universe.Lookup(token) == nil:
			words = append(words, token)
		}
	}
	if len(rest) > 0 {
		return nil
	}
	return words
}

// copies matches the name of a function or package that copies its argument.
var copies = regexp.MustCompile(`(?i)copy|clone`)

// addsCopy reports whether the part of the change that m undoes only passes a value through a function that copies it.
func addsCopy(m *results.Mutant) bool {
	_, rest := edit.AddedLines(m)
	return len(rest) > 0 && slices.ContainsFunc(insertedWords(m), copies.MatchString)
}

// regroups reports whether the part of the change that m undoes only removes operands of a condition, or groups them
// differently. Then the condition is another one, and not the same in other words.
func regroups(m *results.Mutant) bool {
	now, old := edit.CodeLines(m.Original), edit.CodeLines(edit.Effective(m))
	if len(now) != 1 || len(old) != 1 || !strings.HasPrefix(now[0], "if ") || !strings.HasPrefix(old[0], "if ") {
		return false
	}
	ungrouped := func(line string) []string {
		return slices.DeleteFunc(strings.Fields(edit.Tokens(line)), func(t string) bool { return t == "(" || t == ")" })
	}
	rest := ungrouped(now[0])
	for _, token := range ungrouped(old[0]) {
		if len(rest) > 0 && rest[0] == token {
			rest = rest[1:]
		}
	}
	return len(rest) == 0 && edit.Tokens(now[0]) != edit.Tokens(old[0])
}

// rewords reports whether the part of the change that m undoes alters lines rather than adding some: it has at most
// twice as many new lines as old ones.
func rewords(m *results.Mutant) bool {
	if inserts(m) {
		return false
	}
	old, now := edit.ReplacedLines(m)
	return now <= 2*old
}

// zeroField matches a line of a composite literal that sets a field to its zero value, or to an empty slice, which is
// hardly ever told from nil.
var zeroField = regexp.MustCompile(`^\w+: (false|0|""|nil|\[\][\w.*\[\]]+\{\}),$`)

// otherNumbers reports whether the part of the change that m undoes only replaces numbers or characters by others.
func otherNumbers(m *results.Mutant) bool {
	old, now := strings.Fields(edit.Tokens(edit.Effective(m))), strings.Fields(edit.Tokens(m.Original))
	number := func(t string) bool { return t[0] >= '0' && t[0] <= '9' || t[0] == '\'' }
	return !slices.Equal(old, now) && slices.EqualFunc(old, now, func(a, b string) bool { return a == b || number(a) && number(b) })
}

// addsFastPath reports whether the part of the change that m undoes has a branch that makes no difference to the tests.
func (k ranking) addsFastPath(m *results.Mutant) bool {
	return k.has(m, func(other *results.Mutant) bool { return k.changed(other) && (k.fastPath(other) || k.eitherWay(other)) })
}

// partlyUnrun reports whether the part of the change that m undoes has lines that nothing is seen to run and that do
// more than fail. Then nothing is known of its purpose, even if the rest of it runs, such as a flag's declaration.
func (k ranking) partlyUnrun(m *results.Mutant) bool {
	return k.has(m, func(other *results.Mutant) bool {
		return other.Evidence.OnDiff && fact.Unrun(other) && !k.onlyFails(other)
	})
}

// has reports whether a survivor that sort accepts is within m.
func (k ranking) has(m *results.Mutant, sort func(*results.Mutant) bool) bool {
	return slices.ContainsFunc(k.mutants[m.File], func(other *results.Mutant) bool {
		return other.Status == results.Survived && m.Offset <= other.Offset && other.EndOffset <= m.EndOffset && sort(other)
	})
}

// older reports whether m is within a part of the change that can be undone without a test noticing, and not on a line
// that this part only adds.
func (k ranking) older(m *results.Mutant) bool {
	return !edit.IsReversal(m) && slices.ContainsFunc(k.undone, func(u *results.Mutant) bool {
		return u.File == m.File && u.Offset <= m.Offset && m.EndOffset <= u.EndOffset && !edit.Adds(u, m.Line)
	})
}

// half reports whether m undoes a part of a change to a function, where undoing the whole makes no difference: on many
// inputs, or on the one that shows the part. What m shows is then only that old and new code do not mix.
func (k ranking) half(m *results.Mutant) bool {
	if m.Exposed() && m.ExposedBy.AsBefore {
		return true
	}
	return edit.IsReversal(m) && slices.ContainsFunc(k.mutants[m.File], func(whole *results.Mutant) bool {
		return whole.Function == m.Function && edit.IsReversal(whole) && whole.Offset <= m.Offset && m.EndOffset <= whole.EndOffset &&
			whole.EndOffset-whole.Offset > m.EndOffset-m.Offset &&
			(whole.Status == results.Equivalent || whole.Status == results.Survived && !whole.Exposed() && whole.Evidence.Execs >= fuzzed)
	})
}

// moved reports whether the part of the change that m undoes only adds lines that the change removes elsewhere. Undoing
// that part alone removes the lines altogether.
func (k ranking) moved(m *results.Mutant) bool {
	added, rest := edit.AddedLines(m)
	if len(added) == 0 || len(rest) > 0 {
		return false
	}
	return !m.Evidence.OnDiff || slices.ContainsFunc(k.mutants[m.File], func(whole *results.Mutant) bool {
		return edit.IsReversal(whole) && whole != m && whole.Offset <= m.Offset && m.EndOffset <= whole.EndOffset && follow(added, edit.CodeLines(edit.Effective(whole)))
	})
}

// follow reports whether lines occur in others one after another.
func follow(lines, others []string) bool {
	for i := range others {
		if len(others)-i >= len(lines) && slices.Equal(lines, others[i:i+len(lines)]) {
			return true
		}
	}
	return false
}

// sameAsBefore reports whether mutants undo parts of the change to the function of m, and none makes a difference on
// many inputs that the function accepts.
func (k ranking) sameAsBefore(m *results.Mutant) (same bool) {
	for _, o := range k.mutants[m.File] {
		if edit.IsReversal(o) && o.Function == m.Function && o.Status == results.Survived && o.Evidence.OnDiff {
			if o.Exposed() || o.Evidence.Agreed < fuzzed {
				return false
			}
			same = true
		}
	}
	return same
}

// inOtherForm reports whether m is within a part of the change that does what its old lines did, as is proved or as the
// machine code shows.
func (k ranking) inOtherForm(m *results.Mutant) bool {
	return !edit.IsReversal(m) && slices.ContainsFunc(k.mutants[m.File], func(o *results.Mutant) bool {
		return edit.IsReversal(o) && o.Status == results.Equivalent && o.Offset <= m.Offset && m.EndOffset <= o.EndOffset
	})
}

// declaration matches a constant, variable or type that old lines bring with them. Old functions come as variables,
// too: oldFunction matches these.
var (
	declaration = regexp.MustCompile(`(?m)^(?:const|type|var) .*`)
	oldFunction = regexp.MustCompile(`^var \w+ func\b`)
)

// takesFunctions reports whether the old lines that m puts back bring old functions with them: the lines alone do not
// say what m does.
func takesFunctions(m *results.Mutant) bool {
	return m.Needs != nil && slices.ContainsFunc(m.Needs.Added, func(a results.Addition) bool {
		return slices.ContainsFunc(declaration.FindAllString(a.Text, -1), oldFunction.MatchString)
	})
}

// takesDeclarations reports whether the old lines that m puts back bring constants, variables or types of the base.
func takesDeclarations(m *results.Mutant) bool {
	return m.Needs != nil && slices.ContainsFunc(m.Needs.Added, func(a results.Addition) bool {
		return slices.ContainsFunc(declaration.FindAllString(a.Text, -1), func(line string) bool { return !oldFunction.MatchString(line) })
	})
}

// addsClosing reports whether the part of the change that m undoes only closes something, or closes it in another form.
func addsClosing(m *results.Mutant) bool {
	added, rest := edit.AddedLines(m)
	return len(added) > 0 && closes.MatchString(strings.Join(added, "\n")) && (len(rest) == 0 || closes.MatchString(strings.Join(rest, "\n")))
}

// addsOnly reports whether the part of the change that m undoes only adds lines that kind accepts.
func addsOnly(m *results.Mutant, kind func(line string) bool) bool {
	added, rest := edit.AddedLines(m)
	return len(rest) == 0 && len(added) > 0 && !slices.ContainsFunc(added, func(line string) bool { return !kind(strings.TrimSpace(line)) })
}

// copyLine matches a line that copies a variable.
var copyLine = regexp.MustCompile(`^(\w+) := (\w+)$`)

// isCopy reports whether a line copies a variable to a new one of the same name.
func isCopy(line string) bool {
	names := copyLine.FindStringSubmatch(line)
	return names != nil && names[1] == names[2]
}

// errorCheck matches the head of an error check, and captures the call that gives the error if it is in the head.
// checked matches an assignment that may stand before an error check, and captures the call.
var (
	errorCheck = regexp.MustCompile(`^if (?:(?:_, )*\w*[eE]rr\w* :?= (.*); *|.*; *)?\w*[eE]rr\w* != nil \{$`)
	checked    = regexp.MustCompile(`^(?:_, )*\w*[eE]rr\w* :?= (.*)$`)
)

// addsErrorCheck reports whether the part of the change that m undoes only passes errors on: those of old calls, or of
// new calls that have no other use. Other code of the function has to run.
func (k ranking) addsErrorCheck(m *results.Mutant) bool {
	now, old := edit.CodeLines(m.Original), edit.CodeLines(edit.Effective(m))
	same := func(a, b string) bool { return edit.Tokens(a) == edit.Tokens(strings.TrimPrefix(b, "_ = ")) }
	rest, calls := unchecked(now)
	return k.ran[m.Function] && len(rest) < len(now) && (slices.EqualFunc(calls, old, same) || slices.EqualFunc(rest, old, same))
}

// unchecked returns lines without error checks that return. rest has no checked calls either; calls has them alone.
func unchecked(lines []string) (rest, calls []string) {
	passesOn := func(i int) bool {
		return i+1 < len(lines) && errorCheck.MatchString(lines[i]) && strings.HasPrefix(lines[i+1], "return ")
	}
	for i := 0; i < len(lines); i++ {
		call := checked.FindStringSubmatch(lines[i])
		switch {
		case passesOn(i):
			if call = errorCheck.FindStringSubmatch(lines[i]); call[1] != "" {
				calls = append(calls, call[1])
			}
			i++
		case call != nil && passesOn(i+1):
			calls = append(calls, call[1])
			i += 2
		default:
			rest, calls = append(rest, lines[i]), append(calls, lines[i])
		}
	}
	return rest, calls
}
