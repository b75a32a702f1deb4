package driver

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

var errorMethods = testfile.ErrorType.Underlying().(*types.Interface)

// firstWords are the words that names of constructors begin with, most likely first.
var firstWords = []string{"new", "parse", "make", "from", "decode", "read", "compile", "of", "build", "create", "default"}

// known makes errors, values of any type, and values of standard library types that constructors or fields do not give.
func (m *maker) known(name string, typ types.Type) (expr string, ok bool) {
	if types.Identical(typ, testfile.ErrorType) {
		return m.errorValue(name), true
	}
	if i, ok := typ.Underlying().(*types.Interface); ok && i.Empty() && i.IsMethodSet() {
		return m.anything(name), true
	}
	text := func() string { return m.basic(name, testfile.StringType, testfile.StringType) }
	path, typeName, pointer := testfile.Qualified(typ)
	switch full := path + "." + typeName; {
	case pointer && (path == "reflect" || types.IsInterface(testfile.Pointed(typ))):
		return m.try(func() (string, bool) { return m.composite(name, typ) })
	case pointer && full == "bytes.Buffer", full == "io.ReadWriter":
		return fmt.Sprintf("%s.NewBufferString(%s)", m.Std("bytes"), text()), true
	case pointer && full == "bytes.Reader":
		return fmt.Sprintf("%s.NewReader([]byte(%s))", m.Std("bytes"), text()), true
	case pointer && full == "strings.Reader", path == "io" && slices.Contains(testfile.Readers, typeName):
		return fmt.Sprintf("%s.NewReader(%s)", m.Std("strings"), text()), true
	case pointer && full == "strings.Builder":
		return m.keep("new(" + m.Std("strings") + ".Builder)"), true
	case full == "io.Writer", full == "io.StringWriter", full == "io.ByteWriter":
		return m.buffer(), true
	case full == "io.ReadCloser":
		return fmt.Sprintf("%s.NopCloser(%s.NewReader(%s))", m.Std("io"), m.Std("strings"), text()), true
	case pointer && full == "bufio.Reader", pointer && full == "bufio.Scanner":
		return fmt.Sprintf("%s.New%s(%s.NewReader(%s))", m.Std("bufio"), typeName, m.Std("strings"), text()), true
	case pointer && full == "bufio.Writer":
		return fmt.Sprintf("%s.NewWriter(new(%s.Buffer))", m.Std("bufio"), m.Std("bytes")), true
	case full == "context.Context":
		return m.Std("context") + ".Background()", true
	case !pointer && full == "time.Time":
		return "(*" + m.writer.input + ")(nil).instant(" + m.basic(name, types.Typ[types.Int64], types.Typ[types.Int64]) + ")", true
	case pointer && full == "time.Location":
		return m.Std("time") + ".UTC", true
	case full == "reflect.Value":
		return fmt.Sprintf("%s.ValueOf(%s)", m.Std("reflect"), m.anything(name)), true
	case full == "reflect.Type":
		return fmt.Sprintf("%s.TypeOf(%s)", m.Std("reflect"), m.anything(name)), true
	case path == "io/fs" && slices.Contains(testfile.FileSystems, typeName):
		return fmt.Sprintf("%s.MapFS{%s: {Data: []byte(%s)}}", m.Library("testing/fstest", "fstest"), text(), text()), true
	case path == "net/http":
		return m.web(name, typeName, pointer)
	}
	return "", false
}

// errorValue makes an error with a text of the input, nil if that is empty, or near the call one of the package's own.
func (m *maker) errorValue(name string) string {
	v := m.Fresh(orElse(name, "err"))
	text := m.variable("text", m.basic(v+"Text", testfile.StringType, testfile.StringType))
	m.do("var %s error\nif %s != \"\" {\n%s = %s.New(%s)\n}", v, text, v, m.Std("errors"), text)
	if m.depth > choiceDepth {
		return v
	}
	sentinels, kinds := m.errors()
	cases, n := m.cases(len(sentinels)+len(kinds), 1, maxImplementations, func(i int) bool {
		if i < len(sentinels) {
			m.do("%s = %s", v, sentinels[i])
			return true
		}
		expr, ok := m.implementedBy(name, errorMethods, kinds[i-len(sentinels)])
		m.do("%s = %s", v, expr)
		return ok
	})
	if n > 0 {
		m.do("switch %s {\n%s}", m.readUpTo(n), cases)
	}
	return v
}

