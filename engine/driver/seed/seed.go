// Package seed makes the first inputs of drivers from constants in the source. Constants that stand together in a call,
// in a row of a table or in a comparison become arguments together. What a driver reads from bytes is written in the
// encoding that engine/driver/decode reads.
package seed

import (
	"cmp"
	"encoding/binary"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// Kinds are the types that constants have in an empty interface. A driver that makes a value of any type first reads a
// byte that selects the type: 0 stands for nil, and n for the n-th of Kinds. Other types follow after them.
var Kinds = []types.Type{testfile.StringType, types.Typ[types.Int], types.Typ[types.Bool], types.Typ[types.Float64]}

// The bytes that select each of Kinds.
const (
	ofString byte = 1 + iota
	ofInt
	ofBool
	ofFloat
)

// maxSeeds bounds the seeds of a driver, maxGroup the constants used of one group: a literal may hold a dictionary.
const maxSeeds, maxGroup = 200, 64

// Constant is a constant in the source, with the name of its place.
type Constant struct {
	constant.Value
	Name string // of the parameter that it is passed for, or the field that it sets; "" if there is none
}

// Form describes the parameters of a driver's fuzz function.
type Form struct {
	Params []testfile.Param // without the bytes at the end
	Reads  bool             // the last parameter is bytes that values are made from
	Anys   bool             // some of these values may be of any type
}

// Seeds returns arguments for the fuzz function as Go source: zero values first, then those made of each group of
// constants. There are at most 200, without duplicates. For each group, constants go to the parameters of the same
// name, then to parameters in order, then each one alone to every parameter that it fits. rows are those made by name,
// without the bytes, in which every text parameter has a constant of its own name.
func (f Form) Seeds(groups [][]Constant) (list, rows [][]string) {
	known := map[string]bool{}
	add := func(values []string, data string) {
		if f.Reads {
			values = append(slices.Clip(values), "[]byte("+strconv.Quote(data)+")")
		}
		if key := strings.Join(values, ", "); !known[key] && len(list) < maxSeeds {
			known[key] = true
			list = append(list, values)
		}
	}
	add(f.zeros(), "")
	for _, group := range groups {
		if len(list) == maxSeeds {
			break
		}
		group = group[:min(len(group), maxGroup)]
		whole := encoded(group, f.Anys)
		if named, all := f.named(group); named != nil {
			if add(named, whole); all {
				rows = append(rows, named)
			}
		}
		values, left := f.inOrder(group)
		data := encoded(left, f.Anys)
		if len(f.Params) == 0 || values == nil {
			data = whole
		}
		if values != nil || f.Reads {
			add(append(values, f.zeros()[len(values):]...), data)
		}
		// One constant alone, for each parameter that can have it.
		for _, c := range group {
			for i, p := range f.Params {
				if text := literal(c, p.Type); text != "" && text != p.Zero() {
					single := f.zeros()
					single[i] = text
					add(single, whole)
				}
			}
		}
	}
	return list, rows
}

// zeros returns zero values for all parameters.
func (f Form) zeros() (list []string) {
	for _, p := range f.Params {
		list = append(list, p.Zero())
	}
	return list
}

// named gives each parameter the first constant of its name, and zero to those without one. values is nil if none has
// one. all reports whether there are text parameters and each of them has one. Digits at the end of a parameter's name
// do not count.
func (f Form) named(group []Constant) (values []string, all bool) {
	values = f.zeros()
	texts, given, some := 0, 0, false
	for i, p := range f.Params {
		found := false
		for _, c := range group {
			if text := literal(c, p.Type); text != "" && c.Name != "" && strings.EqualFold(c.Name, strings.TrimRight(p.Name, "0123456789")) {
				values[i], found = text, true
				break
			}
		}
		some = some || found
		if isText(p.Type) {
			texts++
			if found {
				given++
			}
		}
	}
	if !some {
		return nil, false
	}
	return values, texts > 0 && given == texts
}

// isText reports whether values of a fuzzable type are text: strings or bytes.
func isText(typ types.Type) bool {
	b, basic := typ.(*types.Basic)
	return !basic || b.Info()&types.IsString != 0
}

// inOrder gives the constants of a group to the parameters in order, as far as they fit, and zero to the others. left
// are the constants after the last one given; values is nil if none was given.
func (f Form) inOrder(group []Constant) (values []string, left []Constant) {
	given, left := false, group
	values = f.zeros()
	for i, p := range f.Params {
		for j, c := range left {
			if text := literal(c, p.Type); text != "" {
				values[i], left, given = text, left[j+1:], true
				break
			}
		}
	}
	if !given {
		return nil, left
	}
	return values, left
}

// Constants returns the constants in a body, in groups that belong together: the arguments of a call, the elements of a
// literal, the sides of a comparison, the values of a case. A list of constant bytes counts as one text. A local
// variable counts as the constant last assigned to it, in source order. Fields that are passed to a function named
// callee, such as those of a table row, get the names of its parameters.
func Constants(info *types.Info, body ast.Node, callee string) (groups [][]Constant) {
	passed, given := passedFields(info, body, callee), givenTo(info, body)
	gather := func(list []ast.Expr, name func(i int) string) {
		var group []Constant
		for i, e := range list {
			c := Constant{Name: name(i)}
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				if key, ok := kv.Key.(*ast.Ident); ok {
					c.Name = key.Name
				}
				e = kv.Value
			}
			if c.Value = given.value(info, e); c.Value != nil {
				c.Name = cmp.Or(passed[c.Name], c.Name)
				group = append(group, c)
			}
		}
		if len(group) > 0 {
			groups = append(groups, group)
		}
	}
	none := func(int) string { return "" }
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			gather(n.Args, parameters(info.TypeOf(n.Fun)))
		case *ast.CompositeLit:
			if text, ok := bytesOf(info, n); ok {
				groups = append(groups, []Constant{{Value: text}})
				return false
			}
			gather(n.Elts, fields(info.TypeOf(n)))
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ || n.Op == token.LSS || n.Op == token.GTR || n.Op == token.LEQ || n.Op == token.GEQ {
				gather([]ast.Expr{n.X, n.Y}, none)
			}
		case *ast.CaseClause:
			gather(n.List, none)
		}
		return true
	})
	return groups
}

