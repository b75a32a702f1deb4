package results

import (
	"bytes"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"unicode/utf8"
)

//go:embed results.schema.json
var schemaJSON []byte

// JSONSchema returns the JSON schema (draft 2020-12) of the format.
func JSONSchema() []byte { return bytes.Clone(schemaJSON) }

// Load reads and decodes the results in the file path.
func Load(path string) (*Results, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("no results at %s\nhint: run \"mutantfuzz run\" first, or name the file with --results", path)
	}
	if err != nil {
		return nil, fmt.Errorf("reading results: %w\nhint: name the file with --results", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("reading results: %w\nhint: name the file with --results", err)
	}
	r, err := Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Decode parses results and checks them against the schema. The strings of the result are still untrusted, exactly as
// in the file: whoever prints one has to escape it.
func Decode(data []byte) (*Results, error) {
	if err := Validate(data); err != nil {
		return nil, err
	}
	r := new(Results)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("malformed results: %w%s", err, rerunHint)
	}
	for i := range r.Mutants {
		if err := r.Mutants[i].part(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Save writes r to the file name in a folder, replacing an existing file atomically. It first removes from r what [Fit]
// removes.
func Save(folder *os.Root, name string, r *Results) error {
	if err := Fit(r); err != nil {
		return err
	}
	data, err := Encode(r)
	if err != nil {
		return err
	}
	temp := ".results-" + rand.Text()
	err = folder.WriteFile(temp, data, 0o644)
	if err == nil {
		err = folder.Rename(temp, name)
	}
	if err != nil {
		_ = folder.Remove(temp) // it may not exist
		return fmt.Errorf("writing results: %w", err)
	}
	return nil
}

// Encode returns r as JSON with a newline at the end. The JSON is indented unless that makes it larger than Decode
// accepts. Equal results give equal bytes. Encode sets r.Schema, and replaces nil lists in r by empty ones so that no
// list is encoded as null.
func Encode(r *Results) ([]byte, error) {
	r.Schema = Schema
	fillLists(reflect.ValueOf(r).Elem())
	whole := *r
	whole.Mutants = slices.Clone(r.Mutants)
	for i := range whole.Mutants {
		whole.Mutants[i] = r.Mutants[i].Whole()
	}
	data, err := encode(&whole, "  ")
	if err == nil && len(data) > MaxSize {
		data, err = encode(&whole, "")
	}
	return data, err
}

// encode returns r as JSON, with the given indent for each level. The text is harmless in a log or on a terminal: it
// escapes what a CI runner or a terminal would take for a command, which can only occur in strings.
func encode(r *Results, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // source code is easier to read as it is
	e.SetIndent("", indent)
	if err := e.Encode(r); err != nil {
		return nil, fmt.Errorf("encoding results: %w", err)
	}
	data := b.Bytes()
	if !bytes.Contains(data, []byte("##[")) && bytes.IndexByte(data, 0x7f) < 0 && bytes.IndexByte(data, 0xc2) < 0 {
		return data, nil // by far the most common case, and the search below is slow
	}
	return commands.ReplaceAllFunc(data, func(s []byte) []byte {
		if s[0] == '#' {
			return []byte(`##\u005b`)
		}
		c, _ := utf8.DecodeRune(s)
		return fmt.Appendf(nil, `\u%04x`, c)
	}), nil
}

// commands matches the start of workflow commands in their old form, which works anywhere in a line, and control
// characters that JSON does not have to escape.
var commands = regexp.MustCompile(`##\[|[\x{7f}-\x{9f}]`)

// fillLists replaces nil slices in v by empty ones. v must be settable.
func fillLists(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		for i := range v.Len() {
			fillLists(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fillLists(v.Field(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			fillLists(v.Elem())
		}
	}
}

const rerunHint = "\nhint: results are written by \"mutantfuzz run\"; run it again with this version"
