package suggestion

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/witness"
)

// binding says which values of a call go into which slots of a new row.
type binding struct {
	*reader
	call      *Call
	errors    sentinels
	values    map[string]string // Go source by path; empty: the zero value
	operandAt map[string]bool   // the paths of operands
	name      string            // path of the row's name; empty: it has none
	expected  []expectation     // of all rows
	told      map[int]bool      // indices of results that the row has a slot for
	asserted  bool              // a result that the mutant gets wrong is checked
	score     int               // how well it fits
}

// expectation is what a test expects of a result in all rows.
type expectation struct {
	index int
	value string // "true" or "false"; empty: it is about an error
	fails bool   // an error is expected
}

// Scores for what makes a row more or less likely to be right.
const (
	scoreAsserted = 20  // a result that the mutant gets wrong is in the row, or expected of all rows
	scoreResult   = 2   // another result is in the row
	scoreNamed    = 3   // the test is named after the callee
	scoreOther    = -5  // an operand that is not in the row may differ from that of the call
	scoreGuess    = -3  // a value is taken from a neighbour
	scoreWrong    = -40 // the test expects something else of all rows
)

// bind finds out which slots of a row take which values of c. call is the call in the loop that corresponds to c. The
// result is nil if an operand cannot be bound.
func bind(l *loop, call *ast.CallExpr, c *Call, errors sentinels) *binding {
	b := &binding{
		reader: &reader{loop: l, call: call, locals: map[types.Object]origin{}},
		call:   c, errors: errors, values: map[string]string{}, operandAt: map[string]bool{}, told: map[int]bool{},
	}
	pairs := b.read()
	if !b.operands() {
		return nil
	}
	for _, p := range pairs {
		b.result(p)
	}
	b.flags()
	b.byType()
	b.label()
	b.expectations()
	if b.asserted {
		b.score += scoreAsserted
	}
	if strings.Contains(strings.ToLower(l.tests[0]), strings.ToLower(c.Callee.Name())) {
		b.score += scoreNamed
	}
	return b
}

// pair is a slot that the test compares with something that the call returns.
type pair struct {
	slot, of origin
	inverse  bool // the test expects them to differ
}

// read follows the body of the loop and returns the slots and results that it compares.
func (b *binding) read() (pairs []pair) {
	conditions := map[ast.Expr]bool{}
	ast.Inspect(b.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			b.assign(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			var names []ast.Expr
			for _, id := range n.Names {
				names = append(names, id)
			}
			b.assign(names, n.Values)
		case *ast.IfStmt:
			conditions[ast.Unparen(n.Cond)] = true
			if init, ok := n.Init.(*ast.AssignStmt); ok {
				b.assign(init.Lhs, init.Rhs)
			}
			if b.fails(n.Body) {
				b.expect(n.Cond)
			}
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				// "if a == b" leads to a failure: a and b should differ.
				pairs = b.pair(pairs, n.X, n.Y, n.Op == token.EQL && conditions[n])
			}
		case *ast.CallExpr:
			pairs = b.compared(pairs, n)
		}
		return true
	})
	return pairs
}

func (b *binding) pair(pairs []pair, x, y ast.Expr, inverse bool) []pair {
	p, q := b.origin(x), b.origin(y)
	if q.kind == slot {
		p, q = q, p
	}
	if p.kind == slot && q.kind > slot {
		pairs = append(pairs, pair{slot: p, of: q, inverse: inverse})
	}
	return pairs
}

// compared adds the pairs among the operands of a call that may compare them, as reflect.DeepEqual, errors.Is or
// assert.Equal do. Calls that only print compare nothing.
func (b *binding) compared(pairs []pair, call *ast.CallExpr) []pair {
	if call == b.reader.call || b.prints(call) {
		return pairs
	}
	b.required(call)
	operands := call.Args
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && b.pkg.TypesInfo.Selections[sel] != nil {
		operands = append([]ast.Expr{sel.X}, operands...)
	}
	for i, x := range operands {
		for _, y := range operands[i+1:] {
			pairs = b.pair(pairs, x, y, false)
		}
	}
	return pairs
}

