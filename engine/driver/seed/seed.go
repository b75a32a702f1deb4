// Package seed makes the first inputs of drivers out of constants that somebody has written: those that stand together in a
// call, in a row of a table or in a comparison become arguments together. What a driver reads from bytes is written as
// engine/driver/decode reads it.
package seed

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// Kinds are the types that constants have in an interface without methods. A driver that makes a value of any type reads a
// byte that says of which: 0 is for nil, and n for the n-th of these. What other types it makes come after them.
var Kinds = []types.Type{testfile.StringType, types.Typ[types.Int], types.Typ[types.Bool], types.Typ[types.Float64]}

// The bytes for Kinds.
const (
	ofString byte = 1 + iota
	ofInt
	ofBool
	ofFloat
)

// maxSeeds bounds the seeds of a driver, and maxGroup how many constants of a group are used: no call has as many as a dictionary.
const maxSeeds, maxGroup = 200, 64

// Form is what the fuzz function of a driver takes.
type Form struct {
	Params []testfile.Param // without the bytes
	Reads  bool             // its last argument is bytes, which it makes values of
	Anys   bool             // some of these may be of any type
}

// Seeds are arguments for a fuzz function, as Go source: first zero values, then constants of groups that belong together. There
// are 200 at most, each once.
func (f Form) Seeds(groups [][]constant.Value) (list [][]string) {
	params := f.Params
	known := map[string]bool{}
	add := func(values []string, data string) {
		if f.Reads {
			values = append(values, "[]byte("+strconv.Quote(data)+")")
		}
		if key := strings.Join(values, ", "); !known[key] && len(list) < maxSeeds {
			known[key] = true
			list = append(list, values)
		}
	}
	zeros := make([]string, len(params))
	for i, p := range params {
		zeros[i] = p.Zero()
	}
	add(append([]string{}, zeros...), "")
	for _, group := range groups {
		if len(list) == maxSeeds {
			break
		}
		group = group[:min(len(group), maxGroup)]
		values := append([]string{}, zeros...)
		left, used := group, 0
		for i, p := range params {
			for j, c := range left {
				if text := literal(c, p.Type); text != "" {
					values[i], left, used = text, left[j+1:], used+1
					break
				}
			}
		}
		whole := encoded(group, f.Anys)
		data := encoded(left, f.Anys)
		if len(params) == 0 || used == 0 {
			data = whole
		}
		if used > 0 || f.Reads {
			add(values, data)
		}
		// One constant alone, for each parameter that can have it.
		for _, c := range group {
			for i, p := range params {
				if text := literal(c, p.Type); text != "" && text != zeros[i] {
					single := append([]string{}, zeros...)
					single[i] = text
					add(single, whole)
				}
			}
		}
	}
	return list
}

// Constants are those in a body, in groups that belong together: the arguments of a call, the elements of a literal, the sides of a
// comparison, the values of a case. A list of bytes is one text.
func Constants(info *types.Info, body ast.Node) (groups [][]constant.Value) {
	value := func(e ast.Expr) constant.Value {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		return info.Types[e].Value
	}
	gather := func(list []ast.Expr) {
		var group []constant.Value
		for _, e := range list {
			if v := value(e); v != nil {
				group = append(group, v)
			}
		}
		if len(group) > 0 {
			groups = append(groups, group)
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			gather(n.Args)
		case *ast.CompositeLit:
			if text, ok := bytesOf(info, n); ok {
				groups = append(groups, []constant.Value{text})
				return false
			}
			gather(n.Elts)
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ || n.Op == token.LSS || n.Op == token.GTR || n.Op == token.LEQ || n.Op == token.GEQ {
				gather([]ast.Expr{n.X, n.Y})
			}
		case *ast.CaseClause:
			gather(n.List)
		}
		return true
	})
	return groups
}

// bytesOf is a list of constant bytes as a text.
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

// OfVariables are the constants in the values that package variables have at first which a body of the package names.
func OfVariables(pkg *packages.Package, body ast.Node) (groups [][]constant.Value) {
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
			groups = append(groups, Constants(pkg.TypesInfo, init.Rhs)...)
		}
	}
	return groups
}

// literal writes a constant as a value of a fuzzed parameter's type; "" if it is none.
func literal(c constant.Value, typ types.Type) string {
	b, ok := typ.(*types.Basic)
	if !ok {
		if c.Kind() == constant.String {
			return "[]byte(" + strconv.Quote(constant.StringVal(c)) + ")"
		}
		return ""
	}
	var text string
	switch info := b.Info(); {
	case info&types.IsString != 0 && c.Kind() == constant.String:
		return strconv.Quote(constant.StringVal(c))
	case info&types.IsBoolean != 0 && c.Kind() == constant.Bool:
		return strconv.FormatBool(constant.BoolVal(c))
	case info&types.IsInteger != 0 && c.Kind() == constant.Int && representable(c, b):
		if text = c.ExactString(); b.Kind() == types.Int {
			return text
		}
	case info&types.IsFloat != 0 && (c.Kind() == constant.Float || c.Kind() == constant.Int):
		f, _ := constant.Float64Val(c)
		text = strconv.FormatFloat(f, 'g', -1, 64)
	default:
		return ""
	}
	return b.Name() + "(" + text + ")"
}

// representable reports whether a whole number fits into a type; of int and uint 32 bits are sure.
func representable(c constant.Value, b *types.Basic) bool {
	sizes := map[types.BasicKind]int{types.Int8: 7, types.Int16: 15, types.Int32: 31, types.Int: 31, types.Int64: 63, types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint: 32, types.Uint64: 64}
	unsigned := b.Info()&types.IsUnsigned != 0
	return constant.BitLen(c) <= sizes[b.Kind()] && !(unsigned && constant.Sign(c) < 0)
}

// encoded is what a driver's input reads constants from, one after the other, in lists of them as well. With anys each
// has the byte of its kind before it.
func encoded(group []constant.Value, anys bool) string {
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
			b.WriteString(constant.StringVal(c) + "\x00")
		case constant.Bool:
			lead(ofBool)
			if constant.BoolVal(c) {
				b.WriteByte(1)
			} else {
				b.WriteByte(0)
			}
		case constant.Int:
			lead(ofInt)
			n, _ := constant.Int64Val(c)
			if n == int64(int8(n)) && n != -128 {
				b.WriteByte(byte(n))
			} else {
				writeLong(&b, uint64(n))
			}
		case constant.Float:
			lead(ofFloat)
			f, _ := constant.Float64Val(c)
			writeLong(&b, math.Float64bits(f))
		}
	}
	return b.String()
}

// writeLong writes a number that takes more than a byte.
func writeLong(b *strings.Builder, n uint64) {
	b.WriteByte(0x80)
	for i := range 8 {
		b.WriteByte(byte(n >> (8 * i)))
	}
}
