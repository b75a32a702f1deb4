package results

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Validate checks that data holds results in this version of the format, within the bounds that Decode sets. The error
// names the first place that is wrong.
func Validate(data []byte) error {
	if err := checkBounds(data); err != nil {
		return err
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("malformed results: %w%s", err, rerunHint)
	}
	if m, ok := instance.(map[string]any); ok && m["schema"] != Schema {
		return fmt.Errorf("results have schema %.60q, not %q%s", fmt.Sprint(m["schema"]), Schema, rerunHint)
	}
	schema, err := compiledSchema()
	if err != nil {
		return err
	}
	return validate(schema, instance, nil)
}

// validate checks v, which is found at the path where, against s. It checks lists element by element and then removes
// them from v. That way it stops at the first fault, where the library would describe each of very many.
func validate(s *jsonschema.Schema, v any, where []string) error {
	v, err := validateLists(s, v, where)
	if err != nil {
		return err
	}
	var invalid *jsonschema.ValidationError
	switch err := s.Validate(v); {
	case errors.As(err, &invalid):
		return fmt.Errorf("malformed results: %s%s", describe(invalid, where), rerunHint)
	case err != nil:
		return fmt.Errorf("validating results: %w", err)
	}
	return nil
}

// validateLists checks the elements of the lists in v, and returns v with these lists empty. Properties that s does not
// know stay in v, so that s refuses them.
func validateLists(s *jsonschema.Schema, v any, where []string) (any, error) {
	for s.Ref != nil {
		s = s.Ref
	}
	switch v := v.(type) {
	case []any:
		if s.Items2020 == nil {
			return v, nil
		}
		for i, element := range v {
			if err := validate(s.Items2020, element, append(where, strconv.Itoa(i))); err != nil {
				return nil, err
			}
		}
		return []any{}, nil
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			property := s.Properties[name]
			if property == nil {
				continue
			}
			var err error
			if v[name], err = validateLists(property, v[name], append(where, name)); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// compiledSchema returns the embedded schema.
var compiledSchema = sync.OnceValues(compileSchema)

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

// describe says in one line where and why validation failed, from the innermost cause. place is the path of the
// validated value. The text quotes the untrusted instance, so it is quoted and cut.
func describe(e *jsonschema.ValidationError, place []string) string {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	why := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	where := "/" + strings.Join(slices.Concat(place, e.InstanceLocation), "/")
	return fmt.Sprintf("at %.120q: %.200q", where, why)
}
