package main

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// attacks are lines that a runner or a terminal would take for commands.
var attacks = []string{
	"::error::x", " \t::set-output name=results::/evil", "\u00a0\u2003::add-mask::x", "a\n::stop-commands::x", "a\r::error::x", "a\r\n::error::x",
	"##[add-mask]x", "a ##[set-env name=PATH;]x", "####[error]x", "\x1b[2J", "\x1b]0;title\a", "\u009b2J", "\x9b2J", "a\u2028::error::x",
	"\u202ereversed", "a\x00b", "\u200b::error::x", "a\v::error::x",
}

// obeyed returns the first line of text that a runner or a terminal would obey, or "".
func obeyed(text string) string {
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		start := strings.TrimLeftFunc(line, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) })
		control := strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\t' })
		if control || strings.HasPrefix(start, "::") || strings.Contains(line, "##[") {
			return line
		}
	}
	return ""
}

func TestErrorsAreNoCommands(t *testing.T) {
	for _, attack := range attacks {
		var stderr bytes.Buffer
		c := Command{Stdout: io.Discard, Stderr: &stderr}
		c.complain(errors.New("the program cannot be analysed:\n" + attack + "\n" + attack + "\nhint: none"))
		c.say(attack)
		if line := obeyed(stderr.String()); line != "" {
			t.Errorf("%q prints %q", attack, line)
		}
		if !strings.HasSuffix(stderr.String(), "\n") || !strings.Contains(stderr.String(), "\nhint: none\nmutantfuzz: ") {
			t.Errorf("%q prints %q: what is ours is not as it was", attack, stderr.String())
		}
	}
}

func TestListedNamesAreNoCommands(t *testing.T) {
	for _, attack := range attacks {
		r := &results.Results{
			Scope:    []results.Function{{ID: "p.F", File: attack, Skipped: attack}},
			Mutants:  []results.Mutant{{Function: "p.F", Original: attack, Replacement: attack, Status: results.Unviable, Reason: attack}},
			Warnings: []string{attack},
		}
		var stdout bytes.Buffer
		c := Command{Stdout: &stdout, Stderr: io.Discard}
		if err := c.show(listText(r, false, false)); err != nil {
			t.Fatal(err)
		}
		if line := obeyed(stdout.String()); line != "" {
			t.Errorf("%q prints %q", attack, line)
		}
	}
}

func TestHarmlessTextStaysAsItIs(t *testing.T) {
	const text = "panic: x\n\n\tgoroutine 1 [running]:\n\ta::b #[x] ünïcödé\n"
	if got := shown(t, text); got != text {
		t.Errorf("%q became %q", text, got)
	}
}

// shown returns what is printed of text.
func shown(t *testing.T, text string) string {
	t.Helper()
	var stdout bytes.Buffer
	c := Command{Stdout: &stdout, Stderr: io.Discard}
	if err := c.show(text); err != nil {
		t.Fatal(err)
	}
	return stdout.String()
}

// FuzzTextIsNoCommand checks that no text is printed with a command in it.
func FuzzTextIsNoCommand(f *testing.F) {
	for _, attack := range attacks {
		f.Add(attack)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if line := obeyed(shown(t, text)); line != "" {
			t.Errorf("%q is printed with %q", text, line)
		}
	})
}

func TestMutantsAreListedUnderTheirFunction(t *testing.T) {
	r := &results.Results{
		Scope: []results.Function{
			{ID: "p.init", File: "a.go", StartLine: 1, EndLine: 3}, {ID: "p.init", File: "a.go", StartLine: 5, EndLine: 7},
			{ID: "p.init", File: "b.go", StartLine: 5, EndLine: 7}, {ID: "p.F", File: "b.go", StartLine: 9, EndLine: 10},
		},
		Mutants: []results.Mutant{
			{ID: "m1", Function: "p.init", File: "a.go", Line: 2}, {ID: "m2", Function: "p.init", File: "a.go", Line: 6},
			{ID: "m3", Function: "p.init", File: "b.go", Line: 6}, {ID: "m4", Function: "p.F", File: "b.go", Line: 8}, // of the lines before it
		},
	}
	var got []string
	for line := range strings.Lines(listText(r, false, true)) {
		got = append(got, strings.Fields(line)[0])
	}
	if want := "a.go:1: m1 a.go:5: m2 b.go:5: m3 b.go:9: m4"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", got, want)
	}
}
