package gotool

import (
	"regexp"
	"slices"
	"strings"
)

// strange are flags that make the go command print something else than it is asked for, or instrument source before
// anybody sees it. In GOFLAGS they are meant for other commands.
var strange = []string{"cover", "covermode", "coverpkg", "coverprofile", "json", "n"}

// flag matches a flag in GOFLAGS, which may be in quotes as a whole.
var flag = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)

// usual is the value of GOFLAGS that does without such flags; ok: that is another one.
func usual(flags string) (value string, ok bool) {
	all := flag.FindAllString(flags, -1)
	rest := slices.DeleteFunc(slices.Clone(all), func(f string) bool {
		name, _, _ := strings.Cut(strings.TrimLeft(strings.Trim(f, `'"`), "-"), "=")
		return slices.Contains(strange, name)
	})
	return " " + strings.Join(rest, " "), len(rest) < len(all) // not empty, which would not count
}
