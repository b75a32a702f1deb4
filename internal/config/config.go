// Package config reads the configuration file of a repository: what a team has decided for all its members and
// builds. Whoever proposes a change can change the file with it, so the file is untrusted. It is bounded in size
// and in effect, and texts from it have to be escaped like all foreign text.
package config

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"
)

// Name is the name of the file, which is in the root of the repository.
const Name = "mutantfuzz.yml"

// MaxSize is the largest size of the file, in bytes.
const MaxSize = 1 << 20

// Further bounds on what Decode accepts.
const (
	MaxFindings    = 100  // the largest Limits.MaxFindings
	maxPatterns    = 100  // of excluded paths: each is compared with each file in scope
	maxPattern     = 200  // bytes of one pattern
	maxDismissed   = 1000 // dismissals
	maxText        = 1000 // characters of a string
	maxOperators   = 100  // names of disabled operators
	patternExample = "as in internal/gen/** for a folder with all below it, or **/*.pb.go for files in any folder"
)

// Config is what the file says; Decode makes it. The zero value is that of an empty file and changes nothing.
type Config struct {
	Paths     Paths       `yaml:"paths"`
	Operators Operators   `yaml:"operators"`
	Limits    Limits      `yaml:"limits"`
	Dismissed []Dismissal `yaml:"dismissed"`
}

// Paths says which files are analysed.
type Paths struct {
	// Exclude lists patterns of files that are never mutated. They are slash-separated and relative to the root;
	// "**" stands for any number of folders.
	Exclude []string `yaml:"exclude"`
}

// Operators says which operators make mutants.
type Operators struct {
	Disable []string `yaml:"disable"` // names of operators that make no mutants
}

// Limits are defaults for flags.
type Limits struct {
	Time        time.Duration `yaml:"time"`         // bound on the whole run; 0: not set
	MaxFindings int           `yaml:"max-findings"` // of a review, up to the constant MaxFindings; 0: not set
}

// Dismissal describes mutants that a team does not want to see again.
type Dismissal struct {
	Function string `yaml:"function"` // ID, as in results.json
	Operator string `yaml:"operator"` // name; empty: any
	Edit     string `yaml:"edit"`     // as reviews show it, in any layout; empty: any
	Reason   string `yaml:"reason"`   // for people
	Line     int    `yaml:"-"`        // in the file, from 1
	plain    string // Edit as withoutLayout returns it
}

// Excluded returns the first pattern that excludes a file from being mutated, or "" if none does. file is
// slash-separated and relative to the root.
func (c *Config) Excluded(file string) string {
	i := slices.IndexFunc(c.Paths.Exclude, func(pattern string) bool { return doublestar.MatchUnvalidated(pattern, file) })
	if i < 0 {
		return ""
	}
	return c.Paths.Exclude[i]
}

// Disabled reports whether the file disables an operator, so that it makes no mutants.
func (c *Config) Disabled(operator string) bool {
	return slices.Contains(c.Operators.Disable, operator)
}

// Matching returns the entries of Dismissed that apply to a mutant, given the ID of its function, the name of its
// operator and its edit as reviews show it.
func (c *Config) Matching(function, operator, edit string) (list []*Dismissal) {
	plain := withoutLayout(edit)
	for i := range c.Dismissed {
		d := &c.Dismissed[i]
		if d.Function == function && (d.Operator == "" || d.Operator == operator) && (d.Edit == "" || d.plain == plain) {
			list = append(list, d)
		}
	}
	return list
}

// withoutLayout removes from an edit what depends on where it was copied from: white space and the backquotes
// that mark code. It turns "->" into "→".
func withoutLayout(edit string) string {
	return strings.ReplaceAll(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '`' {
			return -1
		}
		return r
	}, edit), "->", "→")
}

// Error is a fault in the file.
type Error struct {
	Line int    // from 1; 0: the fault is in the file as a whole
	Msg  string // one line, in which texts of the file are quoted
	Hint string // the next step
}

// Error returns the place, the fault and the hint.
func (e *Error) Error() string {
	place := Name
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d", Name, e.Line)
	}
	return fmt.Sprintf("%s: %s\nhint: %s", place, e.Msg, e.Hint)
}
