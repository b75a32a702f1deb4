package witness

import (
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// ofTests has the names that a generated test uses for other things.
var ofTests = []string{"t", "got", "want", "err", "testing", "assert", "require", "errors", "io", "math", "reflect", "time"}

// renumbered renames the variables that a setup declares, so that they have numbers only where they need them beside
// each other. A driver numbers its variables among all that it declares.
func renumbered(setup []string, call string) ([]string, string) {
	texts := append(slices.Clone(setup), call)
	names := map[string]bool{} // all that occur
	for _, name := range ofTests {
		names[name] = true
	}
	for _, text := range texts {
		for t := range identifiers(text) {
			names[t.name] = true
		}
	}
	called := map[string]string{}
	for _, statement := range setup {
		left, _, declares := strings.Cut(statement, " := ")
		if !declares {
			continue
		}
		for _, name := range strings.Split(left, ", ") {
			base := strings.TrimRight(name, "0123456789")
			if base == name || base == "" || token.IsKeyword(base) {
				continue
			}
			better := base
			for n := 2; names[better] && better != name; n++ {
				better = base + strconv.Itoa(n)
			}
			names[better], called[name] = true, better
		}
	}
	for i, text := range texts {
		texts[i] = renamed(text, called)
	}
	return texts[:len(setup)], texts[len(setup)]
}

// renamed replaces the names of variables in Go source.
func renamed(text string, called map[string]string) string {
	var b strings.Builder
	at := 0
	for t := range identifiers(text) {
		if other := called[t.name]; other != "" && !t.selected {
			b.WriteString(text[at:t.offset] + other)
			at = t.offset + len(t.name)
		}
	}
	return b.String() + text[at:]
}

// identifier is an identifier in a text.
type identifier struct {
	name     string
	offset   int
	selected bool // it follows a dot
}

// identifiers returns the identifiers in Go source.
func identifiers(text string) func(yield func(identifier) bool) {
	return func(yield func(identifier) bool) {
		var s scanner.Scanner
		file := token.NewFileSet().AddFile("", -1, len(text))
		s.Init(file, []byte(text), func(token.Position, string) {}, 0)
		before := token.ILLEGAL
		for pos, tok, lit := s.Scan(); tok != token.EOF; pos, tok, lit = s.Scan() {
			if tok == token.IDENT && !yield(identifier{lit, file.Offset(pos), before == token.PERIOD}) {
				return
			}
			before = tok
		}
	}
}
