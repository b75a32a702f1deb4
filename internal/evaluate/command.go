package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// command is a command to run.
type command struct {
	dir   string
	env   []string // in addition to our environment
	args  []string
	log   io.Writer // gets standard error as it comes; nil: discarded
	watch io.Writer // gets standard output as it comes; nil: discarded
	fine  []int     // exit statuses that are no failure, besides 0
}

// run runs c and returns its standard output.
func (c command) run(ctx context.Context) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, &stdout, &stderr
	if c.log != nil {
		cmd.Stderr = io.MultiWriter(&stderr, c.log)
	}
	if c.watch != nil {
		cmd.Stdout = io.MultiWriter(&stdout, c.watch)
	}
	cmd.Env = append(os.Environ(), c.env...)
	cmd.WaitDelay = 5 * time.Second // a grandchild may keep the pipes open
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%s in %s: %w", c.args[0], c.dir, context.Cause(ctx))
	}
	for _, status := range c.fine {
		if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == status {
			err = nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w\n%s", strings.Join(c.args, " "), c.dir, err, end(stdout.String()+stderr.String()))
	}
	return stdout.Bytes(), nil
}

// timed runs c and returns how long it took.
func (c command) timed(ctx context.Context) ([]byte, time.Duration, error) {
	start := time.Now()
	out, err := c.run(ctx)
	return out, time.Since(start), err
}

// end returns the end of a long text.
func end(s string) string {
	const enough = 2000
	return s[max(0, len(s)-enough):]
}
