// Package deadline divides the time that a context has left, and measures how much of it is used.
package deadline

import (
	"context"
	"errors"
	"time"
)

// Part returns a context with a part, from 0 to 1, of the time that ctx has left. If ctx has no deadline, the
// result has none either. When the part is over, the result ends with context.DeadlineExceeded, and ctx goes on.
func Part(ctx context.Context, part float64) (context.Context, context.CancelFunc) {
	end, limited := ctx.Deadline()
	if !limited {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Duration(part*float64(time.Until(end))))
}

// Sparing returns part or, if less than keep of the time that ctx has left would remain then, the part that leaves keep; 0
// if there is none. If ctx has no deadline, it returns part.
func Sparing(ctx context.Context, part float64, keep time.Duration) float64 {
	end, limited := ctx.Deadline()
	if !limited {
		return part
	}
	left := time.Until(end)
	if left <= keep {
		return 0
	}
	return min(part, 1-float64(keep)/float64(left))
}

// Within returns a function that runs f in a part of the time that its context has left, as Part does. It is no
// error if only that part runs out: the caller goes on with what f has found until then.
func Within(part float64, f func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		inner, cancel := Part(ctx, part)
		defer cancel()
		err := f(inner)
		if err != nil && ctx.Err() == nil && inner.Err() != nil && Over(ctx, err) {
			return nil
		}
		return err
	}
}

// Timed returns a function that runs f and adds the time that this takes to *seconds.
func Timed(seconds *float64, f func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		start := time.Now()
		err := f(ctx)
		*seconds += time.Since(start).Seconds()
		return err
	}
}

// Over reports whether err only says that some context was cancelled or timed out, or why ctx has ended.
func Over(ctx context.Context, err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil && errors.Is(err, context.Cause(ctx))
}
