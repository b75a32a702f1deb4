package diffscope

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
)

// addedData returns the package variables and struct fields that head declares and the base does not, sorted, as
// import/path.variable and import/path.Type.Field.
func (f *finder) addedData(head []*declaration.File) (names []string) {
	for _, file := range head {
		if file.IsTest() || f.leaveOut(file) != "" {
			continue
		}
		for _, d := range file.Decls {
			for _, name := range d.AddedData() {
				names = append(names, f.packages[f.folder(file)].ImportPath+"."+name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
