//go:build go1.21

package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
)

// EncodeStateInput writes the values of an input into buffer, in a form that is fast to write and that DecodeStateInput
// reads. It returns the length, or -1 if the input does not fit. It panics for a type that cannot be fuzzed.
func EncodeStateInput(buffer []byte, values []any) int {
	n := 0
	for _, value := range values {
		if len(buffer)-n < wordSize {
			return -1
		}
		head, rest := buffer[n:], buffer[n+wordSize:]
		var kind reflect.Kind
		var word uint64
		var size int
		switch v := value.(type) {
		case []byte:
			kind, word, size = reflect.Slice, uint64(len(v)), copy(rest, v)
		case string:
			kind, word, size = reflect.String, uint64(len(v)), copy(rest, v)
		default:
			kind, word = stateWord(v)
		}
		if isText(kind) && uint64(size) < word {
			return -1
		}
		head[0] = byte(kind)
		binary.LittleEndian.PutUint64(head[1:], word)
		n += wordSize + size
	}
	return n
}

// wordSize is the size of a value's kind, one byte, and the 8 bytes after it: the value itself or, for a string or
// []byte, the length of the text that follows.
const wordSize = 9

func isText(kind reflect.Kind) bool { return kind == reflect.String || kind == reflect.Slice }

// stateWord returns the kind and the bits of a number or bool.
func stateWord(value any) (kind reflect.Kind, word uint64) {
	v := reflect.ValueOf(value)
	switch kind := v.Kind(); kind {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return kind, uint64(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return kind, v.Uint()
	case reflect.Float64:
		return kind, math.Float64bits(v.Float())
	case reflect.Float32: // not as a float64: a conversion may change the bits of a NaN
		return kind, uint64(math.Float32bits(value.(float32)))
	case reflect.Bool:
		if v.Bool() {
			word = 1
		}
		return kind, word
	}
	panic(fmt.Sprintf("wire: a %T cannot be fuzzed", value))
}

// DecodeStateInput returns the input of the run that was going on. buffer is the input buffer of a state file, cut off
// at the length in StateInput. The process may have died while it wrote, so any bytes are accepted: the worst that they
// cause is an error.
func DecodeStateInput(buffer []byte) ([]any, error) {
	var values []any
	for len(buffer) > 0 {
		if len(buffer) < wordSize {
			return nil, errCutOff
		}
		kind, word := reflect.Kind(buffer[0]), binary.LittleEndian.Uint64(buffer[1:])
		buffer = buffer[wordSize:]
		if !isText(kind) {
			v, err := stateValue(kind, word)
			if err != nil {
				return nil, err
			}
			values = append(values, v)
			continue
		}
		if word > uint64(len(buffer)) {
			return nil, errCutOff
		}
		text := string(buffer[:word])
		buffer = buffer[word:]
		if kind == reflect.String {
			values = append(values, text)
		} else {
			values = append(values, []byte(text))
		}
	}
	return values, nil
}

var errCutOff = errors.New("the input in the state file is truncated")

// stateValue is the inverse of stateWord.
func stateValue(kind reflect.Kind, word uint64) (any, error) {
	switch kind {
	case reflect.Bool:
		return word != 0, nil
	case reflect.Float32:
		return math.Float32frombits(uint32(word)), nil
	case reflect.Float64:
		return math.Float64frombits(word), nil
	}
	v := integer(kind.String())
	switch {
	case !v.IsValid():
		return nil, fmt.Errorf("the input in the state file has the unknown tag %d", kind)
	case v.CanInt():
		v.SetInt(int64(word))
	default:
		v.SetUint(word)
	}
	return v.Interface(), nil
}

// integers has a value of each integer type that can be fuzzed.
var integers = [...]any{int(0), int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0)}

// integer returns a settable variable of the integer type called name, or an invalid Value if there is none.
func integer(name string) reflect.Value {
	for _, zero := range integers {
		if t := reflect.TypeOf(zero); t.Name() == name {
			return reflect.New(t).Elem()
		}
	}
	return reflect.Value{}
}
