package suggestion

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/witness"
)

// testifyPackages are packages whose functions tests assert with, first the one whose functions do not end a test.
var testifyPackages = []string{"github.com/stretchr/testify/assert", "github.com/stretchr/testify/require"}

// Testify returns the name of the testify package that a test file imports to assert with; empty: it imports none.
func Testify(src []byte) (name string) {
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	if err != nil {
		return ""
	}
	for _, path := range testifyPackages {
		i := slices.IndexFunc(f.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == strconv.Quote(path) })
		if i < 0 {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if as := f.Imports[i].Name; as != nil {
			name = as.Name
		}
		if name != "_" && name != "." {
			return name
		}
	}
	return ""
}

// untyped matches a number literal, which has no type of its own.
var untyped = regexp.MustCompile(`^-?[\d.][\w.+-]*$`)

// asserted returns a call of a function of testify that fails if the i-th result of a call is not what the program
// returned. It needs a result for which assertion returns a condition.
func asserted(o *witness.Difference, i int, name, inPackage string) string {
	want := wanted(o.Original.Values[i], inPackage)
	isNil := becomesNil(o, i)
	call := func(function string, args ...string) string {
		return fmt.Sprintf("%s(%s)", function, strings.Join(append([]string{"t"}, args...), ", "))
	}
	text, otherText := errorAt(o.Original, i), errorAt(o.Mutant, i)
	is, isNot := errorNames(o, i, inPackage)
	switch {
	case is != "":
		return call("ErrorIs", name, is)
	case isNot != "" && text == otherText:
		return call("False", "errors.Is("+name+", "+isNot+")")
	case variable.MatchString(want) && text != "" && otherText != "" && text != otherText:
		return call("EqualError", name, strconv.Quote(text))
	case want == notANumber:
		return call("True", "math.IsNaN("+name+")")
	case name == "err" && want == "nil":
		return call("NoError", name)
	case name == "err" && want == "" && (isNil || otherText == "" || otherText == text):
		return call("Error", name)
	case want == "" && isNil:
		return call("NotNil", name)
	case name == "err" && variable.MatchString(want):
		return call("ErrorIs", name, want)
	case want == "":
		return call("EqualError", name, strconv.Quote(text))
	case strings.HasPrefix(want, "time.Date("):
		return call("True", name+".Equal("+want+")")
	case want == "time.Time{}":
		return call("True", name+".IsZero()")
	case want == "true":
		return call("True", name)
	case want == "false":
		return call("False", name)
	case want == "nil":
		return call("Nil", name)
	case untyped.MatchString(want): // the result may be of any type of numbers
		return call("EqualValues", want, name)
	}
	return call("Equal", want, name)
}
