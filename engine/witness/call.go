package witness

import (
	"cmp"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// callText returns a call with literal arguments. It returns "" if an argument, or the receiver, which comes first in
// observed, has no literal form.
func callText(s *weave.Site, observed []string) string {
	operands := s.Args
	if s.Recv {
		operands = slices.Concat([]weave.SiteArg{s.Receiver}, s.Args)
	}
	var args []string
	for _, a := range operands {
		source := a.Const
		if source == "" && len(observed) > 0 {
			source, observed = observed[0], observed[1:]
		}
		// The error that a test or a fuzz target passes in may be compared with others: a new one would not be equal.
		if source == "" || strings.Contains(source, "errors.New(") {
			return ""
		}
		args = append(args, asArgument(Localise(source, s.PackageName), a))
	}
	callee := s.Callee
	if s.Recv {
		i := strings.LastIndex(callee, ".")
		if i < 0 {
			return ""
		}
		callee, args = selectable(args[0])+callee[i:], args[1:]
	}
	if last := len(args) - 1; s.Spread {
		if items, ok := spread(args[last]); ok {
			args = append(args[:last], items...)
		} else {
			args[last] += "..."
		}
	}
	return callee + "(" + strings.Join(args, ", ") + ")"
}

// maxPartly bounds the length of a value that is written in place of a variable, in bytes.
const maxPartly = 40

// partly returns a call as it is written at s, but with short values in the place of the variables that are passed, and of
// what a driver decodes. It returns "" if there are none.
func partly(s *weave.Site, observed []string) string {
	x, err := parser.ParseExpr(s.Source)
	call, ok := x.(*ast.CallExpr)
	if err != nil || !ok || len(call.Args) != len(s.Args) || s.Spread {
		return ""
	}
	next := func(a weave.SiteArg) (source string) {
		if a.Const == "" && len(observed) > 0 {
			source, observed = observed[0], observed[1:]
		}
		return source
	}
	if s.Recv {
		next(s.Receiver)
	}
	var out strings.Builder
	at := 0
	for i, a := range s.Args {
		source, written := next(a), call.Args[i]
		if _, isName := written.(*ast.Ident); !isName && !isDecoded(written) || source == "" || len(source) > maxPartly || strings.Contains(source, "errors.New(") {
			continue
		}
		out.WriteString(s.Source[at:written.Pos()-1] + asArgument(Localise(source, s.PackageName), a))
		at = int(written.End()) - 1
	}
	if at == 0 {
		return ""
	}
	return out.String() + s.Source[at:]
}

// decodes matches the variable from which drivers decode values.
var decodes = regexp.MustCompile(`^fuzzed\d*$`)

// isDecoded reports whether an argument is a value that a driver decodes in the call, as in "int(fuzzed.int())".
func isDecoded(arg ast.Expr) bool {
	call, ok := arg.(*ast.CallExpr)
	if !ok {
		return false
	}
	if len(call.Args) == 1 {
		return isDecoded(call.Args[0])
	}
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) > 0 {
		return false
	}
	decoder, ok := fun.X.(*ast.Ident)
	return ok && decodes.MatchString(decoder.Name)
}

// asArgument writes a value as callers would: a constant by its name, and without a conversion to a type that it has
// anyway where it is passed.
func asArgument(source string, a weave.SiteArg) string {
	if a.Nil && strings.HasSuffix(source, "(nil)") {
		return "nil"
	}
	if typ, value, ok := converted(source); ok && typ == a.Basic {
		return cmp.Or(character(value, a), value)
	}
	return cmp.Or(NameOf(source, a.Named), withNames(source, a.Fields))
}

// withNames replaces the values of fields in a struct literal by the names of constants. fields has these names by
// field and value.
func withNames(source string, fields map[string]map[string]string) string {
	x, err := parser.ParseExpr(source)
	if err != nil {
		return source
	}
	if address, ok := x.(*ast.UnaryExpr); ok {
		x = address.X
	}
	lit, ok := x.(*ast.CompositeLit)
	if !ok {
		return source
	}
	qualifier := ""
	if sel, ok := lit.Type.(*ast.SelectorExpr); ok {
		qualifier = source[sel.Pos()-1 : sel.Sel.Pos()-1]
	}
	var out strings.Builder
	at := 0
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return source
		}
		begin, end := int(kv.Value.Pos())-1, int(kv.Value.End())-1
		if name := fields[source[kv.Key.Pos()-1:kv.Key.End()-1]][source[begin:end]]; name != "" {
			out.WriteString(source[at:begin] + qualifier + name)
			at = end
		}
	}
	return out.String() + source[at:]
}

