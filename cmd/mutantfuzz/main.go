// Command mutantfuzz mutates the functions that a change touches, fuzzes the
// mutants and the program, and reports which mutants no test notices.
//
// See "mutantfuzz help" for its commands.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	c := Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}
	os.Exit(c.Main(ctx, os.Args[1:]))
}
