package mutate

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

var argumentSwap = &Operator{
	Name:     "argument-swap",
	Category: Value,
	Doc: "Swaps two neighbouring arguments of the same type. Format strings, arguments of calls that make errors, and arguments whose " +
		"order makes no difference, as in `bytes.Equal`, are left alone.",
	Before: "func pow(power func(x, y int) int, a, b int) int {\n\treturn power(a, b)\n}\n",
	After:  "func pow(power func(x, y int) int, a, b int) int {\n\treturn power(b, a)\n}\n",
	mutate: mutateArgumentSwap,
}

func mutateArgumentSwap(s *site) {
	call, ok := s.Node().(*ast.CallExpr)
	if !ok || s.isBuiltin(call, "min", "max", "append") || s.makesError(call) {
		return
	}
	first := 0
	if s.symmetric(call) {
		first = 1
	}
	for i := first; i < len(call.Args)-1; i++ {
		a, b := call.Args[i], call.Args[i+1]
		if s.isConstant(a) && s.isConstant(b) || s.isFormat(a) || s.isFormat(b) || !types.Identical(s.Info.TypeOf(a), s.Info.TypeOf(b)) {
			continue
		}
		swapped := s.text(call.Pos(), a.Pos()) + s.source(b) + s.text(a.End(), b.Pos()) + s.source(a) + s.text(b.End(), call.End())
		before := len(s.mutants)
		s.replaceExpr(swapped, precedenceOf(call), nil)
		s.alters(before, a.Pos(), b.End())
	}
}

// symmetric lists functions of the standard library whose first two parameters have the same type and may be exchanged
// without a change of the result.
var symmetric = map[string]bool{
	"bytes.Equal": true, "bytes.EqualFold": true, "strings.EqualFold": true,
	"crypto/hmac.Equal": true, "crypto/subtle.ConstantTimeCompare": true, "crypto/subtle.ConstantTimeEq": true,
	"crypto/subtle.ConstantTimeByteEq": true,
	"go/types.Identical":               true, "go/types.IdenticalIgnoreTags": true, "os.SameFile": true,
	"maps.Equal": true, "reflect.DeepEqual": true, "slices.Equal": true,
	"math.FMA": true, "math.Hypot": true, "math.Max": true, "math.Min": true,
	"math/bits.Add": true, "math/bits.Add32": true, "math/bits.Add64": true,
	"math/bits.Mul": true, "math/bits.Mul32": true, "math/bits.Mul64": true,
	"(*math/big.Float).Add": true, "(*math/big.Float).Mul": true,
	"(*math/big.Int).Add": true, "(*math/big.Int).Mul": true,
	"(*math/big.Int).And": true, "(*math/big.Int).Or": true, "(*math/big.Int).Xor": true,
	"(*math/big.Rat).Add": true, "(*math/big.Rat).Mul": true,
}

// isFormat reports whether the expression is a constant string with verbs, as
// package fmt takes.
func (p *pass) isFormat(e ast.Expr) bool {
	v := p.Info.Types[e].Value
	return v != nil && v.Kind() == constant.String && strings.Contains(constant.StringVal(v), "%")
}
