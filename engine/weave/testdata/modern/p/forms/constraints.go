package forms

import (
	"fmt"
	"strings"
)

type number interface{ ~int | ~float64 }

type tree[T number] struct {
	left, right *tree[T]
	value       T
}

func (t *tree[T]) insert(v T) *tree[T] {
	if t == nil {
		return &tree[T]{value: v}
	}
	if v < t.value {
		t.left = t.left.insert(v)
	} else {
		t.right = t.right.insert(v)
	}
	return t
}

func (t *tree[T]) sum() T {
	if t == nil {
		return 0
	}
	return t.left.sum() + t.value + t.right.sum()
}

type self[T any] interface {
	*T
	fmt.Stringer
}

type label struct{ n int }

func (l *label) String() string { return strings.Repeat("l", l.n) }

func show[T any, P self[T]](t T) string { return P(&t).String() + "." }

// Tree inserts.
func Tree(n int) string {
	var t *tree[float64]
	for i := 0; i < n; i++ {
		t = t.insert(float64(i*7%5) / 2)
	}
	return fmt.Sprint(t.sum(), show(label{n}))
}
