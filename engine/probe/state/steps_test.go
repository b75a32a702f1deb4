package state

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// stepping counts a step and calls body with its number, until body returns false or the meter stops it. It returns the
// number of steps and, in the latter case, the Stop.
func stepping(t *testing.T, m *meter, body func(step int) bool) (n int, stop *Stop) {
	t.Helper()
	flags, published := page.flags, page.steps
	defer func() {
		if r := recover(); r != nil {
			stop = r.(*Stop)
		}
		m.end()
		page.flags, page.steps = flags, published
	}()
	m.begin(0)
	for {
		if Steps--; Steps < 0 {
			m.refill()
		}
		if n++; !body(n) {
			return n, nil
		}
	}
}

var kept []byte // so that the compiler keeps the allocations

func TestLoopThatCopiesALongerAndLongerListIsStopped(t *testing.T) {
	var m meter
	m.arm(0, 256<<20)
	defer func() { kept = nil }()
	n, stop := stepping(t, &m, func(step int) bool {
		kept = make([]byte, 100*step)
		return step < wire.StepChunk
	})
	if stop == nil || stop.Flag != wire.FlagAllocated {
		t.Errorf("stopped with %v after %d steps", stop, n)
	}
}

func TestStepsThatAllocateLittleAreCountedInWholeChunks(t *testing.T) {
	var m meter
	m.arm(0, 256<<20)
	_, stop := stepping(t, &m, func(step int) bool {
		if step%1000 == 0 {
			kept = make([]byte, 10)
		}
		return step < 4*wire.StepChunk
	})
	if stop != nil || m.next != wire.StepChunk {
		t.Errorf("stopped with %v, in chunks of %d", stop, m.next)
	}
}

func TestStepsAreNoProgressBeforeAWholeChunkIsUsedUp(t *testing.T) {
	var m meter
	m.arm(0, 1<<40)
	before := page.steps
	for _, n := range []int{wire.StepChunk / 2, 3 * wire.StepChunk} {
		var published int64
		_, stop := stepping(t, &m, func(step int) bool {
			published = page.steps - before
			return step < n
		})
		if stop != nil || (published >= wire.StepChunk) != (n > wire.StepChunk) || published != 0 && published < wire.StepChunk {
			t.Errorf("%d of %d steps published, stopped with %v", published, n, stop)
		}
	}
}

// meterOfTests returns a meter that bounds tests by 1024 steps until t ends.
func meterOfTests(t *testing.T) *meter {
	var m meter
	flags, published := page.flags, page.steps
	t.Cleanup(func() {
		m.end()
		page.flags, page.steps = flags, published
	})
	m.beginTests(1 << 10)
	return &m
}

func TestGoroutineThatATestLeavesBehindIsParkedAndTheTestGoesOn(t *testing.T) {
	m := meterOfTests(t)
	step := func() (goesOn bool) {
		Steps--
		return Steps >= 0 || m.refill()
	}
	parked := make(chan bool)
	go func() {
		for step() {
		}
		close(parked)
	}()
	<-parked
	steps := 0
	var stop any
	func() {
		defer func() { stop = recover() }()
		for step() {
			steps++
		}
	}()
	if s, ok := stop.(*Stop); !ok || s.Flag != wire.FlagHang || steps != 1<<10 {
		t.Errorf("the test was stopped by %v after %d steps", stop, steps)
	}
}

func TestGoroutineThatATestWaitsForIsStopped(t *testing.T) {
	m := meterOfTests(t)
	var stop any
	var over sync.WaitGroup
	over.Add(1)
	go func() {
		defer over.Done()
		defer func() { stop = recover() }()
		for {
			if Steps--; Steps < 0 && !m.refill() {
				m.stay()
			}
		}
	}()
	over.Wait()
	if s, ok := stop.(*Stop); !ok || s.Flag != wire.FlagHang {
		t.Errorf("it was stopped by %v", stop)
	}
	if page.flags&wire.FlagHang == 0 {
		t.Error("the state file does not say why")
	}
}

func TestABoundEndsAProcessThatOnlyRunsTestsOnAMutant(t *testing.T) {
	const child = "MUTANTFUZZ_TEST_ENDS"
	if os.Getenv(child) != "" {
		m := meterOfTests(t)
		m.ends = true
		defer fmt.Println("deferred functions run")
		for {
			if Steps--; Steps < 0 {
				m.refill()
			}
		}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), child+"=1")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitStopped || !strings.HasPrefix(string(out), "panic: mutantfuzz: the step bound was exceeded\n\ngoroutine ") ||
		!strings.Contains(string(out), "testing.tRunner(") || strings.Contains(string(out), "deferred") {
		t.Errorf("%v\n%s", err, out)
	}
}
