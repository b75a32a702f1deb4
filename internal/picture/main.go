// Command picture draws a review as GitHub shows it, for the README:
//
//	go run ./internal/picture docs/review.md >docs/review.svg
//
// go generate ./internal/picture first makes the demo write the review.
//
// It knows only the Markdown that reviews are made of. What is folded stays folded. Texts keep the widths that
// they are laid out with, whatever fonts the viewer has.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

//go:generate go test ../../cmd/mutantfuzz -run TestDemo -update
//go:generate go test . -run TestThePicture -update

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

// run draws the review in the file that args name.
func run(args []string, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("one file with a review is needed\nhint: go run ./internal/picture docs/review.md >docs/review.svg")
	}
	review, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	picture, err := draw(review)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	_, err = out.Write(picture)
	return err
}
