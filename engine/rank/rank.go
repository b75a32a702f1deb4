// Package rank puts mutants in the order in which they are worth running.
package rank

import (
	"slices"
	"strings"
)

// Item holds what the rank of a mutant depends on.
type Item struct {
	Original string // text that the mutant replaces
	Mutated  string // replacement text
	Source   string // whole lines of the program that the mutant changes
	Mutant   string // the same lines after the change
	File     string
	Line     int
	Class    int // all items of a class come before any item of a higher class
}

// FPF returns the indices of items in furthest-point-first order (Gonzalez:
// Clustering to minimize the maximum intercluster distance, Theoretical
// Computer Science 38, 1985): each item is the one least like all items before it.
// Every prefix of the order is thus a diverse sample. Distances count across
// classes: an item of a later class keeps its distance from all items before it.
// Of equally distant items, the one that comes first in items comes first.
//
// The order is that of Groce et al., First, Fuzz the Mutants (FUZZING 2022),
// without its preference for statement deletions, which the authors turned
// off for fuzzing.
//
// FPF takes time proportional to the square of len(items): some tenths of a
// second for 2,000.
func FPF(items []Item) []int {
	features, nearest := make([]features, len(items)), make([]float64, len(items))
	pending, order := make([]int, len(items)), make([]int, 0, len(items))
	for i, it := range items {
		features[i], nearest[i], pending[i] = featuresOf(it), maxDistance, i
	}
	slices.SortStableFunc(pending, func(a, b int) int { return items[a].Class - items[b].Class })
	for len(pending) > 0 {
		class, best := items[pending[0]].Class, 0
		for at, i := range pending {
			if nearest[i] > nearest[pending[best]] && items[i].Class == class {
				best = at
			}
		}
		chosen := pending[best]
		pending = slices.Delete(pending, best, best+1)
		order = append(order, chosen)
		from := newMeasure(&features[chosen])
		for i := range features {
			if nearest[i] > 0 {
				nearest[i] = min(nearest[i], from.distance(&features[i]))
			}
		}
	}
	return order
}

// features holds the texts and the place of an item, prepared for distances.
type features struct {
	edit, source, mutant string
	file                 string
	line                 int
}

func featuresOf(it Item) features {
	return features{
		edit:   clip(editScript(it.Original, it.Mutated)),
		source: clip(strings.TrimSpace(it.Source)),
		mutant: clip(strings.TrimSpace(it.Mutant)),
		file:   it.File, line: it.Line,
	}
}

// editScript returns what differs between two texts, as "old==>new", without
// their common prefix and suffix.
func editScript(original, mutated string) string {
	n := 0
	for n < len(original) && n < len(mutated) && original[n] == mutated[n] {
		n++
	}
	original, mutated = original[n:], mutated[n:]
	n = 0
	for n < len(original) && n < len(mutated) && original[len(original)-1-n] == mutated[len(mutated)-1-n] {
		n++
	}
	return original[:len(original)-n] + "==>" + mutated[:len(mutated)-n]
}
