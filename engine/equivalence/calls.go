package equivalence

import (
	"go/token"
	"go/types"
	"math"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// maxDepth bounds how deep calls of the package's own functions are followed.
const maxDepth = 4

// documented maps functions of the standard library to the range of a result, as their documentation bounds it; the
// upper bound may be that of the type. It is the first result, except for utf8.DecodeRune and its like: there it is
// the second.
var documented = table([]bounded{
	{span(-1, 1), `strings.Compare bytes.Compare cmp.Compare slices.Compare (time.Time).Compare (*math/big.Int).Cmp (*math/big.Int).CmpAbs
		(*math/big.Int).Sign (*math/big.Rat).Cmp (*math/big.Rat).Sign (*math/big.Float).Cmp (*math/big.Float).Sign (net/netip.Addr).Compare`},
	{span(-1, math.MaxInt64), `strings.Index strings.IndexAny strings.IndexByte strings.IndexFunc strings.IndexRune strings.LastIndex
		strings.LastIndexAny strings.LastIndexByte strings.LastIndexFunc bytes.Index bytes.IndexAny bytes.IndexByte bytes.IndexFunc
		bytes.IndexRune bytes.LastIndex bytes.LastIndexAny bytes.LastIndexByte bytes.LastIndexFunc slices.Index slices.IndexFunc
		(*regexp.Regexp).SubexpIndex`},
	{span(0, math.MaxInt64), `strings.Count bytes.Count sort.Search sort.SearchInts sort.SearchStrings sort.SearchFloat64s slices.BinarySearch
		slices.BinarySearchFunc unicode/utf8.RuneCount unicode/utf8.RuneCountInString (*strings.Builder).Len (*strings.Builder).Cap
		(*strings.Reader).Len (*bytes.Buffer).Len (*bytes.Buffer).Cap (*bytes.Buffer).Available (*bytes.Reader).Len (reflect.Value).Len
		(*regexp.Regexp).NumSubexp (*bufio.Reader).Buffered (*bufio.Writer).Buffered (*math/big.Int).BitLen`},
	{span(-1, 4), `unicode/utf8.RuneLen`},
	{span(1, 4), `unicode/utf8.EncodeRune`},
	{span(0, 4), `unicode/utf8.DecodeRune unicode/utf8.DecodeRuneInString unicode/utf8.DecodeLastRune unicode/utf8.DecodeLastRuneInString`},
	{span(0, 64), `math/bits.Len math/bits.Len64 math/bits.OnesCount math/bits.OnesCount64 math/bits.LeadingZeros math/bits.LeadingZeros64
		math/bits.TrailingZeros math/bits.TrailingZeros64`},
	{span(0, 32), `math/bits.Len32 math/bits.OnesCount32 math/bits.LeadingZeros32 math/bits.TrailingZeros32`},
	{span(0, 16), `math/bits.Len16 math/bits.OnesCount16 math/bits.LeadingZeros16 math/bits.TrailingZeros16`},
	{span(0, 8), `math/bits.Len8 math/bits.OnesCount8 math/bits.LeadingZeros8 math/bits.TrailingZeros8`},
})

// neverFails holds the functions of the standard library whose documentation says that they always return a nil
// error.
var neverFails = set(`(*bytes.Buffer).Write (*bytes.Buffer).WriteByte (*bytes.Buffer).WriteRune (*bytes.Buffer).WriteString
	(*strings.Builder).Write (*strings.Builder).WriteByte (*strings.Builder).WriteRune (*strings.Builder).WriteString math/rand.Read
	(*math/rand.Rand).Read`)

type bounded struct {
	result interval
	names  string
}

func table(list []bounded) map[string]interval {
	m := map[string]interval{}
	for _, b := range list {
		for name := range strings.FieldsSeq(b.names) {
			m[name] = b.result
		}
	}
	return m
}

func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

// callee returns the full name of the function or method that a call always calls, such as "(*bytes.Buffer).Write";
// "" if that is only known at run time.
func callee(call *ssa.Call) string {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return ""
	}
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		return obj.FullName()
	}
	return ""
}

