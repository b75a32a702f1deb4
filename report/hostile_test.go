package report

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/internal/attack"
	"github.com/mutantfuzz/mutantfuzz/report/internal/gfm"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// sentinel marks foreign text in what these tests render. No other text has these letters.
const sentinel = "QZQ"

// Sets of fields to attack at once. Tests also attack single fields.
const (
	filled = "those that are filled"
	every  = "every one"
)

// hostile returns the fixture with s, between sentinels, in strings that a build could choose. Equal strings stay
// equal, so that references still resolve. field is the name of a single field, filled or every. The latter two leave
// out fields that cannot have just any value, but each of these can be attacked alone.
func hostile(t testing.TB, s, field string) *results.Results {
	t.Helper()
	r := withUnrun(fixture(t))
	numbers := map[string]int{}
	visitStrings(reflect.ValueOf(r).Elem(), "", func(name string, v reflect.Value) {
		old := v.String()
		switch {
		case field == name:
		case field == filled && old != "" && !enumerated()[name]:
		case field == every && !enumerated()[name]:
		default:
			return
		}
		if _, ok := numbers[old]; !ok {
			numbers[old] = len(numbers)
		}
		v.SetString(fmt.Sprintf("%s%03d%s%s", sentinel, numbers[old], s, sentinel))
	})
	for i := range r.Mutants { // a context without the original source is not used
		if m := &r.Mutants[i]; field == filled || field == every {
			m.Context, m.Column = sentinel+s+m.Original+s+sentinel, len(sentinel+s)+1
			m.EndLine = m.Line + strings.Count(m.Context, "\n")
		}
	}
	return r
}

// withUnrun adds to results what shows code or tests: lines that nothing runs, a branch that never runs, a result that
// the change altered, tests of the change that check nothing, and a quarantined test.
func withUnrun(r *results.Results) *results.Results {
	i := slices.IndexFunc(r.Scope, func(f results.Function) bool { return f.Name == "parser.skipSpace" })
	other := slices.IndexFunc(r.Scope, func(f results.Function) bool { return f.Name == "hash" })
	code := results.Code{StartLine: 91, EndLine: 92, Under: "for p.pos < len(p.src)", Source: "\t\tp.lines++\n\t\tp.pos++"}
	r.Scope[i].Unrun, r.Options.MaxFindings = []results.Code{code}, 6
	unrun, forced := Survivor("b1", NotReached, Function(r.Scope[i].ID)), Survivor("c2", Function(r.Scope[other].ID))
	unrun.File, unrun.Line, unrun.EndLine = r.Scope[i].File, 91, 91
	forced.File, forced.Line, forced.EndLine = r.Scope[other].File, 84, 84
	forced.Original, forced.Replacement, forced.Context, forced.Column = "i > 0", "(i > 0 || true)", "\tif i > 0 {", 5
	forced.Evidence.Never = &results.Code{StartLine: 86, EndLine: 86, Source: "\t\tp.fail()"}
	unrun.EndColumn, forced.EndColumn = 12, 10
	noticed := Survivor("d3", Function(r.Scope[other].ID), Undone, Status(results.Killed, results.Revealed))
	noticed.EndLine, noticed.EndColumn = noticed.Line, 12
	noticed.KilledBy = &results.KilledBy{By: results.ByTest, Kind: results.KindTest, Name: "p.TestHash"}
	noticed.Evidence.Old = &results.ExposedBy{Harness: "p.FuzzHash", Entry: "e", Site: "hash.go:1: hash(b)", Original: "1", Mutant: "2", Call: "hash(nil)", Setup: []string{"b := 1"}}
	r.Mutants = append(r.Mutants, unrun, forced, noticed)
	r.Mutants[0].Evidence.By, r.Mutants[0].Evidence.Blind = []string{"p.TestSpace"}, []string{"p.TestSpace"}
	r.Mutants[0].Evidence.ByChange = []results.NewTest{{Test: "p.TestSpace", Change: results.TestAdded}}
	r.Quarantined = []results.Quarantined{{Test: r.Scope[i].Package + ".TestSpace", Why: "fails", Flaky: true, Change: results.TestAdded}}
	return r
}

