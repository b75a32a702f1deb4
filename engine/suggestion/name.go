package suggestion

import (
	"go/ast"
	"go/constant"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mutantfuzz/mutantfuzz/engine/suggestion/naming"
)

// Words returns words for what is special about a call: the error that it returns, by the name of its variable if it has
// one, else its arguments. Each consists of ASCII letters and digits; there may be none.
func (t *Tables) Words(c *Call) []string { return t.errors.wordsFor(c) }

// wordsFor is like [Tables.Words].
func (s sentinels) wordsFor(c *Call) []string {
	if words := naming.OfErrorVariable(s.variable(c.failure())); len(words) > 0 {
		return words
	}
	if words := naming.OfError(c.failure()); len(words) > 0 {
		return words
	}
	var args []string
	for _, a := range c.Args {
		if !strings.HasSuffix(a.Source, "(nil)") { // such as an empty list of options
			args = append(args, a.Source)
		}
	}
	words := naming.OfArguments(args, func(source string) bool { return valueOf(source) != nil })
	foreign := strings.ContainsFunc(strings.Join(args, ""), func(r rune) bool { return r > unicode.MaxASCII })
	switch {
	case foreign && !strings.ContainsFunc(strings.Join(words, ""), unicode.IsLetter):
		return []string{"non", "ASCII"}
	case len(words) > 0:
		return words
	}
	for _, a := range args {
		if v := valueOf(a); v != nil && v.Kind() == constant.String {
			return naming.OfSigns(constant.StringVal(v))
		}
	}
	return nil
}

// rowName returns a name for the row that no other has, in the style of the existing names.
func (b *binding) rowName() string {
	names := b.names()
	words := b.errors.wordsFor(b.call)
	if len(words) == 0 {
		words = []string{"another", "one"}
	}
	name := naming.Joined(words, names)
	for i := 2; slices.Contains(names, name); i++ {
		name = naming.Joined(append(slices.Clone(words), strconv.Itoa(i)), names)
	}
	return name
}

// names returns the names of the existing rows.
func (b *binding) names() (names []string) {
	exprs := b.keys()
	if b.name != mapKey {
		exprs = nil
		for _, row := range b.neighbours() {
			if e := part(b.table, row, b.name); e != nil {
				exprs = append(exprs, e)
			}
		}
	}
	for _, e := range exprs {
		if v := b.pkg.TypesInfo.Types[ast.Unparen(e)].Value; v != nil && v.Kind() == constant.String {
			names = append(names, constant.StringVal(v))
		}
	}
	return names
}
