package fuzz

import (
	"fmt"
	"go/ast"
	"go/parser"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// callText writes a call with literal arguments, or "" where an argument or the receiver,
// which is observed first, has no literal form.
func callText(s *weave.Site, observed []string) string {
	operands := s.Args
	if s.Recv {
		operands = slices.Concat([]weave.SiteArg{{}}, s.Args)
	}
	var args []string
	for _, a := range operands {
		source := a.Const
		if source == "" && len(observed) > 0 {
			source, observed = observed[0], observed[1:]
		}
		if source == "" {
			return ""
		}
		args = append(args, Localise(source, s.PackageName))
	}
	callee := s.Callee
	if s.Recv {
		i := strings.LastIndex(callee, ".")
		if i < 0 {
			return ""
		}
		callee, args = "("+args[0]+")"+callee[i:], args[1:]
	}
	return callee + "(" + strings.Join(args, ", ") + ")"
}

// effect describes what an observed call did: its results and, where they differ in
// other, the receiver and the arguments after the call.
func effect(s *weave.Site, o, other *wire.Observation) string {
	if o == nil {
		return "(the call is not made)"
	}
	text := o.Text
	for i, after := range o.After {
		if after != "" && (other == nil || i >= len(other.After) || other.After[i] != after) {
			text += fmt.Sprintf("; %s becomes %s", operand(s, i), after)
		}
	}
	return strings.TrimPrefix(text, "; ")
}

// maxEffect is how much is shown of what a call did, in bytes.
const maxEffect = 200

// apart shortens two texts, if they are too long, to the place where they first differ
// and some text around it.
func apart(a, b string) (string, string) {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(0, i-maxEffect/2)
	if i < maxEffect/2+maxEffect/4 {
		from = 0
	}
	return window(a, from), window(b, from)
}

// window cuts maxEffect bytes from an offset on out of a text, without parts of characters.
func window(s string, from int) string {
	to := min(len(s), from+maxEffect)
	text := strings.ToValidUTF8(s[from:to], "")
	if from > 0 {
		text = "…" + text
	}
	if to < len(s) {
		text += "…"
	}
	return text
}

// operand names the i-th observed operand of a call.
func operand(s *weave.Site, i int) string {
	if s.Recv {
		if i == 0 {
			return "the receiver"
		}
		i--
	}
	for n, a := range s.Args {
		if a.Const != "" {
			continue
		}
		if i == 0 {
			return fmt.Sprintf("argument %d", n+1)
		}
		i--
	}
	return "an argument"
}

// Localise writes the source of a value as it stands in the package itself,
// without the package's own name.
func Localise(source, inPackage string) string {
	x, err := parser.ParseExpr(source)
	if err != nil {
		return source
	}
	var e []string
	at := 0
	ast.Inspect(x, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == inPackage {
				e = append(e, source[at:id.Pos()-1])
				at = int(sel.Sel.Pos()) - 1
			}
		}
		return true
	})
	return strings.Join(append(e, source[at:]), "")
}
