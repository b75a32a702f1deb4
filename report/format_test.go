package report

import (
	"bytes"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// full is a writer without room: every write fails.
type full struct{}

var errFull = errors.New("no room")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestEveryFormatIsWrittenWholeOrSaysWhyNot(t *testing.T) {
	r, err := results.Load(filepath.Join("testdata", "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	word := regexp.MustCompile("^[a-z]+$")
	seen := map[string]bool{}
	for _, f := range AllFormats(TextOptions{}) {
		var out bytes.Buffer
		if err := f.Render(&out, r); err != nil || !strings.HasSuffix(out.String(), "\n") || seen[out.String()] {
			t.Errorf("%s: %v, or it is empty, not whole or another format", f.Name, err)
		}
		seen[out.String()] = true
		if err := f.Render(full{}, r); !errors.Is(err, errFull) {
			t.Errorf("%s: what cannot be written is no error: %v", f.Name, err)
		}
		if !word.MatchString(f.Name) || seen[f.Name] {
			t.Errorf("%q is no name", f.Name)
		}
		seen[f.Name] = true
	}
}

func TestFormatsAreListedAsASentenceDoes(t *testing.T) {
	all := Formats{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	for want, f := range map[string]Formats{"": nil, "a": all[:1], "a or b": all[:2], "a, b or c": all} {
		if got := f.String(); got != want {
			t.Errorf("%d formats are listed as %q, want %q", len(f), got, want)
		}
	}
	if all.Renderer("d") != nil {
		t.Error("a format that is not there has a renderer")
	}
}
