package weave

import (
	"cmp"
	"encoding/binary"
	"go/ast"
	"go/scanner"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

// Bounds of the dictionary. Long literals are texts rather than tokens, and too many literals dilute the few that
// matter.
const (
	maxDictionary = 512 // literals
	maxLiteral    = 64  // bytes
)

// dictionary collects literals of the woven code, because inputs often have to match them. First come those of mutated
// functions and of the code that the change replaced there, then those of files with mutated functions, then the rest.
func (w *weaver) dictionary() {
	c := &literals{seen: map[string]bool{}}
	for _, fn := range w.funcs {
		if fn.source != nil {
			ast.Inspect(fn.body, c.visit)
			for i := range fn.source.Mutants {
				c.undone(&fn.source.Mutants[i])
			}
		}
	}
	for _, touched := range []bool{true, false} {
		for _, f := range w.order {
			if f.isTest() || generated(f) || w.isTouched(f) != touched {
				continue
			}
			for _, d := range f.syntax.Decls {
				if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
					ast.Inspect(d, c.visit)
				}
			}
		}
	}
	w.out.Dictionary = c.list
}

// tested collects literals of tests, because most of these are inputs that people wrote. Those of folders with mutated
// functions come first. Files that only the analysis knows are left out.
func (w *weaver) tested() {
	folders := map[string]bool{}
	for path := range w.mutated {
		folders[filepath.Dir(path)] = true
	}
	c := &literals{seen: map[string]bool{}, verbatim: true}
	for _, near := range []bool{true, false} {
		for _, f := range w.order {
			if _, made := w.in.Sources[f.path]; f.isTest() && !made && folders[filepath.Dir(f.path)] == near {
				c.test(f.syntax)
			}
		}
	}
	w.out.Tested = c.list
}

func (w *weaver) isTouched(f *file) bool { return w.mutated[f.path] != nil }

// literals collects literals without duplicates.
type literals struct {
	seen     map[string]bool
	list     [][]byte
	verbatim bool // of tests: numbers as they are written, and texts also line by line
}

// test adds the literals of a test file. It leaves out texts that a call prints or names a subtest by, and sentences
// that are passed together with the *testing.T: helpers print these.
func (c *literals) test(file *ast.File) {
	printed := map[ast.Expr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			return n.Tag == nil
		case *ast.CallExpr:
			ofTest := slices.ContainsFunc(n.Args, isTest)
			for _, arg := range n.Args {
				printed[arg] = isReport(n) || ofTest && isSentence(arg)
			}
		case *ast.BasicLit:
			if !printed[n] {
				c.literal(n)
			}
		}
		return true
	})
}

// undone adds the literals of the old lines that m restores, if it undoes a part of the change.
func (c *literals) undone(m *mutate.Mutant) {
	if m.Hunk == nil && !m.Whole {
		return
	}
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(m.Replacement)), []byte(m.Replacement), func(token.Position, string) {}, 0)
	var before [2]string // the last two tokens
	for _, tok, text := s.Scan(); tok != token.EOF; _, tok, text = s.Scan() {
		if before[1] != "(" || !slices.Contains(errorMakers, before[0]) {
			c.literal(&ast.BasicLit{Kind: tok, Value: text})
		}
		before = [2]string{before[1], cmp.Or(text, tok.String())}
	}
}

// errorMakers are names of functions whose first argument is a text for people: see isErrorText.
var errorMakers = []string{"Errorf", "New", "panic"}

func (c *literals) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Field: // struct tags
		return n.Tag == nil
	case *ast.CallExpr:
		return !isErrorText(n)
	case *ast.BasicLit:
		c.literal(n)
	}
	return true
}

// reporting matches names of functions, in packages such as testing and fmt, whose arguments are texts for people.
var reporting = regexp.MustCompile(`^((Error|Fatal|Log|Skip|Panic|[FS]?[Pp]rint)(f|ln)?|Run)$`)

// isReport reports whether the arguments of a call in a test are texts for people.
func isReport(call *ast.CallExpr) bool {
	fun, ok := call.Fun.(*ast.SelectorExpr)
	return isErrorText(call) || ok && reporting.MatchString(fun.Sel.Name)
}

// isTest reports whether an argument has one of the usual names of a *testing.T, *testing.B or testing.TB.
func isTest(arg ast.Expr) bool { return isNamed(arg, "t") || isNamed(arg, "tb") || isNamed(arg, "b") }

// sentence matches a string literal of at least three words and nothing else.
var sentence = regexp.MustCompile(`^"\pL[\pL'’-]*( [\pL'’-]+){2,}[.:!?]?"$`)

// isSentence reports whether an argument is a literal that sentence matches.
func isSentence(arg ast.Expr) bool {
	lit, ok := arg.(*ast.BasicLit)
	return ok && sentence.MatchString(lit.Value)
}

// isErrorText reports whether a call makes an error or a panic. No input has to match the text of one.
func isErrorText(call *ast.CallExpr) bool {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		return fun.Name == "panic"
	case *ast.SelectorExpr:
		return fun.Sel.Name == "Errorf" || fun.Sel.Name == "New" && isNamed(fun.X, "errors")
	}
	return false
}

func isNamed(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func (c *literals) literal(lit *ast.BasicLit) {
	switch lit.Kind {
	case token.STRING:
		if s, err := strconv.Unquote(lit.Value); err == nil {
			c.add(s)
			c.lines(s)
		}
	case token.CHAR:
		if s, err := strconv.Unquote(lit.Value); err == nil {
			c.add(s)
		}
	case token.INT:
		c.integer(lit.Value)
	case token.FLOAT:
		if c.verbatim {
			c.add(lit.Value)
		}
	}
}

// lines adds the lines of a text in a test if it has several. Each line may be an input, while the whole text is often
// longer than maxLiteral.
func (c *literals) lines(text string) {
	if !c.verbatim || !strings.Contains(text, "\n") {
		return
	}
	for line := range strings.Lines(text) {
		c.add(strings.TrimSpace(line))
	}
}

// integer adds the forms in which an input may contain a number: decimal text, and its bytes in both byte orders.
// Numbers below 10 are left out. With c.verbatim it only adds text itself.
func (c *literals) integer(text string) {
	if c.verbatim {
		c.add(text)
		return
	}
	v, err := strconv.ParseUint(strings.ReplaceAll(text, "_", ""), 0, 64)
	if err != nil || v < 10 {
		return
	}
	c.add(strconv.FormatUint(v, 10))
	switch {
	case v < 1<<8:
		c.add(string([]byte{byte(v)}))
	case v < 1<<16:
		c.add(string(binary.BigEndian.AppendUint16(nil, uint16(v))))
		c.add(string(binary.LittleEndian.AppendUint16(nil, uint16(v))))
	case v < 1<<32:
		c.add(string(binary.BigEndian.AppendUint32(nil, uint32(v))))
		c.add(string(binary.LittleEndian.AppendUint32(nil, uint32(v))))
	default:
		c.add(string(binary.BigEndian.AppendUint64(nil, v)))
		c.add(string(binary.LittleEndian.AppendUint64(nil, v)))
	}
}

func (c *literals) add(s string) {
	if s == "" || len(s) > maxLiteral || c.seen[s] || len(c.list) >= maxDictionary {
		return
	}
	c.seen[s] = true
	c.list = append(c.list, []byte(s))
}
