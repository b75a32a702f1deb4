package engine

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"slices"
	"strings"
)

// nearestFirst orders the tests of s by how many declarations lie between them
// and a touched function, so that if time runs out it is the tests that have
// least to do with the change that did not run.
func (u *unit) nearestFirst(s *suite) {
	p := u.listing[s.pkg]
	var files []string
	for _, name := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
		files = append(files, filepath.Join(p.Dir, name))
	}
	var touched []string
	for _, f := range u.functions {
		touched = append(touched, f.ID[strings.LastIndexByte(f.ID, '.')+1:])
	}
	steps := distances(files, touched)
	slices.SortStableFunc(s.tests, func(a, b *test) int {
		return cmp.Compare(distanceOf(steps, a), distanceOf(steps, b))
	})
}

func distanceOf(steps map[string]int, t *test) int {
	if n, ok := steps[t.name]; ok {
		return n
	}
	return math.MaxInt
}

// distances tells for names of declarations how many mentions it takes to get
// from there to one of some other names. What a name refers to is not looked
// into, so that a distance may be shorter than it is in truth. Files that cannot
// be read mention nothing.
func distances(files, to []string) map[string]int {
	mentionedBy := map[string][]string{}
	fset := token.NewFileSet()
	for _, name := range files {
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, d := range file.Decls {
			names := declared(d)
			ast.Inspect(d, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					mentionedBy[id.Name] = append(mentionedBy[id.Name], names...)
				}
				return true
			})
		}
	}
	steps := map[string]int{}
	for n := 0; len(to) > 0; n++ {
		var next []string
		for _, name := range to {
			if _, known := steps[name]; !known {
				steps[name] = n
				next = append(next, mentionedBy[name]...)
			}
		}
		to = next
	}
	return steps
}
