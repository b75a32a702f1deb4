package mutate

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

var hunkReversal = &Operator{
	Name:     "hunk-reversal",
	Category: Reversal,
	Doc: "Undoes one hunk of the change under review inside a function, which restores its old lines. If there are several hunks, " +
		"it also undoes all of them together, because one alone often does not compile. It is made only if the " +
		"function still parses, keeps its signature, and differs in more than comments and layout. An import that becomes unused " +
		"is used by a blank declaration. An import that the old lines need is added to the file, and anything else that is gone, such as a " +
		"function that only they called, is declared in the function. " +
		"(In the example, the change replaced `1` by `0`.)",
	Before: "func start() int {\n\treturn 0\n}\n",
	After:  "func start() int {\n\treturn 1\n}\n",
	mutate: mutateHunkReversal,
}

func mutateHunkReversal(s *site) {
	if s.Node() != s.Decl.Body {
		return
	}
	for i := range s.Hunks {
		s.undo(&s.Hunks[i], len(s.Hunks) == 1)
	}
	if whole, ok := s.whole(); ok {
		s.undo(&whole, true)
	}
}

// undo offers the mutant in which the hunk is undone. all says that the hunk is the whole change to the function.
func (s *site) undo(h *Hunk, all bool) {
	body, ok := s.reverse(h)
	if !ok {
		return
	}
	imported := s.Imported
	if all {
		body, imported = s.aliased(body)
	}
	kept, ok := s.keepImports(body)
	if !ok {
		return
	}
	needs, ok := s.needsOf(body, all, imported)
	if !ok {
		return
	}
	if needs.locals() != "" && !strings.Contains(body, "\n") {
		body = "{\n\t" + strings.TrimSpace(body[1:len(body)-1]) + "\n}" // the declarations need a line to stand before
	}
	before, rule := len(s.mutants), s.pass.arid
	if rule == "" {
		s.pass.arid = s.aridHunk(h)
	}
	if s.pass.arid == "" && s.resizes(body) {
		s.pass.arid = aridCapacity
	}
	s.replaceLines(s.source(s.Decl.Body), body, kept)
	for i := before; i < len(s.mutants); i++ {
		s.mutants[i].Hunk, s.mutants[i].Whole, s.mutants[i].Beside = h, all, false
		ok = needs.give(&s.mutants[i])
	}
	if !ok {
		s.mutants = s.mutants[:before]
	}
	s.pass.arid = rule
}

// aridHunk returns the rule by which a hunk is arid: it only alters the text of one literal, such as a script or
// template, it only rewords texts of arid code, it only alters code that never runs in this build, or it only adds arid
// statements.
func (s *site) aridHunk(h *Hunk) (rule string) {
	switch {
	case s.inText(h), s.rewords(h):
		return aridText
	case s.deadLines(h):
		return aridDead
	}
	if old, _ := parseFunction("func _() {" + h.Old + "}"); old == nil || len(old.Body.List) > 0 {
		return ""
	}
	return s.aridAdditions(h)
}

// resizes reports whether a body differs from the function's only in the capacities given to make.
func (s *site) resizes(body string) bool {
	now, old := withoutCapacities(s.source(s.Decl.Body)), withoutCapacities(body)
	return now != "" && now == old
}

// withoutCapacities returns a body on one line, without the capacities that it gives to make; "" if it does not parse.
func withoutCapacities(body string) string {
	decl, _ := parseFunction("func _()" + body)
	if decl == nil {
		return ""
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name, ok := call.Fun.(*ast.Ident)
		if !ok || name.Name != "make" || len(call.Args) == 0 {
			return true
		}
		sizes := 1
		if _, isMap := call.Args[0].(*ast.MapType); isMap {
			sizes = 0
		}
		call.Args = call.Args[:min(len(call.Args), 1+sizes)]
		return true
	})
	var text strings.Builder
	if err := printer.Fprint(&text, token.NewFileSet(), decl); err != nil {
		return ""
	}
	return normalise(text.String())
}

// inText reports whether all lines of a hunk are inside one string literal.
func (s *site) inText(h *Hunk) (found bool) {
	ast.Inspect(s.Decl.Body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			from, to := s.Fset.PositionFor(lit.Pos(), false).Line, s.Fset.PositionFor(lit.End(), false).Line
			found = found || from < h.First && h.First+h.Count-1 < to
		}
		return !found
	})
	return found
}

