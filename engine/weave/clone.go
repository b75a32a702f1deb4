package weave

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

// placement says where the mutated bodies of a function stand.
type placement int

const (
	// asFunction: in a function of its own, with the receiver as first parameter.
	asFunction placement = iota
	// asMethod: in a method of the same type. This is for receivers with type parameters: a method need not spell out
	// their constraints.
	asMethod
	// inBody: inside the original function. This is for functions that call recover, which only works in the deferred
	// function itself; for functions that look at their callers (see frames.go); and for literals, which have no name.
	inBody
)

// declText is the text of one function declaration, parsed on its own.
type declText struct {
	text   []byte
	decl   *ast.FuncDecl
	file   *token.File
	before int // how many bytes precede the text in the file that was parsed
}

func parseDecl(text string) (*declText, error) {
	d, parsed, err := parseAlone("package p;", text)
	if err != nil {
		return nil, err
	}
	decl, ok := parsed.(*ast.FuncDecl)
	if !ok || decl.Body == nil {
		return nil, errors.New("no function with a body")
	}
	d.decl = decl
	return d, nil
}

// parseLiteral parses the text of a function literal.
func parseLiteral(text string) (*declText, error) {
	d, parsed, err := parseAlone("package p;var _=", text)
	if err != nil {
		return nil, err
	}
	v, ok := parsed.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
	if !ok || len(v.Values) != 1 {
		return nil, errors.New("no single value")
	}
	lit, ok := v.Values[0].(*ast.FuncLit)
	if !ok {
		return nil, errors.New("no function literal")
	}
	d.decl = mutate.Declare(lit)
	return d, nil
}

func parseAlone(before, text string) (*declText, ast.Decl, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", before+text, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	if len(f.Decls) != 1 {
		return nil, nil, fmt.Errorf("%d declarations instead of one", len(f.Decls))
	}
	return &declText{text: []byte(text), file: fset.File(f.Pos()), before: len(before)}, f.Decls[0], nil
}

func (d *declText) offset(p token.Pos) int { return d.file.Offset(p) - d.before }

// signature has the names that a dispatch needs to pass a call on. Parameters, type parameters and receivers without a
// name get one by edits to the header.
type signature struct {
	receiver   string // its name; empty: the function has no receiver
	typeParams []string
	params     []string // a variadic one ends in "..."
	results    int      // how many there are
}

// readSignature reads decl's header. The edits that name unnamed parameters go to params, that for an unnamed receiver
// goes to recv.
func readSignature(decl *ast.FuncDecl, offset func(token.Pos) int, alias string, params, recv *edits) signature {
	var sig signature
	n := 0
	name := func(f *ast.Field, out *edits) []string {
		fresh := func() string { n++; return fmt.Sprintf("%sp%d", alias, n) }
		if len(f.Names) == 0 {
			s := fresh()
			out.insert(offset(f.Type.Pos()), s+" ")
			return []string{s}
		}
		var names []string
		for _, id := range f.Names {
			s := id.Name
			if s == "_" {
				s = fresh()
				out.replace(offset(id.Pos()), offset(id.End()), s)
			}
			names = append(names, s)
		}
		return names
	}
	if decl.Recv != nil && len(decl.Recv.List) == 1 {
		sig.receiver = name(decl.Recv.List[0], recv)[0]
	}
	for _, f := range decl.Type.Params.List {
		names := name(f, params)
		if _, ok := f.Type.(*ast.Ellipsis); ok {
			names[len(names)-1] += "..."
		}
		sig.params = append(sig.params, names...)
	}
	if decl.Type.TypeParams != nil {
		for _, f := range decl.Type.TypeParams.List {
			sig.typeParams = append(sig.typeParams, name(f, params)...)
		}
	}
	sig.results = decl.Type.Results.NumFields()
	return sig
}

// call returns the statement that passes the call on to the clone and returns its results.
func (s signature) call(clone string, where placement) string {
	text := s.expression(clone, where)
	if s.results > 0 {
		return "return " + text
	}
	return text + ";return"
}

// watched returns the same statement for when the probe watches site: it also reports operands and results to the
// probe.
func (s signature) watched(clone string, where placement, alias string, site int) string {
	operands := []string{fmt.Sprint(site)}
	if s.receiver != "" {
		operands = append(operands, s.receiver)
	}
	for _, p := range s.params {
		operands = append(operands, strings.TrimSuffix(p, "..."))
	}
	var results []string
	for i := range s.results {
		results = append(results, fmt.Sprintf("%sr%d", alias, i))
	}
	list, assign := strings.Join(results, ","), ""
	if s.results > 0 {
		assign = list + ":="
	}
	return fmt.Sprintf("if %[1]s.Watch==%[2]d{%[1]sd:=%[1]s.Call(%[3]s);%[4]s%[5]s;%[1]sd(%[6]s);return %[6]s};",
		alias, site, strings.Join(operands, ","), assign, s.expression(clone, where), list)
}

