package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// MaxSize bounds, in bytes, what Load and Decode accept. A results file may
// come from a build of somebody else's code, so its size is not to be trusted:
// decoded and checked, a file takes many times its size.
const MaxSize = 8 << 20

// Further bounds on what Decode accepts, and so on what [Fit] leaves. They
// hold before anything is built from the file.
const (
	maxDepth  = 8       // objects and lists within each other; results have 5
	maxValues = 400_000 // of any type, in the whole file
	maxKeys   = 64      // in an object; results have 22
	maxString = 1 << 20 // bytes of one string
	maxNumber = 40      // characters of one number
)

// checkBounds reads JSON token by token and refuses what is out of bounds, and
// keys that an object has twice, of which different readers take different
// ones. It leaves malformed JSON to the parser.
func checkBounds(data []byte) error {
	if len(data) > MaxSize {
		return tooLarge("larger than %d MiB", MaxSize>>20)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var b bounds
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return nil //nolint:nilerror // the parser says it better
		}
		if err := b.see(token); err != nil {
			return err
		}
	}
}

// tooLarge is the error about results that are out of bounds.
func tooLarge(format string, args ...any) error {
	return fmt.Errorf("results are "+format+"\nhint: analyse fewer packages at once", args...)
}

// bounds is what has been seen of a JSON text.
type bounds struct {
	values int
	open   []nesting // objects and lists at hand, the innermost last
	keys   [maxDepth]map[string]bool
}

// nesting is an object or a list that has begun.
type nesting struct {
	object bool
	value  bool // a value comes next, its key is read
}

// see takes the next token.
func (b *bounds) see(token json.Token) error {
	if delim, ok := token.(json.Delim); ok && (delim == '}' || delim == ']') {
		b.open = b.open[:len(b.open)-1]
		return nil
	}
	if n := len(b.open); n > 0 && b.open[n-1].object {
		in := &b.open[n-1]
		if in.value = !in.value; in.value {
			key, _ := token.(string) // the decoder lets nothing else be a key
			return b.key(n-1, key)
		}
	}
	if b.values++; b.values > maxValues {
		return tooLarge("more than %d values", maxValues)
	}
	switch token := token.(type) {
	case json.Delim:
		return b.begin(token == '{')
	case string:
		if len(token) > maxString {
			return tooLarge("out of bounds: a string has more than %d bytes", maxString)
		}
	case json.Number:
		return checkNumber(token.String())
	}
	return nil
}

// begin enters an object or a list.
func (b *bounds) begin(object bool) error {
	depth := len(b.open)
	if depth == maxDepth {
		return tooLarge("nested deeper than %d", maxDepth)
	}
	b.open = append(b.open, nesting{object: object})
	if !object {
		return nil
	}
	if b.keys[depth] == nil {
		b.keys[depth] = map[string]bool{}
	}
	clear(b.keys[depth])
	return nil
}

// key takes a key of the object at a depth.
func (b *bounds) key(depth int, key string) error {
	keys := b.keys[depth]
	switch {
	case len(key) > maxKeys || len(keys) == maxKeys:
		return tooLarge("out of bounds: an object has a key of more than %d bytes, or more than %d keys", maxKeys, maxKeys)
	case keys[key]:
		return fmt.Errorf("malformed results: the key %q is there twice%s", key, rerunHint)
	}
	keys[key] = true
	return nil
}

// checkNumber refuses numbers that are long to write, or whose exponent would
// make them so: the validator calculates with all their digits.
func checkNumber(number string) error {
	_, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	if len(number) > maxNumber || len(strings.TrimLeft(exponent, "+-")) > 3 {
		return tooLarge("out of bounds: a number of too many digits")
	}
	return nil
}
