package fuzz

import (
	"slices"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

func TestArgumentsOfTestsBecomeSeedsOfDrivers(t *testing.T) {
	target := &Target{Target: &weave.Target{Params: []string{"s", "n", "data"}, Types: []string{"string", "int8", "[]byte"}}}
	places := target.places("F(ctx, Level(n), s, list...)")
	if !slices.Equal(places, []int{2, 1, -1}) {
		t.Fatalf("places are %v", places)
	}
	for name, test := range map[string]struct {
		args []string
		want string // empty: no entry
	}{
		"constants":                {[]string{"", "5", `"a\n"`}, "go test fuzz v1\nstring(\"a\\n\")\nint8(5)\n[]byte(\"\")\n"},
		"conversions":              {[]string{"", "m.Level(-5)", `m.Name("x")`}, "go test fuzz v1\nstring(\"x\")\nint8(-5)\n[]byte(\"\")\n"},
		"no form as source":        {[]string{"", "5", ""}, ""},
		"too few":                  {[]string{"", "5"}, ""},
		"no constant":              {[]string{"", "x", `"a"`}, ""},
		"another type than wanted": {[]string{"", `"a"`, `"a"`}, ""},
		"out of range":             {[]string{"", "500", `"a"`}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e, ok := target.entryOf(test.args, places)
			if ok != (test.want != "") || string(e.Data) != test.want {
				t.Errorf("got %q", e.Data)
			}
			if ok && e.ID != wire.EntryID(test.want) {
				t.Error("the entry has the ID of another")
			}
		})
	}
}

func TestArgumentsOfTestsMakeInputsEasierToRead(t *testing.T) {
	u, target := newTestFuzzer()
	u.Woven.Tested = [][]byte{[]byte("12")}
	found, carved := corpus.NewEntry([]byte(wire.EncodeEntry([]any{57}))), corpus.NewEntry([]byte(wire.EncodeEntry([]any{60})))
	target.corpus, target.carved = []corpus.Entry{found, carved}, []corpus.Entry{carved}
	job := u.simplifyJob(&claim{target: target, mutant: 1, entry: found})
	if len(job.Corpus) != 2 || job.Corpus[0].ID != found.ID || job.Corpus[1].ID != carved.ID || len(job.Tested) != 1 {
		t.Errorf("the job is %+v", job)
	}
}
