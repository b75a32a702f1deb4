// Functions whose probes are tried out: the test adds to this file, for every
// mutant with a probe, the mutated function and one with the probe in place.
package main

import "strings"

type pair struct{ x, y int }

func bump(n *int) int { *n++; return *n }

func compare(a, b int, s string, t bool) int {
	if a < b && len(s) > a || b == 2 {
		return a
	}
	for i := 0; i < b; i++ {
		a += i
	}
	return a + b
}

func branch(a, b int, s string, t bool) int {
	if t {
		a = b
	} else {
		b = a
	}
	switch {
	case a >= b, s == "x":
		return 1
	case s[a] <= 'b':
		return -b
	}
	return 2
}

func pointer(a, b int, s string, t bool) int {
	var p *pair
	if t {
		p = &pair{a, b}
	}
	if p != nil && p.x > 1 {
		return p.x * p.y
	}
	if p == nil || b > 1 {
		return b / a
	}
	return p.x - 1
}

func order(a, b int, s string, t bool) int {
	sum := func(x, y int) int { return 3*x + y }
	c := a
	return sum(c+b, bump(&c)) + sum(bump(&c), c-b)
}

func effects(a, b int, s string, t bool) int {
	c := a
	if t && bump(&c) > 2 || bump(&c) < b {
		c *= 2
	}
	u := uint(a)
	return min(c, b) + a<<u&b | c>>u
}

func text(a, b int, s string, t bool) int {
	if t && s[a] == 'b' {
		return 5
	}
	w := s + "b" + s
	if w > "ab" == t {
		return len(w)
	}
	return int(w[a]) - b
}

func float(a, b int, s string, t bool) int {
	x := float64(a-1) / float64(b)
	if 1/-x < 0 || x-x != 0 {
		return 1
	}
	return int(x)
}

func assign(a, b int, s string, t bool) int {
	n, u, w, done := a, uint8(a), s, t
	if n > 1 {
		n = 2
	}
	n = b
	w = strings.TrimSpace(strings.ToLower(s))
	w = strings.TrimPrefix(w, "x")
	done = a == b
	u = 3
	if a < b {
		done = true
		u = 0
	}
	n = a / (b + 1)
	n = int(u) + len(w)
	if done {
		n = -n
	}
	n = bump(&a)
	return n
}
