//go:build go1.21

package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
)

// EncodeStateInput writes values, an input, into buffer, in a form that is fast to
// write, for DecodeStateInput. It returns the length, -1 if the input does not fit,
// and panics for a type that cannot be fuzzed.
func EncodeStateInput(buffer []byte, values []any) int {
	n := 0
	for _, v := range values {
		var size int
		switch v := v.(type) {
		case []byte:
			size = putText(buffer[n:], reflect.Slice, v)
		case string:
			size = putText(buffer[n:], reflect.String, v)
		default:
			size = putWord(buffer[n:], v)
		}
		if size < 0 {
			return -1
		}
		n += size
	}
	return n
}

// wordSize is the length of a tag, which is the value's kind, and the 8 bytes that
// follow it.
const wordSize = 9

// putText writes tag, length and text.
func putText[T []byte | string](buffer []byte, kind reflect.Kind, text T) int {
	if len(buffer) < wordSize+len(text) {
		return -1
	}
	buffer[0] = byte(kind)
	binary.LittleEndian.PutUint64(buffer[1:], uint64(len(text)))
	return wordSize + copy(buffer[wordSize:], text)
}

// putWord writes tag and value of what fits in 8 bytes.
func putWord(buffer []byte, value any) int {
	if len(buffer) < wordSize {
		return -1
	}
	kind, word := stateWord(value)
	buffer[0] = byte(kind)
	binary.LittleEndian.PutUint64(buffer[1:], word)
	return wordSize
}

// stateWord is the kind and the bits of a number or bool.
func stateWord(value any) (kind reflect.Kind, word uint64) {
	v := reflect.ValueOf(value)
	switch kind := v.Kind(); kind {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return kind, uint64(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return kind, v.Uint()
	case reflect.Float64:
		return kind, math.Float64bits(v.Float())
	case reflect.Float32: // by its own bits: those of a NaN may change in a conversion
		return kind, uint64(math.Float32bits(value.(float32)))
	case reflect.Bool:
		if v.Bool() {
			word = 1
		}
		return kind, word
	}
	panic(fmt.Sprintf("wire: a %T cannot be fuzzed", value))
}

// DecodeStateInput reads the first StateInput bytes of a state file's input
// buffer: the input of the run that was going on. EncodeEntry makes a corpus
// entry of it. The file may be of a process that died while it wrote, so any
// bytes are accepted and give an error at worst.
func DecodeStateInput(buffer []byte) ([]any, error) {
	var values []any
	for len(buffer) > 0 {
		if len(buffer) < wordSize {
			return nil, errors.New("the input in the state file is cut off")
		}
		tag, word := buffer[0], binary.LittleEndian.Uint64(buffer[1:])
		buffer = buffer[wordSize:]
		kind := reflect.Kind(tag)
		if kind != reflect.String && kind != reflect.Slice {
			v, err := stateValue(kind, word)
			if err != nil {
				return nil, err
			}
			values = append(values, v)
			continue
		}
		if word > uint64(len(buffer)) {
			return nil, errors.New("the input in the state file is cut off")
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
	for _, zero := range integers {
		v := reflect.New(reflect.TypeOf(zero)).Elem()
		switch {
		case v.Kind() != kind:
			continue
		case v.CanInt():
			v.SetInt(int64(word))
		default:
			v.SetUint(word)
		}
		return v.Interface(), nil
	}
	return nil, fmt.Errorf("the input in the state file has the unknown tag %d", kind)
}

// integers has one of each integer type that can be fuzzed.
var integers = [...]any{int(0), int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0)}