// result returns the values of v, an integer that is not a phi. get returns those of an operand.
func (p *Package) result(v ssa.Value, get func(ssa.Value) interval) interval {
	all := p.full(v.Type())
	switch v := v.(type) {
	case *ssa.BinOp:
		return arithmetic(v.Op, get(v.X), get(v.Y), all)
	case *ssa.UnOp:
		switch {
		case v.Op == token.SUB:
			return arithmetic(token.SUB, only(zero), get(v.X), all)
		case v.Op == token.XOR && all.negative():
			return arithmetic(token.SUB, span(-1, -1), get(v.X), all)
		}
	case *ssa.ChangeType:
		return p.converted(v.X, all, get)
	case *ssa.Convert:
		return p.converted(v.X, all, get)
	case *ssa.Call:
		return p.called(v, 0, all, get)
	case *ssa.Extract:
		return p.extracted(v, all, get)
	}
	return all
}

// converted returns the values of x after a conversion to a type with the values all.
func (p *Package) converted(x ssa.Value, all interval, get func(ssa.Value) interval) interval {
	if integer(x.Type()) {
		if i := get(x); i.within(all) {
			return i
		}
	}
	return all
}

// extracted returns the values of one of several results.
func (p *Package) extracted(v *ssa.Extract, all interval, get func(ssa.Value) interval) interval {
	switch t := v.Tuple.(type) {
	case *ssa.Call:
		return p.called(t, v.Index, all, get)
	case *ssa.Next:
		switch {
		case t.IsString && v.Index == 1: // the index of the character
			return interval{zero, all.hi}
		case t.IsString && v.Index == 2:
			return span(0, 0x10FFFF)
		}
	}
	return all
}

// called returns the values of the i-th result of a call.
func (p *Package) called(call *ssa.Call, i int, all interval, get func(ssa.Value) interval) (found interval) {
	switch builtin(call) {
	case "len", "cap", "copy":
		return interval{zero, all.hi}
	case "min", "max":
		found = get(call.Call.Args[0])
		for _, arg := range call.Call.Args[1:] {
			found = extreme(builtin(call), found, get(arg))
		}
		return found
	}
	name := callee(call)
	if known, ok := documented[name]; ok && i == resultOf(name) {
		return known.meet(all)
	}
	return p.returned(call.Call.StaticCallee(), i, all)
}

// extreme returns the values of min(a, b) or max(a, b).
func extreme(name string, a, b interval) interval {
	switch {
	case a.empty() || b.empty():
		return interval{}
	case name == "min":
		return interval{smaller(a.lo, b.lo), smaller(a.hi, b.hi)}
	}
	return interval{larger(a.lo, b.lo), larger(a.hi, b.hi)}
}

// resultOf returns the index of the bounded result of a documented function.
func resultOf(name string) int {
	if strings.HasPrefix(name, "unicode/utf8.Decode") {
		return 1
	}
	return 0
}

// returned returns the values of the i-th result of a function of the package, as its return statements give it.
func (p *Package) returned(fn *ssa.Function, i int, all interval) (found interval) {
	if fn == nil || fn.Pkg != p.ssa || len(fn.Blocks) == 0 || p.depth >= maxDepth {
		return all
	}
	p.depth++
	defer func() { p.depth-- }()
	r := p.rangesOf(fn)
	if r == nil {
		return all
	}
	for _, ret := range returns(fn) {
		found = found.join(r.at(ret.Results[i], r.facts(ret.Block())))
	}
	if found.empty() { // it never seems to return
		return all
	}
	return found
}

// returns returns the return instructions of fn, including the one after a recovered panic.
func returns(fn *ssa.Function) (list []*ssa.Return) {
	for _, b := range fn.DomPreorder() {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			list = append(list, ret)
		}
	}
	return list
}
