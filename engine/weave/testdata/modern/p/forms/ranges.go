package forms

import (
	"fmt"
	"maps"
	"slices"
)

// Ranges ranges over everything else.
func Ranges(n int) string {
	out := ""
	for i, r := range "añb"[:n%5] {
		out += fmt.Sprint(i, r)
	}
	for _, k := range slices.Sorted(maps.Keys(map[int]bool{n: true, 3: false})) {
		out += fmt.Sprint(k)
	}
	c := make(chan int, n)      //mutantfuzz:ignore would block
	for i := 0; i < n; i += 2 { //mutantfuzz:ignore would block
		c <- i //mutantfuzz:ignore would block
	}
	close(c) //mutantfuzz:ignore would block
	for v := range c {
		out += fmt.Sprint(v)
	}
	var array [3]int
	for i := range array {
		array[i] = i * n
	}
	for i := range &array {
		array[i]++
	}
	return out + fmt.Sprint(array)
}
