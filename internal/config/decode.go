package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v4"
)

// Decode reads the text of a configuration file. operators are the names of all operators. Errors are of type
// *[Error].
func Decode(data []byte, operators []string) (*Config, error) {
	if len(data) > MaxSize {
		return nil, &Error{Msg: fmt.Sprintf("larger than %d MiB", MaxSize>>20), Hint: "dismiss whole functions, or silence lines with //mutantfuzz:ignore"}
	}
	root, err := parse(data)
	if err != nil || root == nil {
		return &Config{}, err
	}
	var c Config
	d := decoder{operators}
	err = object(root, keys{
		"paths":     func(n *yaml.Node) error { return d.paths(n, &c.Paths) },
		"operators": func(n *yaml.Node) error { return d.disabled(n, &c.Operators) },
		"limits":    func(n *yaml.Node) error { return d.limits(n, &c.Limits) },
		"dismissed": func(n *yaml.Node) error { return d.dismissed(n, &c.Dismissed) },
	})
	if err != nil {
		return nil, err
	}
	return &c, nil
}

// parse returns the value that the text holds, or nil if it holds nothing but comments.
func parse(data []byte) (*yaml.Node, error) {
	var doc, more yaml.Node
	documents := yaml.NewDecoder(bytes.NewReader(data))
	switch err := documents.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, malformed(err)
	}
	switch err := documents.Decode(&more); {
	case err == nil:
		return nil, fault(&more, "leave one of them", "a second document")
	case !errors.Is(err, io.EOF):
		return nil, malformed(err)
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], plain(doc.Content[0])
}

// malformed returns the error that says where the text is not YAML, or not a single document.
func malformed(err error) error {
	e := &Error{Line: 1, Hint: "docs/ci.md has an example of what it has to be"}
	var at *yaml.LoadError
	if errors.As(err, &at) {
		e.Line, e.Msg = max(at.Mark.Line, 1), at.Message
	} else {
		e.Msg = err.Error()
	}
	e.Msg = "malformed YAML: " + strings.Trim(strconv.QuoteToGraphic(fmt.Sprintf("%.200s", e.Msg)), `"`)
	return e
}

// plain refuses anchors and aliases, with which a small file could stand for a huge one.
func plain(n *yaml.Node) error {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return fault(n, "write the value out in each place", "anchors and aliases are not allowed here")
	}
	for _, child := range n.Content {
		if err := plain(child); err != nil {
			return err
		}
	}
	return nil
}

