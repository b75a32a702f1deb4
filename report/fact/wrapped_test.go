package fact

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestThatAChangeFindsWrappedErrorsIsKnown(t *testing.T) {
	as := "\tvar he *HTTPError\n\tif errors.As(err, &he) {\n"
	for name, tt := range map[string]struct{ now, old, want string }{
		"a type":                  {as, "\tif he, ok := err.(*HTTPError); ok {\n", "*HTTPError"},
		"a type, with an import":  {as, "var _ = errors.As\n\tif he, ok := err.(*HTTPError); ok {\n", "*HTTPError"},
		"a type of a package":     {"\tif errors.As(err, &he) && he.Code == 404 {\n", "\tif he, ok := err.(*echo.HTTPError); ok && he.Code == 404 {\n", "*echo.HTTPError"},
		"an error":                {"\tif errors.Is(err, io.EOF) {\n", "\tif err == io.EOF {\n", "io.EOF"},
		"an error that is not":    {"\treturn !errors.Is(err, io.EOF)\n", "\treturn err != io.EOF\n", "io.EOF"},
		"a case of a switch":      {"\tswitch {\n\tcase errors.Is(err, io.EOF):\n", "\tswitch err {\n\tcase io.EOF:\n", "io.EOF"},
		"another error":           {"\tif errors.Is(err, io.EOF) {\n", "\tif err == ErrClosed {\n", ""},
		"a check that is new":     {"\tif errors.Is(err, io.EOF) {\n\t\treturn nil\n\t}\n", "", ""},
		"one that was there":      {"\tif n > 0 && errors.Is(err, io.EOF) {\n", "\tif errors.Is(err, io.EOF) {\n", ""},
		"the other way round":     {"\tif err == io.EOF {\n", "\tif errors.Is(err, io.EOF) {\n", ""},
		"another value asked for": {"\tif errors.Is(err, io.EOF) {\n", "\tif n == 0 {\n", ""},
	} {
		m := &results.Mutant{Operator: "hunk-reversal", Category: results.CategoryReversal, Stage: results.Reached, Original: tt.now, Replacement: tt.old}
		m.Evidence.Tests = 1
		if got := Unwraps(m); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		for what, change := range map[string]func(){
			"a test tells them apart": func() { m.Stage = results.Infected },
			"no test runs it":         func() { m.Stage, m.Evidence.Tests = results.Reached, 0 },
		} {
			if change(); Unwraps(m) != "" {
				t.Errorf("%s, but %s: %q", name, what, Unwraps(m))
			}
		}
	}
}
