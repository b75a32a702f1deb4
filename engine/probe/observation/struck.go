//go:build go1.21

package observation

import "github.com/mutantfuzz/mutantfuzz/engine/wire"

// Struck is the set of sites at which runs of the original differ from each other. Comparisons ignore them.
type Struck map[int]bool

// Difference returns the first observation in which two records differ, struck sites apart. It is the one of a, or
// the one of b if a has none there.
func (s Struck) Difference(a, b []wire.Observation) (at wire.Observation, differs bool) {
	a, b = s.skip(a), s.skip(b)
	for len(a) > 0 && len(b) > 0 {
		if a[0].Site != b[0].Site || a[0].Hash != b[0].Hash {
			return a[0], true
		}
		a, b = s.skip(a[1:]), s.skip(b[1:])
	}
	switch {
	case len(a) > 0:
		return a[0], true
	case len(b) > 0:
		return b[0], true
	}
	return wire.Observation{}, false
}

// skip drops the struck observations at the start of a record.
func (s Struck) skip(record []wire.Observation) []wire.Observation {
	for len(record) > 0 && s[record[0].Site] {
		record = record[1:]
	}
	return record
}

// Succeeds reports whether a call at one of the sites succeeded; struck sites do not count.
func (s Struck) Succeeds(record []wire.Observation, sites []int) bool {
	for _, site := range sites {
		for _, o := range record {
			if o.Site == site && o.Succeeded && !s[site] {
				return true
			}
		}
	}
	return false
}

// Strike adds the sites at which two records of the original differ, and returns the new ones. From where even the
// order of calls differs, it strikes all sites.
func (s Struck) Strike(a, b []wire.Observation) []int {
	var struck []int
	add := func(site int) {
		if !s[site] {
			s[site] = true
			struck = append(struck, site)
		}
	}
	for len(a) > 0 && len(b) > 0 && a[0].Site == b[0].Site {
		if a[0].Hash != b[0].Hash {
			add(a[0].Site)
		}
		a, b = a[1:], b[1:]
	}
	for _, record := range [][]wire.Observation{a, b} {
		for _, o := range record {
			add(o.Site)
		}
	}
	return struck
}
