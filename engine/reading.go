package engine

import (
	"go/ast"
	"go/types"
	"slices"
)

// What functions of the standard library do with what they are given, where that is known.

// printers are the functions of package fmt that change nothing of what they print, and the
// first of their arguments that they do.
var printers = map[string]int{
	"Append": 1, "Appendf": 1, "Appendln": 1, "Errorf": 0, "Fprint": 1, "Fprintf": 1, "Fprintln": 1,
	"Print": 0, "Printf": 0, "Println": 0, "Sprint": 0, "Sprintf": 0, "Sprintln": 0,
}

// printed returns from which argument on a function prints what it is given, or -1.
func printed(info *types.Info, fun ast.Expr) int {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return -1
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil {
		return -1
	}
	switch f.Pkg().Path() {
	case "fmt":
		if first, ok := printers[f.Name()]; ok && f.Signature().Recv() == nil {
			return first
		}
	case "testing":
		if slices.Contains([]string{"Error", "Errorf", "Fatal", "Fatalf", "Log", "Logf", "Skip", "Skipf"}, f.Name()) {
			return 0
		}
	}
	return -1
}

func isError(t types.Type) bool {
	iface := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return t == nil || types.Implements(t, iface) && !types.IsInterface(t)
}

// printing are the methods that package fmt calls on what it prints.
var printing = []string{"Error", "Format", "GoString", "String"}

// reading are the functions of the standard library that change nothing of what they are
// given, and keep and return nothing that refers to it, by the path of their package.
var reading = map[string][]string{
	"encoding/hex":  {"EncodeToString"},
	"encoding/json": {"Valid"},
	"hash/crc32":    {"ChecksumIEEE"},
	"reflect":       {"DeepEqual"},
	"bytes": {
		"Compare", "Contains", "ContainsAny", "ContainsRune", "Count", "Equal", "EqualFold", "HasPrefix", "HasSuffix", "Index", "IndexAny",
		"IndexByte", "IndexRune", "LastIndex", "LastIndexAny", "LastIndexByte", "Runes", "ToLower", "ToUpper",
	},
	"slices":  {"BinarySearch", "Compare", "Contains", "Equal", "Index", "IsSorted", "Max", "Min"},
	"sort":    {"SearchFloat64s", "SearchInts", "SearchStrings"},
	"strings": {"Join", "NewReplacer"},
	"unicode/utf8": {
		"DecodeLastRune", "DecodeRune", "FullRune", "RuneCount", "Valid",
	},
}

// readsOnly reports whether a function of the standard library changes nothing of what it is
// given.
func readsOnly(info *types.Info, fun ast.Expr) bool {
	if x, ok := fun.(*ast.IndexExpr); ok { // with a type argument
		fun = x.X
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Pkg() == nil {
		return false
	}
	if f.Signature().Recv() == nil {
		return slices.Contains(reading[f.Pkg().Path()], f.Name())
	}
	return f.FullName() == "(context.Context).Value" || isWrite(f)
}

// isWrite reports whether f is a method as io.Writer has it, which must neither change nor keep
// what it is given.
func isWrite(f *types.Func) bool {
	params := f.Signature().Params()
	return f.Name() == "Write" && params.Len() == 1 && types.Identical(params.At(0).Type(), types.NewSlice(types.Typ[types.Byte]))
}
