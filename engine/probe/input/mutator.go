//go:build go1.21

// Package input makes inputs for fuzz targets from other inputs: by chance, smaller, and easier to
// read. An input is the list of a target's arguments, which have the types that Go fuzzes. Nothing here
// knows what runs on an input.
package input

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
)

// Mutator makes inputs from inputs in the manner of AFL's havoc, by a few random changes on top of each other. It
// is deterministic given its random numbers.
type Mutator struct {
	// Modest keeps integers small. Large ones make loops of the program endless, or end the process, for instance
	// as lengths that there is no memory for.
	Modest bool

	random  *Random
	words   [][]byte // literals of the code under test
	tested  [][]byte // literals of its tests
	numbers []int64  // those of words that are integers
	limit   int      // length that insertions may reach now, in bytes
	maximum int      // bound of limit
	buffer  []byte   // the text being changed
	moved   []byte   // what is being put into buffer
}

// firstLimit is the first value of the limit on the length of inputs. Short inputs run more often and cover more
// (Vikram's thesis: small by construction, bounds that grow).
const firstLimit = 48

// NewMutator returns a mutator that takes its random numbers from r and puts literals into inputs. Words are
// literals of the code under test, those of changed functions first. Tested are literals of its tests, which it
// puts in more rarely. No input becomes longer than maximum bytes, unless it is made from a longer one.
func NewMutator(r *Random, words, tested [][]byte, maximum int) *Mutator {
	m := &Mutator{random: r, limit: min(firstLimit, maximum), maximum: maximum, words: usable(words), tested: usable(tested)}
	for _, w := range m.words {
		if n, err := strconv.ParseInt(string(w), 0, 64); err == nil {
			m.numbers = append(m.numbers, n)
		}
	}
	return m
}

// usable returns the words that are neither empty nor too long.
func usable(words [][]byte) (list [][]byte) {
	for _, w := range words {
		if len(w) > 0 && len(w) <= 256 {
			list = append(list, w)
		}
	}
	return list
}

// Grow lets inputs become twice as long, up to the maximum.
func (m *Mutator) Grow() { m.limit = min(2*m.limit, m.maximum) }

// Mutate returns a changed copy of values. Pieces of other may go into it. Arguments that it does not change share
// their memory with values.
func (m *Mutator) Mutate(values, other []any) []any {
	mutated := append(make([]any, 0, len(values)), values...)
	at := m.random.Below(len(values))
	mutated[at] = m.value(values[at], other[at])
	// Usually one argument; sometimes they have to change together.
	for len(values) > 1 && m.random.OneIn(4) {
		at = m.random.Below(len(values))
		mutated[at] = m.value(mutated[at], other[at])
	}
	return mutated
}

// value returns a changed argument. Other is the same argument of another input.
func (m *Mutator) value(v, other any) any {
	switch v := v.(type) {
	case []byte:
		o, _ := other.([]byte)
		return append([]byte(nil), m.text(v, o)...)
	case string:
		o, _ := other.(string)
		m.buffer = append(m.buffer[:0], v...)
		return string(m.havoc([]byte(o)))
	case bool:
		return !v
	case float32:
		return float32(m.float(float64(v), 32))
	case float64:
		return m.float(v, 64)
	}
	return m.integerValue(v)
}

// integerValue returns a changed integer, of any integer type.
func (m *Mutator) integerValue(v any) any {
	switch v := v.(type) {
	case int:
		return int(m.integer(int64(v), strconv.IntSize))
	case int8:
		return int8(m.integer(int64(v), 8))
	case int16:
		return int16(m.integer(int64(v), 16))
	case int32:
		return int32(m.integer(int64(v), 32))
	case int64:
		return m.integer(v, 64)
	case uint:
		return uint(m.unsigned(int64(v), strconv.IntSize))
	case uint8:
		return uint8(m.unsigned(int64(v), 8))
	case uint16:
		return uint16(m.unsigned(int64(v), 16))
	case uint32:
		return uint32(m.unsigned(int64(v), 32))
	case uint64:
		return uint64(m.unsigned(int64(v), 64))
	}
	return v
}

// maxModest bounds the integers of a modest mutator.
const maxModest = 1 << 12

// integer changes a number that has size bits. The caller's conversion cuts off what overflows.
func (m *Mutator) integer(n int64, size int) int64 {
	if n = m.anyInteger(n, size); m.Modest {
		return n % maxModest
	}
	return n
}

// unsigned is integer for a number without a sign.
func (m *Mutator) unsigned(n int64, size int) int64 {
	if n = m.integer(n, size); m.Modest && n < 0 {
		return -n
	}
	return n
}

