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
	"unicode"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// maxSetup bounds the statements that are shown before a call.
const maxSetup = 5

// trace writes a call of a driver as Go source that does without the driver. It takes the values of the driver's
// variables from the input, and adds the calls before it that make what it is called on.
type trace struct {
	sites  []weave.Site
	target *weave.Target
	ran    []wire.Observation // the calls of the run, in order
	params map[string]string  // the fuzzed arguments by name, as Go source
	upTo   int                // index in ran of the call to write
	other  []string           // what the mutant passes to that call, as Observation.Args has it; nil: not known
	setup  []string
	given  map[string]bool   // variables that the setup declares, by the driver's names
	stands map[int]bool      // indices of calls that statement has written with the variables that they declare
	plain  map[int]bool      // indices of calls that stand has added to the setup
	named  map[string]string // names in the setup for variables that the driver calls otherwise, by the driver's names
}

// newTrace returns a trace of a run of t on an entry.
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

// literal writes a fuzzed argument as Go source.
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

// call writes the i-th call of the run, and the statements before it. It returns "" if the call cannot be written.
func (tr *trace) call(i int) (setup []string, call string) {
	tr.upTo = i
	call, ok := tr.text(i)
	if !ok || len(tr.setup) > maxSetup {
		return nil, ""
	}
	return renumbered(tr.inlined(call, &tr.sites[tr.ran[i].Site]))
}

// inlined replaces a variable by its value, if the setup only declares it and the call at s is made on it or passes
// nothing else.
func (tr *trace) inlined(call string, s *weave.Site) ([]string, string) {
	if len(tr.setup) != 1 {
		return tr.setup, call
	}
	name, value, ok := strings.Cut(tr.setup[0], " := ")
	if !ok || strings.Contains(name, ",") {
		return tr.setup, call
	}
	if rest, isReceiver := strings.CutPrefix(call, name+"."); isReceiver && !s.Variable && !uses(rest, name) {
		return nil, value + "." + rest
	}
	if callee, isArgument := strings.CutSuffix(call, "("+name+")"); isArgument && !uses(callee, name) {
		return nil, callee + "(" + value + ")"
	}
	return tr.setup, call
}

// uses reports whether the source of an expression may refer to a name.
func uses(source, name string) bool {
	letter := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	return slices.Contains(strings.FieldsFunc(source, func(r rune) bool { return !letter(r) }), name)
}

// text writes the i-th call of the run. It adds what the call needs to the setup.
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
	observed := tr.passedAlike(i)
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

// passedAlike returns what the i-th call of the run was seen to pass. Of the call to write it has only what the mutant
// passes, too: calls before it may have left something else, which it then has to be called with.
func (tr *trace) passedAlike(i int) []string {
	list := tr.ran[i].Args
	if i != tr.upTo || tr.other == nil {
		return list
	}
	list = slices.Clone(list)
	for n := range list {
		if n >= len(tr.other) || list[n] != tr.other[n] {
			list[n] = ""
		}
	}
	return list
}

// argument writes an argument. source is the driver's source for it; next returns its observed value, and is called
// only if it is no constant.
func (tr *trace) argument(a weave.SiteArg, source string, next func() string) (string, bool) {
	if a.Const != "" { // a function literal may use variables of the driver
		return tr.resolve(a.Const, 0)
	}
	arg, ok := tr.operand(next(), source)
	return asArgument(arg, a), ok
}

// recorder is the end of the name of the function that makes a response recorder.
const recorder = "httptest.NewRecorder"

// noBody is how a driver writes that a request has no body.
const noBody = `strings.NewReader("")`

// selectable writes an expression so that a selector can follow: in parentheses, if they are needed. "*v" and "&v"
// become "v".
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

// operand writes an operand: as a variable, if a call before has made it; else as it was observed, if that can be
// written as source; else as the driver writes it.
func (tr *trace) operand(observed, source string) (string, bool) {
	if observed == "" || tr.asked(source) {
		return tr.resolve(source, 0)
	}
	// Calls may have changed a variable of the setup, so it is written by its name.
	if v := variableOf(source); v == "" || tr.madeBy(v) < 0 && !tr.given[v] {
		return observed, true
	}
	setup, given := slices.Clone(tr.setup), maps.Clone(tr.given)
	if text, ok := tr.resolve(source, 0); ok && len(tr.setup) <= maxSetup {
		return text, true
	}
	tr.setup, tr.given = setup, given
	return observed, true
}

// variableOf returns the variable that an expression names or selects a field of, "" if it does neither.
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

// maxNested bounds how deeply resolve follows variables to their definitions.
const maxNested = 8

// resolve writes an expression of the driver without the driver's variables.
func (tr *trace) resolve(source string, depth int) (string, bool) {
	x, err := parser.ParseExpr(source)
	if err != nil || depth > maxNested {
		return "", false
	}
	var out strings.Builder
	at, ok := 0, true
	params := map[string]bool{} // of function literals in source
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
	return dated(withoutZeros(withoutCopies(out.String() + source[at:]))), ok
}

