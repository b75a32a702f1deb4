package equivalence

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// otherForm returns the reason for a mutant that undoes part of the change but only writes conditions in another
// form, as linters suggest: "x == true" for "x", "x == false" for "!x", "!x || !y" for "!(x && y)", or other parentheses.
// It returns "" for other mutants.
func (p *Package) otherForm(path string, file *ast.File, m *mutate.Mutant) string {
	if m.Hunk == nil || len(m.Needs) > 0 || !slices.Equal(operands(m.Original), operands(m.Replacement)) || p.declares(file, "true") || p.declares(file, "false") || !p.comparesBooleans(file) {
		return ""
	}
	src, err := regular.Source(path)
	if err != nil || m.EndOffset > len(src) || string(src[m.Offset:m.EndOffset]) != m.Original {
		return ""
	}
	before, after := normalForm(src), normalForm(m.Apply(src))
	if before == "" || before != after {
		return ""
	}
	return "the conditions are the same as before, in another form"
}

// operands returns the tokens of text without those in which two forms of a condition, or two layouts, may differ. If
// these tokens differ, there is no need to parse the whole file.
func operands(text string) (list []string) {
	var s scanner.Scanner
	src := []byte(text)
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), src, func(token.Position, string) {}, 0)
	for {
		switch _, tok, lit := s.Scan(); {
		case tok == token.EOF:
			return list
		case slices.Contains([]token.Token{token.EQL, token.NEQ, token.NOT, token.LAND, token.LOR, token.LPAREN, token.RPAREN, token.COMMA, token.SEMICOLON}, tok):
		case tok == token.IDENT && (lit == "true" || lit == "false"):
		default:
			list = append(list, tok.String()+lit)
		}
	}
}

// declares reports whether a file, or its package at top level, declares something called name.
func (p *Package) declares(file *ast.File, name string) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name && p.pkg.TypesInfo.Defs[id] != nil
		return !found
	})
	return found || p.pkg.Types.Scope().Lookup(name) != nil
}

// comparesBooleans reports whether a file compares only booleans with true and false. A value of an interface type
// may equal neither.
func (p *Package) comparesBooleans(file *ast.File) bool {
	all := true
	ast.Inspect(file, func(n ast.Node) bool {
		if e, ok := n.(*ast.BinaryExpr); ok {
			if _, constant := isConstant(e.Y); constant {
				t := p.pkg.TypesInfo.TypeOf(e.X)
				basic, ok := t.Underlying().(*types.Basic)
				all = all && ok && basic.Info()&types.IsBoolean != 0
			}
		}
		return all
	})
	return all
}

// normalForm returns the source of a file with plain conditions and without comments; "" if it does not parse.
func normalForm(src []byte) string {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return ""
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			n.Cond = plain(n.Cond)
		case *ast.ForStmt:
			if n.Cond != nil {
				n.Cond = plain(n.Cond)
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				n.X, n.Y = plain(n.X), plain(n.Y)
			}
		}
		return true
	})
	var b bytes.Buffer
	// A new FileSet has no positions, so layout does not count.
	if err := printer.Fprint(&b, token.NewFileSet(), file); err != nil {
		return ""
	}
	return b.String()
}

// plain returns a condition without comparisons with true and false, parentheses around it, and negations of more than
// a single operand.
func plain(e ast.Expr) ast.Expr {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		value, ok := isConstant(e.Y)
		switch {
		case !ok || e.Op != token.EQL && e.Op != token.NEQ:
			return e
		case value == (e.Op == token.EQL):
			return plain(e.X)
		}
		return plain(&ast.UnaryExpr{Op: token.NOT, X: e.X})
	case *ast.UnaryExpr:
		if e.Op != token.NOT {
			return e
		}
		return negation(plain(e.X))
	default:
		return e
	}
}

// negation returns the negation of a plain condition as a plain condition. Comparisons of order stay under the negation:
// with NaN they are not each other's opposite.
func negation(x ast.Expr) ast.Expr {
	opposite := map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND}
	switch x := x.(type) {
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return plain(x.X)
		}
	case *ast.BinaryExpr:
		switch op := opposite[x.Op]; {
		case op == token.LAND || op == token.LOR:
			return &ast.BinaryExpr{X: negation(plain(x.X)), Op: op, Y: negation(plain(x.Y))}
		case op != token.ILLEGAL:
			return &ast.BinaryExpr{X: x.X, Op: op, Y: x.Y}
		}
		return &ast.UnaryExpr{Op: token.NOT, X: &ast.ParenExpr{X: x}}
	}
	return &ast.UnaryExpr{Op: token.NOT, X: x}
}

// isConstant reports whether an expression is the name true or false, and which.
func isConstant(e ast.Expr) (value, ok bool) {
	id, isIdent := ast.Unparen(e).(*ast.Ident)
	if !isIdent {
		return false, false
	}
	return id.Name == "true", id.Name == "true" || id.Name == "false"
}
