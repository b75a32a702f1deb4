package witness

import (
	"slices"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// A call of a driver is written without the driver: values take the place of its variables, and the receiver is made as
// the driver made it.
func TestCallsOfDriversAreWrittenAsCallersWriteThem(t *testing.T) {
	call := func(source, callee string, recv bool, args int, assigns ...string) weave.Site {
		return weave.Site{Source: source, Callee: callee, Recv: recv, Args: make([]weave.SiteArg, args), Assigns: assigns, PackageName: "p"}
	}
	ran := func(site int, args ...string) wire.Observation { return wire.Observation{Site: site, Args: args} }
	sites := []weave.Site{
		0: call("NewParser(max)", "NewParser", false, 1, "parser"),
		1: call("parser.Parse(s)", "parser.Parse", true, 1),
		2: call("Open(s)", "Open", false, 1, "file", "err"),
		3: call("file.Read(s)", "file.Read", true, 1),
		4: call("parser.Add(n)", "parser.Add", true, 1),
		5: call("Copy(strings.NewReader(s), list)", "Copy", false, 2),
		6: call("Join(names...)", "Join", false, 1),
		7: call("Use(level, url2)", "Use", false, 2),
		8: call("Both(parser, s)", "Both", false, 2),
		9: call("conf2.Get(s)", "conf2.Get", true, 1),
	}
	sites[6].Spread = true
	sites = append(sites,
		weave.Site{Source: "WithN(int(in.int()))", Callee: "WithN", Args: make([]weave.SiteArg, 1), Appends: "opts", PackageName: "p"},
		weave.Site{Source: "New(s, opts...)", Callee: "New", Args: make([]weave.SiteArg, 2), Spread: true, PackageName: "p"},
		weave.Site{Source: "Cut(s, list...)", Callee: "Cut", Args: make([]weave.SiteArg, 2), Spread: true, PackageName: "p"},
		call("conf2.Set(n)", "conf2.Set", true, 1),
		call("NewWriter(buf, max)", "NewWriter", false, 2, "w"),
		call("w.Write(s)", "w.Write", true, 1),
		call("buf.String()", "buf.String", true, 0),
		call("Copy(buf)", "Copy", false, 1),
	)
	sites[16].Consumes = true
	sites = append(sites, call("NewConfig()", "NewConfig", false, 0, "config2"), call("Decode(strings.NewReader(s))", "Decode", false, 1, "config3", "err2"),
		call("config.Get(s)", "config.Get", true, 1), call("Show(config)", "Show", false, 1),
		call("conf2.All()", "conf2.All", true, 0, "got"), call("slices.Collect(got)", "slices.Collect", false, 1),
		call("conf2.Open()", "conf2.Open", true, 0, "in2", "_"), call("io.ReadAll(in2)", "io.ReadAll", false, 1))
	sites[23].Consumes, sites[25].Consumes = true, true
	taken := call("parser.Take(s)", "parser.Take", true, 1)
	taken.Variable = true
	sites = append(sites, call("Each(func(out io.Writer) { io.WriteString(out, s) })", "Each", false, 1), call("Each(func(io.Writer) {})", "Each", false, 1), taken)
	for i := 26; i <= 27; i++ { // arguments that are function literals are not observed
		sites[i].Args[0].Const = strings.TrimSuffix(strings.TrimPrefix(sites[i].Source, "Each("), ")")
	}
	target := &weave.Target{
		Name: "p.Driver_F", Params: []string{"s", "max"}, Lists: []string{"opts"}, Chosen: map[string][]string{"config": {"*config2", "*config3"}},
		Locals: map[string]string{"in": "&driverInput{data}", "list": "", "level": "Level(max)", "url2": "in.string()", "parser": "", "config": "", "buf": "new(bytes.Buffer)",
			"conf": `Conf{at: (*driverInput)(nil).instant(int64(253402300800)), n: 0, max: max, in: Sub{b: false}}`, "conf2": "&conf"},
	}
	entry := corpus.NewEntry([]byte(wire.EncodeEntry([]any{"a", 3})))
	for _, tt := range []struct {
		fact  string
		ran   []wire.Observation
		setup string
		want  string
	}{
		{"a constructor stands in the place of the receiver", []wire.Observation{ran(0, "3"), ran(1, "", `"a"`)}, "", `NewParser(3).Parse("a")`},
		{"unless its address is taken", []wire.Observation{ran(0, "3"), ran(28, "", `"a"`)}, "parser := NewParser(3)", `parser.Take("a")`},
		{"whatever else the receiver could be written as", []wire.Observation{ran(0, "3"), ran(1, "&p.Parser{Max: 3}", `"a"`)}, "", `NewParser(3).Parse("a")`},
		{"an error is left out", []wire.Observation{ran(2, `"a"`), ran(3, "", `"a"`)}, `file, _ := Open("a")`, `file.Read("a")`},
		{"calls between come before", []wire.Observation{ran(0, "3"), ran(4, "", "1"), ran(1, "", `"a"`)}, "parser := NewParser(3)|parser.Add(1)", `parser.Parse("a")`},
		{"arguments without a form are written as the driver has them", []wire.Observation{ran(5, "", "[]int{1}")}, "", `Copy(strings.NewReader("a"), []int{1})`},
		{"unless that was filled step by step", []wire.Observation{ran(5, "", "")}, "", ""},
		{"lists are spread", []wire.Observation{ran(6, `[]string{"x"}`)}, "", `Join("x")`},
		{"what the driver reads has no form", []wire.Observation{ran(7, "", "")}, "", ""},
		{"what it converts has", []wire.Observation{ran(7, "", `"u"`)}, "", `Use(Level(3), "u")`},
		{"options are written in a list", []wire.Observation{ran(10, "1"), ran(10, "2"), ran(11, `"a"`, "")}, "", `New("a", WithN(1), WithN(2))`},
		{"or there are none", []wire.Observation{ran(11, `"a"`, "")}, "", `New("a")`},
		{"other lists have to have a form", []wire.Observation{ran(12, `"a"`, "")}, "", ""},
		{"what the driver fills is a literal, without fields that are zero", []wire.Observation{ran(9, "", `"a"`)}, "",
			`(&Conf{at: time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC), max: 3, in: Sub{}}).Get("a")`},
		{"and is declared where it is changed before", []wire.Observation{ran(13, "", "1"), ran(9, "", `"a"`)},
			"conf := &Conf{at: time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC), max: 3, in: Sub{}}|conf.Set(1)", `conf.Get("a")`},
		{"whatever it could be written as then", []wire.Observation{ran(13, "&p.Conf{}", "1"), ran(9, "", `"a"`)},
			"conf := &Conf{at: time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC), max: 3, in: Sub{}}|conf.Set(1)", `conf.Get("a")`},
		{"with what a call gave, if that is used up before", []wire.Observation{ran(22, ""), ran(23, ""), ran(9, "", `"a"`)},
			"conf := &Conf{at: time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC), max: 3, in: Sub{}}|slices.Collect(conf.All())", `conf.Get("a")`},
		{"and as it is if it is not, or later", []wire.Observation{ran(22, ""), ran(9, "", `"a"`), ran(23, "")},
			"conf := &Conf{at: time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC), max: 3, in: Sub{}}|got := conf.All()|conf.Get(\"a\")", "slices.Collect(got)"},
		{"what comes with an error is not used up in a call", []wire.Observation{ran(24, ""), ran(25, ""), ran(9, "", `"a"`)}, "", ""},
		{"what was written to a buffer is written by all that had it", []wire.Observation{ran(14, "&bytes.Buffer{}", "3"), ran(15, "", `"a"`), ran(16, "&bytes.Buffer{}")},
			`buf := new(bytes.Buffer)|w := NewWriter(buf, 3)|w.Write("a")`, "buf.String()"},
		{"nothing was", []wire.Observation{ran(16, "")}, "", ""},
		{"a call that has it may", []wire.Observation{ran(17, ""), ran(16, "")}, "buf := new(bytes.Buffer)|Copy(buf)", "buf.String()"},
		{"of several ways to make a receiver the one that was gone is written", []wire.Observation{ran(18), ran(20, "", `"a"`)}, "", `NewConfig().Get("a")`},
		{"errors apart", []wire.Observation{ran(19, ""), ran(20, "", `"a"`)}, `config, _ := Decode(strings.NewReader("a"))`, `config.Get("a")`},
		{"with the calls on it", []wire.Observation{ran(18), ran(20, "", `"a"`), ran(20, "", `"b"`)}, `config := NewConfig()|config.Get("a")`, `config.Get("b")`},
		{"as an argument it is what it was assigned", []wire.Observation{ran(19, ""), ran(21, "")}, `config, _ := Decode(strings.NewReader("a"))`, `Show(*config)`},
		{"a function has its own parameters", []wire.Observation{ran(26)}, "", `Each(func(out io.Writer) { io.WriteString(out, "a") })`},
		{"which have names", []wire.Observation{ran(27)}, "", ""},
		{"none is known", []wire.Observation{ran(20, "", `"a"`)}, "", ""},
		{"a variable used as an argument is declared", []wire.Observation{ran(0, "3"), ran(8, "", `"a"`)}, "parser := NewParser(3)", `Both(parser, "a")`},
	} {
		setup, got := newTrace(sites, target, entry, tt.ran).call(len(tt.ran) - 1)
		if got != tt.want || strings.Join(setup, "|") != tt.setup {
			t.Errorf("%s:\n%q %s\nwant\n%q %s", tt.fact, setup, got, tt.setup, tt.want)
		}
	}
}

// What a call is made on may have been left so by the calls before it, differently with the mutant. Then these calls are
// written, and not what they left.
func TestCallsThatLeaveSomethingElseWithTheMutantAreWritten(t *testing.T) {
	sites := []weave.Site{
		{Source: "l.Enable(on)", Callee: "l.Enable", Recv: true, Args: make([]weave.SiteArg, 1), PackageName: "p"},
		{Source: "l.On()", Callee: "l.On", Recv: true, PackageName: "p"},
	}
	target := &weave.Target{Name: "p.Driver_Log_Enable", Params: []string{"on"}, Locals: map[string]string{"l": "Log{on: true}"}}
	entry := corpus.NewEntry([]byte(wire.EncodeEntry([]any{false})))
	ran := []wire.Observation{{Site: 0, Args: []string{"&p.Log{on: true}", "false"}}, {Site: 1, Args: []string{"&p.Log{}"}}}
	for name, tt := range map[string]struct {
		mutant      string
		setup, want string
	}{
		"it leaves the same":       {"&p.Log{}", "", "(&Log{}).On()"},
		"it leaves something else": {"&p.Log{on: true}", "l := Log{on: true}|l.Enable(false)", "l.On()"},
	} {
		d := Difference{Site: 1, Original: &ran[1], Mutant: &wire.Observation{Site: 1, Args: []string{tt.mutant}}, Ran: ran}
		setup, got := d.Driven(sites, target, entry)
		if got != tt.want || strings.Join(setup, "|") != tt.setup {
			t.Errorf("%s: %q %s, want %q %s", name, setup, got, tt.setup, tt.want)
		}
	}
}

// Handlers are called as tests usually call them, with a recorder and a request.
func TestCallsOfHandlersAreWrittenWithWhatTheyAreGiven(t *testing.T) {
	call := func(source, callee string, recv bool, args int, assigns ...string) weave.Site {
		return weave.Site{Source: source, Callee: callee, Recv: recv, Args: make([]weave.SiteArg, args), Assigns: assigns, PackageName: "p"}
	}
	ran := func(site int, args ...string) wire.Observation { return wire.Observation{Site: site, Args: args} }
	sites := []weave.Site{
		0: call("httptest.NewRecorder()", "httptest.NewRecorder", false, 0, "w"),
		1: call(`httptest.NewRequest(method, target, strings.NewReader(body))`, "httptest.NewRequest", false, 3, "r"),
		2: call("r.Header.Set(key, value)", "r.Header.Set", true, 2),
		3: call("Greet(w, r)", "Greet", false, 2),
		4: call("w.Body.String()", "w.Body.String", true, 0),
		5: call("NoCache(http.NotFoundHandler())", "NoCache", false, 1, "handler"),
		6: call("handler.ServeHTTP(w, r)", "handler.ServeHTTP", true, 2),
		7: call("logger.Write(key)", "logger.Write", true, 1),
	}
	sites[4].Consumes = true
	target := &weave.Target{Name: "p.Driver_F", Params: []string{"body", "key", "value"}, Locals: map[string]string{"method": "", "target": "", "logger": "&logger{w: w}"}}
	request := []wire.Observation{ran(0), ran(1, `"GET"`, `"/a"`, ""), ran(2, "http.Header{}", `"Accept"`, `"b"`)}
	for _, tt := range []struct {
		fact, body string
		ran        []wire.Observation
		setup      string
		want       string
	}{
		{"a request without a body is given none", "", append(slices.Clip(request), ran(3, "", ""), ran(4, "")),
			`w := httptest.NewRecorder()|r := httptest.NewRequest("GET", "/a", nil)|r.Header.Set("Accept", "b")|Greet(w, r)`, "w.Body.String()"},
		{"and another its own", "c", append(slices.Clip(request), ran(3, "", "")),
			`w := httptest.NewRecorder()|r := httptest.NewRequest("GET", "/a", strings.NewReader("c"))|r.Header.Set("Accept", "b")`, "Greet(w, r)"},
		{"a handler is made, and serves once", "", append(slices.Clip(request), ran(5, ""), ran(6, "", "", ""), ran(4, "")),
			`w := httptest.NewRecorder()|handler := NoCache(http.NotFoundHandler())|r := httptest.NewRequest("GET", "/a", nil)|r.Header.Set("Accept", "b")|handler.ServeHTTP(w, r)`,
			"w.Body.String()"},
		{"what writes to a recorder through something else is not known", "", []wire.Observation{ran(0), ran(7, "", `"a"`), ran(4, "")}, "", ""},
	} {
		entry := corpus.NewEntry([]byte(wire.EncodeEntry([]any{tt.body, "Accept", "b"})))
		setup, got := newTrace(sites, target, entry, tt.ran).call(len(tt.ran) - 1)
		if got != tt.want || strings.Join(setup, "|") != tt.setup {
			t.Errorf("%s:\n%q %s\nwant\n%q %s", tt.fact, setup, got, tt.setup, tt.want)
		}
	}
}

func TestTimesAreWrittenAsDates(t *testing.T) {
	for source, want := range map[string]string{
		"Format((*driverInput)(nil).instant(int64(-61851340801)), 1)": "Format(time.Date(10, 1, 3, 23, 59, 59, 0, time.UTC), 1)",
		"(*driverInput2)(nil).instant(int64(0))":                      "time.Time{}",
		"(*driverInput)(nil).instant(int64(253402300801))":            "time.Date(1970, 1, 1, 0, 0, 1, 0, time.UTC)",
		"(*driverInput)(nil).instant(int64(-9223372036854775808))":    "time.Unix(-122818865408, 0).UTC()",
		"time.Unix(int64(1), 0)":                                      "time.Unix(int64(1), 0)",
	} {
		if got := dated(source); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}

func TestBytesThatDriversCopyAreWrittenAsTheyAre(t *testing.T) {
	for source, want := range map[string]string{
		`Conf{key: append([]byte(nil), []byte("a\"b)")...), n: 1}`:                  `Conf{key: []byte("a\"b)"), n: 1}`,
		`Conf{key: append([]byte(nil), []byte("")...), n: 1}`:                       `Conf{key: nil, n: 1}`,
		`Conf{key: append([]byte(nil), nil...), list: []byte("")}`:                  `Conf{key: nil, list: []byte("")}`,
		`Conf{key: append([]byte(nil), key...), list: append([]byte("a"), "b"...)}`: `Conf{key: append([]byte(nil), key...), list: append([]byte("a"), "b"...)}`,
	} {
		if got := withoutCopies(source); got != want {
			t.Errorf("%s is written as %s, want %s", source, got, want)
		}
	}
}

func TestReceiversHaveParenthesesWhereTheyNeedThem(t *testing.T) {
	for source, want := range map[string]string{
		"p": "p", "Level(1)": "Level(1)", "(*T)(nil)": "(*T)(nil)", "list[0]": "list[0]", "(x)": "(x)",
		"&T{}": "(&T{})", "*p": "p", "&p": "p", "**p": "(**p)", "T{}": "(T{})", "-1": "(-1)", "…": "(…)",
	} {
		if got := selectable(source); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}
