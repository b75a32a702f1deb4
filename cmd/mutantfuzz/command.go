package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/mutantfuzz/mutantfuzz/report"
)

// Command is one invocation of mutantfuzz. All fields but Formats are required.
type Command struct {
	Stdin  io.Reader           // read for --diff -
	Stdout io.Writer           // what the command was asked for
	Stderr io.Writer           // progress and errors
	Getenv func(string) string // GITHUB_*, NO_COLOR and TERM are read

	// Formats returns the formats of the report command, of which the first is the default. Nil means
	// report.AllFormats.
	Formats func(report.TextOptions) report.Formats
}

// Main runs the command line args, which do not include the program's name, and returns the exit status. If ctx
// ends before the command does, it writes what was found so far and returns ExitInterrupted.
func (c *Command) Main(ctx context.Context, args []string) int {
	err := c.execute(ctx, args)
	if ctx.Err() != nil && err != nil {
		err = errInterrupted
	}
	if err != nil {
		c.complain(err)
	}
	return exitStatus(err)
}

// execute runs the command line args. A panic becomes an internal error.
func (c *Command) execute(ctx context.Context, args []string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &internalError{fmt.Errorf("panic: %v\n\n%s", r, debug.Stack())}
		}
	}()
	root := c.root()
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}

const overview = `mutantfuzz mutates the functions that a change touches, builds all mutants into
one test binary, runs tests and fuzzing on them, and reports which mutants
nothing notices.

  mutantfuzz demo                    see it work on a small built-in module
  mutantfuzz run                     analyse what the working tree changes
  mutantfuzz run --base main ./...   ... compared with where it left main
  mutantfuzz explain ID              what is known of one mutant
  mutantfuzz recheck ID              judge it afresh, as after writing a test

Exit status: 0 fine; 1 findings that --fail-on names; 2 usage or configuration;
3 the program cannot be analysed; 4 a fault of mutantfuzz; 130 interrupted, with
partial results.`

// root returns the tree of commands.
func (c *Command) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "mutantfuzz",
		Long:          overview,
		SilenceErrors: true, // Main prints them
		SilenceUsage:  true,
		Args:          knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usagef("no command given\nhint: start with \"mutantfuzz demo\", or see \"mutantfuzz help\"")
		},
	}
	root.SetIn(c.Stdin)
	root.SetOut(c.Stdout)
	root.SetErr(c.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%w\nhint: %q lists the flags", err, cmd.CommandPath()+" --help")
	})
	root.AddCommand(c.run(), c.list(), c.report(), c.review(), c.explain(), c.recheck(), c.demo(), c.version())
	return root
}

// knownCommand returns an error if the root command has arguments: they are misspelt commands.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("unknown command %q\nhint: \"mutantfuzz help\" lists the commands", args[0])
}

// noArgs returns an error if there are arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("%s takes no arguments, and %q is one\nhint: see %q", cmd.CommandPath(), args[0], cmd.CommandPath()+" --help")
}

// terminal returns w's file if it is a terminal, else nil.
func terminal(w io.Writer) *os.File {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// textOptions returns the options for text on standard output. On a terminal, the text is coloured unless
// NO_COLOR (https://no-color.org) is set or TERM is "dumb". It is as wide as the terminal, but at most 100
// columns.
func (c *Command) textOptions() report.TextOptions {
	f := terminal(c.Stdout)
	if f == nil {
		return report.TextOptions{}
	}
	o := report.TextOptions{Color: c.Getenv("NO_COLOR") == "" && c.Getenv("TERM") != "dumb"}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		o.Width = min(width, 100)
	}
	return o
}