// aridAdditions returns the rule of the statements that a hunk adds; "" if it also alters other statements.
func (s *site) aridAdditions(h *Hunk) (rule string) {
	var added []ast.Stmt
	within := func(n ast.Node) bool {
		from, to := s.Fset.PositionFor(n.Pos(), false).Line, s.Fset.PositionFor(n.End(), false).Line
		return h.First <= from && to < h.First+h.Count
	}
	whole := true
	ast.Inspect(s.Decl.Body, func(n ast.Node) bool {
		stmt, ok := n.(ast.Stmt)
		if ok && within(n) {
			added = append(added, stmt)
			return false
		}
		if _, isBlock := n.(*ast.BlockStmt); ok && !isBlock {
			// A statement that begins in the hunk and ends after it is altered.
			line := s.Fset.PositionFor(n.Pos(), false).Line
			whole = whole && (line < h.First || line >= h.First+h.Count)
		}
		return true
	})
	if !whole || slices.ContainsFunc(added, s.callsBack) {
		return ""
	}
	return s.aridList(added)
}

// whole joins the hunks of the function into one, with the lines between them unchanged.
func (s *site) whole() (whole Hunk, ok bool) {
	if len(s.Hunks) < 2 {
		return Hunk{}, false
	}
	lines := strings.SplitAfter(string(s.Source), "\n")
	first := s.Hunks[0].First
	next := first
	var old strings.Builder
	for _, h := range s.Hunks {
		if h.First < next {
			return Hunk{}, false // they are not in order
		}
		old.WriteString(strings.Join(lines[next-1:h.First-1], "") + h.Old)
		next = h.First + h.Count
	}
	return Hunk{First: first, Count: next - first, Old: old.String()}, true
}

// reverse returns the function's body with the hunk undone.
func (s *site) reverse(h *Hunk) (body string, ok bool) {
	open := s.Fset.PositionFor(s.Decl.Body.Lbrace, false).Line
	shut := s.Fset.PositionFor(s.Decl.Body.Rbrace, false).Line
	if h.First <= open || h.First+h.Count > shut {
		return s.reverseAcross(h)
	}
	lines := strings.SplitAfter(s.source(s.Decl.Body), "\n") // lines[0] is line number open
	body = strings.Join(lines[:h.First-open], "") + h.Old + strings.Join(lines[h.First+h.Count-open:], "")
	decl, _ := parseFunction("func _()" + body)
	return body, decl != nil
}

// reverseAcross is reverse for a hunk that begins before the body or ends after it. It finds the old lines that belong
// to the function by the function's first or last line. Function literals have no such lines.
func (s *site) reverseAcross(h *Hunk) (body string, ok bool) {
	first := s.Fset.PositionFor(s.Decl.Pos(), false).Line
	last := s.Fset.PositionFor(s.Decl.End(), false).Line
	if h.First > last || h.First+h.Count <= first {
		return "", false
	}
	lines := strings.SplitAfter(string(s.Source), "\n")
	head := strings.Join(lines[first-1:max(first, h.First)-1], "")
	tail := strings.Join(lines[min(last, h.First+h.Count-1):last], "")
	old := slices.Collect(strings.Lines(h.Old))
	froms, tos := []int{0}, []int{len(old)}
	if h.First < first {
		froms = indices(old, func(line string) bool {
			return strings.HasPrefix(line, "func") && strings.Contains(line, s.Decl.Name.Name)
		})
	}
	if h.First+h.Count-1 > last {
		tos = indices(old, func(line string) bool { return strings.HasPrefix(line, "}") })
		for i := range tos {
			tos[i]++ // the line belongs to the function
		}
	}
	for _, from := range froms {
		for _, to := range tos {
			if from > to {
				continue
			}
			if body, ok := s.bodyOf(head + strings.Join(old[from:to], "") + tail); ok {
				return body, true
			}
		}
	}
	return "", false
}

// indices returns the indices of the wanted lines.
func indices(lines []string, wanted func(string) bool) (out []int) {
	for i, line := range lines {
		if wanted(line) {
			out = append(out, i)
		}
	}
	return out
}

// bodyOf returns the body in src, which must hold a single function with the
// signature of the one that is mutated.
func (s *site) bodyOf(src string) (string, bool) {
	decl, file := parseFunction(src)
	if decl == nil {
		return "", false
	}
	src = alone + src
	signature := src[file.Offset(decl.Pos()):file.Offset(decl.Body.Pos())]
	if normalise(signature) != normalise(s.text(s.Decl.Pos(), s.Decl.Body.Pos())) {
		return "", false
	}
	return src[file.Offset(decl.Body.Pos()):file.Offset(decl.Body.End())], true
}

const alone = "package p\n" // goes before a function that is parsed by itself

// parseFunction parses a single function with a body; nil if src is anything else. Offsets include the length of alone.
func parseFunction(src string) (*ast.FuncDecl, *token.File) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", alone+src, parser.SkipObjectResolution)
	if err != nil || len(file.Decls) != 1 {
		return nil, nil
	}
	if decl, ok := file.Decls[0].(*ast.FuncDecl); ok && decl.Body != nil {
		return decl, fset.File(decl.Pos())
	}
	return nil, nil
}

