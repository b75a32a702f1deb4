package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extensionast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

// span is a text in one style.
type span struct {
	text       string
	code, bold bool
}

// block is a part of a review that stands by itself. Exactly one of its fields is filled.
type block struct {
	heading   []span
	paragraph []span
	small     []span // the last line
	folded    []span // the line that opens on a click
	source    []string
	rows      [][][]span // of a table; the first is its head
}

// blocks returns what a review shows. Everything that GitHub folds stays folded. The error names Markdown that
// reviews do not have.
func blocks(review []byte) ([]block, error) {
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(review))
	var list []block
	depth := 0 // of <details>
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if raw, ok := n.(*ast.HTMLBlock); ok {
			line := strings.TrimSpace(string(raw.Lines().Value(review)))
			switch summary, isSummary := between(line, "<details><summary>", "</summary>"); {
			case isSummary && depth == 0:
				list = append(list, block{folded: ofHTML(summary)})
				depth++
			case isSummary:
				depth++
			case line == "</details>":
				depth--
			case strings.HasPrefix(line, "<!--"):
			default:
				return nil, fmt.Errorf("HTML that no review has: %s", line)
			}
			continue
		}
		if depth > 0 {
			continue
		}
		one, err := blockOf(n, review)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

func between(s, before, after string) (string, bool) {
	s, begins := strings.CutPrefix(s, before)
	s, ends := strings.CutSuffix(s, after)
	return s, begins && ends
}

// blockOf returns what a node of the document shows.
func blockOf(n ast.Node, review []byte) (block, error) {
	switch n := n.(type) {
	case *ast.Heading:
		return block{heading: inline(n, review)}, nil
	case *ast.Paragraph:
		raw := strings.TrimSpace(string(n.Lines().Value(review)))
		if _, ok := between(raw, "<sub>", "</sub>"); ok {
			return block{small: inline(n, review)}, nil
		}
		return block{paragraph: inline(n, review)}, nil
	case *ast.FencedCodeBlock:
		source := strings.TrimRight(string(n.Lines().Value(review)), "\n")
		return block{source: strings.Split(strings.ReplaceAll(source, "\t", "    "), "\n")}, nil
	case *extensionast.Table:
		var rows [][][]span
		for row := n.FirstChild(); row != nil; row = row.NextSibling() {
			var cells [][]span
			for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
				cells = append(cells, inline(cell, review))
			}
			rows = append(rows, cells)
		}
		return block{rows: rows}, nil
	}
	return block{}, fmt.Errorf("a %v, which cannot be drawn", n.Kind())
}

// inline returns the texts in a node, with their styles.
func inline(n ast.Node, review []byte) []span {
	var list []span
	var style span
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the visitor has no errors
		switch n := n.(type) {
		case *ast.CodeSpan:
			style.code = entering
		case *ast.Emphasis:
			style.bold = entering
		case *ast.RawHTML:
			switch tag := string(n.Segments.Value(review)); {
			case entering && tag == "<code>":
				style.code = true
			case entering && tag == "</code>":
				style.code = false
			}
		case *ast.Text:
			if entering {
				list = append(list, span{html.UnescapeString(string(n.Value(review))), style.code, style.bold})
				if n.SoftLineBreak() {
					list = append(list, span{text: " "})
				}
			}
		}
		return ast.WalkContinue, nil
	})
	return list
}

var codeElement = regexp.MustCompile(`<code>(.*?)</code>`)

// ofHTML returns the texts of a line of HTML, whose only elements are code elements.
func ofHTML(line string) []span {
	var list []span
	for {
		at := codeElement.FindStringSubmatchIndex(line)
		if at == nil {
			return append(list, span{text: html.UnescapeString(line)})
		}
		list = append(list, span{text: html.UnescapeString(line[:at[0]])}, span{text: html.UnescapeString(line[at[2]:at[3]]), code: true})
		line = line[at[1]:]
	}
}
