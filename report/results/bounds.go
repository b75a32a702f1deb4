package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// MaxSize is the largest size, in bytes, that Load and Decode accept. A results file may come from a build of somebody
// else's code, so its size cannot be trusted, and decoding and checking a file takes many times its size.
const MaxSize = 8 << 20

// Further bounds on what Decode accepts, and so on what [Fit] leaves in place. They are checked before anything is
// built from the file.
const (
	maxDepth  = 8       // nesting of objects and lists; results have up to 7 levels
	maxValues = 400_000 // values of any type in the whole file
	maxKeys   = 64      // keys of an object, and bytes of a key; results have at most 27 keys in an object
	maxString = 1 << 20 // bytes of one string
	maxNumber = 40      // characters of one number
)

// checkBounds reads JSON token by token. It refuses what is out of bounds, and duplicate keys in an object, because
// parsers disagree on which one counts. It leaves malformed JSON to the parser.
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

// tooLarge returns the error for results that are out of bounds.
func tooLarge(format string, args ...any) error {
	return fmt.Errorf("results are "+format+"\nhint: analyse fewer packages at once", args...)
}

// bounds counts what has been seen of a JSON text.
type bounds struct {
	values int
	open   []nesting // the objects and lists that have begun, innermost last
	keys   [maxDepth]map[string]bool
}

// nesting is an object or list that has begun but not ended.
type nesting struct {
	object bool
	value  bool // the key has been read, and its value comes next
}

// see processes the next token.
func (b *bounds) see(token json.Token) error {
	if delim, ok := token.(json.Delim); ok && (delim == '}' || delim == ']') {
		b.open = b.open[:len(b.open)-1]
		return nil
	}
	if n := len(b.open); n > 0 && b.open[n-1].object {
		in := &b.open[n-1]
		if in.value = !in.value; in.value {
			key, _ := token.(string) // the decoder allows only strings as keys
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

// begin enters an object or list.
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

// key records a key of the object at a depth.
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

// checkNumber refuses numbers with many digits, and numbers whose exponent stands for many digits, because the
// validator calculates with all of them.
func checkNumber(number string) error {
	_, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	if len(number) > maxNumber || len(strings.TrimLeft(exponent, "+-")) > 3 {
		return tooLarge("out of bounds: a number of too many digits")
	}
	return nil
}