// keepImports returns declarations, one a line, that use the imports which the file would not use with another body. A
// missing use would go unnoticed, because mutants are built beside the original, which has it. keepImports is not ok if
// there is no such declaration for some import.
func (s *site) keepImports(body string) (kept string, ok bool) {
	file, err := parser.ParseFile(token.NewFileSet(), "", alone+"func _()"+body, 0)
	if err != nil {
		return "", false
	}
	var lines []string
	for _, pkg := range s.importsOfBody() {
		if slices.ContainsFunc(file.Unresolved, func(id *ast.Ident) bool { return id.Name == pkg.Name() }) {
			continue
		}
		line := s.useOf(pkg)
		if line == "" {
			return "", false
		}
		lines = append(lines, line+"\n")
	}
	for pkg, n := range s.unqualified(s.Decl.Body, nil) {
		named := func(id *ast.Ident) bool { return id.IsExported() && pkg.Scope().Lookup(id.Name) != nil }
		if s.unqualified(s.Syntax, nil)[pkg] > n || slices.ContainsFunc(file.Unresolved, named) {
			continue
		}
		line := s.unqualifiedUseOf(pkg)
		if line == "" {
			return "", false
		}
		lines = append(lines, line+"\n")
	}
	slices.Sort(lines)
	return strings.Join(lines, ""), true
}

// importsOfBody returns the imports that the file uses in the function's body and nowhere else.
func (p *pass) importsOfBody() (list []*types.PkgName) {
	needed := map[types.Object]bool{}
	for obj := range p.reads {
		if _, ok := obj.(*types.PkgName); ok {
			needed[obj] = true
		}
	}
	ast.Inspect(p.Syntax, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			delete(needed, p.Info.Uses[id])
		}
		return n != p.Decl.Body
	})
	for obj := range needed {
		list = append(list, obj.(*types.PkgName))
	}
	return list
}

// useOf returns a declaration without effect that uses an import by something that the function's body selects from it;
// "" if there is none.
func (s *site) useOf(pkg *types.PkgName) (line string) {
	ast.Inspect(s.Decl.Body, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok && s.Info.Uses[id] == pkg && line == "" {
			line = unusedUse(s.Info.Uses[sel.Sel], pkg.Name()+"."+sel.Sel.Name+s.typeArguments(sel.Sel))
		}
		return true
	})
	return line
}

// unqualifiedUseOf is useOf for a package that the file imports with a dot.
func (s *site) unqualifiedUseOf(pkg *types.Package) (line string) {
	ast.Inspect(s.Decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && line == "" {
			if obj := s.Info.Uses[id]; obj != nil && obj.Parent() == pkg.Scope() {
				line = unusedUse(obj, id.Name+s.typeArguments(id))
			}
		}
		return true
	})
	return line
}

// typeArguments returns the type arguments with which the function's body uses a generic function or type, as they can
// be written at the body's beginning; "" if there are none or they cannot be written there.
func (s *site) typeArguments(id *ast.Ident) string {
	args := s.Info.Instances[id].TypeArgs
	if args.Len() == 0 {
		return ""
	}
	var names []string
	for arg := range args.Types() {
		name, ok := s.TypeName(s.Decl.Body.Lbrace+1, arg)
		if !ok {
			return ""
		}
		names = append(names, name)
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// unusedUse returns a blank declaration that uses obj by its name, which includes type arguments; "" if it lacks some.
func unusedUse(obj types.Object, name string) string {
	instance := strings.HasSuffix(name, "]")
	switch obj := obj.(type) {
	case *types.Const:
		return "const _ = " + name
	case *types.Var:
		return "var _ = " + name
	case *types.Func:
		if instance || obj.Signature().TypeParams() == nil {
			return "var _ = " + name
		}
	case *types.TypeName:
		if t, ok := obj.Type().(interface{ TypeParams() *types.TypeParamList }); instance || !ok || t.TypeParams() == nil {
			return "type _ = " + name
		}
	}
	return ""
}

// replaceLines offers the mutant with another body. Its range is trimmed to the lines that differ, and the lines in
// kept go before these. It offers none if no statement can stand there.
func (s *site) replaceLines(before, after, kept string) {
	old, now := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	from, head := s.Decl.Body.Pos(), ""
	for len(old) > 1 && len(now) > 1 && old[0] == now[0] {
		from += token.Pos(len(old[0]))
		head += old[0]
		old, now = old[1:], now[1:]
	}
	if kept != "" {
		if decl, _ := parseFunction("func _()" + head + kept + strings.Join(now, "")); decl == nil {
			return
		}
	}
	for len(old) > 1 && len(now) > 1 && old[len(old)-1] == now[len(now)-1] {
		old, now = old[:len(old)-1], now[:len(now)-1]
	}
	s.replace(from, from+token.Pos(len(strings.Join(old, ""))), kept+strings.Join(now, ""), Form{}, nil)
}