// errors returns the error variables of the package, at most maxImplementations/2, and the types that implement error.
func (m *maker) errors() (sentinels []string, kinds []*types.TypeName) {
	for _, name := range m.Pkg.Scope().Names() {
		v, ok := m.Pkg.Scope().Lookup(name).(*types.Var)
		if ok && types.Identical(v.Type(), testfile.ErrorType) && !m.writer.inTest(v) && len(sentinels) < maxImplementations/2 {
			sentinels = append(sentinels, name)
		}
	}
	for _, obj := range m.writer.implementing(testfile.ErrorType) {
		if t := obj.Type(); types.Implements(t, errorMethods) || types.Implements(types.NewPointer(t), errorMethods) {
			kinds = append(kinds, obj)
		}
	}
	return sentinels, kinds
}

// construct calls a function of typ's package that returns typ or a pointer to it, alone or with an error. If all
// fields are exported it uses only functions such as New(a, b): what callers pass to these fits together.
func (m *maker) construct(name string, typ types.Type) (expr string, ok bool) {
	elem, pointer := typ, false
	if p, ok := types.Unalias(typ).(*types.Pointer); ok {
		elem, pointer = p.Elem(), true
	}
	named, ok := types.Unalias(elem).(*types.Named)
	if !ok || m.writer.kind.NoConstructors || named.Obj().Pkg() == nil || m.isBeingMade(named) || m.isStandard(named) && isMap(named) { // callers fill url.Values
		return "", false
	}
	m.making = append(m.making, named)
	defer func() { m.making = m.making[:len(m.making)-1] }()
	ways := m.ways(named)
	if expr, ok := m.chained(name, typ, ways, pointer); ok {
		return expr, true
	}
	if expr, ok := m.either(name, typ, ways, pointer); ok {
		return expr, true
	}
	for _, way := range ways {
		if expr, ok := m.try(func() (string, bool) { return m.constructed(name, way, pointer) }); ok {
			return expr, true
		}
	}
	return "", false
}

// maxMethods bounds the methods of other types that are tried to make a value near the call.
const maxMethods = 2

// constructor is a function, or a method of another type, that makes values of a type.
type constructor struct {
	name string // as the driver writes it, without a receiver
	sig  *types.Signature
	recv types.Type // of a method; nil: a function
	fn   *types.Func
}

// ways returns the constructors of a type that a driver may call, most likely first.
func (m *maker) ways(named *types.Named) (list []constructor) {
	pkg, hidden := named.Obj().Pkg(), m.hidden(named) || m.isReceiver(named) && m.writer.inTests().OnlyConstructed(named)
	for _, fn := range m.writer.constructorsOf(pkg)[named.Obj()] {
		if !hidden && !putsTogether(fn) || pkg != m.Pkg && !fn.Exported() || strings.HasPrefix(fn.Name(), "Must") || slices.Contains(m.making, fn.Type()) {
			continue
		}
		sig, callee := m.instance(fn, named)
		if sig == nil || !testfile.Makes(sig, named) || sig.Variadic() && sig.Params().Len() == 1 && pkg != m.Pkg || m.writer.inTest(fn) || m.writer.danger.Reason(fn) != "" {
			continue
		}
		list = append(list, constructor{callee, sig, nil, fn})
	}
	if hidden && pkg == m.Pkg && m.depth <= choiceDepth && !settable(named) {
		methods := m.methods(named)
		list = append(list, methods[:min(len(methods), maxMethods)]...)
	}
	return list
}

