package observation

import (
	"slices"
	"testing"
)

// called records the calls of f as a run of a test does, and returns their arguments and results as text.
func called(f func(w *Watcher)) (list []string) {
	var w Watcher
	w.Reset("")
	f(&w)
	for _, o := range w.Calls() {
		list = append(list, slices.Concat(o.Args, []string{o.Text})...)
	}
	return list
}

func TestCallsOfAFunctionAreRecordedInOrder(t *testing.T) {
	list := called(func(w *Watcher) {
		for _, n := range []int{1, 2} {
			w.Call(3, n, "x")(n + 1)
		}
	})
	if want := []string{"1", `"x"`, "2", "2", `"x"`, "3"}; !slices.Equal(list, want) {
		t.Errorf("got %q, want %q", list, want)
	}
}

func TestArgumentsAreWhatTheyWereBeforeTheCall(t *testing.T) {
	values := []int{1}
	list := called(func(w *Watcher) {
		done := w.Call(3, values)
		values[0] = 5
		done()
	})
	if len(list) == 0 || list[0] != "[]int{1}" {
		t.Errorf("got %q", list)
	}
}

func TestCallsWithinACallAreNotRecorded(t *testing.T) {
	list := called(func(w *Watcher) {
		outer := w.Call(3, 2)
		w.Call(3, 1)("inner")
		outer("outer")
		w.Call(3, 0)("next")
	})
	if want := []string{"2", `"outer"`, "0", `"next"`}; !slices.Equal(list, want) {
		t.Errorf("got %q, want %q", list, want)
	}
}

func TestNoMoreThanSomeCallsAreRecorded(t *testing.T) {
	list := called(func(w *Watcher) {
		for range make([]int, 2*maxCalls) {
			w.Call(3)(1)
		}
	})
	if len(list) != maxCalls {
		t.Errorf("%d calls are recorded", len(list))
	}
}

// faulty is an error whose text is what a watched function gives.
type faulty struct{ w *Watcher }

func (f *faulty) Error() string {
	done := f.w.Call(1, f)
	done("faulty")
	return "faulty"
}

func TestAMethodThatRendersItsReceiverCanBeWatched(t *testing.T) {
	list := called(func(w *Watcher) { _ = (&faulty{w}).Error() })
	if want := []string{"", `"faulty"`}; !slices.Equal(list, want) {
		t.Errorf("got %q, want %q", list, want)
	}
}
