package driver

import (
	"fmt"
	"go/types"

	"github.com/mutantfuzz/mutantfuzz/engine/driver/seed"
)

// enumerated returns an expression that maps expr to a value of the enumeration typ, and values of typ to themselves.
// Callers pass no others, so what a function does with them does not matter. For other types it returns expr.
func (m *maker) enumerated(typ types.Type, expr string) string {
	least, most, ok := seed.Range(typ)
	if !ok {
		return expr
	}
	return fmt.Sprintf("(*%s)(nil).within(int64(%s), %d, %d)", m.writer.input, expr, least, most)
}
