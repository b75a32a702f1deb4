//go:build go1.21

package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
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
			size = putText(buffer[n:], stateBytes, v)
		case string:
			size = putText(buffer[n:], stateString, v)
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

// Tags of values in a state file.
const (
	stateBytes = iota
	stateString
	stateBool
	stateInt
	stateInt8
	stateInt16
	stateInt32
	stateInt64
	stateUint
	stateUint8
	stateUint16
	stateUint32
	stateUint64
	stateFloat32
	stateFloat64
)

// wordSize is the length of a tag and the 8 bytes that follow it.
const wordSize = 9

// putText writes tag, length and text.
func putText[T []byte | string](buffer []byte, tag byte, text T) int {
	if len(buffer) < wordSize+len(text) {
		return -1
	}
	buffer[0] = tag
	binary.LittleEndian.PutUint64(buffer[1:], uint64(len(text)))
	return wordSize + copy(buffer[wordSize:], text)
}

// putWord writes tag and value of what fits in 8 bytes.
func putWord(buffer []byte, value any) int {
	if len(buffer) < wordSize {
		return -1
	}
	tag, word := stateWord(value)
	buffer[0] = tag
	binary.LittleEndian.PutUint64(buffer[1:], word)
	return wordSize
}

// stateWord is the tag and the bits of a number or bool.
func stateWord(value any) (tag byte, word uint64) {
	switch v := value.(type) {
	case bool:
		if v {
			return stateBool, 1
		}
		return stateBool, 0
	case int:
		return stateInt, uint64(v)
	case int8:
		return stateInt8, uint64(v)
	case int16:
		return stateInt16, uint64(v)
	case int32:
		return stateInt32, uint64(v)
	case int64:
		return stateInt64, uint64(v)
	case uint:
		return stateUint, uint64(v)
	case uint8:
		return stateUint8, uint64(v)
	case uint16:
		return stateUint16, uint64(v)
	case uint32:
		return stateUint32, uint64(v)
	case uint64:
		return stateUint64, v
	case float32:
		return stateFloat32, uint64(math.Float32bits(v))
	case float64:
		return stateFloat64, math.Float64bits(v)
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
		if tag > stateString {
			v, err := stateValue(tag, word)
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
		if tag == stateString {
			values = append(values, text)
		} else {
			values = append(values, []byte(text))
		}
	}
	return values, nil
}

// stateValue is the inverse of stateWord.
func stateValue(tag byte, word uint64) (any, error) {
	switch tag {
	case stateBool:
		return word != 0, nil
	case stateInt:
		return int(word), nil
	case stateInt8:
		return int8(word), nil
	case stateInt16:
		return int16(word), nil
	case stateInt32:
		return int32(word), nil
	case stateInt64:
		return int64(word), nil
	case stateUint:
		return uint(word), nil
	case stateUint8:
		return uint8(word), nil
	case stateUint16:
		return uint16(word), nil
	case stateUint32:
		return uint32(word), nil
	case stateUint64:
		return word, nil
	case stateFloat32:
		return math.Float32frombits(uint32(word)), nil
	case stateFloat64:
		return math.Float64frombits(word), nil
	}
	return nil, fmt.Errorf("the input in the state file has the unknown tag %d", tag)
}
