package driver

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// Bounds on what one driver makes.
const (
	maxFuzzed = 6   // parameters of the fuzz function; all else is made from bytes
	maxDepth  = 6   // nesting of values
	maxFields = 12  // of a struct that are set
	maxItems  = 4   // of a slice, map, channel or iterator
	maxArray  = 64  // length of an array
	maxTried  = 300 // attempts for one value of the call: constructors need further values
)

// maker writes the statements that make the receiver and the arguments of one driver's call.
type maker struct {
	*testfile.Names
	writer       *writer
	fn           *types.Func      // the driven function
	fuzzed       []testfile.Param // parameters of the fuzz function, without the bytes
	recv         string           // the receiver; empty: none, or not made yet
	recvType     *types.Named     // its type, or what it points to, with type arguments; nil: none
	face         *types.Interface // the interface that holds the receiver; nil: none
	filled       bool             // fields of the receiver are set that other packages cannot set
	bypassed     bool             // ... although they have a constructor for its type
	in           string           // the variable that makes values from bytes
	reads        bool             // whether it is used
	body         strings.Builder
	loops        int // loops and branches around what is being written
	depth        int
	tried        int
	dynamic      bool          // a value of any type is being made
	anys         bool          // one has been made
	constructing bool          // the arguments of a constructor are being made
	handlers     int           // HTTP handlers made so far
	kept         string        // the buffer for methods called before the driven one; empty: a new one each
	asks         []string      // calls that read what was written to the arguments; they come last
	making       []types.Type  // types being made, and that of the driven function: they must not recur
	constructors []*types.Func // that are called
}

func newMaker(w *writer, fn *types.Func) *maker {
	m := &maker{Names: w.names.Clone(), writer: w, fn: fn}
	m.in = m.Fresh("fuzzed")
	m.making = append(m.making, fn.Type())
	return m
}

func (m *maker) do(format string, args ...any) { fmt.Fprintf(&m.body, format+"\n", args...) }

// try calls f and undoes what it has written unless it succeeds.
func (m *maker) try(f func() (string, bool)) (string, bool) {
	body, fuzzed, reads, used, loops, asks := m.body.String(), len(m.fuzzed), m.reads, maps.Clone(m.Used), m.loops, len(m.asks)
	handlers, constructors, anys, filled, bypassed := m.handlers, len(m.constructors), m.anys, m.filled, m.bypassed
	expr, ok := f()
	if !ok {
		m.body.Reset()
		m.body.WriteString(body)
		m.fuzzed, m.reads, m.Used, m.loops, m.asks, m.handlers = m.fuzzed[:fuzzed], reads, used, loops, m.asks[:asks], handlers
		m.constructors, m.anys, m.filled, m.bypassed = m.constructors[:constructors], anys, filled, bypassed
	}
	return expr, ok
}

// parameters returns the parameters of the fuzz function after its *testing.T. If the driver reads bytes, they come
// last, and the body gets the statement that declares their variable.
func (m *maker) parameters() string {
	var list []string
	for _, f := range m.fuzzed {
		list = append(list, f.Declared())
	}
	if m.reads {
		data := m.Fresh("data")
		list = append(list, data+" []byte")
		rest := m.body.String()
		m.body.Reset()
		m.do("%s := &%s{%s}", m.in, m.writer.input, data)
		m.body.WriteString(rest)
	}
	return strings.Join(list, ", ")
}

// read returns an expression that calls a method of the driver's input.
func (m *maker) read(method string) string {
	m.reads = true
	return m.in + "." + method
}

// readUpTo returns an expression for a number from 0 to most, read from the input.
func (m *maker) readUpTo(most int) string { return m.read(fmt.Sprintf("upTo(%d)", most)) }

// readCall returns an expression for a number from 0 to most, read from the input, for the choice of a call. It is -1
// where the input leaves the call out.
func (m *maker) readCall(most int) string { return m.read(fmt.Sprintf("call(%d)", most)) }

