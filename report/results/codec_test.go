package results

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const fixture = "../testdata/results.json"

func TestLoadedResultsAreSavedUnchanged(t *testing.T) {
	want, err := os.ReadFile(fixture)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Load(fixture)
	if err != nil {
		t.Fatal(err)
	}
	folder := openFolder(t)
	if err := Save(folder, "results.json", r); err != nil {
		t.Fatal(err)
	}
	got, err := folder.ReadFile("results.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("saved results differ from what was loaded (-want +got):\n%s", diff)
	}
}

// openFolder opens a new, empty folder.
func openFolder(t *testing.T) *os.Root {
	t.Helper()
	folder, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	return folder
}

func TestResultsReplaceALinkAndNotItsTarget(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	folder := openFolder(t)
	if err := os.Symlink(victim, filepath.Join(folder.Name(), "results.json")); err != nil {
		t.Skip(err)
	}
	if err := Save(folder, "results.json", &Results{}); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(victim); string(data) != "precious" {
		t.Errorf("what the link led to is now %q, %v", data, err)
	}
	if info, err := folder.Lstat("results.json"); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the link is still there: %v, %v", info, err)
	}
}

func TestEmptyResultsHaveNoNullListsAndAreValid(t *testing.T) {
	r := &Results{
		Harnesses: []Harness{{Kind: HarnessTarget}},
		Corpus:    Corpus{New: []Entry{{}}},
		Options:   Options{Tests: "auto"},
	}
	data, err := Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(data, []byte("null")); n != 2 { // the two scores
		t.Errorf("%d nulls, want 2:\n%s", n, data)
	}
	for _, list := range []string{`"mutants": []`, `"types": []`, `"reasons": []`, `"packages": []`} {
		if !bytes.Contains(data, []byte(list)) {
			t.Errorf("want %s in\n%s", list, data)
		}
	}
	if err := Validate(data); err != nil {
		t.Error(err)
	}
}

func TestFinishedResultsAreInOrderAndAddUp(t *testing.T) {
	r := &Results{
		Mutants: []Mutant{{ID: "b", File: "b.go", Status: Survived}, {ID: "a", File: "a.go", Status: Killed}},
		Corpus:  Corpus{Before: 3, New: []Entry{{ID: "new"}, {ID: "of the tree", Name: "seed#0"}}},
		Stats:   Stats{Execs: 30}, Seconds: Seconds{Mutants: 1, Program: 2},
	}
	r.Finish()
	if r.Schema != Schema || r.Mutants[0].ID != "a" || r.Score.Killed != 1 || r.Corpus.After != 4 || r.Stats.ExecsPerSecond != 10 {
		t.Errorf("%+v", r)
	}
}

// TestSchemaAgreesWithTypes walks the Go types and the schema side by side. Both have to have the same fields.
func TestSchemaAgreesWithTypes(t *testing.T) {
	var root map[string]any
	if err := json.Unmarshal(JSONSchema(), &root); err != nil {
		t.Fatal(err)
	}
	defs := root["$defs"].(map[string]any)
	used := map[string]bool{}
	var check func(where string, rt reflect.Type, schema map[string]any)
	check = func(where string, rt reflect.Type, schema map[string]any) {
		if ref, ok := schema["$ref"].(string); ok {
			name := strings.TrimPrefix(ref, "#/$defs/")
			used[name] = true
			schema, _ = defs[name].(map[string]any)
		}
		if rt.Kind() == reflect.Pointer && rt.Elem().Kind() == reflect.Struct {
			rt = rt.Elem()
		}
		if want, got := jsonType(rt), schemaType(schema); !cmp.Equal(want, got) {
			t.Errorf("%s: the Go type is %v, the schema has %v", where, want, got)
			return
		}
		switch rt.Kind() {
		case reflect.Slice:
			check(where+"[]", rt.Elem(), schema["items"].(map[string]any))
		case reflect.Struct:
			checkFields(t, where, rt, schema, check)
		}
	}
	check("results", reflect.TypeFor[Results](), root)
	for name := range defs {
		if !used[name] {
			t.Errorf("definition %s is used by no field", name)
		}
	}
}

func checkFields(t *testing.T, where string, rt reflect.Type, schema map[string]any, check func(string, reflect.Type, map[string]any)) {
	t.Helper()
	if schema["additionalProperties"] != false {
		t.Errorf("%s: additional properties are allowed", where)
	}
	properties := schema["properties"].(map[string]any)
	var required []any
	known := map[string]bool{}
	for field := range rt.Fields() {
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		known[name] = true
		if option != "omitempty" {
			required = append(required, name)
		}
		property, ok := properties[name].(map[string]any)
		if !ok {
			t.Errorf("%s.%s: not in the schema", where, name)
			continue
		}
		check(where+"."+name, field.Type, property)
	}
	for name := range properties {
		if !known[name] {
			t.Errorf("%s.%s: in the schema only", where, name)
		}
	}
	if diff := cmp.Diff(required, schema["required"]); diff != "" {
		t.Errorf("%s: required fields (-types +schema):\n%s", where, diff)
	}
}

// jsonType returns the JSON type, or types, that encoding/json gives values of rt.
func jsonType(rt reflect.Type) any {
	switch rt.Kind() {
	case reflect.Struct:
		return "object"
	case reflect.Slice:
		return "array"
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Float64:
		return "number"
	case reflect.Pointer:
		return []any{jsonType(rt.Elem()), "null"}
	default:
		return "integer"
	}
}

