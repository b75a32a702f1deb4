package witness

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// maxSetup bounds the statements before a call that is shown.
const maxSetup = 5

// trace writes a call of a driver as Go source that does without the driver: with the values that
// the input has for its variables, and the calls before it that make what it is called on.
type trace struct {
	sites  []weave.Site
	target *weave.Target
	ran    []wire.Observation // the calls of the run, in order
	params map[string]string  // the fuzzed arguments, as Go source
	upTo   int                // index in ran of the call that is being written
	setup  []string
	given  map[string]bool   // variables that the setup declares, by the driver's names
	stands map[int]bool      // calls of the run that stand in the setup in their order, with the variables that they declare
	plain  map[int]bool      // ... without any
	named  map[string]string // variables that a call gives, by the driver's names: what they are called in the setup, if that is something else
}

// newTrace returns a trace of a run of t with an entry.
func newTrace(sites []weave.Site, t *weave.Target, e corpus.Entry, ran []wire.Observation) *trace {
	tr := &trace{sites: sites, target: t, ran: ran, params: map[string]string{}, given: map[string]bool{}, stands: map[int]bool{}, plain: map[int]bool{}, named: map[string]string{}}
	values, err := wire.DecodeEntry(string(e.Data))
	if err != nil || len(values) != len(t.Params) {
		return tr
	}
	for i, v := range values {
		tr.params[t.Params[i]] = literal(v)
	}
	return tr
}

// literal writes a fuzzed argument as Go source, "" where it has no short form.
func literal(v any) string {
	switch v := v.(type) {
	case string:
		return wire.Quote(v)
	case []byte:
		return "[]byte(" + wire.Quote(string(v)) + ")"
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	}
	lines := strings.Split(strings.TrimSpace(wire.EncodeEntry([]any{v})), "\n")
	return lines[len(lines)-1]
}

// call writes the i-th call of the run, and the statements that come before it; "" if it cannot
// be written.
func (tr *trace) call(i int) (setup []string, call string) {
	tr.upTo = i
	call, ok := tr.text(i)
	if !ok || len(tr.setup) > maxSetup {
		return nil, ""
	}
	return renumbered(tr.inlined(call, &tr.sites[tr.ran[i].Site]))
}

// inlined puts the value of a variable in its place, if that is all the setup there is and the
// call at s is made on it, or passes it alone.
func (tr *trace) inlined(call string, s *weave.Site) ([]string, string) {
	if len(tr.setup) != 1 {
		return tr.setup, call
	}
	name, value, ok := strings.Cut(tr.setup[0], " := ")
	if !ok || strings.Contains(name, ",") {
		return tr.setup, call
	}
	if rest, isReceiver := strings.CutPrefix(call, name+"."); isReceiver && !s.Variable && !tr.uses(rest, name) {
		return nil, value + "." + rest
	}
	if callee, isArgument := strings.CutSuffix(call, "("+name+")"); isArgument && !tr.uses(callee, name) { // it is all that is passed
		return nil, callee + "(" + value + ")"
	}
	return tr.setup, call
}

// uses reports whether a text has a name in it.
func (tr *trace) uses(text, name string) bool { return strings.Contains(text, name) }

