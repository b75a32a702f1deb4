//go:build go1.21

package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// corpusVersion is the first line of a corpus file.
const corpusVersion = "go test fuzz v1"

// EntryID returns the name of a corpus entry: the first 16 hex digits of the SHA-256 of its file, as the go command
// names it.
func EntryID(data string) string {
	sum := sha256.Sum256([]byte(data))
	return hex.EncodeToString(sum[:8])
}

// EncodeEntry encodes values as a corpus file, byte for byte as the go command does, so that the same input always has
// the same ID. It panics for a type that cannot be fuzzed.
func EncodeEntry(values []any) string {
	var b strings.Builder
	b.WriteString(corpusVersion + "\n")
	for _, v := range values {
		b.WriteString(encodeValue(v))
		b.WriteByte('\n')
	}
	return b.String()
}

// encodeValue writes one value as a Go conversion, as in "int(3)".
func encodeValue(v any) string {
	switch v := v.(type) {
	case []byte:
		return "[]byte(" + strconv.Quote(string(v)) + ")"
	case string:
		return "string(" + strconv.Quote(v) + ")"
	case byte:
		return "byte(" + strconv.QuoteRune(rune(v)) + ")"
	case rune:
		// Surrogates and numbers out of range have no rune literal.
		if utf8.ValidRune(v) {
			return "rune(" + strconv.QuoteRune(v) + ")"
		}
	case float32:
		if v != v && math.Float32bits(v) != math.Float32bits(float32(math.NaN())) {
			return fmt.Sprintf("math.Float32frombits(0x%x)", math.Float32bits(v))
		}
	case float64:
		if v != v && math.Float64bits(v) != math.Float64bits(math.NaN()) {
			return fmt.Sprintf("math.Float64frombits(0x%x)", math.Float64bits(v))
		}
	case bool, int, int8, int16, int64, uint, uint16, uint32, uint64:
	default:
		panic(fmt.Sprintf("wire: a %T cannot be fuzzed", v))
	}
	return fmt.Sprintf("%T(%v)", v, v)
}

// DecodeEntry decodes a corpus file. It fails for an unknown first line, a malformed value and a file without values.
// An error about a value names its line.
func DecodeEntry(data string) ([]any, error) {
	first, rest, _ := strings.Cut(data, "\n")
	if strings.TrimSuffix(first, "\r") != corpusVersion {
		return nil, fmt.Errorf("the first line of a corpus entry is %.40q, not %q", first, corpusVersion)
	}
	var values []any
	for i, line := range strings.Split(rest, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		v, err := decodeValue(line)
		if err != nil {
			return nil, fmt.Errorf("line %d of a corpus entry: %w: %.60s", i+2, err, line)
		}
		values = append(values, v)
	}
	if len(values) == 0 {
		return nil, errors.New("the corpus entry has no values")
	}
	return values, nil
}

var errMalformed = errors.New("malformed value")

// decodeValue reads one conversion, as in "int(3)".
func decodeValue(line string) (any, error) {
	name, rest, ok := strings.Cut(line, "(")
	literal, closed := strings.CutSuffix(rest, ")")
	if !ok || !closed {
		return nil, errMalformed
	}
	name, literal = strings.TrimSpace(name), strings.TrimSpace(literal)
	switch name {
	case "[]byte", "string":
		if strings.HasPrefix(literal, "'") {
			return nil, errMalformed
		}
		text, err := strconv.Unquote(literal)
		if name == "string" || err != nil {
			return text, err
		}
		return []byte(text), nil
	case "bool":
		if literal != "true" && literal != "false" {
			return nil, errMalformed
		}
		return literal == "true", nil
	case "float32":
		f, err := strconv.ParseFloat(literal, 32)
		return float32(f), err
	case "float64":
		return strconv.ParseFloat(literal, 64)
	case "math.Float32frombits":
		bits, err := strconv.ParseUint(literal, 0, 32)
		return math.Float32frombits(uint32(bits)), err
	case "math.Float64frombits":
		bits, err := strconv.ParseUint(literal, 0, 64)
		return math.Float64frombits(bits), err
	}
	if strings.HasPrefix(literal, "'") && (name == "byte" || name == "rune") {
		return decodeChar(name, literal)
	}
	return decodeInteger(name, literal)
}

// decodeChar reads a character literal as a byte or rune.
func decodeChar(name, literal string) (any, error) {
	body, closed := strings.CutSuffix(literal[1:], "'")
	if !closed {
		return nil, errMalformed
	}
	r, _, tail, err := strconv.UnquoteChar(body, '\'')
	switch {
	case err != nil || tail != "":
		return nil, errMalformed
	case name == "rune":
		return r, nil
	case r > math.MaxUint8:
		return nil, fmt.Errorf("%w: no single byte", errMalformed)
	}
	return byte(r), nil
}

// decodeInteger reads an integer. An int or uint too large for this machine
// wraps around, as it does in go test.
func decodeInteger(name, literal string) (any, error) {
	switch name {
	case "byte":
		name = "uint8"
	case "rune":
		name = "int32"
	}
	v := integer(name)
	if !v.IsValid() {
		return nil, errMalformed
	}
	size := v.Type().Bits()
	if name == "int" || name == "uint" {
		size = 64
	}
	if v.CanInt() {
		n, err := strconv.ParseInt(literal, 0, size)
		v.SetInt(n)
		return v.Interface(), err
	}
	n, err := strconv.ParseUint(literal, 0, size)
	v.SetUint(n)
	return v.Interface(), err
}
