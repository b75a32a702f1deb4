package deadline

import (
	"context"
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
