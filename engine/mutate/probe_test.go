package mutate

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// probeText returns a description of a mutant's probe on one line.
func probeText(f *Function, m Mutant) string {
	if m.Probe == nil {
		return "none"
	}
	watched := f.Source[m.Probe.Offset:m.Probe.EndOffset]
	switch m.Probe.Kind {
	case WhenTrue:
		return fmt.Sprintf("%s is true", watched)
	case WhenFalse:
		return fmt.Sprintf("%s is false", watched)
	}
	return fmt.Sprintf("%s differs from %s", watched, m.Probe.Mutated)
}

func TestProbes(t *testing.T) {
	const types = "type p struct{ n int }\ntype count int\ntype truth bool\nfunc get() int\nfunc is() bool\n"
	tests := map[string]struct {
		params, body, operator string
		want                   []string
	}{
		"comparison":                                    {"a, b int", "_ = a < b", "relational", []string{"a < b differs from a <= b", "a < b differs from a != b", "a < b is true"}},
		"comparison of a call":                          {"a int", "_ = a < get()", "relational", []string{"none", "none", "a < get() is true"}},
		"comparison of what has panicked":               {"s []int, i int", "_ = s[i] < 3", "relational", []string{"s[i] < 3 differs from s[i] <= 3", "s[i] < 3 differs from s[i] != 3", "s[i] < 3 is true"}},
		"comparison received":                           {"c chan int", "_ = <-c < 3", "relational", []string{"none", "none", "<-c < 3 is true"}},
		"sum":                                           {"a, b int", "_ = a + b", "arithmetic", []string{"a + b differs from a - b"}},
		"quotient for product":                          {"a, b int", "_ = a * b", "arithmetic", []string{"none"}},
		"product for quotient":                          {"a, b int", "_ = a / b", "arithmetic", []string{"none"}},
		"shift by what may be negative":                 {"a, b int", "_ = a << b", "bitwise", []string{"none"}},
		"shift by what is never negative":               {"a int, b uint", "_ = a << b", "bitwise", []string{"a << b differs from a >> b"}},
		"signed zeros":                                  {"a, b float64", "_ = a - b", "arithmetic", []string{"none"}},
		"untyped shift":                                 {"b uint8", "var x int64 = 1 << b; _ = x", "bitwise", []string{"none"}},
		"result of a named boolean type":                {"a, b int", "var x truth = a < b; _ = x", "relational", []string{"none", "none", "none"}},
		"beside a call that may change its operands":    {"f func(int, int), a, b int", "f(a + b, get())", "arithmetic", []string{"none"}},
		"before a call in another operand of &&":        {"a, b bool", "_ = a && is()", "condition", []string{"a is false", "is() is false"}},
		"connector with a right operand that may panic": {"p *p", "if p != nil && p.n == 0 { return }", "logical", []string{"none"}},
		"connector with a total right operand":          {"a, b bool", "if a || b { return }", "logical", []string{"a || b is true"}},
		"branch with else":                              {"a bool, n *int", "if a { *n = 1 } else { *n = 2 }", "branch-removal", []string{"none", "none"}},
		"negation of a count":                           {"a count", "_ = -a", "unary", []string{"-a differs from a"}},
		"statement":                                     {"n *int", "*n = 1", "statement-deletion", []string{"none"}},
		"left out text":                                 {"a string", "_ = a + \"x\"", "concatenation", []string{"a differs from \"\"", "none"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f := load(t, "package p\n\nfunc f("+test.params+") {\n\t"+test.body+"\n}\n"+types)
			var got []string
			for _, m := range Mutants(f) {
				if m.Operator == test.operator {
					got = append(got, probeText(f, m))
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
