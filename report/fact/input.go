package fact

import (
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Witness returns the input that shows m, or nil if none is known that tells a person something. The bytes of a driver
// mean nothing without a readable call, and no caller passes input for which no machine has the memory.
func Witness(m *results.Mutant) *results.ExposedBy {
	if x := m.ExposedBy; m.Exposed() && x != nil && !(x.Driver && (!Readable(x) || x.OutOfMemory())) && !(showsNothing(x.Original) && showsNothing(x.Mutant)) {
		return x
	}
	return nil
}

// leftOutFields matches the end of a struct that does not show all its fields.
var leftOutFields = regexp.MustCompile(`(?:, )?…\}`)

// Hidden reports whether the difference is in a struct field that other packages cannot see, in a call of a fuzz target
// or in one that a driver makes as other packages do.
func Hidden(x *results.ExposedBy) bool {
	return !x.Inner && !x.InTest && OnlyHidden(x)
}

// OnlyHidden reports whether two results differ only in unexported fields.
func OnlyHidden(x *results.ExposedBy) bool {
	return x.Ends == "" && x.Original != x.Mutant && (withinHidden(x.Original) && withinHidden(x.Mutant) || withoutHidden(x.Original) == withoutHidden(x.Mutant))
}

// fieldPath matches the path that precedes a part of a large value, such as "a.b[1]: ".
var fieldPath = regexp.MustCompile(`^(?:\w+(?:\[\d+\])?\.)*\w+(?:\[\d+\])?: `)

// withinHidden reports whether a text is a part of a large value below an unexported field.
func withinHidden(text string) bool {
	return slices.ContainsFunc(strings.Split(fieldPath.FindString(text), "."), func(name string) bool { return name != "" && !token.IsExported(name) })
}

// hiddenField matches the name of an unexported field, with what stands before and after it.
var hiddenField = regexp.MustCompile(`([{ ])([a-z_]\w*): `)

// withoutHidden returns values, given as Go source or as people see them, of which parts may be left out, without
// unexported fields and without the separators between fields.
func withoutHidden(values string) string {
	values = leftOutFields.ReplaceAllString(values, "}")
	var b strings.Builder
	done := 0 // how much of values is written or left out
	for _, at := range hiddenField.FindAllStringSubmatchIndex(values, -1) {
		name, value := values[at[4]:at[5]], at[1]
		isKey := name == "true" || name == "false" // of a map
		if at[4] < done || isKey || inString(values[:at[4]]) {
			continue
		}
		b.WriteString(values[done:at[4]])
		done = value + lengthOfValue(values[value:])
	}
	return strings.ReplaceAll(b.String()+values[done:], ", ", "")
}

// inString reports whether a string has begun in text, and has not ended.
func inString(text string) bool { return len(quotes.FindAllString(text, -1))%2 == 1 }

// lengthOfValue returns how long the first value in a list of fields is: it ends before a comma or closing bracket that
// is not within it.
func lengthOfValue(values string) int {
	depth := 0
	for i := 0; i < len(values); i++ {
		switch values[i] {
		case '"':
			for i++; i < len(values) && values[i] != '"'; i++ {
				if values[i] == '\\' {
					i++
				}
			}
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			if depth--; depth < 0 {
				return i
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(values)
}

// maxReadable is the maximum length in bytes of a call, with its setup, that a person will read. Calls are shown
// without cutting.
const maxReadable = prose.MaxInline

// Readable reports whether x has a call, and a person would read it.
func Readable(x *results.ExposedBy) bool {
	size := len(x.Call)
	for _, statement := range x.Setup {
		size += len(statement)
	}
	return x.Call != "" && size <= maxReadable
}

// Example returns the witness of m if the results with and without m tell readers something; else nil.
func Example(m *results.Mutant) *results.ExposedBy {
	if x := Witness(m); x != nil && Tells(x) {
		return x
	}
	return nil
}

// misformatted matches what package fmt writes if a format does not fit its arguments.
var misformatted = regexp.MustCompile(`%![a-zA-Z]?\(`)

// Tells reports whether the two results of x tell a reader something: they differ in what is shown of them, neither
// begins in the middle of a large value, they do not both end in the middle of one, and the program's result has no
// formatting error, which no test should ask for.
func Tells(x *results.ExposedBy) bool {
	if misformatted.MatchString(x.Original) || x.Original == x.Mutant && x.Original != "" {
		return false
	}
	within := func(text string) bool {
		return strings.HasPrefix(text, "…") && strings.ContainsAny(afterString(text), "{}")
	}
	cut := func(text string) bool { // in the middle of a large value
		return strings.HasSuffix(text, "…") && strings.Count(text, "{") > strings.Count(text, "}")
	}
	now, with := prose.Difference(x.Original, x.Mutant)
	return !within(now) && !within(with) && !(cut(now) && cut(with))
}

// quotes matches a double quote that is not escaped.
var quotes = regexp.MustCompile(`(^|[^\\])(\\\\)*"`)

// afterString returns what follows the string in which a shortened Go value begins; all of text if it begins in none.
func afterString(text string) string {
	found := quotes.FindAllStringIndex(text, -1)
	if len(found)%2 == 0 {
		return text
	}
	return text[found[0][1]:]
}

// anError matches a shown difference that is an error within a result.
var anError = regexp.MustCompile(`^[\w.\[\]]+: \*?[\w.]+\("`)

// DifferInErrors reports whether the two results of x differ in the text of an error within them.
func DifferInErrors(x *results.ExposedBy) bool {
	now, with := prose.Difference(x.Original, x.Mutant)
	return anError.MatchString(now) && anError.MatchString(with) && strings.Contains(now, "rror(") && strings.Contains(with, "rror(")
}

// showsNothing reports whether a result tells a reader nothing next to another such result: it is nil, or only its type
// is shown, as for a function.
func showsNothing(value string) bool { return value == "nil" || onlyType.MatchString(value) }