// fault returns an error about a node.
func fault(n *yaml.Node, hint, format string, args ...any) error {
	return &Error{Line: n.Line, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// keys maps the keys that an object may have to functions that read their values.
type keys map[string]func(*yaml.Node) error

// object reads an object. A key without a value counts as an empty object.
func object(n *yaml.Node, known keys) error {
	names := strings.Join(slices.Sorted(maps.Keys(known)), ", ")
	if n.ShortTag() == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return fault(n, "allowed keys: "+names, "%s, where an object is expected", shown(n))
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		read := known[key.Value]
		switch {
		case key.ShortTag() != "!!str" || read == nil:
			return fault(key, "allowed keys: "+names, "unknown key %s", shown(key))
		case seen[key.Value]:
			return fault(key, "put the two together", "the key %q is there twice", key.Value)
		}
		seen[key.Value] = true
		if err := read(n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// list reads a list of up to limit values. A key without a value counts as an empty list.
func list(n *yaml.Node, limit int, read func(*yaml.Node) error) error {
	switch {
	case n.ShortTag() == "!!null":
		return nil
	case n.Kind != yaml.SequenceNode:
		return fault(n, "put it into brackets, or after a hyphen", "%s, where a list is expected", shown(n))
	case len(n.Content) > limit:
		return fault(n, "leave out what is no longer needed", "a list of more than %d values", limit)
	}
	for _, value := range n.Content {
		if err := read(value); err != nil {
			return err
		}
	}
	return nil
}

// text reads a string without the white space around it. It refuses empty strings and strings longer than
// maxText.
func text(n *yaml.Node, to *string) error {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		return fault(n, "put it in quotes", "%s, where a text is expected", shown(n))
	}
	switch s := strings.TrimSpace(n.Value); {
	case s == "":
		return fault(n, "write something, or leave the key out", "an empty text")
	case utf8.RuneCountInString(s) > maxText:
		return fault(n, "make it shorter", "a text of more than %d characters", maxText)
	default:
		*to = s
	}
	return nil
}

// shown describes a value for a message.
func shown(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "an object"
	case yaml.SequenceNode:
		return "a list"
	}
	if n.ShortTag() == "!!null" {
		return "nothing"
	}
	return fmt.Sprintf("%.100q", n.Value)
}

// decoder reads the parts of the file.
type decoder struct {
	names []string // of the operators that there are
}

func (d decoder) paths(n *yaml.Node, to *Paths) error {
	return object(n, keys{"exclude": func(n *yaml.Node) error {
		return list(n, maxPatterns, func(n *yaml.Node) error {
			var pattern string
			if err := text(n, &pattern); err != nil {
				return err
			}
			to.Exclude = append(to.Exclude, pattern)
			return checkPattern(n, pattern)
		})
	}})
}

// checkPattern refuses patterns that match nothing, or not what they seem to match. It also refuses braces, with
// which a short pattern could stand for very many.
func checkPattern(n *yaml.Node, pattern string) error {
	elements := strings.Split(pattern, "/")
	spans := func(element string) bool { return element != "**" && strings.Contains(element, "**") }
	switch {
	case len(pattern) > maxPattern:
		return fault(n, "make it shorter", "a pattern of more than %d bytes", maxPattern)
	case strings.ContainsAny(pattern, `\{}`):
		return fault(n, "separate folders by slashes, and write one pattern for each alternative", "bad pattern %q: it has a backslash or a brace", pattern)
	case path.Clean(pattern) != pattern || path.IsAbs(pattern) || elements[0] == "." || elements[0] == "..":
		return fault(n, patternExample, "bad pattern %q: it is not a path relative to the root", pattern)
	case slices.ContainsFunc(elements, spans):
		return fault(n, patternExample, "bad pattern %q: ** stands beside something else", pattern)
	case !doublestar.ValidatePattern(pattern):
		return fault(n, patternExample, "bad pattern %q", pattern)
	}
	return nil
}

func (d decoder) disabled(n *yaml.Node, to *Operators) error {
	return object(n, keys{"disable": func(n *yaml.Node) error {
		return list(n, maxOperators, func(n *yaml.Node) error {
			var name string
			err := d.operator(n, &name)
			to.Disable = append(to.Disable, name)
			return err
		})
	}})
}

// operator reads the name of an operator.
func (d decoder) operator(n *yaml.Node, to *string) error {
	if err := text(n, to); err != nil {
		return err
	}
	if !slices.Contains(d.names, *to) {
		return fault(n, "docs/operators.md has them; they are "+strings.Join(d.names, ", "), "unknown operator %.100q", *to)
	}
	return nil
}

func (d decoder) limits(n *yaml.Node, to *Limits) error {
	return object(n, keys{
		"time": func(n *yaml.Node) error {
			limit, err := time.ParseDuration(n.Value)
			if n.Kind != yaml.ScalarNode || err != nil || limit <= 0 {
				return fault(n, "give a duration as 5m or 90s", "%s is not a positive duration", shown(n))
			}
			to.Time = limit
			return nil
		},
		"max-findings": func(n *yaml.Node) error {
			most, err := strconv.Atoi(n.Value)
			if n.ShortTag() != "!!int" || err != nil || most < 1 || most > MaxFindings {
				return fault(n, fmt.Sprintf("give a number from 1 to %d", MaxFindings), "%s is no number of findings", shown(n))
			}
			to.MaxFindings = most
			return nil
		},
	})
}

func (d decoder) dismissed(n *yaml.Node, to *[]Dismissal) error {
	return list(n, maxDismissed, func(n *yaml.Node) error {
		entry, err := d.dismissal(n)
		*to = append(*to, entry)
		return err
	})
}

// functionID roughly matches the ID of a function.
var functionID = regexp.MustCompile(`^\S+\.\S+$`)

func (d decoder) dismissal(n *yaml.Node) (Dismissal, error) {
	entry := Dismissal{Line: n.Line}
	err := object(n, keys{
		"function": func(n *yaml.Node) error {
			if err := text(n, &entry.Function); err != nil {
				return err
			}
			if !functionID.MatchString(entry.Function) {
				return fault(n, "name it as results.json does, with the import path of its package: example.com/m.ParseSize", "%.100q is no function", entry.Function)
			}
			return nil
		},
		"operator": func(n *yaml.Node) error { return d.operator(n, &entry.Operator) },
		"edit":     func(n *yaml.Node) error { return text(n, &entry.Edit) },
		"reason":   func(n *yaml.Node) error { return text(n, &entry.Reason) },
	})
	switch {
	case err != nil:
		return entry, err
	case entry.Function == "":
		return entry, fault(n, "say what it is about: function, and operator or edit for a part of it", "an entry of dismissed has no function")
	case entry.Reason == "":
		return entry, fault(n, "say why, for those who come later", "an entry of dismissed has no reason")
	}
	entry.plain = withoutLayout(entry.Edit)
	return entry, nil
}
