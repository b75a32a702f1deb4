package equivalence

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A variable that is not a register, such as a field, is loaded anew wherever it is used. Nothing can change it between two
// loads if each run comes from one to the other without a store, a call or anything else that other code could run in. Another
// goroutine could only do so by a race, which no test can rely on.

// maxSteps bounds how many instructions before a load are searched for an earlier one.
const maxSteps = 200

// firstLoad returns the first register that v was loaded to, if v is a load of what cannot have changed since; else v.
func firstLoad(v ssa.Value) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return v
	}
	b, steps := load.Block(), 0
	at := len(b.Instrs)
	for i, instr := range b.Instrs {
		if instr == load {
			at = i
		}
	}
	for {
		for at--; at >= 0; at-- {
			steps++
			earlier, isLoad := b.Instrs[at].(*ssa.UnOp)
			switch {
			case steps > maxSteps || !keepsMemory(b.Instrs[at]):
				return v
			case isLoad && earlier.Op == token.MUL && sameAddress(earlier.X, load.X):
				return firstLoad(earlier)
			}
		}
		if len(b.Preds) != 1 || b.Preds[0] == b {
			return v
		}
		b = b.Preds[0]
		at = len(b.Instrs)
	}
}

// sameAddress reports whether a and b are one address, or that of the same field of one struct.
func sameAddress(a, b ssa.Value) bool {
	if a == b || firstLoad(a) == firstLoad(b) {
		return true
	}
	x, ok := a.(*ssa.FieldAddr)
	y, also := b.(*ssa.FieldAddr)
	return ok && also && x.Field == y.Field && sameAddress(x.X, y.X)
}

// keepsMemory reports whether instr changes no variable, and no other code runs in it.
func keepsMemory(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op != token.ARROW
	case *ssa.Call:
		return builtin(instr) == "len" || builtin(instr) == "cap"
	case *ssa.BinOp, *ssa.FieldAddr, *ssa.Field, *ssa.IndexAddr, *ssa.Index, *ssa.Convert, *ssa.ChangeType, *ssa.Phi,
		*ssa.Extract, *ssa.If, *ssa.Jump, *ssa.DebugRef:
		return true
	}
	return false
}
