package change

import (
	"slices"
	"strings"
	"testing"
)

func TestTestsInOtherLanguages(t *testing.T) {
	for changed, want := range map[string]string{
		"README.md test/test_core.rb test/test_filter.rb man/man1/fzf.1": "test/test_core.rb test/test_filter.rb",
		"tests/e2e/login.py":                            "tests/e2e/login.py",
		"scripts/run.bats":                              "scripts/run.bats",
		"cli/parser_test.py":                            "cli/parser_test.py",
		"scripts/js-api-tests.js":                       "scripts/js-api-tests.js",
		"ui/src/App.tsx ui/src/App.test.tsx":            "",
		"ui/src/app.vue ui/src/__tests__/app.spec.js":   "",
		"scripts/build.sh test/run.sh":                  "",
		"test/data.json test/expected.txt":              "",
		"web/test_a.py":                                 "", // Go tests read it
		"vendor/x/test_a.py web/node_modules/y.test.js": "",
		"latest/run.sh contest.py":                      "",
	} {
		got := OtherTests(strings.Fields(changed), func(name string) bool { return strings.HasPrefix(name, "web/") })
		if !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %q, want %q", changed, got, want)
		}
	}
}
