// Package gfm reads Markdown as GitHub does, for tests of what is written to be
// read there.
package gfm

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// HTML renders Markdown with GitHub's extensions, raw HTML included. It stops
// counting backticks where cmark-gfm, which GitHub uses, does.
func HTML(markdown string) (string, error) {
	m := goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.Footnote),
		goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(countless{}, 99))), // code spans have 100
		goldmark.WithRendererOptions(html.WithUnsafe(), html.WithXHTML()),
	)
	markdown = longFence.ReplaceAllStringFunc(markdown, func(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " "))+maxFence] })
	var b bytes.Buffer
	err := m.Convert([]byte(markdown), &b)
	return b.String(), err
}

// What cmark-gfm counts: MAXBACKTICKS of its inlines.c, and the uint8_t that
// its blocks.c keeps the length of a fence in.
const (
	maxSpan  = 80
	maxFence = 255
)

var longFence = regexp.MustCompile("(?m)^ {0,3}(?:`{256,}|~{256,})")

// countless reads runs of backticks that are too long for a code span as text.
type countless struct{}

// Trigger returns what such a run begins with.
func (countless) Trigger() []byte { return []byte{'`'} }

// Parse returns the run that block begins with as text, or nil if it is short.
func (countless) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	n := len(line) - len(bytes.TrimLeft(line, "`"))
	if n <= maxSpan {
		return nil
	}
	block.Advance(n)
	return ast.NewTextSegment(segment.WithStop(segment.Start + n))
}

// elements are those that a report is made of.
var elements = []string{"h3", "p", "strong", "del", "ul", "li", "code", "pre", "details", "summary", "sub", "table", "thead", "tbody", "tr", "th", "td"}

// live is text that GitHub makes something of: mentions, references to issues
// and commits, addresses.
var live = regexp.MustCompile(`@|#\d|(?i:GH-\d)|://|www\.|\b[0-9a-f]{7,40}\b`)

// Outline returns rendered HTML without what stands in code, where everything
// is inert. It is an error if there is an element or attribute that no report
// has, if one is left open, or if text outside of code is more than text.
func Outline(html string) (string, error) {
	d := xml.NewDecoder(strings.NewReader(html))
	d.Entity = xml.HTMLEntity
	var b strings.Builder
	inCode := 0
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String(), nil
		}
		if err != nil {
			return b.String(), fmt.Errorf("the HTML is not well-formed: %w", err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if err := check(tok); err != nil {
				return b.String(), err
			}
			if isCode(tok.Name) {
				inCode++
			}
			fmt.Fprintf(&b, "<%s>", tok.Name.Local)
		case xml.EndElement:
			if isCode(tok.Name) {
				inCode--
			}
			fmt.Fprintf(&b, "</%s>", tok.Name.Local)
		case xml.CharData:
			if inCode > 0 {
				continue
			}
			if s := live.Find(tok); s != nil {
				return b.String(), fmt.Errorf("%q is live in the text %q", s, tok)
			}
			b.Write(tok)
		case xml.Comment:
			fmt.Fprintf(&b, "<!--%s-->", tok)
		default:
			return b.String(), fmt.Errorf("unexpected %T", tok)
		}
	}
}

// languages are the classes that blocks of code have.
var languages = []string{"language-go", "language-diff", "language-yaml", "language-suggestion"}

func check(e xml.StartElement) error {
	if e.Name.Space != "" || !slices.Contains(elements, e.Name.Local) {
		return fmt.Errorf("element %v, which no report has", e.Name)
	}
	for _, a := range e.Attr {
		if cell := e.Name.Local == "th" || e.Name.Local == "td"; cell && (a.Name.Local == "align" || a.Name.Local == "style") {
			continue // of a column, which the header says
		}
		if e.Name.Local != "code" || a.Name.Local != "class" || !slices.Contains(languages, a.Value) {
			return fmt.Errorf("attribute %s=%q of %s, which no report has", a.Name.Local, a.Value, e.Name.Local)
		}
	}
	return nil
}

func isCode(n xml.Name) bool { return n.Local == "code" || n.Local == "pre" }

// Cmark renders Markdown with the program cmark-gfm, which is GitHub's own and
// has to be installed.
func Cmark(markdown string) (string, error) {
	c := exec.Command("cmark-gfm", "--unsafe", "-e", "autolink", "-e", "footnotes", "-e", "strikethrough", "-e", "table", "-e", "tasklist")
	c.Stdin = strings.NewReader(markdown)
	out, err := c.Output()
	return string(out), err
}
