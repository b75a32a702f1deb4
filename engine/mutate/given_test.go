package mutate

import "testing"

func TestConditionsSayWhatGaveTheirVariableItsValue(t *testing.T) {
	for body, want := range map[string]string{
		"if err := g(); err != nil { return 1 }":                         "g()",
		"n, err := h(2); if err != nil { return n }":                     "h(2)",
		"m := map[int]int{}; _, ok := m[7]; if ok {return 1}":            "m[7]",
		"_, ok := any(3).(int); if !ok { return 1 }":                     "any(3).(int)",
		"a, b := true, false; if b { println(a) }":                       "false",
		"err := g(); println(err); if err != nil { return 1 }":           "", // not the statement before
		"a := 1; err := g(); a++; if a > 1 { println(err) }":             "",
		"err := g(); other := g(); if err != nil { println(other) }":     "",
		"err := g(); if err != nil && len(err.Error()) > 2 { return 1 }": "",
	} {
		f := loadAll(t, "package p\n\nfunc g() error { return nil }\n\nfunc h(n int) (int, error) { return n, nil }\n\nfunc f() int { "+body+"; return 0 }\n")[2]
		var got string
		for _, m := range Mutants(f) {
			if m.Given != "" {
				got = m.Given
			}
		}
		if got != want {
			t.Errorf("%s: given by %q, want %q", body, got, want)
		}
	}
}
