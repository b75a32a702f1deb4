package equate

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"
)

// symbol is one symbol of an assembly listing.
type symbol struct {
	head  string   // what the listing says after the name, without the size
	lines []string // bytes, stack maps, bounds: everything that decides what it does
	refs  []reference
}

// reference is a use of another symbol.
type reference struct {
	how    string // where in the symbol, and by what kind of relocation
	name   string
	addend string
}

var (
	// The name may hold spaces and quotes, but never a newline.
	symbolHead = regexp.MustCompile(`^(\S.*) (S[A-Z]+\b.*)$`)
	symbolSize = regexp.MustCompile(`\bsize=\d+ ?`)
	// PCDATA 2 and 3 serve only stack traces: the inlining tree, and which arguments are live. All others are kept:
	// register maps, and the operands of bounds checks that the panic's message shows.
	pcData   = regexp.MustCompile(`^\t(0x[0-9a-f]+) .*\)\tPCDATA\t\$([0-9]+), (\S+)$`)
	funcData = regexp.MustCompile(`^\t0x[0-9a-f]+ .*\)\tFUNCDATA\t(\$[0-9]+), (.*)\(SB\)$`)
	hexBytes = regexp.MustCompile(`^\t(0x[0-9a-f]+)((?: [0-9a-f]{2}){1,16})\b`)
	relocate = regexp.MustCompile(`^\trel (\S+ t=\S+) (.*)\+(-?\d+)$`)
	// Symbols without a name of their own, which the compiler numbers through the whole package: composite literals,
	// byte slices, caches of type switches.
	numbered = regexp.MustCompile(`\.\.[A-Za-z]+[._]\d+$`)
)

// assembly holds the symbols of a listing that can belong to a clone.
type assembly struct {
	symbols map[string]*symbol
	names   map[string]string // of symbols in the listing, by local name
}

// parseAssembly reads what the compiler prints under -S. It keeps clones, and the numbered symbols of all functions,
// since clones may refer to them.
func parseAssembly(listing []byte) *assembly {
	a := &assembly{symbols: map[string]*symbol{}, names: map[string]string{}}
	var s *symbol // nil: the lines belong to nothing of interest
	for line := range bytes.Lines(listing) {
		text := string(bytes.TrimRight(line, "\r\n"))
		if strings.HasPrefix(text, "\t") {
			if s != nil {
				s.add(text)
			}
			continue
		}
		s = nil
		m := symbolHead.FindStringSubmatch(text)
		if m != nil && (cloneName.MatchString(m[1]) || numbered.MatchString(m[1])) {
			s = &symbol{head: symbolSize.ReplaceAllString(m[2], "")}
			a.symbols[m[1]] = s
			a.names[localName(m[1])] = m[1]
		}
	}
	return a
}

// add adds a line of the listing, unless it only says where the code comes from or repeats in words what the bytes say.
func (s *symbol) add(text string) {
	if m := hexBytes.FindStringSubmatch(text); m != nil {
		s.lines = append(s.lines, m[1]+m[2])
	} else if m := relocate.FindStringSubmatch(text); m != nil {
		s.refs = append(s.refs, reference{m[1], m[2], m[3]})
	} else if m := pcData.FindStringSubmatch(text); m != nil && m[2] != "2" && m[2] != "3" {
		s.lines = append(s.lines, strings.Join(m[1:], " "))
	} else if m := funcData.FindStringSubmatch(text); m != nil && !forTraces(m[2]) {
		s.refs = append(s.refs, reference{m[1], m[2], "0"})
	}
}

// forTraces reports whether a function's data only serve stack traces.
func forTraces(name string) bool {
	return strings.HasSuffix(name, ".arginfo1") || strings.HasSuffix(name, ".argliveinfo")
}

// fingerprint identifies the machine code of a function, given by its local name: its bytes and those of every local
// symbol that it refers to, such as its closures, jump tables and composite literals. Local symbols are numbered in the
// order in which they are met, so functions that differ only in such names have the same fingerprint. It is empty if
// the listing lacks a part.
func (a *assembly) fingerprint(function string) string {
	order := []string{a.names[function]}
	index := map[string]int{order[0]: 0}
	hash := sha256.New()
	for i := 0; i < len(order); i++ { // order grows
		s := a.symbols[order[i]]
		if s == nil {
			return ""
		}
		fmt.Fprintf(hash, "%q %q\n", s.head, s.lines)
		for _, r := range s.refs {
			name := r.name
			// Symbols that another package has numbered keep their names, which is good enough.
			if a.symbols[name] != nil || cloneName.MatchString(name) {
				if _, ok := index[name]; !ok {
					index[name] = len(order)
					order = append(order, name)
				}
				name = fmt.Sprint(index[name])
			}
			fmt.Fprintf(hash, "%s %q %s\n", r.how, name, r.addend)
		}
	}
	return string(hash.Sum(nil))
}

// localName returns a symbol's name without the import path of its package: F, T.F or (*T).F. The compiler escapes dots
// in the last element of the path.
func localName(symbol string) string {
	_, name, _ := strings.Cut(symbol[strings.LastIndexByte(symbol, '/')+1:], ".")
	return name
}
