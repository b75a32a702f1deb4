package prose

import "testing"

func TestOnlyWordsOfThisProgramAreReworded(t *testing.T) {
	if got := Say("no test runs %s, no test", "no test").Reworded("no test", "no Go test").Markdown(); got != "no Go test runs `no test`, no Go test" {
		t.Error(got)
	}
}
