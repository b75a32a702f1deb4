package mutate

import (
	"go/token"
	"go/types"
)

var bitwise = &Operator{
	Name:     "bitwise",
	Category: Arithmetic,
	Doc:      "Swaps `&` and `|`, `<<` and `>>`, and replaces `^` and `&^` by `&`, also in `&=` and its like.",
	Before:   "func has(set, flag uint) uint {\n\treturn set & flag\n}\n",
	After:    "func has(set, flag uint) uint {\n\treturn set | flag\n}\n",
	mutate: func(s *site) {
		s.swapOperator(bitwiseSwaps, types.IsInteger)
	},
}

var bitwiseSwaps = map[token.Token]token.Token{
	token.AND: token.OR, token.OR: token.AND,
	token.XOR: token.AND, token.AND_NOT: token.AND,
	token.SHL: token.SHR, token.SHR: token.SHL,
}
