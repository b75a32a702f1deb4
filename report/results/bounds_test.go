package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

// maxMemory bounds the bytes that are allocated while a file is decoded, including those that are freed again.
const maxMemory = 400 << 20

// fill repeats an element of a list until the whole is about as large as results may be.
func fill(before, element, after string) []byte {
	n := (MaxSize - len(before) - len(after)) / (len(element) + 1)
	list := strings.TrimSuffix(strings.Repeat(element+",", n), ",")
	return []byte(before + list + after)
}

// allocated returns how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestNoFileTakesMuchMemoryToDecode(t *testing.T) {
	data, err := os.ReadFile(fixture)
	if err != nil {
		t.Fatal(err)
	}
	var valid map[string]json.RawMessage
	if err := json.Unmarshal(data, &valid); err != nil {
		t.Fatal(err)
	}
	var mutants []json.RawMessage
	if err := json.Unmarshal(valid["mutants"], &mutants); err != nil {
		t.Fatal(err)
	}
	// list returns the fixture with one of its lists filled with an element.
	list := func(name, element string) []byte {
		others := []string{}
		for key, value := range valid {
			if key != name {
				var b bytes.Buffer
				if err := json.Compact(&b, value); err != nil {
					t.Fatal(err)
				}
				others = append(others, fmt.Sprintf("%q:%s", key, b.String()))
			}
		}
		return fill(fmt.Sprintf("{%s,%q:[", strings.Join(others, ","), name), element, "]}")
	}
	compact := func(raw json.RawMessage) string {
		var b bytes.Buffer
		if err := json.Compact(&b, raw); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const start = `{"schema":"` + Schema + `",`
	for name, data := range map[string][]byte{
		"wrong warnings":          fill(start+`"warnings":[`, `0`, `]}`),
		"empty mutants":           fill(start+`"mutants":[`, `{}`, `]}`),
		"mutants of one key":      fill(start+`"mutants":[`, `{"":0}`, `]}`),
		"lists in lists":          fill(start+`"mutants":[`, `[[[[0]]]]`, `]}`),
		"unknown lists":           fill(start+`"x":[`, `[]`, `]}`),
		"unknown lists of keys":   fill(start+`"x":[`, `{"a":{"b":{"c":{}}}}`, `]}`),
		"unknown keys":            fill(start, `"":0`, `}`),
		"deep":                    []byte(strings.Repeat("[", MaxSize)),
		"deep objects":            []byte(strings.Repeat(`{"":`, MaxSize/4)),
		"a long string":           []byte(`"` + strings.Repeat("x", MaxSize-2) + `"`),
		"a long number":           []byte(strings.Repeat("9", MaxSize)),
		"a number with an e":      []byte(start + `"partial":1e999999999}`),
		"valid warnings":          list("warnings", `""`),
		"long warnings":           list("warnings", `"`+strings.Repeat("x", 1000)+`"`),
		"valid mutants":           list("mutants", compact(mutants[0])),
		"smallest valid mutants":  list("mutants", smallest(t)),
		"warnings at the bound":   list("warnings", `"`+strings.Repeat("x", MaxSize/maxValues+1)+`"`),
		"mutants with a long end": append(list("mutants", compact(mutants[0])), ' ', '{'),
		"wrong at the end":        append(bytes.TrimSuffix(list("mutants", compact(mutants[0])), []byte("]}")), []byte(`,{}]}`)...),
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			if n := allocated(func() { _, err = Decode(data) }); n > maxMemory {
				t.Errorf("%d MB for a file of %d MB", n>>20, len(data)>>20)
			} else {
				t.Logf("%d MB, error %.200v", n>>20, err)
			}
		})
	}
}

// smallest returns the JSON of the valid mutant that takes the fewest bytes.
func smallest(t *testing.T) string {
	t.Helper()
	m := Mutant{Line: 1, Column: 1, EndLine: 1, EndColumn: 1, Status: Pending}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestWhatIsOutOfBoundsIsRefusedWithAHint(t *testing.T) {
	for name, test := range map[string]struct{ data, want string }{
		"size":   {strings.Repeat(" ", MaxSize+1), "larger than 8 MiB"},
		"depth":  {strings.Repeat("[", maxDepth+1), "nested deeper than 8"},
		"values": {"[" + strings.Repeat("0,", maxValues) + "0]", "more than 400000 values"},
		"keys":   {`{"` + strings.Repeat("k", maxKeys+1) + `":0}`, "a key of more than 64 bytes"},
		"string": {`"` + strings.Repeat("x", maxString+1) + `"`, "a string has more than 1048576 bytes"},
		"digits": {"1e+1000", "a number of too many digits"},
		"twice":  {`{"a":[{"b":0}],"a":1}`, `the key "a" is there twice`},
	} {
		_, err := Decode([]byte(test.data))
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "\nhint: ") {
			t.Errorf("%s: error %v; want %q and a hint", name, err, test.want)
		}
	}
}

func TestTheSameKeyInTwoObjectsIsFine(t *testing.T) {
	if err := checkBounds([]byte(`[{"a":{"a":0},"b":[{"a":0}]},{"a":0}]`)); err != nil {
		t.Error(err)
	}
}