// assignment is the assignment of a constant to a variable.
type assignment struct {
	pos   token.Pos
	value constant.Value
}

// assignments are the assignments of constants in a body by variable, in source order.
type assignments map[types.Object][]assignment

// givenTo returns the assignments of constants to variables in a body.
func givenTo(info *types.Info, body ast.Node) assignments {
	all := assignments{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if len(n.Lhs) != len(n.Rhs) || n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
				return true
			}
			for i, lhs := range n.Lhs {
				if id, ok := lhs.(*ast.Ident); ok {
					all.note(info, id, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			if len(n.Names) != len(n.Values) {
				return true
			}
			for i, id := range n.Names {
				all.note(info, id, n.Values[i])
			}
		}
		return true
	})
	return all
}

// note records the assignment of e to a variable if e is a constant.
func (a assignments) note(info *types.Info, id *ast.Ident, e ast.Expr) {
	if obj, v := info.ObjectOf(id), info.Types[e].Value; obj != nil && v != nil {
		a[obj] = append(a[obj], assignment{id.Pos(), v})
	}
}

// value returns the constant value of e, or of the variable that e names; nil: none is known.
func (a assignments) value(info *types.Info, e ast.Expr) (v constant.Value) {
	if v := info.Types[e].Value; v != nil {
		return v
	}
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		for _, given := range a[info.ObjectOf(id)] {
			if given.pos < e.Pos() {
				v = given.value
			}
		}
	}
	return v
}

// passedFields maps names of fields to those of the parameters that they are passed for in calls of callee in a body.
func passedFields(info *types.Info, body ast.Node, callee string) map[string]string {
	passed := map[string]string{}
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if fn := typeutil.Callee(info, call); fn == nil || fn.Name() != callee {
			return true
		}
		name := parameters(info.TypeOf(call.Fun))
		for i, arg := range call.Args {
			if field, ok := ast.Unparen(arg).(*ast.SelectorExpr); ok && info.Selections[field] != nil {
				passed[field.Sel.Name] = name(i)
			}
		}
		return true
	})
	return passed
}

// parameters returns a function that names the i-th parameter of a function type; "" if there is none.
func parameters(typ types.Type) func(i int) string {
	sig, _ := types.Unalias(typ).(*types.Signature)
	return func(i int) string {
		if sig == nil || i >= sig.Params().Len() {
			return ""
		}
		return sig.Params().At(i).Name()
	}
}

// fields returns a function that names the i-th field of a struct type; "" if there is none.
func fields(typ types.Type) func(i int) string {
	return func(i int) string {
		if typ == nil {
			return ""
		}
		s, ok := typ.Underlying().(*types.Struct)
		if !ok || i >= s.NumFields() {
			return ""
		}
		return s.Field(i).Name()
	}
}

