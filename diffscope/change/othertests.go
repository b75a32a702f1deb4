package change

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
)

// otherTest matches the name of a test that is not written in Go, such as test/test_core.rb, e2e/login.py or run.bats.
var otherTest = regexp.MustCompile(`(?i)(^|/)((tests?|specs?|e2e|__tests__|(integration|acceptance)([-_]tests?)?)/(.*/)?[^/]*|test[-_][^/]*|[^/]*[-_.](tests?|spec))\.(rb|py|js|jsx|mjs|cjs|ts|tsx|sh|bash|pl|t|php|lua|java|kt|rs|exs?|robot)$|\.bats$`)

// foreign matches the name of a file that belongs to somebody else, or that is data.
var foreign = regexp.MustCompile(`(^|/)(vendor|node_modules|third_party|testdata)/`)

// isOtherTest reports whether a file is such a test of the module's own.
func isOtherTest(name string) bool { return otherTest.MatchString(name) && !foreign.MatchString(name) }

// otherTests reports whether the tree has tests in other languages: that of a commit, or the working tree if head is empty.
func (g git) otherTests(ctx context.Context, head string) bool {
	args := []string{"ls-files", "-z"}
	if head != "" {
		args = []string{"ls-tree", "-r", "--name-only", "-z", head}
	}
	out, err := g.run(ctx, nil, args...)
	return err == nil && slices.ContainsFunc(namesIn(out), isOtherTest)
}

// OtherTests returns those of the changed files that are tests in other languages and may be for the Go code. Tests are for
// code in their own language if the change alters such code, too. read reports whether Go tests read a file.
func OtherTests(changed []string, read func(name string) bool) (tests []string) {
	code := map[string]bool{} // extensions of changed files that are no tests
	for _, name := range changed {
		if isOtherTest(name) && !read(name) {
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
