// Package carving makes entries of drivers out of the arguments of calls.
package carving

import (
	"go/ast"
	"go/parser"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Places returns, for each parameter of a driver, the index of the argument in call that is this parameter, perhaps
// converted; -1: there is none. With recv the receiver counts as argument 0. All are -1 if call is not a call
// expression.
func Places(params []string, call string, recv bool) []int {
	places := make([]int, len(params))
	for i := range places {
		places[i] = -1
	}
	x, _ := parser.ParseExpr(call)
	c, ok := x.(*ast.CallExpr)
	if !ok {
		return places
	}
	for i, arg := range c.Args {
		if id, ok := unconverted(arg).(*ast.Ident); ok {
			if p := slices.Index(params, id.Name); p >= 0 {
				if places[p] = i; recv {
					places[p]++
				}
			}
		}
	}
	return places
}

// unconverted returns what is within a chain of conversions: "x" for "T(U(x))".
func unconverted(e ast.Expr) ast.Expr {
	for {
		c, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || len(c.Args) != 1 {
			return ast.Unparen(e)
		}
		e = c.Args[0]
	}
}

// zeros has the zero values of types as a corpus entry writes them between the parentheses. Other types have "0".
var zeros = map[string]string{"string": `""`, "[]byte": `""`, "bool": "false"}

// Entry returns the entry of a driver with parameters of the given types. Parameter i gets args[places[i]], which is Go
// source, or its zero value if places[i] is negative. ok is false if an argument cannot be written as a constant.
func Entry(types, args []string, places []int) (e corpus.Entry, ok bool) {
	var b strings.Builder
	b.WriteString("go test fuzz v1\n")
	for i, typ := range types {
		value := orZero(typ)
		if at := places[i]; at >= 0 {
			if at >= len(args) || args[at] == "" {
				return e, false
			}
			x, err := parser.ParseExpr(args[at])
			if err != nil {
				return e, false
			}
			inner := unconverted(x)
			value = args[at][inner.Pos()-1 : inner.End()-1]
		}
		b.WriteString(typ + "(" + value + ")\n")
	}
	values, err := wire.DecodeEntry(b.String())
	if err != nil {
		return e, false
	}
	return corpus.NewEntry([]byte(wire.EncodeEntry(values))), true
}

func orZero(typ string) string {
	if z, ok := zeros[typ]; ok {
		return z
	}
	return "0"
}

// Entries returns an entry of a driver for each row of arguments, given as Go source. Rows that have no form as an
// entry are left out. With reads, rows have no argument for the last parameter.
func Entries(types []string, rows [][]string, reads bool) (list []corpus.Entry) {
	places := make([]int, len(types))
	for i := range places {
		places[i] = i
	}
	if reads {
		places[len(places)-1] = -1
	}
	for _, row := range rows {
		if e, ok := Entry(types, row, places); ok {
			list = append(list, e)
		}
	}
	return list
}
