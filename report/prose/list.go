package prose

// Listed names the first of n things, called one or many, and counts the others, as in "A, B and 2 more tests".
func Listed(names []string, n int, one, many string) Text {
	items := make([]Text, len(names))
	for i, name := range names {
		items[i] = Say("%s", name)
	}
	return ListOf(items, n, one, many)
}

// ListOf is Listed for items that are more than a name.
func ListOf(items []Text, n int, one, many string) (p Text) {
	more := n - len(items)
	for i, item := range items {
		switch {
		case i > 0 && i == len(items)-1 && more == 0:
			p = p.Plus(" and ")
		case i > 0:
			p = p.Plus(", ")
		}
		p = append(p, item...)
	}
	if more > 0 {
		p = p.Plus(" and " + Plural(more, "more "+one, "more "+many))
	}
	return p
}
