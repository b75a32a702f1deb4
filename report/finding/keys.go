package finding

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// inputKey names the call that exposes m and its results with and without m. It is "" if the call cannot be written.
func inputKey(m *results.Mutant) string {
	if m.ExposedBy == nil || m.ExposedBy.Call == "" {
		return ""
	}
	x := m.ExposedBy
	return hash(append(slices.Clone(x.Setup), x.Call, x.Original, x.Mutant)...)
}

// editKey names the lines that m alters and what becomes of them, without regard to place and layout.
func editKey(m *results.Mutant) string {
	if other := fact.Wraps(m); other != "" {
		return "wraps " + other
	}
	if other := fact.Unwraps(m); other != "" {
		return "unwraps " + other
	}
	return edit.Key(m)
}

// mutantKey names a mutant by function, operator and source, without layout and comments.
func mutantKey(m *results.Mutant) string {
	return hash("mutant", m.Function, m.Operator, edit.Tokens(m.Original), edit.Tokens(m.Replacement))
}

// crashKey names a crash by harness, kind and, unless the target itself wrote it, first line of the message. Digits do not
// count: they vary with the input.
func crashKey(c *results.Crash) string {
	if c.Kind == results.CrashFailure { // its message may quote the input
		return hash("crash", c.Harness, c.Kind)
	}
	first, _, _ := strings.Cut(c.Message, "\n")
	letters := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, first)
	return hash("crash", c.Harness, c.Kind, letters)
}

// hash returns 16 hexadecimal digits that name the parts.
func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
