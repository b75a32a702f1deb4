package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/sethvargo/go-githubactions"

	"github.com/mutantfuzz/mutantfuzz/engine"
)

// progress is an engine.Progress that has to be closed.
type progress interface {
	engine.Progress
	// Close ends the current phase. It may be called twice.
	Close()
}

// progress returns bars on a terminal and lines elsewhere. In GitHub Actions, the lines are grouped by phase if
// groups is set. If quiet is set, it shows nothing.
func (c *Command) progress(quiet, groups bool) progress {
	switch {
	case quiet:
		return &lines{w: io.Discard, now: time.Now}
	case c.Getenv("GITHUB_ACTIONS") == "true" && !groups:
		return &lines{w: c.Stderr, now: time.Now}
	case c.Getenv("GITHUB_ACTIONS") == "true":
		groups := githubactions.New(githubactions.WithWriter(c.Stderr), githubactions.WithGetenv(c.Getenv))
		return &lines{w: c.Stderr, now: time.Now, groups: groups}
	case terminal(c.Stderr) != nil:
		return &bars{w: terminal(c.Stderr)}
	default:
		return &lines{w: c.Stderr, now: time.Now}
	}
}

// sparse is the least time between two lines of one phase.
const sparse = 15 * time.Second

// lines shows progress as lines: one for each phase, and more of them at intervals of at least sparse. It is safe
// for concurrent use.
type lines struct {
	mu      sync.Mutex
	w       io.Writer
	now     func() time.Time
	groups  *githubactions.Action // nil: no groups
	name    string                // of the current phase; empty: none
	n, done int
	last    time.Time // when a line was written
}

func (l *lines) Phase(name string, n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end()
	l.name, l.n, l.done, l.last = name, n, 0, l.now()
	title := name
	if n > 0 {
		title = fmt.Sprintf("%s (%d)", name, n)
	}
	if l.groups != nil {
		l.groups.Group(title)
	} else {
		l.say(title)
	}
}

func (l *lines) Step(k int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done += k
	if now := l.now(); now.Sub(l.last) >= sparse {
		l.last = now
		l.say(fmt.Sprintf("%s %d/%d", l.name, l.done, l.n))
	}
}

func (l *lines) Say(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.say(line)
}

func (l *lines) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end()
}

func (l *lines) end() {
	if l.groups != nil && l.name != "" {
		l.groups.EndGroup()
	}
	l.name = ""
}

// say writes one line. It may quote names and output of the analysed program, which neither the runner nor the
// terminal may take for a command.
func (l *lines) say(line string) { fmt.Fprintf(l.w, "mutantfuzz: %s\n", harmless(line)) }

// bars shows a bar for each phase on a terminal. It is safe for concurrent use.
type bars struct {
	mu  sync.Mutex
	w   *os.File
	bar *progressbar.ProgressBar // nil: no phase
}

func (b *bars) Phase(name string, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end()
	if n == 0 {
		n = -1 // a spinner
	}
	b.bar = progressbar.NewOptions(n,
		progressbar.OptionSetWriter(b.w),
		progressbar.OptionSetDescription(fmt.Sprintf("%-10s", name)),
		progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetRenderBlankState(true),
	)
}

func (b *bars) Step(k int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil {
		b.bar.Add(k)
	}
}

func (b *bars) Say(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil {
		b.bar.Clear()
	}
	fmt.Fprintf(b.w, "mutantfuzz: %s\n", harmless(line))
}

func (b *bars) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end()
}

func (b *bars) end() {
	if b.bar != nil {
		b.bar.Finish()
		b.bar.Clear()
	}
	b.bar = nil
}
