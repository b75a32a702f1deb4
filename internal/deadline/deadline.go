// Package deadline divides the time that a context has left.
package deadline

import (
	"context"
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