// visitStrings visits all strings in v with the names of their fields, such as "Mutant.File". It puts a string into
// each empty list of strings.
func visitStrings(v reflect.Value, name string, visit func(name string, s reflect.Value)) {
	switch v.Kind() {
	case reflect.String:
		visit(name, v)
	case reflect.Pointer:
		if !v.IsNil() {
			visitStrings(v.Elem(), name, visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			visitStrings(v.Field(i), v.Type().Name()+"."+v.Type().Field(i).Name, visit)
		}
	case reflect.Slice:
		if v.Len() == 0 && v.Type().Elem().Kind() == reflect.String {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		for i := range v.Len() {
			visitStrings(v.Index(i), name, visit)
		}
	}
}

// stringFields returns the names of all string fields in the results, sorted.
var stringFields = sync.OnceValue(func() []string {
	names := map[string]bool{}
	var visit func(t reflect.Type, name string)
	visit = func(t reflect.Type, name string) {
		switch t.Kind() {
		case reflect.String:
			names[name] = true
		case reflect.Pointer, reflect.Slice:
			visit(t.Elem(), name)
		case reflect.Struct:
			for i := range t.NumField() {
				visit(t.Field(i).Type, t.Name()+"."+t.Field(i).Name)
			}
		}
	}
	visit(reflect.TypeFor[results.Results](), "")
	return slices.Sorted(maps.Keys(names))
})

// enumerated returns the fields that cannot have just any value: encoding fails, or the schema refuses sentinel there.
var enumerated = sync.OnceValue(func() map[string]bool {
	fixed := map[string]bool{}
	for _, name := range stringFields() {
		r, err := results.Load("testdata/results.json")
		if err != nil {
			panic(err)
		}
		visitStrings(reflect.ValueOf(r).Elem(), "", func(other string, v reflect.Value) {
			if other == name {
				v.SetString(sentinel)
			}
		})
		data, err := json.Marshal(r)
		fixed[name] = err != nil || results.Validate(data) != nil
	}
	return fixed
})

func TestFixtureHasEveryStringField(t *testing.T) {
	found := map[string]bool{}
	visitStrings(reflect.ValueOf(withUnrun(fixture(t))).Elem(), "", func(name string, _ reflect.Value) { found[name] = true })
	for _, name := range stringFields() {
		if !found[name] {
			t.Errorf("nothing in the fixture has the field %s, so it is never attacked", name)
		}
	}
}

func TestCodeIsAttackedThatIsShown(t *testing.T) {
	body := Markdown(withUnrun(fixture(t)), Options{})
	for _, code := range []string{"// lines 91–92, under for p.pos < len(p.src)\np.lines++\np.pos++\n", "// line 86\np.fail()\n"} {
		if !strings.Contains(body, "```go\n"+code) {
			t.Errorf("%q is not in\n%s", code, body)
		}
	}
}

func TestHostileResultsAreStillValid(t *testing.T) {
	for _, s := range attack.All {
		data, err := results.Encode(hostile(t, s, every))
		if err != nil {
			t.Fatal(err)
		}
		if err := results.Validate(data); err != nil {
			t.Errorf("with %q in every string the results are no longer valid, and the attack would not get this far: %v", s, err)
		}
	}
}

// reviewOf renders r as a later review does, with s in the history of an earlier one.
func reviewOf(r *results.Results, s string, limit int) string {
	past := finding.Select(r, nil, 0).History
	past.Shown = append(past.Shown,
		finding.Shown{Key: "0123456789abcdef", Where: sentinel + s + sentinel, Fate: finding.Open},
		finding.Shown{Key: "0123456789abcdee", Where: sentinel + s + sentinel, Fate: finding.Noticed},
		finding.Shown{Key: sentinel + s, Where: "x.go:1", Fate: finding.Fate(s)})
	selection := finding.Select(r, &past, 0)
	return Markdown(r, Options{Selection: &selection, Limit: limit})
}

const unlimited = 1 << 30

// withoutOld removes what tells of results that the change altered.
func withoutOld(r *results.Results) {
	for i := range r.Mutants {
		r.Mutants[i].Evidence.Old = nil
	}
}

// inert checks that everything in a body is inert, and that foreign text is only in code. It returns what is outside of
// code.
func inert(t *testing.T, body string) string {
	t.Helper()
	html, err := gfm.HTML(body)
	if err != nil {
		t.Fatal(err)
	}
	outline, err := gfm.Outline(html)
	if err != nil || strings.Contains(outline, sentinel) {
		t.Errorf("foreign text is outside of code, or alive: %v\n%s\nin the body\n%s", err, outline, body)
	}
	attack.NoLogCommands(t, body)
	return outline
}

// FuzzForeignTextStaysInCode checks that strings in results and history change nothing in a review outside of code.
func FuzzForeignTextStaysInCode(f *testing.F) {
	fields := append(stringFields(), filled, every)
	for _, s := range attack.All {
		f.Add(s, len(fields)-2, unlimited)
		f.Add(s, len(fields)-1, unlimited)
		f.Add(s, len(fields)-2, 3000)
	}
	for _, s := range []string{attack.Ticks(80) + attack.Payload, attack.Ticks(299) + "\n" + attack.Payload + "\n" + attack.Ticks(300), "\n\n<img/>@a\n- [x](y)"} {
		for i := range fields {
			f.Add(s, i, unlimited)
		}
	}
	f.Fuzz(func(t *testing.T, s string, which, limit int) {
		field := fields[uint(which)%uint(len(fields))]
		r, tamed := hostile(t, s, field), hostile(t, "x", field)
		if len(s) > 40 { // a call that long is left out
			withoutOld(r)
			withoutOld(tamed)
		}
		outline := inert(t, reviewOf(r, s, limit))
		if limit < unlimited || strings.Trim(s, ".") != s {
			return // how much fits depends on the strings, and how a name is split on its dots
		}
		if tame := inert(t, reviewOf(tamed, "x", limit)); outline != tame {
			t.Errorf("with %q in %s the review is\n%s\nand with x it is\n%s", s, field, outline, tame)
		}
	})
}

// cmark-gfm, GitHub's own renderer, has the last word where it is installed.
func TestForeignTextStaysInCodeForCmark(t *testing.T) {
	if _, err := exec.LookPath("cmark-gfm"); err != nil {
		t.Skip("there is no cmark-gfm here")
	}
	for _, s := range attack.All {
		for _, field := range []string{filled, every} {
			html, err := gfm.Cmark(reviewOf(hostile(t, s, field), s, unlimited))
			if err != nil {
				t.Fatal(err)
			}
			if outline, err := gfm.Outline(html); err != nil || strings.Contains(outline, sentinel) {
				t.Errorf("with %q in %s foreign text is outside of code, or alive: %v\n%s", s, field, err, outline)
			}
		}
	}
}

// FuzzTerminalsAreNotSteered checks that nothing printed for people, or for a file that they look at, controls a
// terminal.
func FuzzTerminalsAreNotSteered(f *testing.F) {
	fields := append(stringFields(), filled, every)
	for _, s := range attack.All {
		f.Add(s, len(fields)-2)
		f.Add(s, len(fields)-1)
	}
	for i := range fields {
		f.Add("\x1b[2J\u202E\r::error::x", i)
	}
	f.Fuzz(func(t *testing.T, s string, which int) {
		r := hostile(t, s, fields[uint(which)%uint(len(fields))])
		var b strings.Builder
		if err := Text(&b, r, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		for i := range r.Mutants {
			id := r.Mutants[i].ID
			if err := Explain(&b, r, id, ExplainOptions{TextOptions: TextOptions{Width: 20}}); err != nil {
				t.Fatal(err)
			}
			for _, part := range []func(*results.Results, string) (string, error){RegressionTest, Patch} {
				text, err := part(r, id)
				fmt.Fprintln(&b, text)
				if err != nil {
					fmt.Fprintln(&b, err)
				}
			}
		}
		attack.NoSteering(t, b.String())
		attack.NoLogCommands(t, b.String())
	})
}

// numberFields returns the names of all fields in the results that are numbers, sorted.
func numberFields() []string {
	names := map[string]bool{}
	var visit func(t reflect.Type, name string)
	visit = func(t reflect.Type, name string) {
		switch t.Kind() {
		case reflect.Int, reflect.Int64, reflect.Float64:
			names[name] = true
		case reflect.Pointer, reflect.Slice:
			visit(t.Elem(), name)
		case reflect.Struct:
			for i := range t.NumField() {
				visit(t.Field(i).Type, t.Name()+"."+t.Field(i).Name)
			}
		}
	}
	visit(reflect.TypeFor[results.Results](), "")
	return slices.Sorted(maps.Keys(names))
}

// setNumber sets the number in all fields in v with the given name to n.
func setNumber(v reflect.Value, name, field string, n int64) {
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		if field == name {
			v.SetInt(n)
		}
	case reflect.Float64:
		if field == name {
			v.SetFloat(float64(n))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			setNumber(v.Elem(), name, field, n)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			setNumber(v.Field(i), v.Type().Name()+"."+v.Type().Field(i).Name, field, n)
		}
	case reflect.Slice:
		for i := range v.Len() {
			setNumber(v.Index(i), name, field, n)
		}
	}
}

// largest returns the largest number that the schema allows in a field of r, of some powers of ten and the largest one
// there is. It returns 0 if it allows none of them.
func largest(t *testing.T, r *results.Results, field string) int64 {
	t.Helper()
	for _, n := range []int64{math.MaxInt64, 4e12, 1e9, 100, 1} {
		setNumber(reflect.ValueOf(r).Elem(), "", field, n)
		data, err := results.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		if results.Validate(data) == nil {
			return n
		}
	}
	return 0
}

// TestNumbersOfAnySizeAreShown checks that no number that results can have hangs or crashes what shows them. It takes the
// largest one in every field alone, and in all fields at once.
func TestNumbersOfAnySizeAreShown(t *testing.T) {
	most := map[string]int64{}
	whole := withUnrun(fixture(t))
	for i := range whole.Scope {
		whole.Scope[i].Unrun = slices.Repeat(whole.Scope[i].Unrun, 2)
	}
	for _, field := range append(numberFields(), every) {
		one := copied(t, whole)
		if field != every {
			if most[field] = largest(t, one, field); most[field] == 0 {
				t.Errorf("%s can have none of the numbers", field)
			}
		} else {
			for field, n := range most {
				setNumber(reflect.ValueOf(one).Elem(), "", field, n)
			}
		}
		r := copied(t, one)
		reviewOf(r, "", unlimited)
		Annotations(r, &finding.Selection{Open: finding.Findings(r)})
		Describe(r)
		if err := Text(io.Discard, r, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		for i := range r.Mutants {
			if err := Explain(io.Discard, r, r.Mutants[i].ID, ExplainOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, field := range []string{"Mutant.EndLine", "Code.EndLine", "Evidence.BranchEnd"} {
		if most[field] > 1e9 {
			t.Errorf("%s can be %d", field, most[field])
		}
	}
}

// copied returns what a file with r holds.
func copied(t *testing.T, r *results.Results) *results.Results {
	t.Helper()
	data, err := results.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	c, err := results.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