// text writes the i-th call of the run.
func (tr *trace) text(i int) (string, bool) {
	o := &tr.ran[i]
	if o.Site < 0 || o.Site >= len(tr.sites) {
		return "", false
	}
	s := &tr.sites[o.Site]
	x, err := parser.ParseExpr(s.Source)
	if err != nil {
		return "", false
	}
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return "", false
	}
	observed := o.Args
	next := func() (source string) {
		if len(observed) > 0 {
			source, observed = observed[0], observed[1:]
		}
		return Localise(source, s.PackageName)
	}
	source := func(e ast.Expr) string { return s.Source[e.Pos()-1 : e.End()-1] }
	callee := source(call.Fun)
	if sel, isSelector := call.Fun.(*ast.SelectorExpr); isSelector && s.Recv {
		recv, ok := tr.operand(next(), source(sel.X))
		if !ok {
			return "", false
		}
		callee = selectable(asArgument(recv, s.Receiver)) + "." + sel.Sel.Name
	}
	var args []string
	end := ")"
	if s.Spread {
		end = "...)"
	}
	for n, a := range s.Args {
		arg := a.Const
		if list, ok := call.Args[min(n, len(call.Args)-1)].(*ast.Ident); ok && s.Spread && n == len(s.Args)-1 && slices.Contains(tr.target.Lists, list.Name) {
			items, ok := tr.items(list.Name)
			if !ok {
				return "", false
			}
			args, end = append(args, items...), ")"
			continue
		}
		if n < len(call.Args) {
			if arg, ok = tr.argument(a, source(call.Args[n]), next); !ok {
				return "", false
			}
		}
		if items, ok := spread(arg); ok && s.Spread && n == len(s.Args)-1 {
			args, end = append(args, items...), ")"
			continue
		}
		args = append(args, arg)
	}
	if strings.HasSuffix(callee, "httptest.NewRequest") && args[len(args)-1] == noBody {
		args[len(args)-1] = "nil"
	}
	return callee + "(" + strings.Join(args, ", ") + end, true
}

// argument writes an argument, for which the driver has some source, and next gives what was observed if it was.
func (tr *trace) argument(a weave.SiteArg, source string, next func() string) (string, bool) {
	if a.Const != "" { // a function literal may name variables of the driver
		return tr.resolve(a.Const, 0)
	}
	arg, ok := tr.operand(next(), source)
	return asArgument(arg, a), ok
}

// recorder is what makes a writer of responses.
const recorder = "httptest.NewRecorder"

// noBody is how a driver writes that a request has no body.
const noBody = `strings.NewReader("")`

// selectable is an expression as one from which something is selected: in parentheses, if it needs them. What a variable points to,
// and its address, need not be written.
func selectable(source string) string {
	if v := strings.TrimLeft(source, "*&"); isName(v) && len(source) == len(v)+1 {
		return v
	}
	x, err := parser.ParseExpr(source)
	if err == nil {
		switch x.(type) {
		case *ast.Ident, *ast.ParenExpr, *ast.CallExpr, *ast.SelectorExpr, *ast.IndexExpr:
			return source
		}
	}
	return "(" + source + ")"
}

func isName(s string) bool {
	x, err := parser.ParseExpr(s)
	_, ok := x.(*ast.Ident)
	return err == nil && ok
}

// operand writes an operand: as what a call before has made, as callers do; else as it was observed, if
// that has a form as source; else as the driver writes it.
func (tr *trace) operand(observed, source string) (string, bool) {
	if observed == "" || tr.asked(source) {
		return tr.resolve(source, 0)
	}
	if v := variableOf(source); v == "" || tr.madeBy(v) < 0 && !tr.given[v] { // what a call does to a variable of the setup, it does to that
		return observed, true
	}
	setup, given := slices.Clone(tr.setup), maps.Clone(tr.given)
	if text, ok := tr.resolve(source, 0); ok && len(tr.setup) <= maxSetup {
		return text, true
	}
	tr.setup, tr.given = setup, given
	return observed, true
}

// variableOf is the variable that an expression names, or selects a field of; empty: neither.
func variableOf(source string) string {
	x, err := parser.ParseExpr(source)
	if sel, ok := x.(*ast.SelectorExpr); ok {
		x = sel.X
	}
	if id, ok := x.(*ast.Ident); ok && err == nil {
		return id.Name
	}
	return ""
}

// maxNested bounds the definitions within definitions.
const maxNested = 8

