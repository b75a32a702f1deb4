package declaration

import (
	"slices"
	"strings"
)

// newNames maps old names to new ones for what a change only renames.
type newNames struct {
	all     map[string]string // of package-level declarations and methods, wherever the identifier stands
	members map[string]string // of fields and methods, where they are selected from something or are keys
}

// of returns the new name of an identifier; "" if it has none. member says that it is selected or a key.
func (n newNames) of(name string, member bool) string {
	if fresh := n.members[name]; member && fresh != "" {
		return fresh
	}
	return n.all[name]
}

// explain reports whether there are pairs, and all of them are new names of members.
func (n newNames) explain(pairs namePairs) bool {
	return len(pairs) > 0 && !slices.ContainsFunc(pairs, func(p [2]string) bool { return n.members[p[0]] != p[1] })
}

// empty reports whether nothing has another name.
func (n newNames) empty() bool { return len(n.all)+len(n.members) == 0 }

// inTokens returns tokens with the new names in place of the old ones.
func (n newNames) inTokens(tokens string) string {
	if n.empty() {
		return tokens
	}
	old := strings.Split(tokens, separator)
	list := slices.Clone(old)
	for i, token := range old {
		if n.all[token] == "" && n.members[token] == "" {
			continue
		}
		if fresh := n.of(token, isMember(old, i)); fresh != "" {
			list[i] = fresh
		}
	}
	return strings.Join(list, separator)
}

// isMember reports whether a token is selected from something, or looks like a key of a composite literal.
func isMember(tokens []string, i int) bool {
	switch {
	case i == 0:
		return false
	case tokens[i-1] == ".":
		return true
	}
	return i+1 < len(tokens) && tokens[i+1] == ":" && (tokens[i-1] == "{" || tokens[i-1] == "," && !inCase(tokens[:i]))
}

// inCase reports whether a list of tokens ends within the list of a case.
func inCase(tokens []string) bool {
	depth := 0
	for _, token := range slices.Backward(tokens) {
		switch token {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			if depth--; depth < 0 {
				return false
			}
		case "case":
			if depth == 0 {
				return true
			}
		}
	}
	return false
}

// namePairs are pairs of an old and a new name.
type namePairs [][2]string

// unique maps old names to new ones, for pairs that satisfy is and whose names occur in no other pair.
func (p namePairs) unique(is func(old, fresh string) bool) map[string]string {
	count := map[string]int{} // of different pairs, by either name
	seen := map[[2]string]bool{}
	for _, pair := range p {
		if !seen[pair] && pair[0] != pair[1] {
			seen[pair] = true
			count[pair[0]]++
			count[pair[1]]++
		}
	}
	names := map[string]string{}
	for pair := range seen {
		if count[pair[0]] == 1 && count[pair[1]] == 1 && is(pair[0], pair[1]) {
			names[pair[0]] = pair[1]
		}
	}
	return names
}