// methods returns methods of other types that make values of the type made, as List.Iterator does. The other types get
// the type arguments of made.
func (m *maker) methods(made *types.Named) (list []constructor) {
	for _, fn := range m.writer.makers()[made.Obj()] {
		named := testfile.ReceiverNamed(fn).Origin()
		if m.isBeingMade(named) || named.TypeParams().Len() != made.TypeArgs().Len() || slices.Contains(m.making, fn.Type()) {
			continue
		}
		recv := types.Type(named)
		if args := slices.Collect(made.TypeArgs().Types()); len(args) > 0 {
			var err error
			if recv, err = types.Instantiate(nil, named, args, true); err != nil {
				continue
			}
		}
		obj, _, _ := types.LookupFieldOrMethod(recv, true, m.Pkg, fn.Name())
		if method, ok := obj.(*types.Func); ok && testfile.Makes(method.Signature(), made) {
			list = append(list, constructor{fn.Name(), method.Signature(), types.NewPointer(recv), method})
		}
	}
	// Receivers with a constructor come first: they get into states that callers can bring about.
	byHand := func(c constructor) int {
		if m.writer.hasConstructor(testfile.Pointed(c.recv).(*types.Named)) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b constructor) int { return cmp.Compare(byHand(a), byHand(b)) })
	return list
}

// makers maps each type of the package to the exported methods of its other types whose first result is that type, or a
// pointer to it.
func (w *writer) makers() map[*types.TypeName][]*types.Func {
	if w.made != nil {
		return w.made
	}
	w.made = map[*types.TypeName][]*types.Func{}
	for _, fn := range w.functions() {
		named := testfile.ReceiverNamed(fn)
		if named == nil || !fn.Exported() || fn.Signature().Results().Len() == 0 || isWaiting(fn) || w.danger.Reason(fn) != "" {
			continue
		}
		made, ok := testfile.Pointed(fn.Signature().Results().At(0).Type()).(*types.Named)
		if ok && made.Obj() != named.Obj() && made.Obj().Pkg() == w.pkg.Types {
			w.made[made.Obj()] = append(w.made[made.Obj()], fn)
		}
	}
	return w.made
}

// takesNothing reports whether the constructor has no input, so that all values that it makes are alike.
func (c constructor) takesNothing() bool { return c.sig.Params().Len() == 0 && c.recv == nil }

// canFail reports whether the constructor also returns an error.
func (c constructor) canFail() bool { return c.sig.Results().Len() > 1 }

// takesOne reports whether the constructor takes another value of the type that it makes.
func (c constructor) takesOne() (found bool) {
	made := testfile.Pointed(c.sig.Results().At(0).Type())
	for p := range c.sig.Params().Variables() {
		found = found || types.Identical(testfile.Pointed(p.Type()), made)
	}
	return found
}

// either makes a value near the call by the first constructor without parameters, or by the first with some; the input
// chooses. A parsed value holds more than a new one, but few inputs can be parsed.
func (m *maker) either(name string, typ types.Type, all []constructor, pointer bool) (string, bool) {
	empty := slices.IndexFunc(all, constructor.takesNothing)
	if empty < 0 || empty > 0 && !all[0].canFail() || m.depth > choiceDepth || m.loops > 0 {
		return "", false
	}
	return m.try(func() (string, bool) {
		v, asks := m.Fresh(orElse(name, constructedName(all[0].sig))), len(m.asks)
		m.do("var %s %s\nif %s {", v, m.TypeName(typ), m.read("bool()"))
		expr, ok := m.constructed(name, all[empty], pointer)
		m.do("%s = %s\n} else {", v, expr)
		for _, way := range all {
			if ok && !way.takesNothing() && !way.takesOne() {
				if expr, ok := m.try(func() (string, bool) { return m.constructed(name, way, pointer) }); ok {
					m.asks = m.asks[:asks] // their variables are not visible after the branch
					m.do("%s = %s\n}", v, expr)
					return v, true
				}
			}
		}
		m.Release(v)
		return "", false
	})
}

