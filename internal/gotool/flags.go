package gotool

import (
	"regexp"
	"slices"
	"strings"
)

// strange are flags that make the go command print something other than it is asked for, or instrument source
// before we see it, or look for races, of which woven counters would be some. In GOFLAGS they are meant for other
// commands.
var strange = []string{"cover", "covermode", "coverpkg", "coverprofile", "json", "n", "race", "msan", "asan"}

// flag matches a flag in GOFLAGS. The whole flag may be in quotes.
var flag = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)

// usual returns the value of GOFLAGS without strange flags. ok reports whether there were any.
func usual(flags string) (value string, ok bool) {
	all := flag.FindAllString(flags, -1)
	rest := slices.DeleteFunc(slices.Clone(all), func(f string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(strings.Trim(f, `'"`), "-"), "=")
		return slices.Contains(strange, name)
	})
	return " " + strings.Join(rest, " "), len(rest) < len(all) // never empty: an empty value would count as unset
}
