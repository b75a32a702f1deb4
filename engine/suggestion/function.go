package suggestion

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/patch"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/witness"
)

// Function is a test function to suggest.
type Function struct {
	Name    string
	Package string   // import path of the package that it is in; that of an external test ends in "_test"
	Imports []string // import specifications that its file needs, sorted
	Body    string   // statements, each on lines of its own
	// Constraint is the build constraint that a file with nothing but the function needs, as an expression; empty: none.
	Constraint string
}

// Declaration returns the source of f as gofmt writes it, with ending added to the name.
func (f *Function) Declaration(ending string) string {
	text := fmt.Sprintf("func %s%s(t *testing.T) {\n\t%s}\n", f.Name, ending, f.Body)
	if src, err := format.Source([]byte(text)); err == nil {
		return string(src)
	}
	return text // not valid Go: File fails, too
}

// File returns the source of a test file that has only f. It fails if f is not valid Go.
func (f *Function) File(packageName string) ([]byte, error) {
	head := ""
	if f.Constraint != "" {
		head = "//go:build " + f.Constraint + "\n\n"
	}
	return format.Source(fmt.Appendf(nil, "%spackage %s\n\n%s\n%s", head, packageName, patch.ImportBlock(f.Imports), f.Declaration("")))
}

// Assertions returns names for the results of a call on which a mutant differs, and statements that fail where a result
// is not what the program returned. Results that cannot be checked, or that nobody looks at beside an error, are named
// "_"; checks may be empty. s is the site of the call. testify is the name of a testify package whose functions the
// statements call; if empty they call none. See [Testify].
func Assertions(o *witness.Difference, call string, s *weave.Site, testify string) (names, checks string) {
	if testify == "" { // its functions compare types, too
		o = unconverted(o, s)
	}
	list := resultNames(o, s)
	onlyError := errorDecides(o)
	var b strings.Builder
	for i, name := range list {
		condition, report := assertion(o, i, name, call, s)
		switch {
		case condition == "" || onlyError && i < len(list)-1:
			list[i] = "_"
		case testify != "":
			fmt.Fprintf(&b, "\t%s.%s\n", testify, asserted(o, i, name, s.PackageName))
		default:
			fmt.Fprintf(&b, "\tif %s {\n\t\tt.%s\n\t}\n", condition, report)
		}
	}
	return strings.Join(list, ", "), b.String()
}

// errorDecides reports whether the last result is an error, other than io.EOF, by which the mutant differs: callers then
// look at nothing else.
func errorDecides(o *witness.Difference) bool {
	last := len(o.Original.Values) - 1
	if errorAt(o.Original, last) == "" || o.Original.Values[last] == "io.EOF" {
		return false
	}
	return o.Ends != "" || o.Mutant != nil && (errorAt(o.Mutant, last) == "" || !slices.Equal(o.Original.Is, o.Mutant.Is))
}

// notANumber is how the run-time writes a NaN.
const notANumber = "math.NaN()"

// assertion returns a condition that holds if the i-th result of a call is not what the program returned, and the call
// of a method of t that says so. Both are empty if they cannot be written.
func assertion(o *witness.Difference, i int, name, call string, s *weave.Site) (condition, report string) {
	want := wanted(o.Original.Values[i], s.PackageName)
	call = shortly(call)
	of := strings.ReplaceAll(call, "%", "%%")
	switch name {
	case "got", "err":
	case "ok":
		of += ": ok"
	default:
		of += ": result " + strconv.Itoa(i)
	}
	unlike := func(shown string) string {
		return fmt.Sprintf("Errorf(%q, %s, %s)", of+" = %v, want %v", name, shown)
	}
	noError := fmt.Sprintf("Error(%q)", of+": no error")
	if strings.Contains(call, "%") { // go vet takes verbs in the text of Error for a mistake
		noError = strings.Replace(noError, "Error", "Errorf", 1)
	}
	isNil := becomesNil(o, i)
	text, otherText := errorAt(o.Original, i), errorAt(o.Mutant, i)
	is, isNot := errorNames(o, i, s.PackageName)
	switch {
	case is != "":
		return "!errors.Is(" + name + ", " + is + ")", unlike(is)
	case isNot != "" && text == otherText:
		return "errors.Is(" + name + ", " + isNot + ")", fmt.Sprintf("Errorf(%q, %s)", of+" = %v, want an error that is not "+isNot, name)
	case want == notANumber:
		return "!math.IsNaN(" + name + ")", unlike(`"NaN"`)
	case name == "err" && want == "nil":
		return "err != nil", fmt.Sprintf("Errorf(%q, err)", of+": %v")
	case name == "err" && want == "" && isNil:
		return "err == nil", noError
	case want == "" && isNil:
		return name + " == nil", unlike(`"not nil"`)
	case (want == "" || variable.MatchString(want) && text != "") && otherText != "" && text != otherText:
		return fmt.Sprintf("%[1]s == nil || %[1]s.Error() != %[2]q", name, text), unlike(strconv.Quote(text))
	case name == "err" && want == "" && text != "" && (otherText == "" || len(o.Original.Values) > 1): // else both are the same
		return "err == nil", noError
	case want == "":
		return "", ""
	case name == "err" && variable.MatchString(want):
		return "!errors.Is(err, " + want + ")", unlike(want)
	case strings.HasPrefix(want, "time.Date("):
		return fmt.Sprintf("want := %s; !%s.Equal(want)", want, name), unlike("want")
	case want == "time.Time{}":
		return "!" + name + ".IsZero()", unlike(`"no time"`)
	case strings.HasPrefix(want, "[") || strings.HasPrefix(want, "make(") || strings.HasPrefix(want, "net.ParseIP(") || strings.Contains(want, "{") || strings.HasSuffix(want, "(nil)"): // values that may not be comparable
		return fmt.Sprintf("want := (%s); !reflect.DeepEqual(%s, want)", want, name), unlike("want")
	case want == "true" && isBool(s, i):
		return "!" + name, unlike(want)
	case want == "false" && isBool(s, i):
		return name, unlike(want)
	case want == "nil": // which has no type
		return name + " != nil", unlike(`"nil"`)
	}
	return name + " != " + want, unlike(want)
}

