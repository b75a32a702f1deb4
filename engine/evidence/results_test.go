package evidence

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

func TestBranchIsTheOnlyOneOfItsStatement(t *testing.T) {
	const before, condition = "func f() {\n\t", "a > 1"
	for source, want := range map[string]string{
		" {\n\t\tg()\n\t}\n}":                               "\t\tg()",
		" {\n\t\tg()\n\n\t\th()\n\t}\n}":                    "\t\tg()\n\n\t\th()",
		" { g() }\n}":                                       " g()",
		" {\n\t}\n}":                                        "",
		" {\n\t\tg()\n\t} else {\n\t\th()\n\t}}":            "",
		" {\n" + strings.Repeat("\t\tg()\n", 30) + "\t}\n}": strings.TrimSuffix(strings.Repeat("\t\tg()\n", 20), "\n"),
	} {
		m := &mutate.Mutant{EndOffset: len(before + condition), BranchEnd: len(before+condition) + strings.Index(source, "}") + 1}
		if got := branchOf(m, []byte(before+condition+source)); got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
}

func TestAKillAfterAConfirmedSurvivalIsNotConfirmed(t *testing.T) {
	for outcome, want := range map[Outcome]Outcome{Confirmed: Unchecked, Contradicted: Contradicted} {
		m := Mutant{Rebuilt: Rebuilt{Outcome: outcome}}
		if m.killed(); m.Rebuilt.Outcome != want || !m.Infected {
			t.Errorf("outcome %d: %d, want %d", outcome, m.Rebuilt.Outcome, want)
		}
	}
}