// fails reports whether a block seems to make a test fail: it calls Errorf, Fatal, FailNow or the like. fmt.Errorf
// only makes an error.
func (b *binding) fails(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			f := Callee(b.pkg, call)
			found = found || f != nil && b.prints(call) && f.Pkg().Path() != "fmt" && (strings.HasPrefix(f.Name(), "Error") || strings.HasPrefix(f.Name(), "Fa"))
		}
		return !found
	})
	return found
}

// expect records what a test expects that fails under condition: for "err != nil", that err is nil.
func (b *binding) expect(condition ast.Expr) {
	if e, ok := ast.Unparen(condition).(*ast.BinaryExpr); ok && (e.Op == token.LOR || e.Op == token.LAND) {
		b.expect(e.X)
		b.expect(e.Y)
		return
	}
	switch o := b.origin(condition); o.kind {
	case failed:
		b.expected = append(b.expected, expectation{index: o.index, fails: o.inverse})
	case result:
		b.expected = append(b.expected, expectation{index: o.index, value: strconv.FormatBool(o.inverse)})
	}
}

// required records what a call expects of a result if it is named like an assertion of testify.
func (b *binding) required(call *ast.CallExpr) {
	name := ""
	if f := Callee(b.pkg, call); f != nil {
		name = f.Name()
	}
	for _, arg := range call.Args {
		o := b.origin(arg)
		switch {
		case o.kind != result:
		case name == "NoError", name == "Error":
			b.expected = append(b.expected, expectation{index: o.index, fails: name == "Error"})
		case name == "True", name == "False":
			b.expected = append(b.expected, expectation{index: o.index, value: strings.ToLower(name)})
		}
	}
}

// expectations compares what the test expects of all rows with what the call returns.
func (b *binding) expectations() {
	for _, e := range b.expected {
		if b.told[e.index] || e.index >= len(b.call.Results) {
			continue
		}
		r := b.call.Results[e.index]
		switch {
		case e.value == "" && e.fails != (r.Error != ""), e.value != "" && e.value != r.Source:
			b.score += scoreWrong
		case r.Differs:
			b.asserted = true
		}
	}
}

func (b *binding) prints(call *ast.CallExpr) bool {
	f := Callee(b.pkg, call)
	return f != nil && f.Pkg() != nil && (f.Pkg().Path() == "testing" || f.Pkg().Path() == "fmt" || f.Pkg().Path() == "log")
}

// operands binds the receiver and the arguments. It reports false if the number of arguments differs, if no slot takes
// an operand, or if one that a slot takes cannot be written.
func (b *binding) operands() bool {
	args := b.reader.call.Args
	if len(args) != len(b.call.Args) || b.reader.call.Ellipsis.IsValid() {
		return false
	}
	bound := false
	for i, arg := range args {
		ok, in := b.operand(arg, b.call.Args[i])
		if !ok {
			return false
		}
		bound = bound || in
	}
	if sel, ok := b.reader.call.Fun.(*ast.SelectorExpr); ok && b.isMethod(sel) {
		ok, in := b.operand(sel.X, b.call.Recv)
		return ok && (bound || in)
	}
	return bound
}

func (b *binding) isMethod(sel *ast.SelectorExpr) bool { return b.pkg.TypesInfo.Selections[sel] != nil }

// operand binds one operand; in says that a slot takes it. One that no slot takes may be equal to v even if that cannot
// be seen, so it only lowers the score: running the test tells.
func (b *binding) operand(e ast.Expr, v Value) (ok, in bool) {
	if o := b.origin(e); o.kind == slot && !o.inverse {
		if v.Source == "" {
			return false, false
		}
		source, ok := b.fit(v.Source, v.Name, o.typ)
		b.operandAt[o.path] = true
		return ok && b.set(o.path, source), true
	}
	value := b.pkg.TypesInfo.Types[e].Value
	switch {
	case value != nil && !same(value, valueOf(v.Source)), value == nil && fold(b.source.of(e)) != v.Text:
		b.score += scoreOther
	}
	return true, false
}

// set puts a value into a slot. It reports false if the slot has another value.
func (b *binding) set(path, source string) bool {
	if old, taken := b.values[path]; taken && old != source {
		return false
	}
	b.values[path] = source
	return true
}

