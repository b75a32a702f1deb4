package engine

import (
	"context"
	"testing"
	"time"
)

func TestSlowBuildsLeaveMoreTimeForConfirmingVerdicts(t *testing.T) {
	bounded, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	late, cancelLate := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancelLate()
	for _, tt := range []struct {
		name  string
		ctx   context.Context
		build time.Duration
		want  float64
	}{
		{"without a limit", t.Context(), 30 * time.Minute, verifyPart},
		{"quick builds", bounded, time.Minute, verifyPart},
		{"builds of a sixth of the time", bounded, 10 * time.Minute, slowPart},
		{"no time left", late, 10 * time.Minute, verifyPart},
	} {
		a := &analysis{built: tt.build}
		if got := a.confirming(tt.ctx); got != tt.want {
			t.Errorf("%s: %.2f of the time, want %.2f", tt.name, got, tt.want)
		}
	}
}
