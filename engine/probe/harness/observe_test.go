package harness

import (
	"reflect"
	"testing"
)

// Point is the type of an argument that a call changes.
type Point struct{ X int }

func TestChangedArgumentsAreObservedAndShown(t *testing.T) {
	Observe = true
	defer func() { Observe = false }()
	observed.Reset(true)
	buffer := &Point{X: 1}
	Arg(3, buffer)
	Arg(3, 7)
	buffer.X = 2
	Result(3, nil)
	Arg(4, buffer) // a call without results
	record := observed.Finish()
	if len(record) != 2 || record[0].Site != 3 || record[1].Site != 4 {
		t.Fatalf("record %+v", record)
	}
	if want := []string{"&harness.Point{X: 1}", "7"}; !reflect.DeepEqual(record[0].Args, want) {
		t.Errorf("args %v, want %v as they were before the call", record[0].Args, want)
	}
	if want := []string{"&harness.Point{X: 2}", ""}; record[0].Text != "nil" || !reflect.DeepEqual(record[0].After, want) {
		t.Errorf("text %q, after the call %q; want nil, %q", record[0].Text, record[0].After, want)
	}
}
