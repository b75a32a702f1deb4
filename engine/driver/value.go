package driver

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/engine/driver/usage"
	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// value returns an expression of type typ that depends on the input where it can; ok is false if there is none.
// Pointers may be nil, except those to types of the standard library.
func (m *maker) value(name string, typ types.Type) (expr string, ok bool) {
	p, isPointer := types.Unalias(typ).(*types.Pointer)
	if !isPointer || m.isStandard(p.Elem()) {
		return m.present(name, typ)
	}
	return m.try(func() (string, bool) {
		v := m.Fresh(orElse(name, "pointer"))
		m.do("var %s %s", v, m.TypeName(typ))
		m.do("if !%s {", m.read("rarely()"))
		m.loops++
		expr, ok := m.present(name, typ)
		m.loops--
		m.do("%s = %s\n}", v, expr)
		return v, ok
	})
}

// isStandard reports whether a type is declared in the standard library.
func (m *maker) isStandard(typ types.Type) bool {
	named, ok := types.Unalias(typ).(*types.Named)
	return ok && named.Obj().Pkg() != nil && m.writer.standard(named.Obj().Pkg().Path())
}

func isMap(typ types.Type) bool {
	_, ok := typ.Underlying().(*types.Map)
	return ok
}

// present is like value, but does not return nil for pointers.
func (m *maker) present(name string, typ types.Type) (expr string, ok bool) {
	if !m.nameable(typ) {
		return "", false
	}
	m.Reserve(typ)
	if basic := testfile.BasicOf(typ); basic != nil {
		return m.basic(name, typ, basic), true
	}
	if m.depth == 0 {
		m.tried = 0
	}
	if m.tried++; m.depth >= maxDepth || m.tried > maxTried {
		return "", false
	}
	m.depth++
	defer func() { m.depth-- }()
	if expr, ok := m.known(name, typ); ok {
		return expr, true
	}
	if expr, ok := m.construct(name, typ); ok {
		return expr, true
	}
	return m.try(func() (string, bool) { return m.composite(name, typ) })
}

// composite makes values of types that consist of others, including channels, interfaces and functions.
func (m *maker) composite(name string, typ types.Type) (expr string, ok bool) {
	switch u := typ.Underlying().(type) {
	case *types.Pointer:
		expr, ok := m.present(name, u.Elem())
		if !ok {
			return "", false
		}
		if types.IsInterface(u.Elem()) { // the variable needs the type of the interface, not that of what is in it
			expr = convertible(m.TypeName(u.Elem())) + "(" + expr + ")"
		}
		return "&" + m.variable(orElse(name, "value"), expr), true
	case *types.Slice:
		if list, ok := m.options(name, typ, u.Elem()); ok {
			return list, true
		}
		return m.loop(name, typ, func(v string) bool {
			item, ok := m.value("item", u.Elem())
			m.do("%s = append(%s, %s)", v, v, item)
			return ok
		})
	case *types.Array:
		return m.array(name, typ, u)
	case *types.Map:
		return m.mapping(name, typ, u)
	case *types.Struct:
		return m.fields(name, typ, u)
	case *types.Chan:
		return m.channel(typ, u)
	case *types.Interface:
		return m.implementation(name, typ, u)
	case *types.Signature:
		expr, ok := m.functionOrIterator(u)
		if _, named := types.Unalias(typ).(*types.Named); named {
			expr = m.TypeName(typ) + "(" + expr + ")"
		}
		return expr, ok
	}
	return "", false
}

// channel makes a closed channel of up to maxItems values to receive from. It makes no channel to send to: a send may
// block forever.
func (m *maker) channel(typ types.Type, u *types.Chan) (string, bool) {
	if u.Dir() != types.RecvOnly {
		return "", false
	}
	c := m.Fresh("channel")
	m.do("%s := make(chan %s, %d)", c, m.TypeName(u.Elem()), maxItems)
	i := m.Fresh("i")
	m.do("for %s := %s; %s > 0; %s-- {", i, m.readUpTo(maxItems), i, i)
	m.loops++
	item, ok := m.value("item", u.Elem())
	m.loops--
	m.do("%s <- %s\n}\nclose(%s)", c, item, c)
	if _, named := types.Unalias(typ).(*types.Named); named {
		return fmt.Sprintf("%s(%s)", m.TypeName(typ), c), ok
	}
	return c, ok
}