// putsTogether reports whether fn is named New..., takes something, and has one result: it only combines its arguments.
func putsTogether(fn *types.Func) bool {
	return strings.HasPrefix(fn.Name(), "New") && fn.Signature().Params().Len() > 0 && fn.Signature().Results().Len() == 1
}

// constructorsOf returns the functions of a package by the type that they return first, or point to. Those named like
// constructors come first, and of these the exported ones.
func (w *writer) constructorsOf(pkg *types.Package) map[*types.TypeName][]*types.Func {
	if known := w.constructors[pkg]; known != nil {
		return known
	}
	list := map[*types.TypeName][]*types.Func{}
	for _, name := range pkg.Scope().Names() {
		fn, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || fn.Signature().Results().Len() == 0 {
			continue
		}
		if named, ok := testfile.Pointed(fn.Signature().Results().At(0).Type()).(*types.Named); ok {
			list[named.Obj()] = append(list[named.Obj()], fn)
		}
	}
	rank := func(fn *types.Func) int {
		i := firstWord(fn)
		switch {
		case i < 0:
			return 2 * len(firstWords)
		case !fn.Exported():
			return i + len(firstWords)
		}
		return i
	}
	for _, fns := range list {
		slices.SortStableFunc(fns, func(a, b *types.Func) int { return rank(a) - rank(b) })
	}
	w.constructors[pkg] = list
	return list
}

// hasConstructor reports whether a type's package exports a function named like a constructor of it, callable or not.
func (w *writer) hasConstructor(named *types.Named) bool {
	return slices.ContainsFunc(w.constructorsOf(named.Obj().Pkg())[named.Origin().Obj()], func(fn *types.Func) bool {
		return fn.Exported() && firstWord(fn) >= 0
	})
}

// firstWord returns the index of the first of firstWords that fn's name begins with, or -1.
func firstWord(fn *types.Func) int {
	name := strings.ToLower(fn.Name())
	return slices.IndexFunc(firstWords, func(word string) bool { return strings.HasPrefix(name, word) })
}

// hidden reports whether values of a type have to come from a function, because callers cannot set their contents or
// these have to fit together. It is false for structs with only exported fields and for slices of basic values.
func (m *maker) hidden(named *types.Named) bool {
	if m.isStandard(named) {
		return true
	}
	switch u := named.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if !f.Exported() {
				return true
			}
		}
		return false
	case *types.Slice:
		return testfile.BasicOf(u.Elem()) == nil
	}
	return true
}

// settable reports whether a type is a struct with an exported field, so that other packages can make one with content.
func settable(named *types.Named) bool {
	u, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range u.Fields() {
		if f.Exported() {
			return true
		}
	}
	return false
}

func (m *maker) isBeingMade(named *types.Named) bool {
	return slices.ContainsFunc(m.making, func(t types.Type) bool { return types.Identical(t, named) })
}

// instance returns the signature of fn and how a driver names it. A generic function gets the type arguments of made,
// or suitable ones if made has none. The signature is nil if that fails.
func (m *maker) instance(fn *types.Func, made *types.Named) (*types.Signature, string) {
	callee := fn.Name()
	if fn.Pkg() != m.Pkg {
		callee = m.Library(fn.Pkg().Path(), fn.Pkg().Name()) + "." + callee
	}
	params := fn.Signature().TypeParams()
	if params.Len() == 0 {
		return fn.Signature(), callee
	}
	if made.TypeArgs().Len() == 0 { // made is not generic: try any type arguments that fit
		instance, args := m.Instantiate(fn.Signature(), params)
		if instance == nil {
			return nil, ""
		}
		m.Reserve(instance)
		return instance.(*types.Signature), callee + m.typeArguments(args)
	}
	if params.Len() != made.TypeArgs().Len() {
		return nil, ""
	}
	var args []types.Type
	for arg := range made.TypeArgs().Types() {
		args = append(args, arg)
	}
	instance, err := types.Instantiate(nil, fn.Signature(), args, true)
	if err != nil {
		return nil, ""
	}
	return instance.(*types.Signature), callee + m.typeArguments(args)
}

