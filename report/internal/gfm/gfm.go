// Package gfm renders Markdown as GitHub does. It is for tests of Markdown that is written for GitHub.
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

// HTML renders Markdown with GitHub's extensions, including raw HTML. It has the same limits for runs of backticks and
// fences as cmark-gfm, which GitHub uses.
func HTML(markdown string) (string, error) {
	m := goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.Footnote),
		goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(countless{}, 99))), // before code spans (100)
		goldmark.WithRendererOptions(html.WithUnsafe(), html.WithXHTML()),
	)
	markdown = longFence.ReplaceAllStringFunc(markdown, func(s string) string { return s[:len(s)-len(strings.TrimLeft(s, " "))+maxFence] })
	var b bytes.Buffer
	err := m.Convert([]byte(markdown), &b)
	return b.String(), err
}

// Limits of cmark-gfm: MAXBACKTICKS in its inlines.c, and the uint8_t in its blocks.c that holds the length of a fence.
const (
	maxSpan  = 80
	maxFence = 255
)

var longFence = regexp.MustCompile("(?m)^ {0,3}(?:`{256,}|~{256,})")

// countless parses runs of backticks that are too long for a code span as text.
type countless struct{}

// Trigger returns the character that such a run begins with.
func (countless) Trigger() []byte { return []byte{'`'} }

// Parse returns the run of backticks at the start of block as text, or nil if it is not too long for a code span.
func (countless) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	n := len(line) - len(bytes.TrimLeft(line, "`"))
	if n <= maxSpan {
		return nil
	}
	block.Advance(n)
	return ast.NewTextSegment(segment.WithStop(segment.Start + n))
}

// elements are the HTML elements that a report may contain.
var elements = []string{"h3", "p", "strong", "del", "ul", "li", "code", "pre", "details", "summary", "sub", "table", "thead", "tbody", "tr", "th", "td"}

// live matches text that GitHub turns into something else: mentions, references to issues and commits, and addresses.
var live = regexp.MustCompile(`@|#\d|(?i:GH-\d)|://|www\.|\b[0-9a-f]{7,40}\b`)

// Outline returns rendered HTML without the contents of code, where nothing has an effect. It returns an error if there
// is an element or attribute that no report has, if an element is left open, or if GitHub would turn text outside of
// code into something else.
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

// languages are the classes that code blocks may have.
var languages = []string{"language-go", "language-diff", "language-yaml", "language-suggestion"}

func check(e xml.StartElement) error {
	if e.Name.Space != "" || !slices.Contains(elements, e.Name.Local) {
		return fmt.Errorf("element %v, which no report has", e.Name)
	}
	for _, a := range e.Attr {
		if cell := e.Name.Local == "th" || e.Name.Local == "td"; cell && (a.Name.Local == "align" || a.Name.Local == "style") {
			continue // the alignment of a column, which the table header sets
		}
		if e.Name.Local != "code" || a.Name.Local != "class" || !slices.Contains(languages, a.Value) {
			return fmt.Errorf("attribute %s=%q of %s, which no report has", a.Name.Local, a.Value, e.Name.Local)
		}
	}
	return nil
}

func isCode(n xml.Name) bool { return n.Local == "code" || n.Local == "pre" }

// Cmark renders Markdown with the program cmark-gfm, GitHub's own renderer, which must be installed.
func Cmark(markdown string) (string, error) {
	c := exec.Command("cmark-gfm", "--unsafe", "-e", "autolink", "-e", "footnotes", "-e", "strikethrough", "-e", "table", "-e", "tasklist")
	c.Stdin = strings.NewReader(markdown)
	out, err := c.Output()
	return string(out), err
}