// call sets up fn's receiver and arguments and returns the call, or says why there is none.
func (m *maker) call(fn *types.Func) (call, why string) {
	if fn.Signature().Recv() == nil {
		instance, args := m.Instantiate(fn.Signature(), fn.Signature().TypeParams())
		if instance == nil {
			return "", "no type arguments were found that fit its constraints"
		}
		m.Reserve(instance)
		list, why := m.arguments(instance.(*types.Signature))
		return fn.Name() + m.typeArguments(args) + list, why
	}
	named := testfile.ReceiverNamed(fn)
	typ, _ := m.Instantiate(named.Origin(), named.Origin().TypeParams())
	if typ == nil {
		return "", "no type arguments were found that fit the constraints of its receiver"
	}
	obj, _, _ := types.LookupFieldOrMethod(typ, true, fn.Pkg(), fn.Name())
	method, ok := obj.(*types.Func)
	if !ok {
		return "", "it cannot be called from a test"
	}
	m.Reserve(method.Signature())
	recv, ok := m.receiver(typ, method)
	if !ok {
		return "", "no value of type " + named.Obj().Name() + " could be made"
	}
	m.recv, m.recvType = recv, typ.(*types.Named)
	m.sequence(recv, typ, method)
	list, why := m.arguments(method.Signature())
	return recv + "." + fn.Name() + list, why
}

func (m *maker) typeArguments(args []types.Type) string {
	var list []string
	for _, arg := range args {
		list = append(list, m.TypeName(arg))
	}
	if len(list) == 0 {
		return ""
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// receiver makes the receiver of method, of type typ or a pointer to it, and returns its variable.
func (m *maker) receiver(typ types.Type, method *types.Func) (string, bool) {
	_, pointer := types.Unalias(method.Signature().Recv().Type()).(*types.Pointer)
	want := typ
	if pointer {
		want = types.NewPointer(typ)
	}
	name := method.Signature().Recv().Name()
	if name == "" || name == "_" || m.Taken(name) {
		name = receiverName(typ)
	}
	if v, ok := m.throughInterface(name, typ.(*types.Named), method); ok {
		return v, true
	}
	expr, ok := m.present(name, want)
	if !ok {
		return "", false
	}
	if v, isAddress := strings.CutPrefix(expr, "&"); isAddress && m.Gave(v) { // methods are called on the variable itself, as people do
		return v, true
	}
	return m.variable(name, expr), true
}

func receiverName(typ types.Type) string { return orElse(typ.(*types.Named).Obj().Name(), "receiver") }

// variable returns expr if it is a variable, else a new variable with its value.
func (m *maker) variable(name, expr string) string {
	if m.Gave(expr) {
		return expr
	}
	v := m.Fresh(name)
	m.do("%s := %s", v, expr)
	return v
}

// arguments makes the arguments of a call and returns them in parentheses, or says which one cannot be made.
func (m *maker) arguments(sig *types.Signature) (list, why string) {
	var args []string
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		name := p.Name()
		if name == "" || name == "_" {
			name = fmt.Sprintf("arg%d", i+1)
		}
		expr, ok := m.value(name, p.Type())
		if !ok {
			return "", "no value of type " + types.TypeString(p.Type(), types.RelativeTo(m.Pkg)) + " could be made"
		}
		if sig.Variadic() && i == sig.Params().Len()-1 {
			expr += "..."
		}
		args = append(args, expr)
	}
	return "(" + strings.Join(args, ", ") + ")", ""
}

// watched returns call, followed by calls of methods that show what has become of the receiver and what is in the first
// result. Unexported fields alone do not count as a difference.
func (m *maker) watched(fn *types.Func, call string) string {
	var b strings.Builder
	sig := fn.Signature()
	if recv := sig.Recv(); recv != nil {
		if _, pointer := types.Unalias(recv.Type()).(*types.Pointer); pointer {
			m.getters(&b, m.recv, testfile.ReceiverNamed(fn), fn)
			m.after(&b, fn)
		}
	}
	m.written(&b)
	return m.asked(fn, call, b.String())
}

// asked returns call, then calls that read its first result, then after: reading an iterator may alter the receiver.
func (m *maker) asked(fn *types.Func, call, after string) string {
	results := fn.Signature().Results()
	if results.Len() == 0 || results.Len() > 2 {
		return m.mayBeLeftOut(call, after)
	}
	name := "result" // suggested tests use "got"
	if isHandler(results.At(0).Type()) {
		name = "handler"
	}
	got := m.Fresh(name)
	text := m.inner(fn, got, results.At(0).Type())
	if text == "" {
		return m.mayBeLeftOut(call, after)
	}
	left := got
	if results.Len() == 2 {
		left += ", _"
	}
	switch types.Unalias(results.At(0).Type()).Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Signature:
		text = fmt.Sprintf("if %s != nil {\n%s}\n", got, text)
	}
	return fmt.Sprintf("%s := %s\n%s%s", left, call, text, after)
}

