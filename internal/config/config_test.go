package config

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

// operators returns the names of all operators.
func operators() (names []string) {
	for _, op := range mutate.Operators() {
		names = append(names, op.Name)
	}
	return names
}

const whole = `# what we have decided
paths:
  exclude: ["internal/gen/**", "**/*.pb.go"]
operators:
  disable:
    - string-literal
    - argument-swap
limits:
  time: 1m30s
  max-findings: 2
dismissed:
  - function: example.com/m.ParseSize
    operator: relational
    edit: "n > max → n >= max"
    reason: "callers check"
  - function: example.com/m.T.String
    reason: >
      for people
      only
`

func TestAFileSaysWhatItSays(t *testing.T) {
	tests := map[string]struct {
		text string
		want Config
	}{
		"nothing":       {"", Config{}},
		"a comment":     {"# later\n", Config{}},
		"a marker":      {"---\n", Config{}},
		"null":          {"null", Config{}},
		"no object":     {"{}", Config{}},
		"empty objects": {"paths:\noperators: {}\nlimits: ~\ndismissed: []\n", Config{}},
		"empty lists":   {"paths:\n  exclude:\noperators: {disable: }\ndismissed:\n", Config{}},
		"a byte order mark, and lines of Windows": {"\uFEFFlimits:\r\n  time: 3m\r\n", Config{Limits: Limits{Time: 3 * time.Minute}}},
		"everything": {whole, Config{
			Paths:     Paths{[]string{"internal/gen/**", "**/*.pb.go"}},
			Operators: Operators{[]string{"string-literal", "argument-swap"}},
			Limits:    Limits{90 * time.Second, 2},
			Dismissed: []Dismissal{
				{Function: "example.com/m.ParseSize", Operator: "relational", Edit: "n > max → n >= max", Reason: "callers check", Line: 12},
				{Function: "example.com/m.T.String", Reason: "for people only", Line: 16},
			},
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Decode([]byte(tt.text), operators())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&tt.want, got, cmpopts.IgnoreUnexported(Dismissal{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// faults are files that Decode refuses, each with a part of the message, mostly from the line number on. The schema
// refuses them, too, except those with a tilde before their name.
var faults = map[string]struct{ text, want string }{
	"unknown key":                {"limits: {}\npath:\n  exclude: []\n", `2: unknown key "path"`},
	"unknown key below":          {"limits:\n  times: 3m\n", `2: unknown key "times"`},
	"unknown key of an entry":    {"dismissed:\n  - function: m.F\n    reasons: x\n", `3: unknown key "reasons"`},
	"~a key that is no text":     {"1: x\n", `1: unknown key "1"`},
	"~a key that is a list":      {"[a]: x\n", `1: unknown key a list`},
	"~a key twice":               {"paths:\nlimits:\npaths:\n", `3: the key "paths" is there twice`},
	"~merged keys":               {"limits:\n  <<: {time: 3m}\n", `2: unknown key "<<"`},
	"a list":                     {"- paths\n", `1: a list, where an object is expected`},
	"a text":                     {"paths", `1: "paths", where an object is expected`},
	"a text for an object":       {"\npaths: internal\n", `2: "internal", where an object is expected`},
	"a text for a list":          {"paths:\n  exclude: internal/**\n", `2: "internal/**", where a list is expected`},
	"an object for a list":       {"dismissed:\n  function: m.F\n", `2: an object, where a list is expected`},
	"a number for a text":        {"dismissed: [{function: m.F, reason: 7}]", `1: "7", where a text is expected`},
	"nothing for a text":         {"dismissed: [{function: m.F, reason: }]", `1: nothing, where a text is expected`},
	"an empty text":              {"dismissed: [{function: m.F, reason: ''}]", `1: an empty text`},
	"~a blank text":              {"dismissed: [{function: m.F, reason: ' '}]", `1: an empty text`},
	"a long text":                {"dismissed: [{function: m.F, reason: " + strings.Repeat("x", 1001) + "}]", `1: a text of more than 1000 characters`},
	"unknown operator":           {"operators:\n  disable:\n    - relational\n    - strings\n", `4: unknown operator "strings"`},
	"unknown operator dismissed": {"dismissed:\n- function: m.F\n  reason: x\n  operator: Relational\n", `4: unknown operator "Relational"`},
	"a rooted pattern":           {"paths: {exclude: [/gen/**]}", `1: bad pattern "/gen/**": it is not a path`},
	"~a pattern of elsewhere":    {"paths: {exclude: [../gen/**]}", `1: bad pattern "../gen/**": it is not a path`},
	"~a pattern of here":         {"paths: {exclude: [./gen/**]}", `1: bad pattern "./gen/**": it is not a path`},
	"~a pattern of a folder":     {"paths: {exclude: [gen/]}", `1: bad pattern "gen/": it is not a path`},
	"a pattern of Windows":       {`paths: {exclude: ['gen\*.go']}`, `1: bad pattern "gen\\*.go": it has a backslash`},
	"a pattern of alternatives":  {`paths: {exclude: ["{a,b}.go"]}`, `1: bad pattern "{a,b}.go": it has a backslash or a brace`},
	"~a joined double star":      {`paths: {exclude: ["gen/**.go"]}`, `1: bad pattern "gen/**.go": ** stands beside`},
	"~a pattern without end":     {`paths: {exclude: ["gen/[a"]}`, `1: bad pattern "gen/[a"`},
	"an empty pattern":           {`paths: {exclude: [""]}`, `1: an empty text`},
	"a long pattern":             {`paths: {exclude: [` + strings.Repeat("x", 201) + `]}`, `1: a pattern of more than 200 bytes`},
	"many patterns":              {`paths: {exclude: [` + strings.Repeat("x, ", 101) + `]}`, `1: a list of more than 100 values`},
	"a number for a time":        {"limits:\n  time: 300\n", `2: "300" is not a positive duration`},
	"a negative time":            {"limits:\n  time: -3m\n", `2: "-3m" is not a positive duration`},
	"~no time at all":            {"limits:\n  time: 0s\n", `2: "0s" is not a positive duration`},
	"an empty time":              {"limits:\n  time:\n", `2: nothing is not a positive duration`},
	"a list for a time":          {"limits:\n  time: [3m]\n", `2: a list is not a positive duration`},
	"no findings":                {"limits:\n  max-findings: 0\n", `2: "0" is no number of findings`},
	"many findings":              {"limits:\n  max-findings: 101\n", `2: "101" is no number of findings`},
	"a text for a number":        {"limits:\n  max-findings: '2'\n", `2: "2" is no number of findings`},
	"half a finding":             {"limits:\n  max-findings: 2.5\n", `2: "2.5" is no number of findings`},
	"no function":                {"dismissed:\n\n  - reason: x\n", `3: an entry of dismissed has no function`},
	"no reason":                  {"dismissed:\n\n  - function: m.F\n", `3: an entry of dismissed has no reason`},
	"a function without package": {"dismissed:\n  - function: ParseSize\n    reason: x\n", `2: "ParseSize" is no function`},
	"an entry that is nothing":   {"dismissed:\n  -\n", `2: an entry of dismissed has no function`},
	"many entries":               {"dismissed:\n" + strings.Repeat("- {function: m.F, reason: x}\n", 1001), `2: a list of more than 1000 values`},
	"~an anchor":                 {"paths: &a\n  exclude: []\n", `: anchors and aliases are not allowed`},
	"~an alias":                  {"paths: &a {}\nlimits: *a\n", `1: anchors and aliases are not allowed`},
	"~malformed":                 {"paths:\n  exclude: [\n", `: malformed YAML: `},
	"~malformed in a line":       {"limits:\n  time: 3m\n\t- x\n", `3: malformed YAML: `},
	"~an unknown alias":          {"limits: *b\n", `malformed YAML: `},
	"~two documents":             {"paths:\n---\nlimits:\n", `: a second document`},
	"~no text at all":            {"\x00\x01\x02", `malformed YAML: `},
	"~deep":                      {strings.Repeat("[", 1<<20), `malformed YAML: `},
	"~large":                     {strings.Repeat("#\n", 1<<19) + "#", `: larger than 1 MiB`},
	"a list of very many":        {"[" + strings.Repeat("[],", 300_000) + "]", `1: a list, where an object is expected`},
}

func TestFaultsAreRefusedWithPlaceAndHint(t *testing.T) {
	for name, tt := range faults {
		t.Run(name, func(t *testing.T) {
			c, err := Decode([]byte(tt.text), operators())
			var fault *Error
			if !errors.As(err, &fault) {
				t.Fatalf("%v, error %v", c, err)
			}
			if said := err.Error(); !strings.HasPrefix(said, "mutantfuzz.yml:") || !strings.Contains(said, tt.want) || strings.Count(said, "\nhint: ") != 1 {
				t.Errorf("error %q; want it to begin with the file and %q, and to have a hint", said, tt.want)
			}
			if lines := strings.Count(tt.text, "\n") + 1; fault.Line > lines || len(err.Error()) > 1200 {
				t.Errorf("line %d of %d, %d bytes", fault.Line, lines, len(err.Error()))
			}
		})
	}
}

// Ten levels of ten aliases each would expand to ten billion values.
func TestAliasesAreNotExpanded(t *testing.T) {
	var text strings.Builder
	text.WriteString("a: &a0 [x]\n")
	for i := range 10 {
		fmt.Fprintf(&text, "b%d: &a%d [%s]\n", i, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 10), ","))
	}
	if _, err := Decode([]byte(text.String()), operators()); err == nil || !strings.Contains(err.Error(), "aliases are not allowed") {
		t.Errorf("error %v", err)
	}
}

func TestMessagesDoNotRepeatWhatCouldBeACommand(t *testing.T) {
	const attack = "\n::error::x\x1b[31m\u202e"
	for _, text := range []string{
		fmt.Sprintf("%q: x", attack), fmt.Sprintf("limits: {time: %q}", attack), fmt.Sprintf("paths: {exclude: [%q]}", "/"+attack),
		fmt.Sprintf("operators: {disable: [%q]}", "x"+attack), fmt.Sprintf("dismissed: [{function: %q}]", "x"+attack), "limits: *::error::x\u202e",
		"%FOO" + attack, "a: !<" + attack + "> x", "\"\\" + attack,
	} {
		_, err := Decode([]byte(text), operators())
		if err == nil {
			t.Errorf("%q is accepted", text)
		} else if said := err.Error(); strings.ContainsAny(said, "\x1b\u202e") || strings.Contains(said, "\n::") {
			t.Errorf("%q: the error repeats it: %q", text, said)
		}
	}
}

func TestPatternsExcludeFiles(t *testing.T) {
	for pattern, tt := range map[string]struct{ in, out string }{
		"internal/gen/**": {"internal/gen/a.go internal/gen/b/c/a.go", "gen/a.go a/internal/gen/a.go internal/generic/a.go"},
		"**/*.pb.go":      {"a.pb.go a/b/c.pb.go", "a.go pb.go"},
		"*.go":            {"a.go", "a/a.go"},
		"gen/*/a.go":      {"gen/b/a.go", "gen/a.go gen/b/c/a.go"},
		"cmd/**/x_?.go":   {"cmd/x_1.go cmd/a/b/x_2.go", "cmd/x_.go x_1.go"},
		"**":              {"a.go a/b.go", ""},
		"a[0-9].go":       {"a1.go", "ab.go a/.go"},
	} {
		c, err := Decode(fmt.Appendf(nil, "paths: {exclude: [nothing.go, %q]}", pattern), operators())
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
			continue
		}
		for _, file := range strings.Fields(tt.in) {
			if got := c.Excluded(file); got != pattern {
				t.Errorf("%s is excluded by %q, want %q", file, got, pattern)
			}
		}
		for _, file := range strings.Fields(tt.out) {
			if got := c.Excluded(file); got != "" {
				t.Errorf("%s is excluded by %q", file, got)
			}
		}
	}
}

func TestEntriesMatchMutants(t *testing.T) {
	for _, tt := range []struct {
		entry, function, operator, edit string
		want                            bool
	}{
		{"", "m.F", "relational", "a > b → a >= b", true},
		{"", "m.G", "relational", "a > b → a >= b", false},
		{"", "m.F.G", "relational", "a > b → a >= b", false},
		{"operator: relational", "m.F", "relational", "a > b → a >= b", true},
		{"operator: logical", "m.F", "relational", "a > b → a >= b", false},
		{"edit: a > b → a >= b", "m.F", "relational", "a > b → a >= b", true},
		{"edit: a>b → a>=b", "m.F", "relational", "a > b → a >= b", true},
		{"edit: a > b -> a >= b", "m.F", "relational", "a >\n\tb → a >= b", true},
		{"edit: '`a > b` → `a >= b`'", "m.F", "relational", "a > b → a >= b", true},
		{"edit: a > b", "m.F", "relational", "a > b → a >= b", false},
		{"edit: a > b → a < b", "m.F", "relational", "a > b → a >= b", false},
		{"operator: logical, edit: a > b → a >= b", "m.F", "relational", "a > b → a >= b", false},
	} {
		c, err := Decode([]byte("dismissed: [{function: m.F, reason: x, "+tt.entry+"}]"), operators())
		if err != nil {
			t.Errorf("%s: %v", tt.entry, err)
			continue
		}
		if got := len(c.Matching(tt.function, tt.operator, tt.edit)) == 1; got != tt.want {
			t.Errorf("%q matches %s, %s, %q: %t", tt.entry, tt.function, tt.operator, tt.edit, got)
		}
	}
}
