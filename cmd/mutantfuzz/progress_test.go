package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/sethvargo/go-githubactions"
)

func TestLinesAreSparse(t *testing.T) {
	var b bytes.Buffer
	clock := time.Unix(0, 0)
	l := &lines{w: &b, now: func() time.Time { return clock }}
	l.Phase("tests", 100)
	for range 100 {
		clock = clock.Add(sparse / 10)
		l.Step(1)
	}
	l.Close()
	if got := strings.Count(b.String(), "\n"); got != 11 {
		t.Errorf("%d lines, want one for the phase and one for each of 10 intervals:\n%s", got, b.String())
	}
	if !strings.HasSuffix(b.String(), "mutantfuzz: tests 100/100\n") {
		t.Errorf("the last line is wrong:\n%s", b.String())
	}
}

func TestGroupsAreClosed(t *testing.T) {
	var b bytes.Buffer
	l := &lines{w: &b, now: time.Now, groups: githubactions.New(githubactions.WithWriter(&b))}
	l.Phase("build", 0)
	l.Phase("tests", 3)
	l.Close()
	l.Close()
	want := "::group::build\n::endgroup::\n::group::tests (3)\n::endgroup::\n"
	if b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

// FuzzLinesAreNoCommands checks that any text of the analysed program is printed as one line, without commands to the
// runner or the terminal.
func FuzzLinesAreNoCommands(f *testing.F) {
	f.Add("\n::error::x")
	f.Add("##[error]x")
	f.Add("\x1b[2J\u009b2J")
	f.Fuzz(func(t *testing.T, text string) {
		var b bytes.Buffer
		l := &lines{w: &b, now: time.Now}
		l.Say(text)
		line := strings.TrimSuffix(b.String(), "\n")
		if strings.ContainsAny(line, "\n\r\x1b\u009b") || strings.Contains(line, "##[") || !strings.HasPrefix(line, "mutantfuzz: ") {
			t.Errorf("Say(%q) wrote %q", text, line)
		}
	})
}
