package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestEntriesThatOnlyCoverMoreAreFewAndLast(t *testing.T) {
	r := &results.Results{}
	for i := range 300 {
		reason := results.EntryCovers
		if i%10 == 9 {
			reason = results.EntryKills
		}
		r.Corpus.New = append(r.Corpus.New, results.Entry{ID: fmt.Sprint(i), Path: fmt.Sprint(i), Reasons: []string{reason}})
	}
	r.Corpus.New = append(r.Corpus.New, results.Entry{ID: "of a driver", Reasons: []string{results.EntryKills}})
	worth := Worthwhile(r)
	if len(worth) != 30+maxCovering {
		t.Fatalf("%d entries", len(worth))
	}
	for i, e := range worth {
		if useful := e.Reasons[0] == results.EntryKills; useful != (i < 30) {
			t.Errorf("entry %d: %v", i, e.Reasons)
		}
	}
}

func TestEntriesOnWhichTheBaseFailsTooStayOut(t *testing.T) {
	r := &results.Results{}
	for id, introduced := range map[string]string{"brought": results.IntroducedYes, "unknown": results.IntroducedUnknown, "older": results.IntroducedNo} {
		r.Crashes = append(r.Crashes, results.Crash{Entry: id, Harness: "p.FuzzF", Introduced: introduced})
	}
	for _, id := range []string{"brought", "unknown", "older", "unconfirmed"} {
		r.Corpus.New = append(r.Corpus.New, results.Entry{ID: id, Path: id, Harness: "p.FuzzF", Reasons: []string{results.EntryExposes, results.EntryCrash}})
	}
	for base, want := range map[string][]string{"": {"brought", "unknown"}, "abc": {"brought"}} { // no base: unknown counts as new
		r.Revisions.Base = base
		var worth []string
		for _, e := range Worthwhile(r) {
			worth = append(worth, e.ID)
		}
		if !slices.Equal(worth, want) {
			t.Errorf("base %q: %v", base, worth)
		}
	}
}

func TestAReviewCountsAllEntriesOfThePatch(t *testing.T) {
	r := push(survivor("a1", exposed))
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