// errorNames returns the name of an error variable that the i-th result of a call is in the program and not with the
// mutant, and of one that it only is with the mutant, as they are written in a package. They are empty if there is none,
// or if its name is no source.
func errorNames(o *witness.Difference, i int, inPackage string) (is, isNot string) {
	if i != len(o.Original.Values)-1 {
		return "", ""
	}
	is, isNot = witness.Sentinels(o.Original, o.Mutant)
	source := func(name string) string {
		if name = witness.Localise(name, inPackage); variable.MatchString(name) {
			return name
		}
		return ""
	}
	return source(is), source(isNot)
}

// becomesNil reports whether the i-th result of the call is nil with the mutant.
func becomesNil(o *witness.Difference, i int) bool {
	return o.Mutant != nil && i < len(o.Mutant.Values) && wanted(o.Mutant.Values[i], "") == "nil"
}

// variable matches a name, qualified or not.
var variable = regexp.MustCompile(`^([\pL_]\w*\.)?[\pL_]\w*$`)

// maxCall is the length in bytes up to which a failure message repeats a call.
const maxCall = 60

// shortly returns a call as a failure message has it: whole, or only the name of the function if that is too long.
func shortly(call string) string {
	if len(call) <= maxCall {
		return call
	}
	x, err := parser.ParseExpr(call)
	if c, ok := x.(*ast.CallExpr); ok && err == nil {
		switch f := ast.Unparen(c.Fun).(type) {
		case *ast.Ident:
			return f.Name
		case *ast.SelectorExpr:
			return f.Sel.Name
		}
	}
	return call
}

// wanted returns the source of a value to compare a result with, as written in a package; empty: it has no such form.
func wanted(value, inPackage string) string {
	want := witness.Localise(value, inPackage)
	switch {
	case strings.HasSuffix(want, ")(nil)"):
		return "nil"
	case want != notANumber && strings.Contains(want, notANumber): // it equals nothing, not even itself
		return ""
	}
	return want
}

// unconverted returns o with results of basic types written as literals without a conversion, where these will do.
func unconverted(o *witness.Difference, s *weave.Site) *witness.Difference {
	if len(s.Basic) != len(o.Original.Values) {
		return o
	}
	with, original := *o, *o.Original
	with.Original, original.Values = &original, slices.Clone(original.Values)
	for i, source := range original.Values {
		if literal, ok := witness.Untyped(source, s.Basic[i]); ok {
			original.Values[i] = literal
		}
	}
	return &with
}

// isBool reports whether the i-th result at s is of type bool.
func isBool(s *weave.Site, i int) bool { return i >= 0 && i < len(s.Basic) && s.Basic[i] == "bool" }

// resultNames names the results of a call: "err" the last if it is an error, "ok" the last other one if it alone of
// several is of type bool, "got" a single other one, else "got0" etc.
func resultNames(o *witness.Difference, s *weave.Site) []string {
	n := len(o.Original.Values)
	names := make([]string, n)
	others := n
	if s.Fails && n > 0 || errorAt(o.Original, n-1) != "" || errorAt(o.Mutant, n-1) != "" {
		others--
		names[others] = "err"
	}
	if others > 1 && slices.Index(s.Basic, "bool") == others-1 {
		others--
		names[others] = "ok"
	}
	for i := range others {
		names[i] = "got"
		if others > 1 {
			names[i] += strconv.Itoa(i)
		}
	}
	return names
}

// errorAt returns the text of the i-th result if that is an error, else "".
func errorAt(o *wire.Observation, i int) string {
	if o == nil || i < 0 || i >= len(o.Errors) {
		return ""
	}
	return o.Errors[i]
}

// Results returns what the program returns in a call on which a mutant differs. constants has the constants of the type
// of each result, as weave.Site.Returned; it is ignored if it does not fit the number of results.
func Results(o *witness.Difference, constants []map[string]string) (list []Result) {
	for i, source := range o.Original.Values {
		r := Result{Source: source, Error: errorAt(o.Original, i), Differs: true}
		if len(constants) == len(o.Original.Values) {
			r.Name = witness.NameOf(source, constants[i])
		}
		if o.Mutant != nil && i < len(o.Mutant.Values) {
			r.Differs = source != o.Mutant.Values[i] || source == "" || r.Error != errorAt(o.Mutant, i) || r.Error != "" && !slices.Equal(o.Original.Is, o.Mutant.Is)
		}
		list = append(list, r)
	}
	return list
}

// WithoutAny replaces any by interface{} in statements, for modules with a Go version that does not have any.
func WithoutAny(statements string) string {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(statements))
	var s scanner.Scanner
	s.Init(file, []byte(statements), nil, 0)
	var b strings.Builder
	written, before := 0, token.EOF
	for pos, tok, lit := s.Scan(); tok != token.EOF; pos, tok, lit = s.Scan() {
		if tok == token.IDENT && lit == "any" && before != token.PERIOD {
			at := file.Offset(pos)
			b.WriteString(statements[written:at] + "interface{}")
			written = at + len(lit)
		}
		before = tok
	}
	return b.String() + statements[written:]
}
