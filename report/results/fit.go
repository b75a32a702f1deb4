package results

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// SizeError says that results are too large to be read again, even without everything that can be left out.
type SizeError struct {
	Mutants int
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("the results of %d mutants take more than %d MiB\nhint: analyse fewer packages at once", e.Mutants, MaxSize>>20)
}

// Fit makes r small enough for Decode. It leaves out what can be spared, the least valuable parts first and no more
// than necessary, and adds a warning that says what is missing. The error is a *SizeError if that is not enough.
func Fit(r *Results) error {
	if n := clip(reflect.ValueOf(r).Elem()); n > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("results.json has only the beginning of %d texts that are larger than %d MiB", n, maxString>>20))
	}
	warnings := r.Warnings
	var spared []string
	for _, part := range spare {
		fits, err := readable(r)
		if err != nil || fits {
			return err
		}
		if part.leaveOut(r) {
			spared = append(spared, part.what)
			r.Warnings = append(slices.Clone(warnings), fmt.Sprintf("left out to keep results.json below %d MiB: %s", MaxSize>>20, strings.Join(spared, ", ")))
		}
	}
	fits, err := readable(r)
	if err == nil && !fits {
		err = &SizeError{Mutants: len(r.Mutants)}
	}
	return err
}

// readable reports whether Decode would accept what Encode makes of r.
func readable(r *Results) (bool, error) {
	data, err := Encode(r)
	return err == nil && checkBounds(data) == nil, err
}

// spare lists the parts of results that can be left out, in the order in which they are. leaveOut reports whether there
// was anything to leave out.
var spare = []struct {
	what     string
	leaveOut func(*Results) bool
}{
	{"fuzz targets to start from", func(r *Results) bool {
		there := len(r.Skeletons) > 0
		r.Skeletons = nil
		return there
	}},
	{"stacks of crashes", func(r *Results) bool {
		return each(r.Crashes, func(c *Crash) bool { return c.Stack != "" }, func(c *Crash) { c.Stack = "" })
	}},
	{"tests for exposed mutants", func(r *Results) bool {
		there := func(m *Mutant) bool {
			return m.ExposedBy != nil && (m.ExposedBy.Test != "" || m.ExposedBy.Suggestion != nil)
		}
		return each(r.Mutants, there, func(m *Mutant) {
			m.ExposedBy.Test, m.ExposedBy.TestFile, m.ExposedBy.Suggestion = "", "", nil
		})
	}},
	{"values of corpus entries", func(r *Results) bool {
		return each(r.Corpus.New, func(e *Entry) bool { return len(e.Values) > 0 }, func(e *Entry) { e.Values = nil })
	}},
	{"source of code that nothing runs", func(r *Results) bool {
		return each(r.Scope, func(f *Function) bool { return len(f.Unrun) > 0 }, func(f *Function) { f.Unrun = nil })
	}},
	{"source lines around mutants that did not survive", func(r *Results) bool {
		return each(r.Mutants, func(m *Mutant) bool { return m.Status != Survived }, (*Mutant).bare)
	}},
	{"source lines around survivors", func(r *Results) bool {
		return each(r.Mutants, func(m *Mutant) bool { return m.Status == Survived }, (*Mutant).bare)
	}},
}

// each calls do on the elements of a list for which kind is true, and reports whether there are any.
func each[T any](list []T, kind func(*T) bool, do func(*T)) (some bool) {
	for i := range list {
		if kind(&list[i]) {
			do(&list[i])
			some = true
		}
	}
	return some
}

// maxBare is the number of bytes that a bare mutant keeps of each text.
const maxBare = 200

// bare reduces m to what it takes to find the mutant and to tell what became of it.
func (m *Mutant) bare() {
	m.Context, m.Evidence.By, m.Evidence.ByChange, m.Evidence.Blind, m.Evidence.Never = "", nil, nil, nil, nil
	m.Evidence.Branch = ""
	m.Reason = shorten(m.Reason, maxBare)
	// A shortened replacement would be another mutant, so a long one is left out entirely.
	if m.Needs != nil || len(m.Original)+len(m.Replacement) > 2*maxBare {
		m.Original, m.Replacement, m.Needs = "", "", nil
	}
}

// clip shortens the strings in v that are longer than Decode accepts, and returns how many it shortened. v must be
// settable.
func clip(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.String:
		if v.Len() > maxString {
			v.SetString(shorten(v.String(), maxString))
			n++
		}
	case reflect.Slice:
		for i := range v.Len() {
			n += clip(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			n += clip(v.Field(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			n += clip(v.Elem())
		}
	}
	return n
}

// shorten cuts s to at most n bytes, between characters.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