// NameOf returns the name of the constant with the value that source converts to its type, as in "p.Mode(3)". The name
// is qualified as the type is. constants has the names by value. It returns "" if none has that value.
func NameOf(source string, constants map[string]string) string {
	typ, value, ok := converted(source)
	if !ok || constants[value] == "" {
		return ""
	}
	return typ[:strings.LastIndex(typ, ".")+1] + constants[value]
}

// Untyped returns the literal in source, a conversion of one to a basic type, such as "uint8(3)". It is not ok if source
// is no such conversion, or if the literal alone would be too large for an int on some machines.
func Untyped(source, basic string) (literal string, ok bool) {
	typ, value, ok := converted(source)
	if !ok || basic == "" || typ != basic {
		return "", false
	}
	if n, err := strconv.ParseInt(value, 0, 64); err == nil && int64(int32(n)) != n || errors.Is(err, strconv.ErrRange) {
		return "", false
	}
	return value, true
}

// converted splits a conversion of a literal into the type and the literal. ok is false if source is no such
// conversion.
func converted(source string) (typ, value string, ok bool) {
	typ, value, ok = strings.Cut(strings.TrimSuffix(source, ")"), "(")
	return typ, value, ok && strings.HasSuffix(source, ")") && isLiteral(value)
}

// character returns the character literal for a number, if a is a parameter of a character type. It returns "" for
// numbers without a suitable character.
func character(number string, a weave.SiteArg) string {
	n, err := strconv.ParseInt(number, 10, 32)
	if err != nil || !a.Character || !utf8.ValidRune(rune(n)) || a.Basic == "uint8" && n >= utf8.RuneSelf {
		return ""
	}
	if unicode.In(rune(n), unicode.M, unicode.Other_Default_Ignorable_Code_Point) { // it cannot be seen by itself
		return strconv.QuoteRuneToASCII(rune(n))
	}
	return strconv.QuoteRune(rune(n))
}

// isLiteral reports whether source is a basic literal, perhaps with a minus sign.
func isLiteral(source string) bool {
	x, err := parser.ParseExpr(source)
	if err != nil {
		return false
	}
	if minus, ok := x.(*ast.UnaryExpr); ok && minus.Op == token.SUB {
		x = minus.X
	}
	_, ok := x.(*ast.BasicLit)
	return ok
}

// Localise removes the package's own name from the source of a value, for use in that package.
func Localise(source, inPackage string) string {
	x, err := parser.ParseExpr(source)
	if err != nil {
		return source
	}
	var e []string
	at := 0
	ast.Inspect(x, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == inPackage {
				e = append(e, source[at:id.Pos()-1])
				at = int(sel.Sel.Pos()) - 1
			}
		}
		return true
	})
	return strings.Join(append(e, source[at:]), "")
}

// errorsOf returns which of two observations has an error among its results, or within them, as
// results.ExposedBy.Errors has it. only reports whether they differ in their errors alone.
func errorsOf(original, mutant *wire.Observation) (where string, only bool) {
	switch a, b := fails(original), fails(mutant); {
	case a && b:
		return results.ErrorInBoth, sameButErrors(original, mutant)
	case a:
		return results.ErrorInOriginal, false
	case b:
		return results.ErrorInMutant, false
	case original != nil && mutant != nil && sameButWithin(original, mutant):
		return results.ErrorInBoth, true
	}
	return "", false
}

// Sentinels returns, of two observations of a call whose last result is an error in both, the name of an error variable
// that one error is and the other is not: one of the program if there is one, else one of the standard library.
func Sentinels(original, mutant *wire.Observation) (originalIs, mutantIs string) {
	failed := func(o *wire.Observation) bool {
		return o != nil && len(o.Errors) > 0 && o.Errors[len(o.Errors)-1] != ""
	}
	if !failed(original) || !failed(mutant) {
		return "", ""
	}
	only := func(a, b *wire.Observation) string {
		for _, name := range slices.Backward(a.Is) {
			if !slices.Contains(b.Is, name) {
				return name
			}
		}
		return ""
	}
	return only(original, mutant), only(mutant, original)
}

// fails reports whether a call was made and returned an error.
func fails(o *wire.Observation) bool {
	return o != nil && slices.ContainsFunc(o.Errors, func(text string) bool { return text != "" })
}

// errorWithin matches an error within a value, as the run-time prints it for people.
var errorWithin = regexp.MustCompile(`(?:\*[\w.]+|\berror)\("(?:[^"\\]|\\.)*"\)`)

// sameButWithin reports whether two observations differ only in errors within their values, at the same places.
func sameButWithin(a, b *wire.Observation) bool {
	hidden := func(o *wire.Observation) string { return errorWithin.ReplaceAllString(o.Text, "error") }
	return a.Text != b.Text && hidden(a) == hidden(b) && slices.Equal(a.After, b.After)
}

