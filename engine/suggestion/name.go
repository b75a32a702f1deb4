package suggestion

import (
	"go/ast"
	"go/constant"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// maxWords is how many words of an error a name has, maxLetters how many letters of arguments.
const maxWords, maxLetters = 4, 24

// Words say in short what is special about the call: the error that it returns, else what it
// passes. Every word is of ASCII letters and digits; there may be none.
func (c *Call) Words() []string {
	if words := errorWords(c.failure()); len(words) > 0 {
		return words
	}
	var args []string
	for _, a := range c.Args {
		if !strings.HasSuffix(a.Source, "(nil)") { // a list of options without any, say
			args = append(args, a.Source)
		}
	}
	words := argumentWords(args)
	foreign := strings.ContainsFunc(strings.Join(args, ""), func(r rune) bool { return r > unicode.MaxASCII })
	switch {
	case foreign && !strings.ContainsFunc(strings.Join(words, ""), unicode.IsLetter):
		return []string{"non", "ASCII"}
	case len(words) > 0:
		return words
	}
	for _, a := range args {
		if v := valueOf(a); v != nil && v.Kind() == constant.String {
			return signWords(constant.StringVal(v))
		}
	}
	return nil
}

// signs are the names of characters that are no letters or digits.
var signs = map[rune]string{
	' ': "space", '\t': "tab", '\n': "newline", '.': "dot", ',': "comma", ':': "colon", ';': "semicolon", '-': "dash", '_': "underscore",
	'/': "slash", '\\': "backslash", '"': "quote", '\'': "quote", '`': "backquote", '+': "plus", '*': "star", '=': "equals", '%': "percent",
	'#': "hash", '@': "at", '&': "and", '|': "bar", '!': "exclamation", '?': "question", '$': "dollar", '~': "tilde", '^': "caret",
	'(': "parenthesis", ')': "parenthesis", '[': "bracket", ']': "bracket", '{': "brace", '}': "brace", '<': "less", '>': "greater",
}

// maxSigns is how many characters that are no letters or digits have names that say anything together.
const maxSigns = 3

// signWords name a text that has neither letters nor digits by its characters; one of many has no name.
func signWords(text string) (words []string) {
	if text == "" {
		return []string{"empty"}
	}
	for _, r := range text {
		if name := signs[r]; name != "" {
			words = append(words, name)
		}
	}
	if len(words) > maxSigns {
		return nil
	}
	return words
}

// word matches what a name can be made of, quotation what is another text in an error.
var (
	word      = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*`)
	quotation = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`|\\([^)]*\\)")
)

// errorWords are the words of the part of an error's text that says most, without what it
// quotes: the one before the last colon may name what failed.
func errorWords(text string) []string {
	text = quotation.ReplaceAllString(strings.ToValidUTF8(text, ""), "")
	parts := strings.Split(text, ": ")
	for _, part := range slices.Backward(parts) {
		if words := word.FindAllString(part, maxWords+1); len(words) > 1 && len(part) < 80 {
			return lower(words[:min(len(words), maxWords)])
		}
	}
	for _, part := range slices.Backward(parts) {
		if words := word.FindAllString(part, 1); len(words) > 0 && len(part) < 80 {
			return lower(words)
		}
	}
	return nil
}

func lower(words []string) []string { return strings.Fields(strings.ToLower(strings.Join(words, " "))) }

// argumentWords are the first letters and digits in values, of those with fields or elements in their texts only.
func argumentWords(values []string) (words []string) {
	values = slices.Clone(values)
	for i, v := range values {
		if strings.Contains(v, "{") && valueOf(v) == nil {
			values[i] = strings.Join(texts.FindAllString(v, -1), " ")
		}
		values[i] = negative.ReplaceAllString(values[i], "${1}minus$2")
	}
	letters := 0
	text := series.ReplaceAllString(conversion.ReplaceAllString(strings.Join(values, " "), " "), "$1")
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if letters += len(w); letters > maxLetters && len(words) > 0 {
			break
		}
		words = append(words, w[:min(len(w), maxLetters)])
	}
	if texts := slices.DeleteFunc(slices.Clone(words), isNumber); len(texts) > 0 && len(words)-len(texts) > maxNumbers {
		words = texts
	}
	if len(words) > 1 {
		for i, w := range words {
			if len(w) > maxCapitals && w == strings.ToUpper(w) {
				words[i] = strings.ToLower(w)
			}
		}
	}
	return words
}

// maxCapitals is how long a word of capitals may be to stand so beside others, maxNumbers how many numbers may be words beside texts.
const maxCapitals, maxNumbers = 4, 3

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

// negative matches the begin of a value that is a negative number, which may be converted.
var negative = regexp.MustCompile(`^((?:\w+\()?)-(\d)`)

// texts matches the texts of a literal.
var texts = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// conversion matches what values are converted by, which says little of them.
var conversion = regexp.MustCompile(`(?:\[\]byte|\b(?:string|bool|byte|rune|u?int(?:8|16|32|64)?|float(?:32|64))|\b(?:\w+\.)?[A-Z]\w*)\(|\\(?:x|u|U)`)

// series matches numbers that are passed one after another, such as those of a date, of which the first says most.
var series = regexp.MustCompile(`(\d+)(?:, \d+){3,}(?:, [\w.]+)*`)

// Camel joins words to a part of an identifier, and numbers so that they stay apart.
func Camel(words []string) string {
	var b strings.Builder
	digit := func(c byte) bool { return '0' <= c && c <= '9' }
	for _, w := range words {
		if s := b.String(); s != "" && digit(s[len(s)-1]) && digit(w[0]) {
			b.WriteByte('_')
		}
		b.WriteString(capital(w))
	}
	return b.String()
}

// rowName names the row in the way in which the others are named.
func (b *binding) rowName() string {
	names := b.names()
	words := b.call.Words()
	if len(words) == 0 {
		words = []string{"another", "one"}
	}
	name := joined(words, names)
	for i := 2; slices.Contains(names, name); i++ {
		name = joined(append(slices.Clone(words), strconv.Itoa(i)), names)
	}
	return name
}

// names are those that the rows have.
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

// joined joins words as the words of most names are joined.
func joined(words, names []string) string {
	count := func(holds func(string) bool) (n int) {
		for _, name := range names {
			if holds(name) {
				n++
			}
		}
		return n
	}
	with := func(s string) int { return count(func(name string) bool { return strings.Contains(name, s) }) }
	capitals := 2*count(func(name string) bool { return name != "" && unicode.IsUpper(rune(name[0])) }) > len(names)
	separator := " "
	for _, s := range []string{"_", "-"} {
		if with(s) > with(separator) {
			separator = s
		}
	}
	camel := Camel(words)
	switch {
	case with(separator) == 0 && capitals:
		return camel
	case with(separator) == 0 && count(func(name string) bool { return strings.ToLower(name) != name }) > 0:
		return strings.ToLower(camel[:1]) + camel[1:]
	}
	if !capitals {
		return strings.Join(words, separator)
	}
	if separator == " " {
		return capital(strings.Join(words, " "))
	}
	words = slices.Clone(words)
	for i, w := range words {
		words[i] = capital(w)
	}
	return strings.Join(words, separator)
}