// resolve writes an expression of the driver without the driver's variables.
func (tr *trace) resolve(source string, depth int) (string, bool) {
	x, err := parser.ParseExpr(source)
	if err != nil || depth > maxNested {
		return "", false
	}
	var out strings.Builder
	at, ok := 0, true
	params := map[string]bool{} // of functions that are written there
	replace := func(id *ast.Ident) {
		if params[id.Name] {
			return
		}
		text, known := tr.variable(id.Name, depth)
		if ok = ok && known; ok && text != "" {
			out.WriteString(source[at:id.Pos()-1] + text)
			at = int(id.End()) - 1
		}
	}
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, isName := n.X.(*ast.Ident); isName {
				replace(id)
				return false
			}
		case *ast.KeyValueExpr:
			ast.Inspect(n.Value, func(v ast.Node) bool {
				if id, isName := v.(*ast.Ident); isName {
					replace(id)
				}
				return true
			})
			return false
		case *ast.FuncLit:
			for _, f := range n.Type.Params.List {
				if ok = ok && len(f.Names) == 1; ok && f.Names[0].Name != "_" {
					params[f.Names[0].Name] = true
				}
			}
		case *ast.Ident:
			replace(n)
		}
		return ok
	})
	return dated(withoutZeros(out.String() + source[at:])), ok
}

// withoutZeros leaves out the fields of structs that are zero anyway.
func withoutZeros(source string) string {
	x, err := parser.ParseExpr(source)
	if err != nil {
		return source
	}
	var out strings.Builder
	at := 0
	ast.Inspect(x, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || !slices.ContainsFunc(lit.Elts, isZeroField) {
			return true
		}
		var kept []string
		for _, e := range lit.Elts {
			if !isZeroField(e) {
				kept = append(kept, withoutZeros(source[e.Pos()-1:e.End()-1]))
			}
		}
		out.WriteString(source[at:lit.Lbrace] + strings.Join(kept, ", "))
		at = int(lit.Rbrace) - 1
		return false
	})
	return out.String() + source[at:]
}

// isZeroField reports whether an element of a literal sets a field to a basic zero value. Drivers write no maps as
// literals.
func isZeroField(e ast.Expr) bool {
	field, ok := e.(*ast.KeyValueExpr)
	if !ok {
		return false
	}
	switch v := field.Value.(type) {
	case *ast.BasicLit:
		return v.Value == `""` || v.Value == "0"
	case *ast.Ident:
		return v.Name == "false" || v.Name == "nil"
	}
	return false
}

// instant matches a time as drivers make one, of seconds.
var instant = regexp.MustCompile(`\(\*\w+\)\(nil\)\.instant\(int64\((-?\d+)\)\)`)

// year10000 is the first second that does not belong to a year of four digits, as seconds since 1970: the decoder of drivers has it, too.
const year10000 = 253_402_300_800

// dated writes times as dates, or by their seconds if they are before the first year.
func dated(source string) string {
	return instant.ReplaceAllStringFunc(source, func(text string) string {
		seconds, err := strconv.ParseInt(instant.FindStringSubmatch(text)[1], 10, 64)
		t := time.Unix(seconds%year10000, 0).UTC()
		switch {
		case err != nil:
			return text
		case seconds == 0:
			return "time.Time{}"
		case t.Year() < 1:
			return fmt.Sprintf("time.Unix(%d, 0).UTC()", seconds%year10000)
		}
		return fmt.Sprintf("time.Date(%d, %d, %d, %d, %d, %d, 0, time.UTC)", t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second())
	})
}

// variable is what to write for a name: "" for the name itself. It is not known if it is a variable
// that was filled step by step, or one of the driver's own.
func (tr *trace) variable(name string, depth int) (text string, known bool) {
	if p, isParam := tr.params[name]; isParam {
		return p, p != ""
	}
	if i := tr.madeBy(name); i >= 0 {
		return "", tr.declare(name, i)
	}
	if prefix, v, i := tr.chosen(name); i >= 0 {
		return prefix + name, tr.declareAs(name, v, i)
	}
	source, isLocal := tr.target.Locals[name]
	switch {
	case !isLocal:
		return "", !slices.Contains(tr.target.Params, name)
	case source == "" || strings.HasPrefix(source, "&driverInput"):
		return "", false
	case tr.calledOn(name):
		return "", tr.declareLocal(name, source, depth)
	}
	text, known = tr.resolve(source, depth+1)
	if known && !isName(text) && types.Universe.Lookup(text) == nil {
		if _, err := parser.ParseExpr(text); err != nil {
			return "", false
		}
		if strings.HasPrefix(text, "&") {
			text = "(" + text + ")"
		}
	}
	return text, known
}

