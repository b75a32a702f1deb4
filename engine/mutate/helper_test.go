package mutate

import "testing"

func TestHelpersOfTestsAreArid(t *testing.T) {
	for params, want := range map[string]string{
		"t *testing.T":        "test-helper",
		"n int, b testing.TB": "test-helper",
		"f *testing.F":        "test-helper",
		"t interface { Fatalf(string, ...any); Cleanup(func()) }": "test-helper",
		"t interface { Errorf(string, ...any); FailNow() }":       "-", // as assertion packages have it
		"t interface { Cleanup(func()) }":                         "-",
		"m *testing.M":                                            "-", // it runs tests, but is not passed to them
		"":                                                        "-",
	} {
		f := load(t, "package p\n\nimport \"testing\"\n\nvar _ testing.TB\n\nfunc f("+params+") int {\n\treturn 1\n}\n")
		if got := aridRules(t, f); got != want {
			t.Errorf("%s: rules are %q, want %q", params, got, want)
		}
	}
	hook := load(t, "package p\n\nimport \"testing\"\n\nvar forced bool\n\nfunc f() bool {\n\treturn testing.Testing() && forced\n}\n")
	if got := aridRules(t, hook); got != "test-helper" {
		t.Errorf("what asks for tests: rules are %q", got)
	}
}
