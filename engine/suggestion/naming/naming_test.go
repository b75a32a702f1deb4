package naming

import (
	"strings"
	"testing"
)

func TestTestsAreNamedAfterTheCallee(t *testing.T) {
	for callee, want := range map[string]string{"parse": "TestParse", "p.Map[int]": "TestMap", "x.y.öffne": "TestÖffne"} {
		if got := OfTest(callee, nil); got != want {
			t.Errorf("OfTest(%s) = %s, want %s", callee, got, want)
		}
	}
}

func TestTestsOfMethodsNameTheirTypesWhereOthersDo(t *testing.T) {
	for _, tt := range []struct{ function, declared, want string }{
		{"m/p.Trie.Find", "TestTrieAdd", "TestTrieFind"},
		{"m/p.Trie.Find", "TestTrie_Add", "TestTrie_Find"},
		{"m/p.trie.find", "TestTrieAdd", "TestTrieFind"},
		{"m/p.Trie.Find", "TestTriedAdd", "TestFind"},
		{"m/p.Trie.Find", "TestTrie", "TestFind"},
		{"m/p.Find", "TestPAdd", "TestFind"},
	} {
		if got := OfTest(tt.function, map[string]bool{tt.declared: true}); got != tt.want {
			t.Errorf("%s beside %s: %s, want %s", tt.function, tt.declared, got, tt.want)
		}
	}
}

func TestRowsAreNamedAsTheOthersAre(t *testing.T) {
	for want, names := range map[string][]string{
		"no unit": {"one", "two words"}, "No unit": {"One", "Two words"}, "no_unit": {"two_words"}, "no-unit": {"two-words"},
		"NoUnit": {"One", "Two"}, "noUnit": {"one", "twoWords"}, "No_Unit": {"Two_Words"},
	} {
		if got := Joined([]string{"no", "unit"}, names); got != want {
			t.Errorf("like %q: %q, want %q", names, got, want)
		}
	}
}

func TestNamesOfMethodsHaveTheirType(t *testing.T) {
	for id, want := range map[string]string{"example.com/p.Trie.find": "TestTrie_Find", "p.T.M": "TestT_M", "example.com/p.Find": "", "p.Find": ""} {
		if got := OfMethod(id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

func TestNameOfAnErrorEndsInAWordThatSaysSomething(t *testing.T) {
	for text, want := range map[string]string{
		"empty resource name in endpoints resource": "empty resource name",
		"p: unknown unit":                            "unknown unit",
		"is not":                                     "is",
		"value is not a number":                      "value is not a number",
		"value is not a number of bytes":             "value",
		"the requested hash function is unavailable": "requested hash function is unavailable",
		"invalid character 'a' looking for beginning of value": "invalid character",
		"expected '}' after name":                              "expected after name",
		"read: EOF":                                            "eof",
	} {
		if got := strings.Join(OfError(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestGarbledTextsGiveNoName(t *testing.T) {
	literal := func(string) bool { return true }
	for _, garbled := range []string{`"\x00\x04aa\x00"`, `"<rect> *emph* </rect>"`, `"</aaaa"`, `[]byte("\x1b]8;\aa0")`} {
		if words := OfArguments([]string{`"hr"`, garbled}, literal); len(words) > 0 {
			t.Errorf("%s: %q", garbled, words)
		}
	}
	for text, want := range map[string]string{`"0x23"`: "0x23", `"va."`: "va", `"ghcr.io/go"`: "ghcr io go", `"12.5 kB"`: "12 5 kB", `"1000"`: "1000", `"aaa"`: "aaa"} {
		if words := strings.Join(OfArguments([]string{text}, literal), " "); words != want {
			t.Errorf("%s: %q, want %q", text, words, want)
		}
	}
}

func TestAnErrorIsNamedAfterItsVariable(t *testing.T) {
	for variable, want := range map[string]string{
		"ErrNoSuchKey": "NoSuchKey", "ErrInvalidURL": "InvalidURL", "ErrHTTPServer2Closed": "HTTPServer2Closed", "errEOF": "EOF",
		"UnknownUnitError": "UnknownUnit", "Err": "", "": "",
	} {
		if got := Camel(OfErrorVariable(variable)); got != want {
			t.Errorf("%s: %q, want %q", variable, got, want)
		}
	}
}
