package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"
)

const schemaFile = "../../docs/mutantfuzz.schema.json"

func readSchema(t testing.TB) (schema *jsonschema.Schema, doc map[string]any) {
	t.Helper()
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", parsed); err != nil {
		t.Fatal(err)
	}
	if schema, err = c.Compile("schema.json"); err != nil {
		t.Fatal(err)
	}
	return schema, parsed.(map[string]any)
}

// validate checks a text against the schema, as an editor would.
func validate(schema *jsonschema.Schema, text []byte) error {
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		return err
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return schema.Validate(instance)
}

// TestSchemaAgreesWithTypes walks the Go types and the schema side by side. Both have to have the same keys.
func TestSchemaAgreesWithTypes(t *testing.T) {
	_, doc := readSchema(t)
	var check func(where string, rt reflect.Type, schema map[string]any)
	check = func(where string, rt reflect.Type, schema map[string]any) {
		if schema["$ref"] == "#/definitions/operator" {
			schema = map[string]any{"type": "string"} // TestOperatorsOfTheSchemaAreAll checks the values
		}
		if want, got := jsonType(rt), typeOf(schema); want != got {
			t.Errorf("%s: the Go type is %s, the schema has %s", where, want, got)
			return
		}
		if rt.Kind() == reflect.Slice {
			check(where+"[]", rt.Elem(), schema["items"].(map[string]any))
		}
		if rt.Kind() != reflect.Struct {
			return
		}
		var names []string
		properties := schema["properties"].(map[string]any)
		for field := range rt.Fields() {
			name := field.Tag.Get("yaml")
			if !field.IsExported() || name == "-" {
				continue
			}
			names = append(names, name)
			if property, ok := properties[name].(map[string]any); ok {
				check(where+"."+name, field.Type, property)
			}
		}
		slices.Sort(names)
		if got := sortedKeys(properties); !slices.Equal(names, got) || schema["additionalProperties"] != false {
			t.Errorf("%s: the types have %q, the schema %q", where, names, got)
		}
	}
	check("", reflect.TypeFor[Config](), doc)
}

func jsonType(rt reflect.Type) string {
	switch {
	case rt == reflect.TypeFor[time.Duration]() || rt.Kind() == reflect.String:
		return "string"
	case rt.Kind() == reflect.Struct:
		return "object"
	case rt.Kind() == reflect.Slice:
		return "array"
	}
	return "integer"
}

// typeOf returns the type that a schema allows, besides null.
func typeOf(schema map[string]any) string {
	if list, ok := schema["type"].([]any); ok {
		return list[0].(string)
	}
	return schema["type"].(string)
}

func sortedKeys(m map[string]any) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func TestOperatorsOfTheSchemaAreAll(t *testing.T) {
	_, doc := readSchema(t)
	var names []string
	for _, name := range doc["definitions"].(map[string]any)["operator"].(map[string]any)["enum"].([]any) {
		names = append(names, name.(string))
	}
	if diff := cmp.Diff(operators(), names); diff != "" {
		t.Errorf("(-operators +schema):\n%s", diff)
	}
}

func TestSchemaRefusesFaults(t *testing.T) {
	schema, _ := readSchema(t)
	for name, tt := range faults {
		if err := validate(schema, []byte(tt.text)); err == nil && !strings.HasPrefix(name, "~") {
			t.Errorf("%s: the schema accepts it", name)
		}
	}
	if err := validate(schema, []byte(whole)); err != nil {
		t.Error(err)
	}
}

// fenced matches the YAML blocks of a page.
var fenced = regexp.MustCompile("(?s)```yaml\n(.*?)```")

func TestExamplesInTheDocsAreAccepted(t *testing.T) {
	schema, _ := readSchema(t)
	found := 0
	for _, name := range []string{"../../README.md", "../../docs/ci.md", "../../docs/design.md"} {
		page, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range fenced.FindAllSubmatch(page, -1) {
			text := block[1]
			if !regexp.MustCompile(`(?m)^(paths|operators|limits|dismissed):`).Match(text) {
				continue
			}
			found++
			if _, err := Decode(text, operators()); err != nil {
				t.Errorf("%s: %v\n%s", name, err, text)
			}
			if err := validate(schema, text); err != nil {
				t.Errorf("%s: %v\n%s", name, err, text)
			}
		}
	}
	if found == 0 {
		t.Error("there are no examples")
	}
}

// FuzzDecode checks that the schema accepts whatever Decode accepts, and that an error of Decode has a line of the
// file, a message of one line and a hint.
func FuzzDecode(f *testing.F) {
	schema, _ := readSchema(f)
	names := operators()
	f.Add([]byte(whole))
	for _, tt := range faults {
		if len(tt.text) < 1000 {
			f.Add([]byte(tt.text))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Decode(data, names)
		if err != nil {
			var fault *Error
			if !errors.As(err, &fault) || fault.Line < 0 || fault.Line > len(data)+1 || fault.Msg == "" || fault.Hint == "" || strings.Contains(fault.Msg, "\n") {
				t.Fatalf("error %#v", err)
			}
			return
		}
		if err := validate(schema, data); err != nil {
			t.Errorf("the schema refuses what is accepted: %v\n%q", err, data)
		}
		c.Excluded("internal/gen/a.go")
		for _, d := range c.Dismissed {
			if len(c.Matching(d.Function, d.Operator, d.Edit)) == 0 {
				t.Errorf("an entry does not match its own words: %+v", d)
			}
		}
	})
}