// result binds a slot to the result that it is compared with.
func (b *binding) result(p pair) {
	if p.of.index >= len(b.call.Results) || b.within(p.slot.path) {
		return
	}
	r := b.call.Results[p.of.index]
	switch {
	case p.of.kind == failed:
		b.flag(p.slot, p.of.inverse != p.slot.inverse != p.inverse, p.of.index)
	case p.slot.inverse:
	case p.of.kind == message:
		b.put(p.slot.path, quoted(r.Error), p.of.index)
	case b.isError(p.of.index):
		b.fault(p.slot, p.of.index)
	default:
		if source, ok := b.fit(r.Source, r.Name, p.slot.typ); ok {
			b.put(p.slot.path, source, p.of.index)
		}
	}
}

// within reports whether the slot at a path has a value, or is part of one that has, or contains one.
func (b *binding) within(path string) bool {
	for p := range b.values {
		if p == path || below(p, path) || below(path, p) {
			return true
		}
	}
	return false
}

// below reports whether path leads to a part of what whole leads to. Nothing counts as part of the whole row, because
// the key of a row in a map is not part of it.
func below(path, whole string) bool {
	rest, ok := strings.CutPrefix(path, whole)
	return ok && whole != wholeRow && rest != "" && strings.ContainsAny(rest[:1], ".[")
}

// put sets a slot to the i-th result, unless the slot is taken.
func (b *binding) put(path, source string, i int) {
	if b.within(path) {
		return
	}
	b.values[path], b.told[i] = source, true
	b.score += scoreResult
	b.asserted = b.asserted || b.call.Results[i].Differs
}

// flag sets a bool slot to whether the i-th result is an error or, with inverse, whether it is none.
func (b *binding) flag(s origin, inverse bool, i int) {
	if t, ok := s.typ.Underlying().(*types.Basic); !ok || t.Kind() != types.Bool {
		return
	}
	source := ""
	if (b.call.Results[i].Error != "") != inverse {
		source = "true"
	}
	b.put(s.path, source, i)
}

// isError reports whether the i-th result of the callee is an error.
func (b *binding) isError(i int) bool {
	list := b.call.Callee.Signature().Results()
	return i < list.Len() && isError(list.At(i).Type())
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// fault sets the slot of the i-th result, an error, in the form that the type of the slot needs.
func (b *binding) fault(s origin, i int) {
	r := b.call.Results[i]
	basic, _ := s.typ.Underlying().(*types.Basic)
	switch {
	case r.Error == "" && (r.Source == "nil" || basic != nil):
		b.put(s.path, "", i)
	case basic != nil && basic.Kind() == types.String:
		b.put(s.path, quoted(r.Error), i)
	case basic != nil && basic.Kind() == types.Bool:
		b.put(s.path, "true", i)
	case types.IsInterface(s.typ):
		source, sure := b.errors.expression(b.table, s.path, r.Error)
		if !sure {
			b.score += scoreGuess
		}
		if source != "" {
			b.put(s.path, source, i)
		}
	}
}

// Patterns for names of slots in lower case.
var (
	failureName = regexp.MustCompile(`err|fail|invalid|bad|wrong|panic|reject`)
	successName = regexp.MustCompile(`^(is)?(ok|okay|valid|good|pass|passes|success|succeeds|accept)`)
	resultName  = regexp.MustCompile(`^(want|exp|out|res|ret|w$|result|should|answer)`)
	labelName   = regexp.MustCompile(`^(test|case|tc)?_?(name|desc|description|title|label|scenario|comment|doc|about|msg|message|case|id|note)s?$`)
)

// flags binds slots that say whether the call fails where nothing compares them directly, such as wantErr in
// "if err != nil && !tt.wantErr".
func (b *binding) flags() {
	i := slices.IndexFunc(b.call.Results, func(r Result) bool { return r.Error != "" || r.Source == "nil" })
	for n := range b.call.Results {
		if b.isError(n) {
			i = n
		}
	}
	if i < 0 || !b.isError(i) {
		return
	}
	for _, s := range b.slots() {
		if b.within(s.path) {
			continue
		}
		basic, _ := s.typ.Underlying().(*types.Basic)
		name := plainName(s.path)
		switch bad := failureName.MatchString(name); {
		case basic != nil && basic.Kind() == types.Bool && (bad || successName.MatchString(name)):
			b.flag(s, !bad || strings.HasPrefix(name, "no"), i)
		case isError(s.typ), basic != nil && basic.Kind() == types.String && bad:
			b.fault(s, i)
		}
	}
}

// byType binds results to slots that only their type and name connect with them.
func (b *binding) byType() {
	for i, r := range b.call.Results {
		if b.isError(i) || r.Source == "" {
			continue
		}
		var fits []origin
		for _, s := range b.slots() {
			if !b.within(s.path) && resultName.MatchString(plainName(s.path)) && types.Identical(s.typ, b.call.Callee.Signature().Results().At(i).Type()) {
				fits = append(fits, s)
			}
		}
		if len(fits) != 1 {
			continue
		}
		if source, ok := b.fit(r.Source, r.Name, fits[0].typ); ok {
			b.put(fits[0].path, source, i)
		}
	}
}

// slots returns the fields of a row, and those of structs that are fields of it.
func (b *binding) slots() (list []origin) {
	if s := structOf(b.row); s != nil {
		list = fields(s, wholeRow, 2)
	}
	return list
}

func fields(s *types.Struct, path string, depth int) (list []origin) {
	for f := range s.Fields() {
		p := path + "." + f.Name()
		list = append(list, origin{kind: slot, path: p, typ: f.Type()})
		if inner, ok := f.Type().Underlying().(*types.Struct); ok && depth > 1 && !f.Embedded() {
			list = append(list, fields(inner, p, depth-1)...)
		}
	}
	return list
}

// label finds the slot that names the row.
func (b *binding) label() {
	if t, ok := b.key.(*types.Basic); ok && t.Kind() == types.String && !b.within(mapKey) {
		b.name = mapKey
		return
	}
	ast.Inspect(b.body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 || b.name != "" {
			return b.name == ""
		}
		if f := Callee(b.pkg, call); f != nil && f.Name() == "Run" && b.prints(call) {
			if o := b.origin(call.Args[0]); o.kind == slot && !b.within(o.path) {
				b.name = o.path
			}
		}
		return true
	})
	for _, s := range b.slots() {
		if t, ok := s.typ.Underlying().(*types.Basic); ok && t.Kind() == types.String && b.name == "" && !b.within(s.path) && labelName.MatchString(plainName(s.path)) {
			b.name = s.path
		}
	}
}

