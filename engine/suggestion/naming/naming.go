// Package naming names tests, and the rows of their tables, by words for what is special about a call. Each word
// consists of ASCII letters and digits.
package naming

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWords bounds the words of an error that a name has, maxLetters the letters of arguments.
const maxWords, maxLetters = 4, 24

// signs are the names of ASCII characters that are neither letters nor digits.
var signs = map[rune]string{
	' ': "space", '\t': "tab", '\n': "newline", '.': "dot", ',': "comma", ':': "colon", ';': "semicolon", '-': "dash", '_': "underscore",
	'/': "slash", '\\': "backslash", '"': "quote", '\'': "quote", '`': "backquote", '+': "plus", '*': "star", '=': "equals", '%': "percent",
	'#': "hash", '@': "at", '&': "and", '|': "bar", '!': "exclamation", '?': "question", '$': "dollar", '~': "tilde", '^': "caret",
	'(': "parenthesis", ')': "parenthesis", '[': "bracket", ']': "bracket", '{': "brace", '}': "brace", '<': "less", '>': "greater",
}

// maxSigns bounds the names of such characters that one name lists. A longer list says nothing.
const maxSigns = 3

// OfSigns names a text without letters and digits by its characters: ". :" becomes "dot", "space", "colon". It returns
// nil for other texts, and if that takes too many words.
func OfSigns(text string) (words []string) {
	if text == "" {
		return []string{"empty"}
	}
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return nil
		}
		if name := signs[r]; name != "" {
			words = append(words, name)
		}
	}
	if len(words) > maxSigns {
		return nil
	}
	return words
}

