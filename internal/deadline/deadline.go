// Package deadline divides the time that a context has left, and measures what is used of it.
package deadline

import (
	"context"
	"errors"
	"time"
)

// Part is ctx with only a part of the time that it has left, from 0 to 1, if that is
// limited. That the part is up is a context.DeadlineExceeded, and leaves ctx as it is.
func Part(ctx context.Context, part float64) (context.Context, context.CancelFunc) {
	end, limited := ctx.Deadline()
	if !limited {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Duration(part*float64(time.Until(end))))
}

// Within is f in a part of the time that its context has left, as of Part. It is no error if that part runs out: whoever calls it
// goes on with what f has found until then.
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

// Timed is f that adds the time it takes to a number of seconds.
func Timed(seconds *float64, f func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		start := time.Now()
		err := f(ctx)
		*seconds += time.Since(start).Seconds()
		return err
	}
}

// Over reports whether err only says that some time is up, or why ctx has ended.
func Over(ctx context.Context, err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil && errors.Is(err, context.Cause(ctx))
}