// bytesOf returns a literal list of constant bytes as a string constant. ok is false for other literals and empty ones.
func bytesOf(info *types.Info, lit *ast.CompositeLit) (text constant.Value, ok bool) {
	list, isSlice := info.TypeOf(lit).Underlying().(*types.Slice)
	if !isSlice || !types.Identical(list.Elem().Underlying(), types.Typ[types.Byte]) || len(lit.Elts) == 0 {
		return nil, false
	}
	var b []byte
	for _, e := range lit.Elts {
		n, known := constant.Uint64Val(constant.ToInt(orUnknown(info.Types[e].Value)))
		if !known || n > 255 {
			return nil, false
		}
		b = append(b, byte(n))
	}
	return constant.MakeString(string(b)), true
}

func orUnknown(v constant.Value) constant.Value {
	if v == nil {
		return constant.MakeUnknown()
	}
	return v
}

// OfVariables returns the constants in the initial values of the package variables that a body of the package names.
func OfVariables(pkg *packages.Package, body ast.Node) (groups [][]Constant) {
	named := map[types.Object]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := pkg.TypesInfo.Uses[id].(*types.Var); ok && v.Parent() == pkg.Types.Scope() {
				named[v] = true
			}
		}
		return true
	})
	for _, init := range pkg.TypesInfo.InitOrder {
		if len(init.Lhs) == 1 && named[init.Lhs[0]] {
			groups = append(groups, Constants(pkg.TypesInfo, init.Rhs, "")...)
		}
	}
	return groups
}

// literal writes a constant as a value of a fuzzed parameter's type; "" if it cannot have that value.
func literal(c Constant, typ types.Type) string {
	b, ok := typ.(*types.Basic)
	if !ok {
		if c.Kind() == constant.String {
			return "[]byte(" + strconv.Quote(constant.StringVal(c.Value)) + ")"
		}
		return ""
	}
	var text string
	switch info := b.Info(); {
	case info&types.IsString != 0 && c.Kind() == constant.String:
		return strconv.Quote(constant.StringVal(c.Value))
	case info&types.IsBoolean != 0 && c.Kind() == constant.Bool:
		return strconv.FormatBool(constant.BoolVal(c.Value))
	case info&types.IsInteger != 0 && c.Kind() == constant.Int && representable(c.Value, b):
		if text = c.ExactString(); b.Kind() == types.Int {
			return text
		}
	case info&types.IsFloat != 0 && (c.Kind() == constant.Float || c.Kind() == constant.Int):
		f, _ := constant.Float64Val(c.Value)
		if math.IsInf(f, 0) || b.Kind() == types.Float32 && math.IsInf(float64(float32(f)), 0) {
			return ""
		}
		text = strconv.FormatFloat(f, 'g', -1, 64)
	default:
		return ""
	}
	return b.Name() + "(" + text + ")"
}

// representable reports whether an integer fits into a type. int and uint count as having 32 bits.
func representable(c constant.Value, b *types.Basic) bool {
	sizes := map[types.BasicKind]int{types.Int8: 7, types.Int16: 15, types.Int32: 31, types.Int: 31, types.Int64: 63, types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint: 32, types.Uint64: 64}
	unsigned := b.Info()&types.IsUnsigned != 0
	return constant.BitLen(c) <= sizes[b.Kind()] && !(unsigned && constant.Sign(c) < 0)
}

// encoded writes constants one after the other in the form in which a driver reads them, also in lists. A byte precedes
// each: with anys the one that selects its kind, else 1, which means "present", or "one more item".
func encoded(group []Constant, anys bool) string {
	var b strings.Builder
	lead := func(kind byte) {
		if !anys {
			kind = 1 // present, or one item more
		}
		b.WriteByte(kind)
	}
	for _, c := range group {
		switch c.Kind() {
		case constant.String:
			lead(ofString)
			b.WriteString(constant.StringVal(c.Value) + "\x00")
		case constant.Bool:
			lead(ofBool)
			if constant.BoolVal(c.Value) {
				b.WriteByte(1)
			} else {
				b.WriteByte(0)
			}
		case constant.Int:
			lead(ofInt)
			n, _ := constant.Int64Val(c.Value)
			if n == int64(int8(n)) && n != -128 {
				b.WriteByte(byte(n))
			} else {
				writeLong(&b, uint64(n))
			}
		case constant.Float:
			lead(ofFloat)
			f, _ := constant.Float64Val(c.Value)
			writeLong(&b, math.Float64bits(f))
		}
	}
	return b.String()
}

// writeLong writes a number that does not fit into one byte: 0x80, then eight bytes, the lowest first.
func writeLong(b *strings.Builder, n uint64) {
	b.Write(binary.LittleEndian.AppendUint64([]byte{0x80}, n))
}