// basic converts fuzzed input of type basic to typ. Outside of loops the input is a parameter of its own, which the
// fuzzing engine can mutate directly, as long as there are fewer than maxFuzzed. Otherwise it is read from bytes.
func (m *maker) basic(name string, typ, basic types.Type) string {
	var expr string
	if m.loops == 0 && len(m.fuzzed) < maxFuzzed {
		expr = m.Fresh(orElse(name, "value"))
		m.fuzzed = append(m.fuzzed, testfile.Param{Name: expr, Type: basic})
	} else {
		b, isBasic := basic.(*types.Basic)
		switch {
		case !isBasic:
			expr = m.read("bytes()")
		case b.Info()&types.IsBoolean != 0:
			expr = m.read("bool()")
		case b.Info()&types.IsString != 0:
			expr = m.read("string()")
		case b.Info()&types.IsFloat != 0:
			expr = fmt.Sprintf("%s(%s)", basic, m.read("float()"))
		default:
			expr = fmt.Sprintf("%s(%s)", basic, m.read("int()"))
		}
	}
	if types.Identical(basic, typ) {
		return expr
	}
	return fmt.Sprintf("%s(%s)", convertible(m.TypeName(typ)), m.enumerated(typ, expr))
}

// convertible returns the name of a type as a conversion needs it: "*T" becomes "(*T)".
func convertible(name string) string {
	if strings.HasPrefix(name, "*") || strings.HasPrefix(name, "<-") || strings.HasPrefix(name, "func") {
		return "(" + name + ")"
	}
	return name
}

// loop declares a variable of type typ and writes a loop of up to maxItems turns, in which body fills the variable.
func (m *maker) loop(name string, typ types.Type, body func(v string) bool) (string, bool) {
	v := m.Fresh(orElse(name, "list"))
	i := m.Fresh("i")
	m.do("var %s %s", v, m.TypeName(typ))
	m.do("for %s := %s; %s > 0; %s-- {", i, m.readUpTo(maxItems), i, i)
	m.loops++
	ok := body(v)
	m.loops--
	m.do("}")
	return v, ok
}

func (m *maker) array(name string, typ types.Type, u *types.Array) (string, bool) {
	if u.Len() > maxArray {
		return "", false
	}
	v, i := m.Fresh(orElse(name, "array")), m.Fresh("i")
	m.do("var %s %s", v, m.TypeName(typ))
	m.do("for %s := range %s {", i, v)
	m.loops++
	item, ok := m.value("item", u.Elem())
	m.loops--
	m.do("%s[%s] = %s\n}", v, i, item)
	return v, ok
}

func (m *maker) mapping(name string, typ types.Type, u *types.Map) (string, bool) {
	return m.loop(name, typ, func(v string) bool {
		m.do("if %s == nil {\n%s = %s{}\n}", v, v, m.TypeName(typ))
		key, ok := m.value("key", u.Key())
		if !ok {
			return false
		}
		item, ok := m.value("item", u.Elem())
		m.do("%s[%s] = %s", v, key, item)
		return ok
	})
}

// fields makes a struct from its fields. Those that cannot be set, or made, stay zero.
func (m *maker) fields(name string, typ types.Type, u *types.Struct) (string, bool) {
	if u.NumFields() > 0 && !u.Field(0).Exported() && u.Field(0).Pkg() != m.Pkg && m.isStandard(typ) {
		return "", false // its fields cannot be set, and its zero value shows nothing
	}
	v := m.Fresh(orElse(name, "value"))
	named, _ := types.Unalias(typ).(*types.Named)
	receiver := m.isReceiver(typ)
	empty, byCallers := receiver && m.startsEmpty(named), !receiver && named != nil && settable(named)
	var set []string
	for _, f := range m.fieldsOf(u) {
		if len(set) == maxFields {
			break
		}
		if f.Name() == "_" || !f.Exported() && (empty || f.Pkg() != m.Pkg) || isLock(f.Type()) {
			continue
		}
		if expr, ok := m.try(func() (string, bool) { return m.field(f, byCallers && !f.Exported()) }); ok {
			if types.Identical(f.Type(), testfile.BytesType) {
				expr = "append([]byte(nil), " + expr + "...)" // empty becomes nil, which a shown call leaves out
			}
			set = append(set, f.Name()+": "+expr)
			if !f.Exported() && receiver {
				m.filled = true
				m.bypassed = m.bypassed || m.writer.hasConstructor(named)
			}
		}
	}
	m.do("%s := %s{%s}", v, m.TypeName(typ), strings.Join(set, ", "))
	return v, len(set) > 0 || u.NumFields() == 0 || m.depth <= 2
}

// fieldsOf returns the fields of a struct in the order in which they are set: first those that the change adds. If not
// all can be set, those come next that fn names or, if fn is not in scope, that functions in scope name.
func (m *maker) fieldsOf(u *types.Struct) []*types.Var {
	list := slices.Collect(u.Fields())
	if len(list) > maxFields {
		functions := m.writer.inScope
		if slices.Contains(functions, m.fn) {
			functions = []*types.Func{m.fn}
		}
		list = usage.FieldsIn(m.writer.pkg, functions).First(list)
	}
	return m.writer.added.First(list)
}

