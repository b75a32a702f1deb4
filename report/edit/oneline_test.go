package edit

import "testing"

func TestStatementsOnOneLineAreToldApart(t *testing.T) {
	for source, want := range map[string]string{
		"t := a.Time()\n\n\ta.Value =  t\n":   "t := a.Time(); a.Value = t",
		"if n > 0 {\n\treturn nil\n}":         "if n > 0 { return nil }",
		"a &&\n\tb":                           "a && b",
		"f(\n\ta,\n\tb,\n)":                   "f( a, b, )",
		"x := 1":                              "x := 1",
		"{\n\t// empty with $ref\n\tx = 2\n}": "{ x = 2 }",
	} {
		if got := OnOneLine(source); got != want {
			t.Errorf("%q: %s, want %s", source, got, want)
		}
	}
}
