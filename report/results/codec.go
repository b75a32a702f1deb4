package results

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// MaxSize bounds, in bytes, what Load and Decode accept. A results file may
// come from a build of somebody else's code, so its size is not to be trusted.
const MaxSize = 64 << 20

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

// Decode parses results and checks them against the schema. Every string in
// what it returns is still as the file has it, arbitrary: whoever prints one
// has to escape it.
func Decode(data []byte) (*Results, error) {
	if err := Validate(data); err != nil {
		return nil, err
	}
	r := new(Results)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("malformed results: %w%s", err, rerunHint)
	}
	return r, nil
}

// Save writes r to the file path, replacing it in one step.
func Save(path string, r *Results) error {
	data, err := Encode(r)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".results-*")
	if err != nil {
		return fmt.Errorf("writing results: %w", err)
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		os.Remove(tmp.Name())
		return fmt.Errorf("writing results: %w", err)
	}
	return nil
}

// Encode returns r as indented JSON with a newline at the end. Equal results
// give equal bytes. It sets r.Schema, and makes nil lists in r empty ones so
// that no list is encoded as null.
func Encode(r *Results) ([]byte, error) {
	r.Schema = Schema
	fillLists(reflect.ValueOf(r).Elem())
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // source code is easier to read as it is
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return nil, fmt.Errorf("encoding results: %w", err)
	}
	return b.Bytes(), nil
}

// fillLists replaces nil slices in v, which has to be settable, by empty ones.
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

// Validate checks that data is results in this version of the format. Its
// errors name the first place that is wrong.
func Validate(data []byte) error {
	if len(data) > MaxSize {
		return fmt.Errorf("results are larger than %d MiB\nhint: analyse fewer packages at once", MaxSize>>20)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("malformed results: %w%s", err, rerunHint)
	}
	if m, ok := instance.(map[string]any); ok && m["schema"] != Schema {
		return fmt.Errorf("results have schema %.60q, not %q%s", fmt.Sprint(m["schema"]), Schema, rerunHint)
	}
	schema, err := compileSchema()
	if err != nil {
		return err
	}
	var invalid *jsonschema.ValidationError
	switch err := schema.Validate(instance); {
	case errors.As(err, &invalid):
		return fmt.Errorf("malformed results: %s%s", describe(invalid), rerunHint)
	case err != nil:
		return fmt.Errorf("validating results: %w", err)
	}
	return nil
}

func compileSchema() (*jsonschema.Schema, error) {
	const url = "results.schema.json"
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaJSON))
	if err != nil {
		return nil, fmt.Errorf("embedded schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(url, doc); err != nil {
		return nil, fmt.Errorf("embedded schema: %w", err)
	}
	s, err := c.Compile(url)
	if err != nil {
		return nil, fmt.Errorf("embedded schema: %w", err)
	}
	return s, nil
}

// describe says in one line where and why validation failed, from the
// innermost cause. The text quotes the instance, so it is quoted and cut.
func describe(e *jsonschema.ValidationError) string {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	why := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	where := "/" + strings.Join(e.InstanceLocation, "/")
	return fmt.Sprintf("at %.120q: %.200q", where, why)
}