// mayBeLeftOut returns call and after. The input can leave out the call if something follows: that may show what a call
// before it has done.
func (m *maker) mayBeLeftOut(call, after string) string {
	if after == "" {
		return call + "\n"
	}
	return m.unlessLeftOut(call) + after
}

// unlessLeftOut returns a statement with a call, which the input can leave out if the driver reads bytes.
func (m *maker) unlessLeftOut(call string) string {
	if !m.reads {
		return call + "\n"
	}
	return fmt.Sprintf("if %s == 0 {\n%s\n}\n", m.readCall(0), call)
}

// inner returns calls that show what is in a value that fn returns.
func (m *maker) inner(fn *types.Func, value string, typ types.Type) string {
	var b strings.Builder
	if named, ok := testfile.Pointed(typ).(*types.Named); ok && named.Obj().Pkg() == m.Pkg && !types.IsInterface(named) && m.hidden(named) {
		m.getters(&b, value, named, fn)
		if sig := fn.Signature(); sig.Recv() == nil && sig.Params().Len() == 0 { // no argument can tell inputs apart
			m.questions(&b, value, named, func(*types.Func) bool { return true })
		}
	}
	return b.String() + m.usedUp(value, typ)
}

func isWaiting(fn *types.Func) bool {
	return slices.ContainsFunc(waits, func(word string) bool { return strings.HasPrefix(fn.Name(), word) })
}

// maxSequence bounds the methods that a driver may call to prepare its receiver. If more than that set what the driven
// method reads, these are the choice, up to maxSetters.
const maxSequence, maxSetters = 5, 10

// waits are prefixes of the names of methods that are likely to block, or to end the use of their receiver.
var waits = []string{"Close", "Run", "Serve", "Start", "Stop", "Wait", "Lock", "Unlock", "RLock", "RUnlock", "Listen", "Shutdown", "Loop"}

// sequence writes up to three method calls, chosen by the input, that can bring the receiver into states in which its
// constructor does not leave it. The driven method is among them: it may depend on an earlier call of itself.
func (m *maker) sequence(recv string, typ types.Type, method *types.Func) {
	var fns []*types.Func
	set := types.NewMethodSet(types.NewPointer(typ))
	for s := range set.Methods() {
		fn, ok := s.Obj().(*types.Func)
		if ok && fn.Name() != method.Name() && m.changes(fn) && (fn.Exported() || !isPublic(method)) { // whoever can call method can call fn
			fns = append(fns, fn)
		}
	}
	slices.SortStableFunc(fns, byUse)
	setters := m.writer.methods.SettersFirst(fns, method)
	if m.changes(method) {
		fns, setters = append([]*types.Func{method}, fns...), setters+1
	}
	most := max(min(setters, maxSetters), maxSequence)
	if slices.ContainsFunc(fns[:min(len(fns), most)], func(fn *types.Func) bool { return fn.Name() != method.Name() && takesWriter(fn) }) {
		m.kept = m.keep(m.newBuffer())
	}
	cases, n := m.cases(len(fns), 0, most, func(i int) bool {
		list, why := m.arguments(fns[i].Signature())
		m.do("%s.%s%s", recv, fns[i].Name(), list)
		return why == ""
	})
	m.kept = ""
	if n == 0 {
		return
	}
	// A zero ends the sequence, so that the bytes of one call can be dropped without those of the others. After three
	// calls there is none: there a call that is left out takes the place of another.
	i := m.Fresh("i")
	m.do("for %s := 3; %s > 0; %s-- {", i, i, i)
	m.do("switch %s - 1 {\ncase -1:\n%s = 0\n%s}\n}", m.readCall(n), i, cases)
}

// changes reports whether a method has a pointer receiver, which it may change, and may be called at any time.
func (m *maker) changes(fn *types.Func) bool {
	_, pointer := types.Unalias(fn.Signature().Recv().Type()).(*types.Pointer)
	return pointer && fn.Pkg() == m.Pkg && m.sees(fn) && m.writer.danger.Reason(fn) == "" && !isWaiting(fn)
}