// items are the calls before the present one that fill a list.
func (tr *trace) items(list string) (items []string, ok bool) {
	for i := range tr.sites {
		if s := &tr.sites[i]; s.Target == tr.target.Name && s.Appends == list && s.Unseen {
			return nil, false
		}
	}
	for i := range tr.upTo {
		o := &tr.ran[i]
		if o.Site < 0 || o.Site >= len(tr.sites) || tr.sites[o.Site].Appends != list {
			continue
		}
		text, ok := tr.text(i)
		if !ok {
			return nil, false
		}
		items = append(items, text)
	}
	return items, true
}

// madeBy is the index of the one call before the present one that declares a variable, or -1.
func (tr *trace) madeBy(name string) int {
	made := -1
	for i := range tr.upTo {
		o := &tr.ran[i]
		if o.Site >= 0 && o.Site < len(tr.sites) && slices.Contains(tr.sites[o.Site].Assigns, name) {
			if made >= 0 {
				return -1
			}
			made = i
		}
	}
	return made
}

// chosen is the variable that the run has assigned to another one, of several ways to make that, with a prefix if it is what the
// first points to, or its address, and the index of the call that made it; -1 if none is known, or more than one.
func (tr *trace) chosen(name string) (prefix, variable string, made int) {
	made = -1
	for _, source := range tr.target.Chosen[name] {
		v := strings.TrimLeft(source, "*&")
		i := tr.madeBy(v)
		if i < 0 {
			continue
		}
		if made >= 0 {
			return "", "", -1
		}
		prefix, variable, made = source[:len(source)-len(v)], v, i
	}
	return prefix, variable, made
}

// calledOn reports whether a call before the present one is made on a variable, or the present one asks it for what others have
// written.
func (tr *trace) calledOn(name string) bool {
	return tr.asked(name) || slices.ContainsFunc(tr.ran[:tr.upTo], func(o wire.Observation) bool { return tr.isOn(&o, name) })
}

func (tr *trace) isOn(o *wire.Observation, name string) bool {
	return o.Site >= 0 && o.Site < len(tr.sites) && strings.HasPrefix(tr.sites[o.Site].Callee, name+".")
}

// asked reports whether the present call asks a variable for what the calls before have written to it.
func (tr *trace) asked(name string) bool {
	o := &tr.ran[tr.upTo]
	return tr.isOn(o, name) && tr.sites[o.Site].Consumes
}

// passed are the indices of the calls before the present one that are given a variable.
func (tr *trace) passed(name string) (calls []int) {
	for i := range tr.upTo {
		o := &tr.ran[i]
		if o.Site < 0 || o.Site >= len(tr.sites) {
			continue
		}
		x, err := parser.ParseExpr(tr.sites[o.Site].Source)
		call, ok := x.(*ast.CallExpr)
		if err == nil && ok && slices.ContainsFunc(call.Args, func(e ast.Expr) bool { id, ok := e.(*ast.Ident); return ok && id.Name == name }) {
			calls = append(calls, i)
		}
	}
	return calls
}

// writers adds the calls to the setup that are given a variable, and may keep it, with those on what they make. It is not ok if
// there are none, or one has no form.
func (tr *trace) writers(name string) bool {
	calls := tr.passed(name)
	for _, i := range calls {
		made := slices.DeleteFunc(slices.Clone(tr.sites[tr.ran[i].Site].Assigns), func(v string) bool { return v == "_" || v == "err" })
		if len(made) > 0 && tr.madeBy(made[0]) == i {
			if !tr.declare(made[0], i) {
				return false
			}
			continue
		}
		if !tr.stand(i, tr.text) {
			return false
		}
	}
	return len(calls) > 0
}