// expression returns the call of the clone.
func (s signature) expression(clone string, where placement) string {
	args := s.params
	callee := clone
	switch {
	case where == asMethod:
		callee = s.receiver + "." + clone
	case s.receiver != "":
		args = append([]string{s.receiver}, args...)
	}
	if len(s.typeParams) > 0 {
		callee += "[" + strings.Join(s.typeParams, ",") + "]"
	}
	return callee + "(" + strings.Join(args, ",") + ")"
}

// header adds the edits that turn d's header into that of a clone called name.
func (d *declText) header(name, alias string, where placement, out *edits) {
	decl := d.decl
	recv := out
	if where == asFunction {
		recv = &edits{}
	}
	sig := readSignature(decl, d.offset, alias, out, recv)
	if sig.receiver == "" || where == asMethod {
		out.replace(d.offset(decl.Name.Pos()), d.offset(decl.Name.End()), name)
		return
	}
	typ := decl.Recv.List[0].Type
	text := " " + name + "(" + sig.receiver + " " + string(d.text[d.offset(typ.Pos()):d.offset(typ.End())])
	if len(sig.params) > 0 {
		text += ","
	}
	out.replace(len("func"), d.offset(decl.Type.Params.Opening)+1, text)
}

// placementOf decides where fn's clones go.
func (w *weaver) placementOf(fn *function) placement {
	recv := fn.decl.Recv
	switch {
	case fn.literal || recovers(fn.body) || w.countsFrames(fn):
		return inBody
	case recv != nil && len(recv.List) == 1 && hasTypeArguments(recv.List[0].Type):
		return asMethod
	}
	return asFunction
}

func hasTypeArguments(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.StarExpr:
		return hasTypeArguments(t.X)
	case *ast.ParenExpr:
		return hasTypeArguments(t.X)
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}

// clone returns the instrumented text of one clone of f: for inBody the inside of the body, otherwise a declaration.
func (f *function) clone(v variant) (passage, error) {
	parse := parseDecl
	if f.literal {
		parse = parseLiteral
	}
	d, err := parse(v.text)
	if err != nil {
		return passage{}, err
	}
	var out edits
	in := &instrument{
		alias: f.file.alias, offset: d.offset, fn: f.index, out: &out,
		block: func(a anchor) int {
			if at := v.origin(int(a)); at >= 0 {
				if b, ok := f.blocks[anchor(at)]; ok {
					return b
				}
			} else if v.old != nil {
				return v.old(a)
			}
			return -1
		},
	}
	in.function(d.decl.Body)
	for _, e := range v.edits.list {
		e.start, e.end = e.start-f.start, e.end-f.start
		out.list = append(out.list, e)
	}
	if f.where == inBody {
		relabel(d, "_"+v.name, &out)
		open, shut := d.offset(d.decl.Body.Lbrace)+1, d.offset(d.decl.Body.Rbrace)
		inner := edits{}
		for _, e := range out.list {
			e.start, e.end = e.start-open, e.end-open
			inner.list = append(inner.list, e)
		}
		return inner.apply(d.text[open:shut]), nil
	}
	d.header(v.name, f.file.alias, f.where, &out)
	return out.apply(d.text), nil
}

// relabel appends suffix to all labels of d, so that several bodies can stand in one function.
func relabel(d *declText, suffix string, out *edits) {
	ast.Inspect(d.decl.Body, func(n ast.Node) bool {
		var label *ast.Ident
		switch n := n.(type) {
		case *ast.LabeledStmt:
			label = n.Label
		case *ast.BranchStmt:
			label = n.Label
		}
		if label != nil && label.Name != "_" {
			out.tail(d.offset(label.End()), suffix)
		}
		return true
	})
}

// watch wraps the expression that m changes in a probe that records infection.
func (f *function) watch(m *mutate.Mutant, out *edits) {
	kind, after := "Differs", ","+m.Probe.Mutated+")"
	switch m.Probe.Kind {
	case mutate.WhenTrue:
		kind, after = "WhenTrue", ")"
	case mutate.WhenFalse:
		kind, after = "WhenFalse", ")"
	}
	n := f.numbers[m]
	out.wrapFor(owner{aProbe, n}, m.Probe.Offset, m.Probe.EndOffset, plain(fmt.Sprintf("%s.%s(%d,", f.file.alias, kind, n)), after)
}

// inLine returns a line directive for the middle of a line: what follows it is at p in file, or in the current file if
// file is "". If p has no column, the directive has none, and positions after it have none either.
func inLine(file string, p token.Position) string {
	if p.Column == 0 {
		return fmt.Sprintf("/*line %s:%d*/", file, p.Line)
	}
	return fmt.Sprintf("/*line %s:%d:%d*/", file, p.Line, p.Column)
}

// lineDirective returns a directive, on a line of its own, that makes what follows start at line of file.
func lineDirective(file string, line int) string {
	return fmt.Sprintf("\n//line %s:%d\n", file, line)
}