// word matches a word of a name; quotation matches quoted or parenthesised text in an error.
var (
	word      = regexp.MustCompile(`[A-Za-z][A-Za-z0-9]*`)
	quotation = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`|\\([^)]*\\)")
)

// OfError returns words of the part of an error's text that says most, without what it quotes. ": " separates the
// parts. The last part with several words counts, since the one before may only name what failed. Of that part, the words
// before what it quotes do if there are several.
func OfError(text string) []string {
	const quoted = "\x00"
	text = quotation.ReplaceAllString(strings.ToValidUTF8(text, ""), quoted)
	parts := strings.Split(text, ": ")
	for _, part := range slices.Backward(parts) {
		words := word.FindAllString(part, maxWords+2)
		if before := word.FindAllString(strings.SplitN(part, quoted, 2)[0], maxWords+2); len(before) > 1 {
			words = before
		}
		if len(words) > 1 && len(part) < 80 {
			return lower(complete(withoutArticle(words)))
		}
	}
	for _, part := range slices.Backward(parts) {
		if words := word.FindAllString(part, 1); len(words) > 0 && len(part) < 80 {
			return lower(words)
		}
	}
	return nil
}

// OfErrorVariable returns the words of the name of a variable that holds an error, without those that only say that it
// does: ErrNoSuchKey becomes "no", "such", "key". Words in capitals stay so.
func OfErrorVariable(name string) (words []string) {
	for _, w := range strings.Fields(border.ReplaceAllString(name, "$1$3 $2$4")) {
		switch lower := strings.ToLower(w); {
		case lower == "err" || lower == "error":
		case len(w) > 1 && w == strings.ToUpper(w):
			words = append(words, w)
		default:
			words = append(words, lower)
		}
	}
	return words
}

// border matches where a word of a name in camel case ends and the next begins.
var border = regexp.MustCompile(`([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])`)

// links are words that a name does not end in: they lead to what was cut off.
var links = []string{"a", "an", "and", "as", "at", "be", "by", "for", "from", "in", "into", "is", "not", "of", "on", "or", "than", "that", "the", "to", "with"}

// withoutArticle returns the first words without a leading article. One more than maxWords is not left out.
func withoutArticle(words []string) []string {
	if slices.Contains([]string{"a", "an", "the"}, strings.ToLower(words[0])) {
		words = words[1:]
	}
	if len(words) > maxWords+1 {
		words = words[:maxWords]
	}
	return words
}

// complete returns words without those at the end that lead to others, but at least one.
func complete(words []string) []string {
	for len(words) > 1 && slices.Contains(links, strings.ToLower(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	return words
}

func lower(words []string) []string { return strings.Fields(strings.ToLower(strings.Join(words, " "))) }

// OfArguments returns the first letters and digits in values, which are Go source. Of values with fields or elements it
// takes only the string literals; isLiteral reports which values have neither. It returns nil if a text is garbled: the
// letters between its signs say nothing.
func OfArguments(values []string, isLiteral func(source string) bool) (words []string) {
	if slices.ContainsFunc(values, isGarbled) {
		return nil
	}
	values = slices.Clone(values)
	for i, v := range values {
		if strings.Contains(v, "{") && !isLiteral(v) {
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
	words = withoutLetters(words)
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

// maxSignPart is the part of a text, without its spaces, that may be signs. fewLetters is how many times a letter may
// stand in a row for it to be part of a word. Texts of at most shortText characters are never garbled.
const maxSignPart, fewLetters, shortText = 1. / 3, 3, 3

// isGarbled reports whether a string literal in value, which is Go source, has letters or digits, but consists largely
// of signs, or of one letter repeated.
func isGarbled(value string) bool {
	return slices.ContainsFunc(texts.FindAllString(value, -1), func(literal string) bool {
		text, err := strconv.Unquote(literal)
		signs, letters, row := 0, 0, 0
		var last rune
		for _, r := range text {
			switch {
			case unicode.IsLetter(r) || unicode.IsDigit(r):
				letters++
			case !unicode.IsSpace(r):
				signs++
			}
			if row++; r != last || !unicode.IsLetter(r) {
				row = 1
			}
			if last = r; row > fewLetters {
				return true
			}
		}
		return err == nil && letters > 0 && signs+letters > shortText && float64(signs) > maxSignPart*float64(signs+letters)
	})
}

// maxCapitals is the length up to which a word in capitals stays so beside others. maxNumbers bounds the numbers that
// may be words beside texts.
const maxCapitals, maxNumbers = 4, 3

// withoutLetters returns words without single letters, if there are several and something else is left: each stands for any
// text.
func withoutLetters(words []string) []string {
	more := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return len(w) == 1 && !isNumber(w) })
	if len(more) == 0 || len(words)-len(more) < 2 {
		return words
	}
	return more
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789") == "" }

// negative matches the beginning of a value that is a negative number, which may be converted.
var negative = regexp.MustCompile(`^((?:\w+\()?)-(\d)`)

// texts matches string literals.
var texts = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// conversion matches conversions, and escapes of invisible characters, which say little about values. Of those of single bytes it
// matches the beginning.
var conversion = regexp.MustCompile(`(?:\[\]byte|\b(?:string|bool|byte|rune|u?int(?:8|16|32|64)?|float(?:32|64))|\b(?:\w+\.)?[A-Z]\w*)\(|\\(?:x|u[0-9a-f]{4}|U[0-9a-f]{8}|[abfnrtv])`)

// series matches numbers that are passed one after another, such as those of a date. The first says most.
var series = regexp.MustCompile(`(\d+)(?:, \d+){3,}(?:, [\w.]+)*`)

// Camel joins words to a part of an identifier in camel case. An underscore keeps two numbers apart.
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

// Joined joins words in the style of most of names: with their separator, and their capitals.
func Joined(words, names []string) string {
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

// OfTest returns the name for a test of a function, which is given as written in a call or as its ID. For a method the
// name contains that of its type if declared tests are named so.
func OfTest(function string, declared map[string]bool) string {
	parts := strings.Split(function, ".")
	name, _, _ := strings.Cut(parts[len(parts)-1], "[")
	name = capital(name)
	for _, between := range []string{"_", ""} {
		before := "Test" + capital(parts[max(0, len(parts)-2)]) + between
		for test := range declared {
			if rest, ok := strings.CutPrefix(test, before); ok && rest != "" && rest == capital(rest) && len(parts) > 2 {
				return before + name
			}
		}
	}
	return "Test" + name
}

// OfMethod returns the name for a test of the method with an ID, including that of its type; empty: it is a function.
func OfMethod(id string) string {
	parts := strings.Split(id[strings.LastIndexByte(id, '/')+1:], ".")
	if len(parts) < 3 {
		return ""
	}
	return "Test" + capital(parts[len(parts)-2]) + "_" + capital(parts[len(parts)-1])
}

// capital returns name with a capital first letter.
func capital(name string) string {
	r, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[size:]
}
