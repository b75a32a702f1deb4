package report

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestAReviewCountsAllEntriesOfThePatch(t *testing.T) {
	r := Push(Survivor("a1", Exposed))
	for i := range maxListed + 2 {
		r.Corpus.New = append(r.Corpus.New, results.Entry{ID: fmt.Sprint(i), Path: fmt.Sprint(i), Harness: "p.FuzzF", Reasons: []string{results.EntryKills}})
	}
	for i := range 3 {
		id := fmt.Sprint("covers", i)
		r.Corpus.New = append(r.Corpus.New, results.Entry{ID: id, Path: id, Harness: "p.FuzzF", Reasons: []string{results.EntryCovers}})
	}
	body := Markdown(r, Options{})
	if want := fmt.Sprintf("<summary>%d new corpus entries, in the artifact", maxListed+5); !strings.Contains(body, want) || !strings.Contains(body, "- … and 5 more\n") {
		t.Errorf("no %q, or no number of those that are not named, in\n%s", want, body)
	}
	r.Corpus.New = r.Corpus.New[maxListed+1:]
	if body := Markdown(r, Options{}); !strings.Contains(body, "4 new corpus entries") || !strings.Contains(body, "- … and 3 more\n") {
		t.Errorf("3 only cover more:\n%s", body)
	}
}