// anyInteger is integer without the bound of a modest mutator.
func (m *Mutator) anyInteger(n int64, size int) int64 {
	r := m.random
	switch r.Below(8) {
	case 0, 1:
		return n + int64(1+r.Below(16))
	case 2, 3:
		return n - int64(1+r.Below(16))
	case 4:
		return n ^ 1<<r.Below(size)
	case 5:
		return m.interesting(size)
	case 6:
		if len(m.numbers) > 0 {
			return m.numbers[r.Below(len(m.numbers))] + int64(r.Below(3)-1)
		}
		return -n
	}
	return int64(r.Word() >> r.Below(64))
}

// interesting returns a number at which programs often change their behaviour: a power of two, a limit of a
// type, or a neighbour of these.
func (m *Mutator) interesting(size int) int64 {
	r := m.random
	n := int64(1)<<r.Below(size) + int64(r.Below(3)-1)
	switch r.Below(4) {
	case 0:
		return -n
	case 1:
		return int64(r.Below(3) - 1)
	}
	return n
}

// float changes a float of size bits.
func (m *Mutator) float(f float64, size int) float64 {
	r := m.random
	switch r.Below(8) {
	case 0:
		return f + float64(r.Below(33)-16)
	case 1:
		return f * float64(1+r.Below(10))
	case 2:
		return f / float64(1+r.Below(10))
	case 3:
		return -f
	case 4:
		return float64(m.integer(int64(f), 32))
	case 5:
		special := [...]float64{0, math.Copysign(0, -1), 1, -1, 0.5, math.Inf(1), math.Inf(-1), math.NaN(),
			math.MaxFloat64, math.SmallestNonzeroFloat64, math.MaxFloat32, 1 << 53, 1<<53 + 1}
		return special[r.Below(len(special))]
	case 6:
		if size == 32 {
			return float64(math.Float32frombits(math.Float32bits(float32(f)) ^ 1<<r.Below(32)))
		}
		return math.Float64frombits(math.Float64bits(f) ^ 1<<r.Below(64))
	}
	return math.Trunc(f)
}

// text returns a changed copy of v. The result is valid until the next call.
func (m *Mutator) text(v, other []byte) []byte {
	m.buffer = append(m.buffer[:0], v...)
	return m.havoc(other)
}

// havoc makes one, two or four changes to the buffer, and no more because inputs are short.
func (m *Mutator) havoc(other []byte) []byte {
	room := max(m.limit, len(m.buffer))
	for n := 1 << m.random.Below(3); n > 0; n-- {
		m.change(other, room)
	}
	return m.buffer
}

// change makes one change to the buffer, which may grow up to room bytes.
func (m *Mutator) change(other []byte, room int) {
	r := m.random
	if len(m.buffer) == 0 {
		m.grownFromNothing(room)
		return
	}
	switch r.Below(21) {
	case 0:
		m.buffer[r.Below(len(m.buffer))] ^= 1 << r.Below(8)
	case 1, 2:
		m.buffer[r.Below(len(m.buffer))] = m.byte()
	case 3:
		m.buffer[r.Below(len(m.buffer))] += byte(r.Below(33) - 16)
	case 4, 5:
		m.insertByte(r.Below(len(m.buffer)+1), room)
	case 6:
		m.remove()
	case 7:
		m.insert(r.Below(len(m.buffer)+1), m.piece(m.buffer), room)
	case 8:
		m.overwrite(m.piece(m.buffer))
	case 9:
		if len(other) > 0 {
			m.splice(other, room)
		}
	case 10:
		m.number(room)
	case 11:
		m.binary()
	case 12:
		m.repeat(room)
	case 13, 14:
		m.line(room)
	case 15:
		m.enclose(room)
	case 16:
		m.substitute(room)
	default:
		m.word(room)
	}
}

// grownFromNothing fills the empty buffer.
func (m *Mutator) grownFromNothing(room int) {
	if len(m.words) > 0 && m.random.OneIn(2) {
		m.insert(0, m.someWord(), room)
		return
	}
	for n := 1 + m.random.Below(8); n > 0; n-- {
		m.insertByte(len(m.buffer), room)
	}
}

// byte returns a random byte, mostly a printable one: most of what is fuzzed reads text.
func (m *Mutator) byte() byte {
	const structure = "0123456789.,:;-+*/=\"'()[]{}<> \n\t\\%&#@!?_|^~$"
	r := m.random
	switch r.Below(8) {
	case 0, 1, 2:
		return byte(' ' + r.Below(95))
	case 3, 4:
		return structure[r.Below(len(structure))]
	case 5:
		if n := len(m.buffer); n > 0 {
			return m.buffer[r.Below(n)]
		}
	case 6:
		return [...]byte{0, 1, 0x7f, 0x80, 0xff, 'a', '0'}[r.Below(7)]
	}
	return byte(r.Word())
}