// field makes a value of a field; unset says that callers cannot set it. The input decides whether the field stays nil
// where nil is usual: see mostlyNil, and pointers that callers cannot set.
func (m *maker) field(f *types.Var, unset bool) (string, bool) {
	if _, pointer := f.Type().Underlying().(*types.Pointer); !mostlyNil(f.Type()) && !(pointer && unset) {
		return m.value(f.Name(), f.Type())
	}
	v := m.Fresh(f.Name())
	m.do("var %s %s\nif %s {", v, m.TypeName(f.Type()), m.read("bool()"))
	m.loops++
	expr, ok := m.value(f.Name(), f.Type())
	m.loops--
	m.do("%s = %s\n}", v, expr)
	return v, ok
}

// mostlyNil reports whether most callers leave a field of a type nil: functions, pointers to basic values and to times.
func mostlyNil(typ types.Type) bool {
	switch u := typ.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Pointer:
		return testfile.BasicOf(u.Elem()) != nil || types.TypeString(u.Elem(), nil) == "time.Time"
	}
	return false
}

// isReceiver reports whether the value of type typ that is being made is the receiver of the driven call.
func (m *maker) isReceiver(typ types.Type) bool {
	named, ok := types.Unalias(typ).(*types.Named)
	receiver := testfile.ReceiverNamed(m.fn)
	return ok && receiver != nil && m.recv == "" && m.depth <= 2 && named.Origin() == receiver.Origin()
}

// isLock reports whether a type is of package sync or sync/atomic, so that its values must not be copied.
func isLock(typ types.Type) bool {
	named, ok := types.Unalias(typ).(*types.Named)
	return ok && named.Obj().Pkg() != nil && (named.Obj().Pkg().Path() == "sync" || named.Obj().Pkg().Path() == "sync/atomic")
}

// Bounds on the types that implement an interface.
const (
	maxImplementations = 6 // types that the input chooses from
	choiceDepth        = 2 // nesting of values up to which it does, since each type may need others
)

// implementation makes a value of a type that implements u, from the package or that of the interface. Near the call
// the input chooses among several types.
func (m *maker) implementation(name string, typ types.Type, u *types.Interface) (string, bool) {
	if u.NumMethods() == 0 || !u.IsMethodSet() {
		return "", false
	}
	list := m.writer.implementing(typ)
	if m.depth <= choiceDepth {
		if expr, ok := m.chosen(name, typ, u, list); ok {
			return expr, true
		}
	}
	for _, obj := range list {
		if expr, ok := m.implementedBy(name, u, obj); ok {
			return expr, true
		}
	}
	return "", false
}

// implementing returns candidates for a value of interface type typ: the concrete types of the package, and of the
// package of typ. It does not check their methods.
func (w *writer) implementing(typ types.Type) (list []*types.TypeName) {
	scopes := []*types.Scope{w.pkg.Types.Scope()}
	if named, ok := types.Unalias(typ).(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg() != w.pkg.Types {
		scopes = append(scopes, named.Obj().Pkg().Scope())
	}
	for _, scope := range scopes {
		for _, of := range scope.Names() {
			obj, ok := scope.Lookup(of).(*types.TypeName)
			if ok && !obj.IsAlias() && !types.IsInterface(obj.Type()) && !w.inTest(obj) {
				list = append(list, obj)
			}
		}
	}
	return list
}

// chosen makes a value of one of several types, which the input chooses. It fails if fewer than two can be made.
func (m *maker) chosen(name string, typ types.Type, u *types.Interface, list []*types.TypeName) (string, bool) {
	return m.oneOf(orElse(name, "value"), typ, len(list), maxImplementations, func(i int) (string, bool) { return m.implementedBy(name, u, list[i]) })
}

// oneOf makes a value in one of up to most ways; the input chooses. It fails if fewer than two ways succeed.
func (m *maker) oneOf(name string, typ types.Type, ways, most int, value func(way int) (expr string, ok bool)) (string, bool) {
	return m.try(func() (string, bool) {
		v := m.Fresh(name)
		cases, made := m.cases(ways, 0, most, func(way int) bool {
			expr, ok := value(way)
			m.do("%s = %s", v, expr)
			return ok
		})
		if made < 2 {
			m.Release(v)
			return "", false
		}
		m.do("var %s %s\nswitch %s {\n%s}", v, m.TypeName(typ), m.readUpTo(made-1), cases)
		return v, true
	})
}

// cases returns up to most cases of a switch, numbered from first, and how many. write fills one, and reports success.
func (m *maker) cases(ways, first, most int, write func(way int) bool) (text string, made int) {
	outer := m.body.String()
	m.body.Reset()
	m.loops++
	for way := 0; way < ways && made < most; way++ {
		_, ok := m.try(func() (string, bool) {
			m.do("case %d:", first+made)
			return "", write(way)
		})
		if ok {
			made++
		}
	}
	m.loops--
	text = m.body.String()
	m.body.Reset()
	m.body.WriteString(outer)
	return text, made
}

// implementedBy makes a value of type obj, or else a pointer to one, if that implements u.
func (m *maker) implementedBy(name string, u *types.Interface, obj *types.TypeName) (string, bool) {
	if g, ok := obj.Type().(*types.Named); !ok || g.TypeParams().Len() > 0 {
		return "", false
	}
	for _, t := range []types.Type{obj.Type(), types.NewPointer(obj.Type())} {
		if types.Implements(t, u) {
			return m.try(func() (string, bool) { return m.present(name, t) })
		}
	}
	return "", false
}

// inTest reports whether an object is declared in a test file.
func (w *writer) inTest(obj types.Object) bool {
	return strings.HasSuffix(w.pkg.Fset.PositionFor(obj.Pos(), false).Filename, "_test.go")
}

// functionOrIterator makes an iterator if u has the form of those of package iter, else a function.
func (m *maker) functionOrIterator(u *types.Signature) (string, bool) {
	if yielded := yieldedBy(u); yielded != nil {
		return m.iterator(yielded)
	}
	return m.function(u)
}

// yieldedBy returns the types of the values that an iterator of type u yields; nil: it is no iterator, or yields none.
func yieldedBy(u *types.Signature) (list []types.Type) {
	if u.Params().Len() != 1 || u.Results().Len() > 0 {
		return nil
	}
	yield, ok := u.Params().At(0).Type().Underlying().(*types.Signature)
	if !ok || yield.Variadic() || yield.Results().Len() != 1 || !types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool]) {
		return nil
	}
	for p := range yield.Params().Variables() {
		list = append(list, p.Type())
	}
	return list
}