func schemaType(schema map[string]any) any {
	_, enum := schema["enum"]
	_, constant := schema["const"]
	if enum || constant {
		return "string"
	}
	return schema["type"]
}

func TestEnumsOfTheSchemaAreTheConstants(t *testing.T) {
	tests := map[string][]any{
		"function.reason":  {ReasonAdded, ReasonChanged, ReasonUsesChanged, ReasonTestChanged, ReasonAll},
		"harness.kind":     {HarnessTarget, HarnessDriver},
		"mutant.status":    {Killed, Survived, Equivalent, Unviable, Ignored, NotRun, Pending},
		"mutant.stage":     {"", NotReached, Reached, Infected, Propagated, Revealed},
		"killedBy.by":      {ByTest, ByTarget, ByDriver},
		"killedBy.kind":    {KindTest, KindEntry, KindCrash, KindHang},
		"crash.kind":       {CrashPanic, CrashFatal, CrashHang, CrashFailure},
		"crash.introduced": {IntroducedYes, IntroducedNo, IntroducedUnknown},
	}
	var root struct {
		Defs map[string]struct {
			Properties map[string]struct{ Enum []any }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(JSONSchema(), &root); err != nil {
		t.Fatal(err)
	}
	for place, want := range tests {
		def, property, _ := strings.Cut(place, ".")
		if diff := cmp.Diff(want, root.Defs[def].Properties[property].Enum); diff != "" {
			t.Errorf("%s (-constants +schema):\n%s", place, diff)
		}
	}
}

func TestInvalidResultsAreRefusedWithPlaceAndHint(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(r map[string]any)
		want  string
	}{
		{"unknown field", func(r map[string]any) { r["surprise"] = 1 }, "surprise"},
		{"missing list", func(r map[string]any) { delete(r, "mutants") }, "mutants"},
		{"null list", func(r map[string]any) { r["mutants"] = nil }, "/mutants"},
		{"other version", func(r map[string]any) { r["schema"] = "mutantfuzz/results/v9" }, "results/v9"},
		{"unknown status", func(r map[string]any) { mutant(r, 0)["status"] = "dead" }, "/mutants/0/status"},
		{"line zero", func(r map[string]any) { mutant(r, 0)["line"] = 0 }, "/mutants/0/line"},
		{"fractional offset", func(r map[string]any) { mutant(r, 0)["offset"] = 1.5 }, "/mutants/0/offset"},
		{"no findings", func(r map[string]any) { r["options"].(map[string]any)["max_findings"] = 0 }, "/options/max_findings"},
		{"too many findings", func(r map[string]any) { r["options"].(map[string]any)["max_findings"] = 101 }, "/options/max_findings"},
		{"killed without killer", func(r map[string]any) {
			mutant(r, 0)["status"], mutant(r, 0)["stage"] = Killed, Revealed
			delete(mutant(r, 0), "killed_by")
			delete(mutant(r, 0), "exposed_by")
		}, "killed_by"},
		{"killer of a survivor", func(r map[string]any) {
			mutant(r, 0)["killed_by"] = map[string]any{"by": ByTest, "kind": KindTest, "name": "p.TestX"}
		}, "/mutants/0"},
		{"exposed without input", func(r map[string]any) { delete(mutant(r, 0), "exposed_by") }, "exposed_by"},
		{"stage of an ignored mutant", func(r map[string]any) {
			mutant(r, 0)["status"] = Ignored
			delete(mutant(r, 0), "exposed_by")
		}, "/mutants/0/stage"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := fixtureMap(t)
			tt.spoil(r)
			data, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Decode(data)
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "\nhint: ") {
				t.Errorf("error %q; want it to name %q and to have a hint", err, tt.want)
			}
		})
	}
}

// mutant returns mutant i of decoded results. Mutant 0 of the fixture is exposed.
func mutant(r map[string]any, i int) map[string]any {
	return r["mutants"].([]any)[i].(map[string]any)
}

func fixtureMap(t *testing.T) map[string]any {
	t.Helper()
	data, err := os.ReadFile(fixture)
	if err != nil {
		t.Fatal(err)
	}
	var r map[string]any
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOversizedResultsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.json")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, MaxSize+1); err != nil { // a sparse file
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "larger than 8 MiB") {
		t.Errorf("error %v; want one about the size", err)
	}
}

func TestMissingResultsHintAtRun(t *testing.T) {
	_, err := Load(filepath.Join(t.TempDir(), "none.json"))
	if err == nil || !strings.Contains(err.Error(), "\nhint: run \"mutantfuzz run\"") {
		t.Errorf("error %v; want a hint to run first", err)
	}
}

func TestErrorsDoNotRepeatControlCharacters(t *testing.T) {
	r := fixtureMap(t)
	mutant(r, 0)["status"] = "\n::error::\x1b[31m" + strings.Repeat("x", 1000)
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	err = Validate(data)
	if err == nil {
		t.Fatal("no error")
	}
	if strings.Contains(err.Error(), "\n::") || strings.Contains(err.Error(), "\x1b") || len(err.Error()) > 800 {
		t.Errorf("error repeats what it was given: %q", err)
	}
}

// FuzzDecode checks that whatever Decode accepts survives a round trip.
func FuzzDecode(f *testing.F) {
	data, err := os.ReadFile(fixture)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"schema":"` + Schema + `"}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Decode(data)
		if err != nil {
			return
		}
		first, err := Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(first)
		if err != nil {
			t.Fatalf("what was encoded does not decode: %v", err)
		}
		second, err := Encode(again)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(first, second) {
			t.Error("encoding is not stable")
		}
	})
}
