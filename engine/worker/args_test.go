package worker

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestAnchorMatchesTheNamedTestsAlone(t *testing.T) {
	tests := []struct {
		names []string
		want  string
	}{
		{[]string{"TestX"}, `^TestX$`},
		{[]string{"TestX/sub/case"}, `^TestX$/^sub$/^case$`},
		{[]string{"TestX/a.b(c)|d#01"}, `^TestX$/^a\.b\(c\)\|d#01$`},
		{[]string{"TestX", "TestY"}, `^(TestX|TestY)$`},
		{[]string{"TestX", "TestY/sub", "TestZ"}, `^TestY$/^sub$|^(TestX|TestZ)$`},
	}
	for _, tt := range tests {
		if got := Anchor(tt.names...); got != tt.want {
			t.Errorf("Anchor(%q) = %s, want %s", tt.names, got, tt.want)
		}
	}
}

func TestArgsAreThoseOfGoTest(t *testing.T) {
	want := []string{"-test.paniconexit0", "-test.timeout=1m0s", "-test.run=^TestX$"}
	if diff := cmp.Diff(want, TestArgs(time.Minute, "TestX")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"-test.paniconexit0", "-test.timeout=0s"}, TestArgs(0)); diff != "" {
		t.Error(diff)
	}
}
