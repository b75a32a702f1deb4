package verdicts

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func open(t *testing.T, dir string, fresh bool) *Book {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.Book("context", fresh)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// same returns the key of a Run with the key "1", as if no function had changed since.
func same([]string) Key { return "1" }

func TestVerdictsAreOnFunctionsAsTheyWere(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, false)
	b.Add("a", Verdict{Kind: "test"}, Run{[]string{"f", "g"}, "before"})
	b.Add("a", Verdict{}, Run{[]string{"f"}, "after"})
	for _, b := range []*Book{b, open(t, dir, false)} {
		for now, want := range map[Key]Verdict{"before": {Kind: "test"}, "after": {}} {
			if v, ok := b.Find("a", func([]string) Key { return now }); !ok || v != want {
				t.Errorf("with the sources of %s: %v, %t", now, v, ok)
			}
		}
		if _, ok := b.Find("a", func([]string) Key { return "never" }); ok {
			t.Error("there is a verdict on sources that were never seen")
		}
	}
}

func TestTheLastVerdictCountsThoughAnEarlierOneIsTheSame(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, false)
	for _, kind := range []string{noVerdict, "test", noVerdict} {
		b.Add("a", Verdict{Kind: kind}, Run{[]string{"f"}, "1"})
	}
	for _, b := range []*Book{b, open(t, dir, false)} {
		if v, ok := b.Find("a", same); !ok || v.Kind != noVerdict {
			t.Errorf("a kill that was withdrawn is found: %v, %t", v, ok)
		}
	}
	name := filepath.Join(dir, "context.jsonl")
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b.Add("a", Verdict{Kind: noVerdict}, Run{[]string{"f"}, "1"})
	if after, err := os.ReadFile(name); err != nil || len(after) != len(before) {
		t.Errorf("what was said last is written again: %v", err)
	}
}

func TestVerdictsOutliveTheProcess(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir, false)
	b.Add("a", Verdict{Kind: "test", Name: "TestA/sub"}, Run{[]string{"f"}, "1"})
	b.Add("b", Verdict{}, Run{[]string{"f"}, "1"})
	// The book is not closed, as if the process were killed here.
	b = open(t, dir, false)
	if v, ok := b.Find("a", same); !ok || v != (Verdict{Kind: "test", Name: "TestA/sub"}) {
		t.Errorf("a: %v, %t", v, ok)
	}
	if v, ok := b.Find("b", same); !ok || v != (Verdict{}) {
		t.Errorf("b: %v, %t", v, ok)
	}
	if _, ok := b.Find("c", same); ok {
		t.Error("c was never added")
	}
}

func TestOnlyIncompleteLinesAreLost(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, false).Add("a", Verdict{}, Run{[]string{"f"}, "1"})
	name := filepath.Join(dir, "context.jsonl")
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"key":"torn","ki`); err != nil {
		t.Fatal(err)
	}
	f.Close()
	open(t, dir, false).Add("b", Verdict{Kind: "hang"}, Run{[]string{"f"}, "1"})
	b := open(t, dir, false)
	for _, key := range []Key{"a", "b"} {
		if _, ok := b.Find(key, same); !ok {
			t.Errorf("%s is lost", key)
		}
	}
	if _, ok := b.Find("torn", same); ok {
		t.Error("a torn line counts")
	}
}

func TestFreshIgnoresAndStillRemembers(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, false).Add("a", Verdict{}, Run{[]string{"f"}, "1"})
	b := open(t, dir, true)
	if _, ok := b.Find("a", same); ok {
		t.Error("a fresh book knows a")
	}
	b.Add("a", Verdict{Kind: "crash"}, Run{[]string{"f"}, "1"})
	if v, _ := open(t, dir, false).Find("a", same); v.Kind != "crash" {
		t.Errorf("the newer verdict on a is lost: %v", v)
	}
}

func TestUnusedContextsAreRemoved(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, false).Add("a", Verdict{}, Run{[]string{"f"}, "1"})
	old := time.Now().Add(-keep - time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "context.jsonl"), old, old); err != nil {
		t.Fatal(err)
	}
	if _, ok := open(t, dir, false).Find("a", same); ok {
		t.Error("a is still there")
	}
}

func TestKeysDependOnTheLimitsOfTheirParts(t *testing.T) {
	if NewKey("ab", "c") == NewKey("a", "bc") {
		t.Error("the parts run together")
	}
}

func TestNothingIsRememberedWithoutAStore(t *testing.T) {
	var s *Store
	b, err := s.Book("context", false)
	if err != nil {
		t.Fatal(err)
	}
	b.Add("a", Verdict{}, Run{[]string{"f"}, "1"})
	if _, ok := b.Find("a", same); ok {
		t.Error("a is known")
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}