// sameButErrors reports whether two observations differ only in results that are errors in both.
func sameButErrors(a, b *wire.Observation) bool {
	x, y := split(a.Text), split(b.Text)
	if len(x) != len(y) || len(x) != len(a.Errors) || len(x) != len(b.Errors) || !slices.Equal(a.After, b.After) {
		return false
	}
	for i := range x {
		if x[i] != y[i] && (a.Errors[i] == "" || b.Errors[i] == "") {
			return false
		}
	}
	return true
}

// split splits a list of Go values at the commas between them.
func split(values string) (list []string) {
	depth, start, quote := 0, 0, byte(0)
	for i := 0; i < len(values); i++ {
		switch c := values[i]; {
		case quote != 0 && c == '\\' && quote != '`':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			list = append(list, strings.TrimSpace(values[start:i]))
			start = i + 1
		}
	}
	return append(list, strings.TrimSpace(values[start:]))
}

// spread returns the elements of a slice literal, to be passed as arguments of a variadic function. ok is false if they
// cannot stand outside of the literal.
func spread(list string) (items []string, ok bool) {
	x, err := parser.ParseExpr(list)
	if err != nil {
		return nil, false
	}
	switch x := x.(type) {
	case *ast.CallExpr: // a conversion of nil: what the function gets if no arguments are passed
		_, isList := x.Fun.(*ast.ArrayType)
		return nil, isList && len(x.Args) == 1 && isNil(x.Args[0])
	case *ast.CompositeLit:
		if array, isList := x.Type.(*ast.ArrayType); !isList || array.Len != nil || len(x.Elts) == 0 {
			return nil, false
		}
		for _, e := range x.Elts {
			if lit, isLit := e.(*ast.CompositeLit); isLit && lit.Type == nil {
				return nil, false
			}
			if _, isKeyed := e.(*ast.KeyValueExpr); isKeyed {
				return nil, false
			}
			items = append(items, list[e.Pos()-1:e.End()-1])
		}
		return items, true
	}
	return nil, false
}

func isNil(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "nil"
}

// nodes returns the syntax nodes of statements: of the value where one declares a variable. A nil stands for a
// statement that cannot be parsed.
func nodes(statements []string) iter.Seq[ast.Node] {
	return func(yield func(ast.Node) bool) {
		for _, s := range statements {
			if left, value, ok := strings.Cut(s, " := "); ok && !strings.ContainsAny(left, "\"`(") { // it may be in a text
				s = value
			}
			x, err := parser.ParseExpr(s)
			if err != nil {
				if !yield(nil) {
					return
				}
				continue
			}
			for n := range ast.Preorder(x) {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// LeavesNothingOut reports whether statements pass no nil and no empty struct, and set no fields that other packages
// cannot set. The code that they call may rely on that. It is false if a statement cannot be parsed.
func LeavesNothingOut(statements []string) bool {
	whole := true
	for n := range nodes(statements) {
		switch n := n.(type) {
		case nil:
			whole = false
		case *ast.Ident:
			whole = whole && n.Name != "nil"
		case *ast.CompositeLit:
			whole = whole && !empty(n)
		case *ast.KeyValueExpr:
			key, ok := n.Key.(*ast.Ident)
			whole = whole && (!ok || key.IsExported())
		case *ast.CallExpr:
			callee, ok := n.Fun.(*ast.Ident)
			whole = whole && !(ok && callee.Name == "new")
		}
	}
	return whole
}

// empty reports whether a literal is one of a struct without any fields set.
func empty(lit *ast.CompositeLit) bool { return len(lit.Elts) == 0 && !isList(lit) }

// isList reports whether the type of a literal is written as an array, a slice or a map.
func isList(lit *ast.CompositeLit) bool {
	switch lit.Type.(type) {
	case *ast.ArrayType, *ast.MapType:
		return true
	}
	return false
}

// Structs counts the struct literals in statements.
func Structs(statements []string) (count int) {
	for n := range nodes(statements) {
		if lit, ok := n.(*ast.CompositeLit); ok && !isList(lit) {
			count++
		}
	}
	return count
}

// OnlyAtHome reports whether statements call something that other packages cannot call.
func OnlyAtHome(statements []string) bool {
	for n := range nodes(statements) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		switch f := call.Fun.(type) {
		case *ast.Ident:
			if !f.IsExported() && types.Universe.Lookup(f.Name) == nil {
				return true
			}
		case *ast.SelectorExpr:
			if !f.Sel.IsExported() {
				return true
			}
		}
	}
	return false
}
