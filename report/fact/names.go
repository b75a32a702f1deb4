package fact

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Local returns the name of a harness or test without its import path.
func Local(harness string) string {
	_, name := SplitTest(harness)
	return name
}

// Parent returns the name of the test that a subtest belongs to, with its import path; of a test, it is the name itself.
func Parent(test string) string {
	pkg, name := SplitTest(test)
	name, _, _ = strings.Cut(name, "/")
	return pkg + "." + name
}

// SplitTest splits the name of a test, import/path.TestX[/sub].
func SplitTest(name string) (pkg, test string) {
	if m := testName.FindStringSubmatch(name); m != nil {
		return m[1], m[2]
	}
	return splitName(name)
}

// testName matches the name of a test after an import path. The path may contain dots, and the name of a subtest dots
// and slashes.
var testName = regexp.MustCompile(`^(.*?)\.((?:Test|Fuzz|Example)[^/]*(?:/.*)?)$`)

// splitName splits the name of a harness or test, import/path.Name. The path may have dots of its own.
func splitName(harness string) (pkg, name string) {
	dot := strings.LastIndexByte(harness, '.')
	if dot < 0 {
		return ".", harness
	}
	return harness[:dot], harness[dot+1:]
}

// FunctionName returns the name of the function id without its import path. The last part of the path stands before it
// if another function in scope has the same name. A function that is not in scope keeps its ID.
func FunctionName(r *results.Results, id string) string {
	i := slices.IndexFunc(r.Scope, func(f results.Function) bool { return f.ID == id && f.Name != "" })
	if i < 0 {
		return id
	}
	f := &r.Scope[i]
	if slices.ContainsFunc(r.Scope, func(o results.Function) bool { return o.Name == f.Name && o.ID != id }) {
		return path.Base(f.Package) + "." + f.Name
	}
	return f.Name
}

// DoneTo returns, for the change of a test, the verb for what the change under analysis does to it, such as "deletes".
func DoneTo(change string) string {
	return map[string]string{results.TestDeleted: "deletes", results.TestAltered: "alters", results.TestKept: "leaves as it is"}[change]
}
