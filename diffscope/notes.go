package diffscope

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
)

// notes collects what was recognised and left alone, by reason.
type notes struct {
	reasons []string // in order of first use
	names   map[string][]string
}

// maxNamed is how many files or functions a note names before it counts the
// rest.
const maxNamed = 8

// add notes that name was left alone for the reason. An empty name is for a
// reason that needs none.
func (n *notes) add(reason, name string) {
	if n.names == nil {
		n.names = map[string][]string{}
	}
	if _, seen := n.names[reason]; !seen {
		n.reasons = append(n.reasons, reason)
	}
	if !slices.Contains(n.names[reason], name) {
		n.names[reason] = append(n.names[reason], name)
	}
}

// lines returns one line a reason: "reason: name, name and 3 more".
func (n *notes) lines() []string {
	lines := []string{}
	for _, reason := range n.reasons {
		names, rest := n.names[reason], ""
		if more := len(names) - maxNamed; more > 0 {
			names, rest = names[:maxNamed], fmt.Sprintf(" and %d more", more)
		}
		lines = append(lines, strings.TrimSuffix(reason+": "+strings.Join(names, ", ")+rest, ": "))
	}
	return lines
}

const noGoFile = "no Go file changed"

// noteDeclarations notes what compare found: deleted, moved and renamed declarations, and files without a real
// change.
func (f *finder) noteDeclarations(base, head []*declaration.File, compared declaration.Comparison) {
	differs := map[string]bool{} // names of files
	for _, d := range compared.Deleted {
		differs[d.File.Name] = true
		switch {
		case !d.File.IsTest() && d.IsFunction():
			f.notes.add("deleted", d.Name+" in "+d.File.Name)
		case isTest(d):
			f.notes.add("deleted tests", d.Name+" in "+d.File.Name)
		}
	}
	for _, file := range head {
		for _, d := range file.Decls {
			differs[file.Name] = differs[file.Name] || d.Changed
			if from := compared.Moved[d]; from != nil {
				differs[file.Name], differs[from.File.Name] = true, true
				f.notes.add("moved or renamed, otherwise unchanged", from.Name+" to "+d.Name+" in "+file.Name)
			}
		}
	}
	for _, file := range base {
		if f.files[file.Name] != nil && !differs[file.Name] {
			f.notes.add("only comments, formatting, imports, names, order or notation changed", file.Name)
		}
	}
}

// noteData notes the changed types, constants and variables. It is called if they brought nothing into scope.
func (f *finder) noteData(head []*declaration.File, names *changedNames) {
	for _, file := range head {
		for _, d := range file.Decls {
			switch {
			case file.IsTest() || f.leaveOut(file) != "" || !d.Changed || d.Added || d.Name == "_":
			case d.Kind == declaration.Type:
				f.notes.add("changed types (which alone bring no function into scope)", d.Name+" in "+file.Name)
			case d.Kind == declaration.Value && names.has(f.packages[f.folder(file)].ImportPath, d):
				f.notes.add("changed constants and variables that bring in no function", d.Name+" in "+file.Name)
			case d.Kind == declaration.Value:
				f.notes.add("constants that are written differently, with the same value", d.Name+" in "+file.Name)
			}
		}
	}
}
