package prose

import (
	"fmt"
	"math"
	"strconv"
)

// maxCount is the largest number that Count writes. Results may be forged, and GitHub takes seven digits in a row for
// the name of a commit.
const maxCount = 999_900_000_000_000

// Count formats n for people: exactly up to 9,999, otherwise with one decimal and a unit, such as "12.3 k" or "2.1 M".
func Count(n int64) string {
	if n < 10_000 {
		return fmt.Sprint(n)
	}
	v, unit := float64(min(n, maxCount)), ""
	for _, u := range []string{"k", "M", "G", "T"} {
		v, unit = v/1000, u
		if v < 999.95 { // otherwise it rounds up to the next unit
			break
		}
	}
	return fmt.Sprintf("%.1f %s", v, unit)
}

// Duration formats a number of seconds for people, such as "0.4 s", "42 s", "3 min 58 s" or "1 h 2 min".
func Duration(seconds float64) string {
	if !(seconds > 0) || seconds > math.MaxInt32 {
		seconds = 0
	}
	switch whole := int64(math.Round(seconds)); {
	case seconds < 9.95:
		return fmt.Sprintf("%.1f s", seconds)
	case whole < 60:
		return fmt.Sprintf("%d s", whole)
	case whole < 3600:
		return fmt.Sprintf("%d min %d s", whole/60, whole%60)
	default:
		return fmt.Sprintf("%d h %d min", whole/3600, whole%3600/60)
	}
}

// Plural returns n, formatted by Count, and the matching noun after a space.
func Plural(n int, one, many string) string {
	return Count(int64(n)) + " " + Noun(n, one, many)
}

// Noun returns the form of a noun, or of other words, that matches n things: one for a single thing, else many.
func Noun(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Exact formats n exactly, for counts that have to add up.
func Exact(n int) string { return strconv.Itoa(n) }
