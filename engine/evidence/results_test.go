package evidence

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/report/results"
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

func TestWhatATestKilledLivesIfTheTestIsQuarantined(t *testing.T) {
	r := &judge.Result{Surveys: []*judge.Survey{{Suite: &executor.Suite{Package: "m/p"}, Quarantined: []judge.Quarantined{
		{Package: "m/p", Test: "TestFlaky", Why: judge.FailsSometimes}, {Package: "m/p", Test: "TestWoven", Why: executor.FailsWoven},
	}}}}
	for name, judges := range map[string]func(Mutants){
		"tests":                       func(l Mutants) { l.Judged(r, nil) },
		"tests of further dependents": func(l Mutants) { l.JudgedOn(nil, r, nil) },
	} {
		for _, tt := range []struct {
			test    string
			rebuilt Outcome
			want    string
		}{
			{"m/p.TestFlaky", Unchecked, results.Survived},
			{"m/p.TestFlaky/sub", Confirmed, results.Survived},
			{"m/p.TestFlaky", Contradicted, results.NotRun},
			{"m/p.TestOther", Confirmed, results.Killed},
			{"m/p.TestWoven", Unchecked, results.Killed}, // in a plain rebuild
			{"m/p/q.TestFlaky", Unchecked, results.Killed},
		} {
			m := &Mutant{Mutant: woven(mutate.Mutant{}), Number: 1, Package: "m/p", Rebuilt: Rebuilt{Outcome: tt.rebuilt}}
			m.Tests = &judge.Decision{Decision: ledger.Decision{Status: ledger.Killed, Test: tt.test}}
			judges(Mutants{m})
			if got := m.Verdict().Status; got != tt.want {
				t.Errorf("%s: killed by %s, it is %s, want %s", name, tt.test, got, tt.want)
			}
			if m.Live() && m.Rebuilt.Outcome != Unchecked {
				t.Errorf("%s: killed by %s, it counts as checked", name, tt.test)
			}
		}
	}
}
