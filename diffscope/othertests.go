package diffscope

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// otherTest matches the name of a test that is not written in Go, such as test/test_core.rb, e2e/login.py or run.bats.
var otherTest = regexp.MustCompile(`(?i)(^|/)((tests?|specs?|e2e|__tests__|(integration|acceptance)([-_]tests?)?)/(.*/)?[^/]*|test[-_][^/]*|[^/]*[-_.](test|spec))\.(rb|py|js|jsx|mjs|cjs|ts|tsx|sh|bash|pl|t|php|lua|java|kt|rs|exs?|robot)$|\.bats$`)

// otherTests returns those of the changed files that are tests in other languages and may be for the Go code. Tests are for
// code in their own language if the change alters such code, too. read reports whether Go tests read a file.
func otherTests(changed []string, read func(name string) bool) (tests []string) {
	code := map[string]bool{} // extensions of changed files that are no tests
	for _, name := range changed {
		if otherTest.MatchString(name) && !read(name) {
			tests = append(tests, name)
		} else {
			code[language(name)] = true
		}
	}
	return slices.DeleteFunc(tests, func(name string) bool { return code[language(name)] })
}

// language returns the extension that stands for the language of a file: that of JavaScript for all that becomes it.
func language(name string) string {
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".vue", ".svelte":
		return ".js"
	case ".bash", ".bats":
		return ".sh"
	default:
		return ext
	}
}
