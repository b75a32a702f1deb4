package results

import "testing"

func TestThatThereIsNoResultIsSaidByALastOneThatIsFalse(t *testing.T) {
	for _, tt := range []struct {
		original, mutant string
		want             bool
	}{
		{"-1, false", "0, false", true},
		{`"", false`, `"a", false`, true},
		{"0, true", "1, false", false},
		{"false", "false", false},
		{"", "", false},
	} {
		if got := (&ExposedBy{Original: tt.original, Mutant: tt.mutant}).Absent(); got != tt.want {
			t.Errorf("%s and %s: %t", tt.original, tt.mutant, got)
		}
	}
}