// insert puts text at a position, and cuts it to the room there is.
func (m *Mutator) insert(at int, text []byte, room int) {
	text = text[:min(len(text), max(room-len(m.buffer), 0))]
	if len(text) == 0 {
		return
	}
	m.moved = append(m.moved[:0], text...) // text may be part of the buffer
	m.buffer = append(m.buffer, m.moved...)
	copy(m.buffer[at+len(m.moved):], m.buffer[at:])
	copy(m.buffer[at:], m.moved)
}

// insertByte puts a random byte at a position, if there is room.
func (m *Mutator) insertByte(at, room int) {
	if len(m.buffer) >= room {
		return
	}
	c := m.byte()
	m.buffer = append(m.buffer, 0)
	copy(m.buffer[at+1:], m.buffer[at:])
	m.buffer[at] = c
}

// overwrite puts text over what is at a random position.
func (m *Mutator) overwrite(text []byte) {
	at := m.random.Below(len(m.buffer))
	copy(m.buffer[at:], text)
}

// remove removes a random piece.
func (m *Mutator) remove() {
	at := m.random.Below(len(m.buffer))
	n := m.length(len(m.buffer) - at)
	m.buffer = append(m.buffer[:at], m.buffer[at+n:]...)
}

// piece returns a random part of text, which must not be empty.
func (m *Mutator) piece(text []byte) []byte {
	at := m.random.Below(len(text))
	return text[at : at+m.length(len(text)-at)]
}

// length returns a random number from 1 to n, small ones more often.
func (m *Mutator) length(n int) int {
	return 1 + m.random.Below(1+m.random.Below(n))
}

// splice inserts a part of another input, or continues as the other input does.
func (m *Mutator) splice(other []byte, room int) {
	if m.random.OneIn(2) {
		m.insert(m.random.Below(len(m.buffer)+1), m.piece(other), room)
		return
	}
	at := m.random.Below(min(len(m.buffer), len(other)))
	m.buffer = m.buffer[:at]
	m.insert(at, other[at:], room)
}

// word puts in a literal: inserted, written over what is there, or alone. It may encode a number as bytes.
func (m *Mutator) word(room int) {
	r := m.random
	if len(m.words) == 0 {
		m.insertByte(r.Below(len(m.buffer)+1), room)
		return
	}
	text := m.someWord()
	if len(m.numbers) > 0 && r.OneIn(4) {
		text = m.encoded(m.numbers[r.Below(len(m.numbers))])
	}
	switch r.Below(8) {
	case 0:
		m.buffer = m.buffer[:0]
		m.insert(0, text, room)
	case 1, 2, 3:
		m.overwrite(text)
	default:
		m.insert(r.Below(len(m.buffer)+1), text, room)
	}
}

// nearWords limits every other pick to so many of the first words. The words come in order, those
// of changed functions first.
const nearWords = 32

// testedPart is how rarely a literal of the tests is picked: once in testedPart picks.
const testedPart = 8

// someWord returns a literal of the code under test or of its tests. There must be one of the code.
func (m *Mutator) someWord() []byte {
	if len(m.tested) > 0 && m.random.OneIn(testedPart) {
		return m.tested[m.random.Below(len(m.tested))]
	}
	n := len(m.words)
	if m.random.OneIn(2) {
		n = min(n, nearWords)
	}
	return m.words[m.random.Below(n)]
}

// line treats the text as lines, as many formats do. It indents or marks some lines, copies one, or removes one.
func (m *Mutator) line(room int) {
	r := m.random
	start, end := m.lineAt(r.Below(len(m.buffer)))
	switch r.Below(4) {
	case 0:
		m.insert(start, m.marker(), room)
	case 1:
		marker := append([]byte(nil), m.marker()...)
		for n := 1 + r.Below(4); n > 0 && start < len(m.buffer); n-- {
			m.insert(start, marker, room)
			_, start = m.lineAt(min(start+len(marker), len(m.buffer)-1))
		}
	case 2:
		to, _ := m.lineAt(r.Below(len(m.buffer)))
		line := append([]byte(nil), m.buffer[start:end]...)
		if line[len(line)-1] != '\n' {
			line = append(line, '\n')
		}
		m.insert(to, line, room)
	default:
		m.buffer = append(m.buffer[:start], m.buffer[end:]...)
	}
}

