package review

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/google/go-github/v60/github"
)

// retries says how often to ask GitHub again, and how long to wait.
type retries struct {
	attempts int           // total number of attempts
	first    time.Duration // wait after the first failure; doubled after each further one
	limited  time.Duration // wait for a rate limit without a given time
	longest  time.Duration // an error that would need a longer wait is final
	sleep    func(context.Context, time.Duration) error
}

func usualRetries() *retries {
	return &retries{
		attempts: 4,
		first:    2 * time.Second,
		limited:  time.Minute, // what GitHub asks for if there is no Retry-After
		longest:  3 * time.Minute,
		sleep:    sleep,
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// do calls attempt until it succeeds, it fails for good, or a limit is reached.
func (r *retries) do(ctx context.Context, attempt func() (Outcome, error)) (Outcome, error) {
	backoff := r.first
	for n := 1; ; n++ {
		outcome, err := attempt()
		if err == nil || n == r.attempts || ctx.Err() != nil {
			return outcome, err
		}
		wait, again := r.wait(err, backoff)
		if !again || wait > r.longest {
			return outcome, err
		}
		if r.sleep(ctx, wait) != nil {
			return outcome, err
		}
		backoff *= 2
	}
}

// wait returns how long to wait after err, and whether to retry at all.
func (r *retries) wait(err error, backoff time.Duration) (time.Duration, bool) {
	var secondary *github.AbuseRateLimitError
	var primary *github.RateLimitError
	var response *github.ErrorResponse
	var network *url.Error
	switch {
	case errors.As(err, &secondary):
		if secondary.RetryAfter != nil {
			return max(0, *secondary.RetryAfter), true
		}
		return r.limited, true
	case errors.As(err, &primary):
		return max(0, time.Until(primary.Rate.Reset.Time)), true
	case errors.As(err, &response) && response.Response != nil:
		return r.waitFor(response.Response, backoff)
	default:
		return backoff, errors.As(err, &network)
	}
}

// waitFor returns how long to wait after an error response, and whether to retry at all.
func (r *retries) waitFor(response *http.Response, backoff time.Duration) (time.Duration, bool) {
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	named := err == nil && seconds >= 0
	switch status := response.StatusCode; {
	case named && (status == http.StatusForbidden || status == http.StatusTooManyRequests || status >= 500):
		return time.Duration(seconds) * time.Second, true
	case status == http.StatusTooManyRequests:
		return r.limited, true
	case status >= 500:
		return backoff, true
	default:
		return 0, false
	}
}
