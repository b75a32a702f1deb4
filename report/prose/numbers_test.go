package prose

import (
	"math"
	"testing"
)

func TestCountsHaveUnits(t *testing.T) {
	tests := map[int64]string{
		0: "0", 1: "1", 9_999: "9999", 10_000: "10.0 k", 12_345: "12.3 k",
		999_949: "999.9 k", 999_950: "1.0 M", 2_104_233: "2.1 M", 999_960_000: "1.0 G",
		3_200_000_000: "3.2 G", math.MaxInt64: "999.9 T",
	}
	for n, want := range tests {
		if got := Count(n); got != want {
			t.Errorf("count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestDurationsAreForPeople(t *testing.T) {
	tests := map[float64]string{
		-1: "0.0 s", 0: "0.0 s", 0.44: "0.4 s", 9.94: "9.9 s", 9.95: "10 s", 42.4: "42 s",
		59.6: "1 min 0 s", 238: "3 min 58 s", 3599.4: "59 min 59 s", 3599.6: "1 h 0 min",
		3720: "1 h 2 min", 1e300: "0.0 s", math.Inf(1): "0.0 s",
	}
	for seconds, want := range tests {
		if got := Duration(seconds); got != want {
			t.Errorf("duration(%g) = %q, want %q", seconds, got, want)
		}
	}
}