// stand adds the i-th call of the run to the setup as a statement, as it is written by a function, unless it is there.
func (tr *trace) stand(i int, write func(int) (string, bool)) bool {
	if tr.plain[i] {
		return true
	}
	text, ok := write(i)
	if ok && !tr.plain[i] { // what it is made on may have added it
		tr.plain[i] = true
		tr.setup = append(tr.setup, text)
	}
	return ok
}

// declare adds the statement to the setup that declares a variable with what a call makes, and those that change it
// until the present call.
func (tr *trace) declare(name string, made int) bool { return tr.declareAs(name, name, made) }

// declareAs does so for a variable to which the driver assigns the one that the call makes.
func (tr *trace) declareAs(name, assigned string, made int) bool {
	if tr.given[name] {
		return true
	}
	tr.given[name] = true
	if assigned != name {
		tr.named[assigned] = name
	}
	text, ok := tr.text(made)
	if !ok {
		return false
	}
	if !tr.stands[made] { // among the calls on what it is made on
		tr.setup = append(tr.setup, tr.declaration(made, text, func(v string) string {
			if v == assigned {
				return name
			}
			return "_"
		}))
	}
	if tr.asked(name) && strings.HasSuffix(tr.sites[tr.ran[made].Site].Callee, recorder) { // which holds what was written to it, and no more
		return tr.writers(name)
	}
	return tr.change(name, made+1)
}

// declaration is a call of the run, as it is written, with the variables on its left.
func (tr *trace) declaration(made int, text string, left func(assigned string) string) string {
	var names []string
	for _, v := range tr.sites[tr.ran[made].Site].Assigns {
		names = append(names, left(v))
	}
	return strings.Join(names, ", ") + " := " + text
}

// declareLocal does so for a variable that the driver makes by itself.
func (tr *trace) declareLocal(name, source string, depth int) bool {
	if tr.given[name] {
		return true
	}
	tr.given[name] = true
	text, ok := tr.resolve(source, depth+1)
	if !ok {
		return false
	}
	tr.setup = append(tr.setup, name+" := "+text)
	if tr.asked(name) {
		return tr.writers(name)
	}
	return tr.change(name, 0)
}

// change adds the calls on a variable to the setup, from one of the run to the present one.
func (tr *trace) change(name string, from int) bool {
	if slices.ContainsFunc(tr.sites, func(s weave.Site) bool {
		return s.Target == tr.target.Name && strings.HasPrefix(s.Callee, name+".") && (s.Unseen || s.Late)
	}) {
		return false // one of these may have run
	}
	for i := from; i < tr.upTo; i++ {
		if !tr.isOn(&tr.ran[i], name) {
			continue
		}
		if !tr.stand(i, tr.statement) {
			return false
		}
	}
	return true
}

// statement writes the i-th call of the run with those of its variables that are needed, or else as it is used up.
func (tr *trace) statement(i int) (string, bool) {
	needed := func(v string) bool { return tr.given[v] || tr.named[v] != "" }
	if !slices.ContainsFunc(tr.sites[tr.ran[i].Site].Assigns, needed) {
		return tr.usedUp(i)
	}
	tr.stands[i] = true
	text, ok := tr.text(i)
	return tr.declaration(i, text, func(v string) string {
		if needed(v) {
			return cmp.Or(tr.named[v], v)
		}
		return "_"
	}), ok
}

// usedUp writes the i-th call of the run, within the one that asks what it gives for all that is in it, if there is one before the present
// call: before that, an iterator has done nothing.
func (tr *trace) usedUp(i int) (string, bool) {
	text, ok := tr.text(i)
	assigns := tr.sites[tr.ran[i].Site].Assigns
	if !ok || len(assigns) == 0 {
		return text, ok
	}
	for _, j := range tr.passed(assigns[0]) {
		s := &tr.sites[tr.ran[j].Site]
		if j < i || !s.Consumes {
			continue
		}
		return s.Callee + "(" + text + ")", len(assigns) == 1 && s.Source == s.Callee+"("+assigns[0]+")"
	}
	return text, true
}