// lineAt returns the bounds of the line at a position of the buffer, including its newline.
func (m *Mutator) lineAt(at int) (start, end int) {
	for start = at; start > 0 && m.buffer[start-1] != '\n'; start-- {
	}
	for end = at; end < len(m.buffer) && m.buffer[end] != '\n'; end++ {
	}
	return start, min(end+1, len(m.buffer))
}

// marker returns what lines begin with: white space, a sign, or a word.
func (m *Mutator) marker() []byte {
	const markers = "\t \t -*>#+\n"
	r := m.random
	if len(m.words) > 0 && r.OneIn(4) {
		return m.someWord()
	}
	at := r.Below(len(markers))
	return []byte(markers[at : at+1])
}

// enclose puts a pair of brackets or quotes around a piece of the text, or inserts a word in them.
func (m *Mutator) enclose(room int) {
	const pairs = "\"\"''()[]{}<>``"
	r := m.random
	pair := pairs[2*r.Below(len(pairs)/2):]
	at := r.Below(len(m.buffer))
	if len(m.words) > 0 && r.OneIn(2) {
		word := append([]byte{pair[0]}, m.someWord()...)
		m.insert(at, append(word, pair[1]), room)
		return
	}
	end := at + m.length(len(m.buffer)-at)
	m.insert(end, []byte{pair[1]}, room)
	m.insert(at, []byte{pair[0]}, room)
}

// substitute replaces a piece of the text, most often a single byte, in all places where it occurs. What has to be
// the same in several places, such as quotes and separators, stays the same.
func (m *Mutator) substitute(room int) {
	r := m.random
	at := r.Below(len(m.buffer))
	piece := m.buffer[at : at+min(len(m.buffer)-at, 1+r.Below(1+r.Below(3)))]
	by := []byte{m.byte()}
	if len(m.words) > 0 && r.OneIn(2) {
		by = m.someWord()
	}
	if changed := bytes.ReplaceAll(m.buffer, piece, by); len(changed) <= room {
		m.buffer = append(m.buffer[:0], changed...)
	}
}

// encoded returns n or a neighbour as 1, 2, 4 or 8 bytes in either order, or as decimals.
func (m *Mutator) encoded(n int64) []byte {
	n += int64(m.random.Below(3) - 1)
	var word [8]byte
	size := 1 << m.random.Below(4)
	switch m.random.Below(3) {
	case 0:
		binary.LittleEndian.PutUint64(word[:], uint64(n))
		return append([]byte(nil), word[:size]...)
	case 1:
		binary.BigEndian.PutUint64(word[:], uint64(n))
		return append([]byte(nil), word[8-size:]...)
	}
	return strconv.AppendInt(nil, n, 10)
}

// number replaces a decimal number in the text by another.
func (m *Mutator) number(room int) {
	start := m.random.Below(len(m.buffer))
	for start < len(m.buffer) && !isDigit(m.buffer[start]) {
		start++
	}
	end := start
	for end < len(m.buffer) && isDigit(m.buffer[end]) && end-start < 18 {
		end++
	}
	if start == end {
		return
	}
	n, _ := strconv.ParseInt(string(m.buffer[start:end]), 10, 64) // at most 18 digits
	m.moved = strconv.AppendInt(m.moved[:0], m.integer(n, 64), 10)
	m.moved = append(m.moved, m.buffer[end:]...)
	m.moved = m.moved[:min(len(m.moved), max(room-start, 0))]
	m.buffer = append(m.buffer[:start], m.moved...)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// binary changes 2, 4 or 8 bytes as a number, in either order.
func (m *Mutator) binary() {
	r := m.random
	size := 2 << r.Below(3)
	if len(m.buffer) < size {
		return
	}
	at := r.Below(len(m.buffer) - size + 1)
	order := binary.ByteOrder(binary.LittleEndian)
	if r.OneIn(2) {
		order = binary.BigEndian
	}
	field := m.buffer[at : at+size]
	switch size {
	case 2:
		order.PutUint16(field, uint16(m.integer(int64(order.Uint16(field)), 16)))
	case 4:
		order.PutUint32(field, uint32(m.integer(int64(order.Uint32(field)), 32)))
	case 8:
		order.PutUint64(field, uint64(m.integer(int64(order.Uint64(field)), 64)))
	}
}

// repeat inserts copies of a piece of the text beside it: parsers have bounds on nesting and on repetition.
func (m *Mutator) repeat(room int) {
	at := m.random.Below(len(m.buffer))
	unit := m.length(min(len(m.buffer)-at, 8))
	for n := 1 << m.random.Below(5); n > 0 && len(m.buffer) < room; n-- {
		m.insert(at, m.buffer[at:at+unit], room)
	}
}
