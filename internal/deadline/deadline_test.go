package deadline

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestPartEndsBeforeTheWhole(t *testing.T) {
	whole, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	end, _ := whole.Deadline()
	part, cancel := Part(whole, 0.5)
	defer cancel()
	if got, limited := part.Deadline(); !limited || !got.Before(end.Add(-29*time.Minute)) {
		t.Errorf("ends %v before the whole", end.Sub(got))
	}
}

func TestPartOfNoLimitIsNone(t *testing.T) {
	part, cancel := Part(t.Context(), 0.5)
	if _, limited := part.Deadline(); limited {
		t.Error("it is limited")
	}
	if cancel(); part.Err() == nil {
		t.Error("it cannot be cancelled")
	}
}

func TestSparingLeavesWhatIsToRemain(t *testing.T) {
	whole, cancel := context.WithTimeout(t.Context(), 100*time.Hour)
	defer cancel()
	over, cancelOver := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancelOver()
	for _, tt := range []struct {
		ctx  context.Context
		keep time.Duration
		want float64
	}{
		{whole, 0, 0.4}, {whole, 50 * time.Hour, 0.4}, {whole, 80 * time.Hour, 0.2}, {whole, 200 * time.Hour, 0}, {over, 0, 0}, {t.Context(), time.Hour, 0.4},
	} {
		if got := Sparing(tt.ctx, 0.4, tt.keep); got < tt.want-0.01 || got > tt.want {
			t.Errorf("to keep %v: %.3f, want %.1f", tt.keep, got, tt.want)
		}
	}
}

func TestWithinEndsWithItsPartAloneOfWhichNothingIsToBeKnown(t *testing.T) {
	until := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	long, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	if err := Within(1e-9, until)(long); err != nil {
		t.Errorf("its part is up, and %v", err)
	}
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := Within(1, func(context.Context) error { <-short.Done(); return short.Err() })(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("all of the time is up, and %v", err)
	}
	broken := errors.New("broken")
	if err := Within(1e-9, func(ctx context.Context) error { <-ctx.Done(); return broken })(long); !errors.Is(err, broken) {
		t.Errorf("it is broken, and %v", err)
	}
	if err := Within(0.5, func(context.Context) error { return context.Canceled })(long); !errors.Is(err, context.Canceled) {
		t.Errorf("there is time left, and %v", err)
	}
}

func TestTimedAddsWhatIsTakenEvenByWhatFails(t *testing.T) {
	seconds, broken := 1.0, errors.New("broken")
	err := Timed(&seconds, func(context.Context) error { time.Sleep(2 * time.Millisecond); return broken })(t.Context())
	if !errors.Is(err, broken) || seconds < 1.002 {
		t.Errorf("%v after %v s", err, seconds)
	}
}

func TestOverIsWhatSaysNoMoreThanThatItIsLate(t *testing.T) {
	interrupted, broken := errors.New("interrupted"), errors.New("broken")
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(interrupted)
	for _, tt := range []struct {
		ctx  context.Context
		err  error
		want bool
	}{
		{t.Context(), fmt.Errorf("testing: %w", context.DeadlineExceeded), true},
		{t.Context(), context.Canceled, true},
		{ended, interrupted, true},
		{t.Context(), interrupted, false},
		{ended, broken, false},
	} {
		if got := Over(tt.ctx, tt.err); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.err, got, tt.want)
		}
	}
}
