package forms

import (
	"fmt"
)

// catch is deferred itself: only there does recover work.
func catch(n int, out *string) {
	r := recover()
	if r == nil {
		return
	}
	if n%2 == 0 {
		*out = fmt.Sprint("even ", r)
	} else {
		*out = fmt.Sprint("odd ", r)
	}
}

// Direct defers a function that recovers.
func Direct(n int) (out string) {
	defer catch(n, &out)
	list := []int{1, 2}
	out = fmt.Sprint(list[n/2])
	return out
}

// generic recovers, with a type parameter.
func generic[T any](v T, out *string) {
	if r := recover(); r != nil {
		*out += fmt.Sprint(v, r) + "."
	}
}

// Generic defers a generic function.
func Generic(n int) (out string) {
	defer generic(n, &out)
	if n%2 == 1 {
		panic("odd")
	}
	return "even"
}
