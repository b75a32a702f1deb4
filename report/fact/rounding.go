package fact

import (
	"math"
	"regexp"
	"strconv"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// fraction matches a number in Go source, with or without a decimal point or exponent.
var fraction = regexp.MustCompile(`\b\d+(?:\.\d+)?(?:e[-+]?\d+)?\b`)

// maxRounding is the largest relative difference that counts as rounding.
const maxRounding = 1e-9

// OnlyRounding reports whether program and mutant give results that differ only in fractions, each by so little that
// rounding explains it.
func OnlyRounding(x *results.ExposedBy) bool {
	if x.Original == x.Mutant || fraction.ReplaceAllString(x.Original, "0") != fraction.ReplaceAllString(x.Mutant, "0") {
		return false
	}
	before, after := fraction.FindAllString(x.Original, -1), fraction.FindAllString(x.Mutant, -1)
	for i, text := range before {
		if text != after[i] && !nearly(text, after[i]) {
			return false
		}
	}
	return true
}

// nearly reports whether two numbers, not both integers, are almost equal.
func nearly(a, b string) bool {
	_, aWhole := strconv.ParseInt(a, 10, 64)
	_, bWhole := strconv.ParseInt(b, 10, 64)
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX != nil || errY != nil || aWhole == nil && bWhole == nil {
		return false
	}
	return math.Abs(x-y) <= maxRounding*max(math.Abs(x), math.Abs(y))
}
