//go:build go1.21

// Package harness is what woven test files call. It takes over fuzz targets and drivers, and runs their inputs for
// the fuzz loop. It observes their calls into the program. It also tries mutants on registered tests.
//
// It uses only the public API of package testing. Its state is global for the same reason as that of package state.
// Without a job, everything behaves as it does unwoven.
package harness

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"sync"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/input"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/loop"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/state"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// session is what the environment asks this process to do beyond its tests.
var session work

func init() {
	if err := session.open(os.Getenv(wire.EnvJob), os.Getenv(wire.EnvEvents)); err != nil {
		state.GiveUp(err)
	}
}

// work is a job, where its events go, and what is known of the target so far.
type work struct {
	job    *wire.Job // nil: none
	events *events
	seeds  [][]any
	owned  bool       // the loop has taken over the target
	driver *testing.T // the test that the job's driver runs in; nil: the target is not a driver
}

// open reads the job file at path, if there is one. Descriptor is the number of the file descriptor for events.
func (w *work) open(path, descriptor string) error {
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("the job cannot be read: %w", err)
	}
	job := new(wire.Job)
	if err := json.Unmarshal(text, job); err != nil {
		return fmt.Errorf("the job %s cannot be read: %w", path, err)
	}
	fd, err := strconv.Atoi(descriptor)
	if err != nil {
		return fmt.Errorf("%s=%q is not a file descriptor", wire.EnvEvents, descriptor)
	}
	w.job = job
	observed.Home = job.Home
	w.events = &events{file: os.NewFile(uintptr(fd), "events")}
	return nil
}

// wants reports whether the job is for the target that f runs.
func (w *work) wants(f *testing.F) bool {
	return w.driver != nil || w.job != nil && w.job.Target == f.Name()
}

// Drive is the body of the test that the weaver adds for a driver. It skips unless there is a job for that driver.
// The driver is passed a nil *testing.F.
func Drive(t *testing.T, name string, driver func(*testing.F)) {
	if session.job == nil || session.job.Target != name {
		t.Skip("there is no job for this driver")
	}
	session.driver = t
	driver(nil)
}

// Add replaces f.Add(args...) in woven code.
func Add(f *testing.F, args ...any) {
	if !session.wants(f) {
		f.Helper()
		f.Add(args...)
		return
	}
	session.seeds = append(session.seeds, input.Clone(nil, args))
}

// Fuzz replaces f.Fuzz(fn) in woven code. Call is an adapter that calls fn with args of the right types. If fresh
// is set, each run gets a *testing.T of its own, because the target registers cleanups or the like.
//
// Only package testing can make a live *testing.T. So Fuzz registers a single seed of zero values. f.Fuzz runs it
// on a function of ours that has fn's type, and the first call of that function takes over until the job is done.
func Fuzz(f *testing.F, fresh bool, fn any, call func(fn any, t *testing.T, args []any)) {
	if !session.wants(f) {
		f.Helper()
		f.Fuzz(fn)
		return
	}
	types, err := argumentTypes(fn)
	switch {
	case session.driver != nil && err == nil:
		session.take(newExecutor(fresh, func(t *testing.T, args []any) { call(fn, t, args) }), session.driver, types)
		return
	case session.driver != nil:
		session.events.fail(err)
		return
	case err != nil:
		session.events.fail(err)
		f.Fuzz(fn) // fails with Go's own message
		return
	}
	zeros := make([]any, len(types))
	for i, t := range types {
		zeros[i] = reflect.Zero(t).Interface()
	}
	f.Add(zeros...)

	var once sync.Once
	takeOver := func(in []reflect.Value) []reflect.Value {
		once.Do(func() {
			x := newExecutor(fresh, func(t *testing.T, args []any) { call(fn, t, args) })
			session.take(x, in[0].Interface().(*testing.T), types)
		})
		return nil
	}
	f.Fuzz(reflect.MakeFunc(reflect.TypeOf(fn), takeOver).Interface())
	if !session.owned {
		session.events.fail(errors.New("f.Fuzz returned without running its first seed, through which the fuzz loop takes over"))
	}
}

// Parallel replaces t.Parallel() in woven fuzz targets. It does nothing once the loop has taken over: the loop owns
// the target's only T, and parallel subtests would wait for it.
func Parallel(t *testing.T) {
	if !session.owned {
		t.Parallel()
	}
}

// take takes over the target and does the job on x.
func (w *work) take(x *executor, parent *testing.T, types []reflect.Type) {
	w.owned = true
	w.serve(x, parent, types)
}

// serve does the job on x, in subtests of parent.
func (w *work) serve(x *executor, parent *testing.T, types []reflect.Type) {
	state.Arm()
	observed.Exported = w.job.Driver
	x.serve(parent, func() {
		loop.Do(w.job, loop.Target{Executor: x, Types: types, Seeds: w.seeds}, w.events.send)
	})
}

// argumentTypes returns the types of fn's arguments after its *testing.T, or an error if fn cannot be fuzzed.
func argumentTypes(fn any) ([]reflect.Type, error) {
	t := reflect.TypeOf(fn)
	if t == nil || t.Kind() != reflect.Func || t.NumIn() < 2 || t.In(0) != reflect.TypeOf((*testing.T)(nil)) {
		return nil, fmt.Errorf("the target has the type %v, not func(*testing.T, ...)", t)
	}
	types := make([]reflect.Type, t.NumIn()-1)
	for i := range types {
		types[i] = t.In(i + 1)
		if !input.Fuzzable(types[i]) {
			return nil, fmt.Errorf("arguments of type %v cannot be fuzzed", types[i])
		}
	}
	return types, nil
}

// events writes events as lines of JSON. It does not buffer them: what was found has to survive whatever the
// next run does to the process.
type events struct{ file *os.File }

func (e *events) send(event wire.Event) {
	line, err := json.Marshal(event)
	if err != nil {
		line, _ = json.Marshal(wire.Event{Event: wire.EventError, Message: "an event cannot be encoded: " + err.Error()})
	}
	if _, err := e.file.Write(append(line, '\n')); err != nil {
		os.Exit(state.ExitInternal) // the coordinator is gone
	}
}

func (e *events) fail(err error) { e.send(wire.Event{Event: wire.EventError, Message: err.Error()}) }

// T lets woven code refer to testing.T through its import of the probe.
type T = testing.T
