package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// witness is the input that shows m; nil if none is known that a person could read: the bytes of a
// driver mean nothing without it, and no caller passes what no machine has the memory for.
func witness(m *results.Mutant) *results.ExposedBy {
	if x := m.ExposedBy; m.Exposed() && x != nil && !(x.Driver && (!readable(x) || x.OutOfMemory())) && !(showsNothing(x.Original) && showsNothing(x.Mutant)) {
		return x
	}
	return nil
}

// unexportedFields matches a struct of which only unexported fields are shown.
var unexportedFields = regexp.MustCompile(`\{(?:(?:, )?[a-z_]\w*: [^{}"A-Z]*)+\}`)

// leftOutFields matches the end of a struct of which some fields are not shown.
var leftOutFields = regexp.MustCompile(`(?:, )?…\}`)

// hidden reports whether other packages, one of which could make the call, cannot see in the struct that it gives what differs.
func hidden(x *results.ExposedBy) bool {
	return x.Driver && !x.Inner && onlyHidden(x)
}

// onlyHidden reports whether two results differ in nothing but unexported fields.
func onlyHidden(x *results.ExposedBy) bool {
	return x.Ends == "" && x.Original != x.Mutant && (withinHidden(x.Original) && withinHidden(x.Mutant) || withoutHidden(x.Original) == withoutHidden(x.Mutant))
}

// fieldPath matches which field a part of a large value is of, as a path.
var fieldPath = regexp.MustCompile(`^(?:\w+(?:\[\d+\])?\.)*\w+(?:\[\d+\])?: `)

// withinHidden reports whether a text is a part of a large value that is within an unexported field.
func withinHidden(text string) bool {
	return slices.ContainsFunc(strings.Split(fieldPath.FindString(text), "."), func(name string) bool { return name != "" && !token.IsExported(name) })
}

// withoutHidden are values, as Go source, without unexported fields, and without what separates fields.
func withoutHidden(values string) string {
	const before = "f("
	values = leftOutFields.ReplaceAllString(values, "}")
	x, err := parser.ParseExpr(before + values + ")")
	if err != nil { // parts are left out
		return unexportedFields.ReplaceAllString(values, "{}")
	}
	var b strings.Builder
	at := 0
	ast.Inspect(x, func(n ast.Node) bool {
		field, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		name, ok := field.Key.(*ast.Ident)
		if !ok || name.IsExported() {
			return true
		}
		from, to := int(field.Pos())-1-len(before), int(field.End())-1-len(before)
		if from >= at {
			b.WriteString(values[at:from])
			at = to
		}
		return false
	})
	return strings.ReplaceAll(b.String()+values[at:], ", ", "")
}

// isExported reports whether other packages see the name of a function.
func isExported(function string) bool {
	return token.IsExported(function[strings.LastIndexByte(function, '.')+1:])
}

// maxReadable is how long a call may be that a person reads, with what makes what it is called on, in bytes: what is shown of it is
// never cut.
const maxReadable = maxInline

// readable reports whether there is a call that shows x, and a person would read it.
func readable(x *results.ExposedBy) bool {
	size := len(x.Call)
	for _, statement := range x.Setup {
		size += len(statement)
	}
	return x.Call != "" && size <= maxReadable
}

// example is the witness of m if what it gives with and without m can be told; nil: there is none.
func example(m *results.Mutant) *results.ExposedBy {
	if x := witness(m); x != nil && tells(x) {
		return x
	}
	return nil
}

// nilArgument matches one, as Go source.
var nilArgument = regexp.MustCompile(`\(nil\)|\(nil,|, nil[,)]`)

// passesNil reports whether nil is passed in the call that shows m: an author would write no test with that if something else will do.
func passesNil(m *results.Mutant) bool {
	x := example(m)
	return x != nil && !unrun(m) && nilArgument.MatchString(callOf(x.Setup, x.Call))
}

// misformatted matches what package fmt writes where a format does not fit its arguments.
var misformatted = regexp.MustCompile(`%![a-zA-Z]?\(`)

// tells reports whether a reader can make something of the two results of x: what is shown of them differs, neither begins within a
// large value, and that of the program does not say that something could not be formatted, which no test should ask for.
func tells(x *results.ExposedBy) bool {
	if misformatted.MatchString(x.Original) || x.Original == x.Mutant && x.Original != "" {
		return false
	}
	within := func(text string) bool { return strings.HasPrefix(text, "…") && strings.ContainsAny(text, "{}") }
	now, with := difference(x.Original, x.Mutant)
	return !within(now) && !within(with)
}

// anError matches what is shown of a result where that is an error within it.
var anError = regexp.MustCompile(`^[\w.\[\]]+: \*?[\w.]+\("`)

// differInErrors reports whether the two results of x differ in the text of an error that both have within them.
func differInErrors(x *results.ExposedBy) bool {
	now, with := difference(x.Original, x.Mutant)
	return anError.MatchString(now) && anError.MatchString(with) && strings.Contains(now, "rror(") && strings.Contains(with, "rror(")
}

// showsNothing reports whether a result says nothing to a reader beside another one that says nothing: it is nil, or a
// function, of which only the type is known.
func showsNothing(value string) bool { return value == "nil" || onlyType.MatchString(value) }

// negativeZero matches one, in a text of Go values.
var negativeZero = regexp.MustCompile(`(^|[^\w.])-0\b([^.\w]|$)`)

// withoutSigns is a text of Go values in which zeros have no sign.
func withoutSigns(text string) string { return negativeZero.ReplaceAllString(text, "${1}0$2") }