// iterator makes an iterator over up to maxItems values, which stops when yield returns false.
func (m *maker) iterator(yielded []types.Type) (string, bool) {
	var lists, params, items []string
	for _, typ := range yielded {
		if !m.nameable(typ) {
			return "", false
		}
		list := m.Fresh("items")
		lists, params = append(lists, list), append(params, m.TypeName(typ))
		m.do("var %s []%s", list, m.TypeName(typ))
	}
	i := m.Fresh("i")
	m.do("for %s := %s; %s > 0; %s-- {", i, m.readUpTo(maxItems), i, i)
	m.loops++
	for n, typ := range yielded {
		item, ok := m.value("item", typ)
		if !ok {
			return "", false
		}
		m.do("%s = append(%s, %s)", lists[n], lists[n], item)
		items = append(items, lists[n]+"[i]")
	}
	m.loops--
	m.do("}")
	return fmt.Sprintf("func(yield func(%s) bool) {\nfor i := range %s {\nif !yield(%s) {\nreturn\n}\n}\n}",
		strings.Join(params, ", "), lists[0], strings.Join(items, ", ")), true
}

// function makes a function that always returns the same values, which come from the input. A function without results
// writes text of the input to its first io.Writer, so that its call shows. Its body is one statement, to fit on a line.
func (m *maker) function(u *types.Signature) (string, bool) {
	var params, results, values []string
	writes := ""
	for p := range u.Params().Variables() {
		name := "_"
		if path, typeName, pointer := testfile.Qualified(p.Type()); path+"."+typeName == "io.Writer" && !pointer && writes == "" && u.Results().Len() == 0 {
			name = m.Fresh("out")
			writes = fmt.Sprintf("%s.WriteString(%s, %s)", m.Std("io"), name, m.variable("written", m.basic("written", testfile.StringType, testfile.StringType)))
		}
		params = append(params, name+" "+m.TypeName(p.Type()))
	}
	if n := len(params); u.Variadic() {
		params[n-1] = "_ ..." + m.TypeName(u.Params().At(n-1).Type().(*types.Slice).Elem())
	}
	for r := range u.Results().Variables() {
		if !m.nameable(r.Type()) {
			return "", false
		}
		expr, ok := m.value(orElse(r.Name(), "result"), r.Type())
		if !ok {
			return "", false
		}
		values, results = append(values, m.variable("result", expr)), append(results, m.TypeName(r.Type()))
	}
	if !m.nameable(u.Params()) {
		return "", false
	}
	return fmt.Sprintf("func(%s) (%s) { %s }", strings.Join(params, ", "), strings.Join(results, ", "), cmp.Or(writes, "return "+strings.Join(values, ", "))), true
}

// orElse returns name with a small first letter, or other if name is empty or blank.
func orElse(name, other string) string {
	if name == "" || name == "_" {
		return other
	}
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(first)) + name[size:]
}
