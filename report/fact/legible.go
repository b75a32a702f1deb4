package fact

import (
	"go/scanner"
	"go/token"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Call returns a call after the statements that prepare it, as in "x := f(); x.g()".
func Call(setup []string, call string) string {
	return strings.Join(append(slices.Clip(setup), call), "; ")
}

// Statements returns an input as Go source: the call and what prepares it.
func Statements(x *results.ExposedBy) string {
	return strings.Join(append(slices.Clip(x.Setup), x.Call), "\n")
}

// SuggestedTest returns the source of the test that x suggests; "": there is none.
func SuggestedTest(x *results.ExposedBy) string {
	if x.Suggestion != nil {
		return x.Suggestion.Source
	}
	return x.Test
}

// AssertsNothing reports whether test is a test function without an assertion.
func AssertsNothing(test string) bool {
	return strings.Contains(test, "func Test") && len(assertion.FindAllString(test, -1)) == 0
}

// Escapes reports whether an input has escaped characters, which nobody can read.
func Escapes(x *results.ExposedBy) bool {
	return escape.MatchString(strings.Join(x.Setup, "\n") + x.Call)
}

// escape matches an escaped character in Go source.
var escape = regexp.MustCompile(`\\[xuU][0-9a-fA-F]{2}`)

// SaysSomething reports whether a result is shown in full and says something of what the code is for.
func SaysSomething(result string) bool {
	return result != "" && !onlyType.MatchString(result) && !strings.Contains(result, "…") && !strings.HasSuffix(result, "is unchanged")
}

// onlyType matches a result that shows only a type and no value, such as a function.
var onlyType = regexp.MustCompile(`^\*?([A-Za-z_]\w*\.\w+|func\(.*)$`)

// zero is a pattern of zero values as Go source, or of pointers to them.
const zero = `(false|0|""|nil|&?[\w.\[\]*]+\{\}|\(?[\w.\[\]*]+\)?\(nil\))`

// nothing matches results that are all zero values, zeroCall calls with nothing but zero values for arguments.
var (
	nothing  = regexp.MustCompile(`^(` + zero + `(, |$))+$`)
	zeroCall = regexp.MustCompile(`^[\w.]+\(` + zero + `(, ` + zero + `)*\)$`)
)

// OnlyZeros reports whether an input is a call with nothing but zero values for arguments.
func OnlyZeros(x *results.ExposedBy) bool { return len(x.Setup) == 0 && zeroCall.MatchString(x.Call) }

// atLimit is how far from the least or greatest int64 a number counts as at the limit of its type.
const atLimit = 64

// AtLimit reports whether an input has a signed number at the limit of its type, with which most calculations overflow.
func AtLimit(x *results.ExposedBy) bool {
	for _, source := range append(slices.Clone(x.Setup), x.Call) {
		var s scanner.Scanner
		text := []byte(source)
		s.Init(token.NewFileSet().AddFile("", -1, len(text)), text, nil, 0)
		for _, tok, literal := s.Scan(); tok != token.EOF; _, tok, literal = s.Scan() {
			n, err := strconv.ParseUint(literal, 0, 64)
			if tok == token.INT && err == nil && n >= math.MaxInt64-atLimit && n <= math.MaxInt64+1 {
				return true
			}
		}
	}
	return false
}

// GivesNothing reports whether the program gives only zero values for an input. A test of that says little of what the
// code is for.
func GivesNothing(x *results.ExposedBy) bool { return nothing.MatchString(x.Original) }

// Illustrates reports whether the input that exposes m is usable and says what the code is for.
func Illustrates(m *results.Mutant) bool { return Usable(m) && !GivesNothing(m.ExposedBy) }

// Usable reports whether the input that exposes m is a call with arguments and without an error. Its test, if there is
// one, has to look at a result, which may be a zero value.
func Usable(m *results.Mutant) bool {
	return Witness(m) != nil && !errs(m) && !takesNothing(m) && !assertsLittle(SuggestedTest(m.ExposedBy))
}

// assertsLittle reports whether test is a test function that asserts nothing, or only that there is a result or an
// error.
func assertsLittle(test string) bool {
	return strings.Contains(test, "func Test") && len(assertion.FindAllString(test, -1)) == len(onlyWhether.FindAllString(test, -1))
}

// assertion matches where a test fails, by itself or through testify. onlyWhether matches where it fails only because
// there is no result or error.
var (
	assertion   = regexp.MustCompile(`(?m)\bt\.Error|^\t\w+\.\w+\(t, `)
	onlyWhether = regexp.MustCompile(`(?m) == nil \{$|^\t\w+\.(Error|NotNil)\(t, `)
)

// Clarity is how much the input that exposes m says of what the code is for: 0 for nothing, 1 for little, as in a call
// with nothing but zero values, 2 for more.
func Clarity(m *results.Mutant) int {
	switch {
	case !Illustrates(m):
		return 0
	case OnlyZeros(m.ExposedBy):
		return 1
	}
	return 2
}

// takesNothing reports whether the input that exposes m is a call of a function without arguments, and so no input.
func takesNothing(m *results.Mutant) bool {
	return m.ExposedBy != nil && len(m.ExposedBy.Setup) == 0 && bareCall.MatchString(m.ExposedBy.Call)
}

// bareCall matches a call of a function without arguments.
var bareCall = regexp.MustCompile(`^[\w.]+\(\)$`)

// errs reports whether the program gives an error for the input that exposes m.
func errs(m *results.Mutant) bool {
	return m.ExposedBy != nil && m.ExposedBy.Fails()
}

// TellsOfChange reports whether x shows readers how a change alters results: by a call that anybody can make and read,
// and by two different, complete results.
func TellsOfChange(x *results.ExposedBy) bool {
	whole := func(result string) bool { return !strings.Contains(result, "…") && !noForm.MatchString(result) }
	return !x.AsBefore && !x.Inner && !x.InTest && (!x.OnlyErrors || x.OtherSentinel()) && Readable(x) && !Escapes(x) && x.Original != x.Mutant && whole(x.Original) && whole(x.Mutant) &&
		Tells(x) && !OnlyRounding(x) && !Hidden(x) && !DifferInErrors(x) && !x.OutOfMemory() && !(showsNothing(x.Original) && showsNothing(x.Mutant))
}

// noForm matches a list of results in which "_" stands for one that cannot be written as source.
var noForm = regexp.MustCompile(`(^|, )_(,|$)`)
