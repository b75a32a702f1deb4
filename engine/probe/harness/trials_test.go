//go:build go1.21

package harness

import (
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

func TestHowOftenATestIsRepeated(t *testing.T) {
	const budget = 600 * time.Microsecond
	for _, tt := range []struct {
		name    string
		outcome string
		each    time.Duration // what a run takes
		want    int
	}{
		{"one that passes quickly", wire.OutcomeOK, 200 * time.Microsecond, 3},
		{"one that passes slowly", wire.OutcomeOK, time.Second, 0},
		{"one that fails quickly", wire.OutcomeFailure, 100 * time.Microsecond, 6},
		{"one that fails and takes a while", wire.OutcomeFailure, 5 * time.Millisecond, 3},
		{"one that fails slowly", wire.OutcomeFailure, time.Second, 1},
	} {
		n := 0
		for n < 100 && !enough(n, time.Duration(n+1)*tt.each, budget, tt.outcome) {
			n++
		}
		if n != tt.want {
			t.Errorf("%s: %d times, want %d", tt.name, n, tt.want)
		}
	}
}