// copied matches how drivers copy bytes that they decode, so that empty ones are nil.
var copied = regexp.MustCompile(`append\(\[\]byte\(nil\), (\[\]byte\("(?:[^"\\]|\\.)*"\)|nil)\.\.\.\)`)

// withoutCopies writes bytes that drivers copy as they are, and nil where there are none.
func withoutCopies(source string) string {
	return copied.ReplaceAllStringFunc(source, func(text string) string {
		if bytes := copied.FindStringSubmatch(text)[1]; bytes != `[]byte("")` {
			return bytes
		}
		return "nil"
	})
}

// withoutZeros leaves out fields of struct literals that are set to zero.
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

// isZeroField reports whether an element of a literal sets a field to a zero value that is a literal, false or nil.
// Elements of maps would match, too, but drivers write no map literals.
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

// instant matches how drivers make a time from seconds.
var instant = regexp.MustCompile(`\(\*\w+\)\(nil\)\.instant\(int64\((-?\d+)\)\)`)

// year10000 is the first second, since 1970, of a year with five digits. The decoder of drivers uses it, too.
const year10000 = 253_402_300_800

// dated rewrites the times that drivers make as dates or, before the year 1, by their seconds.
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

// variable returns what to write for a name, "" for the name itself. known is false if that is not known: for a
// variable that was filled step by step, or one of the driver's own.
func (tr *trace) variable(name string, depth int) (text string, known bool) {
	if p, isParam := tr.params[name]; isParam {
		return p, true
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

// items writes the calls before the present one that fill a list.
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

// madeBy returns the index of the call before the present one that declares a variable, -1 if there is none or more
// than one.
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

// chosen finds, for a variable that the driver assigns in one of several branches, the variable that this run assigned
// to it, and the index of the call that made that. prefix is "*" or "&" where the driver assigns what it points to, or
// its address. made is -1 if it is not known, or there is more than one.
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

// calledOn reports whether a call before the present one is made on a variable, or the present one asks for what was
// written to it.
func (tr *trace) calledOn(name string) bool {
	return tr.asked(name) || slices.ContainsFunc(tr.ran[:tr.upTo], func(o wire.Observation) bool { return tr.isOn(&o, name) })
}

func (tr *trace) isOn(o *wire.Observation, name string) bool {
	return o.Site >= 0 && o.Site < len(tr.sites) && strings.HasPrefix(tr.sites[o.Site].Callee, name+".")
}

// asked reports whether the present call asks a variable for what earlier calls wrote to it.
func (tr *trace) asked(name string) bool {
	o := &tr.ran[tr.upTo]
	return tr.isOn(o, name) && tr.sites[o.Site].Consumes
}

// passed returns the indices of the calls before the present one that pass a variable as an argument.
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

// writers adds to the setup the calls that pass a variable, and may keep and use it, with the calls on what they make.
// ok is false if there are none, or one cannot be written.
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

// stand adds the i-th call of the run, as write returns it, to the setup as a statement, unless it is there.
func (tr *trace) stand(i int, write func(int) (string, bool)) bool {
	if tr.plain[i] {
		return true
	}
	text, ok := write(i)
	if ok && !tr.plain[i] { // writing it may have added it
		tr.plain[i] = true
		tr.setup = append(tr.setup, text)
	}
	return ok
}

// declare adds to the setup the statement that declares a variable with what a call makes, and the calls that change
// the variable before the present one.
func (tr *trace) declare(name string, made int) bool { return tr.declareAs(name, name, made) }

// declareAs is declare for a variable to which the driver assigns the one that the call makes.
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
	if !tr.stands[made] { // else it is among the calls on its receiver
		tr.setup = append(tr.setup, tr.declaration(made, text, func(v string) string {
			if v == assigned {
				return name
			}
			return "_"
		}))
	}
	// It holds what was written to it, and no more.
	if tr.asked(name) && strings.HasSuffix(tr.sites[tr.ran[made].Site].Callee, recorder) {
		return tr.writers(name)
	}
	return tr.change(name, made+1)
}

// declaration returns a call of the run as a statement that declares variables. left names them.
func (tr *trace) declaration(made int, text string, left func(assigned string) string) string {
	var names []string
	for _, v := range tr.sites[tr.ran[made].Site].Assigns {
		names = append(names, left(v))
	}
	return strings.Join(names, ", ") + " := " + text
}

// declareLocal is declare for a variable that the driver makes without an observed call.
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

// change adds to the setup the calls on a variable, from one of the run up to the present one.
func (tr *trace) change(name string, from int) bool {
	if slices.ContainsFunc(tr.sites, func(s weave.Site) bool {
		return s.Target == tr.target.Name && strings.HasPrefix(s.Callee, name+".") && (s.Unseen || s.Late)
	}) {
		return false // such a call may have run unobserved
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

// statement writes the i-th call of the run with "_" for the variables that are not needed. If it declares none that is
// needed, it is written by usedUp.
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

// usedUp writes the i-th call of the run within the call that consumes what it returns, if that comes before the
// present call: an iterator does nothing until it is consumed.
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
