package program

import (
	"context"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
)

func TestThatThereIsNoTimeToLoadIsNoFaultOfOurs(t *testing.T) {
	p := loaded(t, map[string]string{"go.mod": "module m\n\ngo 1.23\n", "p/p.go": "package p\n\nfunc F() {}\n"}, "F")
	ctx, cancel := context.WithDeadline(context.Background(), time.Now())
	defer cancel()
	if err := p.Load(ctx, nil); !deadline.Over(ctx, err) {
		t.Errorf("got %v", err)
	}
}
