package finding

import (
	"fmt"
	"slices"
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