// constructed writes the call of a constructor and returns an expression for the value, or for a pointer to it.
func (m *maker) constructed(name string, way constructor, pointer bool) (string, bool) {
	outer, callee, sig := m.constructing, way.name, way.sig
	m.constructing = true
	defer func() { m.constructing = outer }()
	if way.recv != nil {
		recv, ok := m.present("", way.recv)
		if !ok {
			return "", false
		}
		callee = m.variable(receiverName(testfile.Pointed(way.recv)), recv) + "." + callee
	}
	list, why := m.arguments(sig)
	if why != "" {
		return "", false
	}
	v := m.Fresh(orElse(name, constructedName(sig)))
	if sig.Results().Len() == 1 {
		m.do("%s := %s%s", v, callee, list)
	} else {
		err := m.Fresh("err")
		m.do("%s, %s := %s%s\nif %s != nil {\nreturn\n}", v, err, callee, list, err)
	}
	m.constructors = append(m.constructors, way.fn)
	made := sig.Results().At(0).Type()
	_, gives := types.Unalias(made).(*types.Pointer)
	if types.IsInterface(made) { // nil without an error: it has made nothing
		m.do("if %s == nil {\nreturn\n}", v)
	}
	switch {
	case gives && !pointer:
		m.do("if %s == nil {\nreturn\n}", v)
		return "*" + v, true
	case !gives && pointer:
		return "&" + v, true
	}
	return v, true
}

func constructedName(sig *types.Signature) string {
	return receiverName(testfile.Pointed(sig.Results().At(0).Type()))
}

// nameable reports whether a file of the package can name typ.
func (m *maker) nameable(typ types.Type) bool {
	ok := true
	seen := map[types.Type]bool{}
	var visit func(t types.Type)
	visit = func(t types.Type) {
		if !ok || seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Alias:
			ok = ok && m.canName(t.Obj())
		case *types.Named:
			ok = ok && m.canName(t.Obj())
			for arg := range t.TypeArgs().Types() {
				visit(arg)
			}
		case *types.TypeParam:
			ok = false
		case *types.Pointer:
			visit(t.Elem())
		case *types.Slice:
			visit(t.Elem())
		case *types.Array:
			visit(t.Elem())
		case *types.Map:
			visit(t.Key())
			visit(t.Elem())
		case *types.Chan:
			visit(t.Elem())
		case *types.Signature:
			visit(t.Params())
			visit(t.Results())
		case *types.Tuple:
			for v := range t.Variables() {
				visit(v.Type())
			}
		case *types.Struct:
			for f := range t.Fields() {
				ok = ok && (f.Exported() || f.Pkg() == m.Pkg)
				visit(f.Type())
			}
		}
	}
	visit(typ)
	return ok
}

// canName reports whether a file of the package can name a type: a predeclared one, one of its own, or an exported one
// of a package that it may import. Types declared in functions have no such name.
func (m *maker) canName(obj *types.TypeName) bool {
	pkg := obj.Pkg()
	if pkg == nil {
		return true
	}
	if obj.Parent() != pkg.Scope() {
		return false
	}
	return pkg == m.Pkg || obj.Exported() && pkg.Path() != "C" && importable(pkg.Path(), m.Pkg.Path())
}

// importable reports whether the rules for internal and vendor folders let the package from import path.
func importable(path, from string) bool {
	i := strings.LastIndex("/"+path+"/", "/internal/")
	if i < 0 {
		return !strings.HasPrefix(path, "vendor/")
	}
	above := strings.TrimSuffix(path[:max(i-1, 0)], "/")
	return above != "" && (from == above || strings.HasPrefix(from, above+"/"))
}