// fit writes a value for a slot of type to: empty if it is zero, else by the name of a constant if there is one.
// Conversions that the slot does not need are left out.
func (b *binding) fit(source, name string, to types.Type) (string, bool) {
	if source == "" {
		return "", false
	}
	source, name = witness.Localise(source, b.pkg.Types.Name()), witness.Localise(name, b.pkg.Types.Name())
	if isZero(source) {
		return "", b.nilable(source, to)
	}
	if name != "" && b.assignable(name, to) {
		return name, true
	}
	forms := []string{source}
	if inner := constantOf(source); inner != "" && !types.IsInterface(to) {
		forms = []string{inner, source}
	}
	if inner, ok := strings.CutPrefix(source, "&"); ok {
		forms = append(forms, inner)
	} else if strings.HasSuffix(source, "}") {
		forms = append(forms, "&"+source)
	}
	for _, form := range forms {
		if b.assignable(form, to) {
			return form, true
		}
	}
	return "", false
}

// nilable reports whether source, which is a zero value, is also the zero value of type to.
func (b *binding) nilable(source string, to types.Type) bool {
	if types.IsInterface(to) {
		return source == "nil"
	}
	if source == "nil" || strings.HasSuffix(source, "(nil)") {
		switch to.Underlying().(type) {
		case *types.Pointer, *types.Slice, *types.Map, *types.Signature, *types.Chan:
			return true
		}
		return false
	}
	if inner := constantOf(source); inner != "" {
		return b.assignable(inner, to)
	}
	return b.assignable(source, to)
}

// assignable reports whether an expression can stand in the table as a value of type to.
func (b *binding) assignable(source string, to types.Type) bool {
	tv, err := b.check(source)
	return err == nil && tv.IsValue() && types.AssignableTo(tv.Type, to)
}

// quoted returns a string as Go source; empty for the empty string.
func quoted(s string) string {
	if s == "" {
		return ""
	}
	return constant.MakeString(s).ExactString()
}
