package verify

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestCallThatDoesNotGiveWhatIsSaidIsTakenBack(t *testing.T) {
	for name, test := range map[string]struct {
		regression regression
		inTest     bool
		stays      bool
	}{
		"its test passes":               {regression{state: sound}, false, true},
		"its test fails on the program": {regression{state: dropped}, false, false},
		"there was no time to try it":   {regression{}, false, true},
		"the call is one within a test": {regression{state: dropped}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			m := &evidence.Mutant{Exposed: &results.ExposedBy{Call: "x.F()", Setup: []string{"x := New()"}, InTest: test.inTest}}
			v := &Verifier{regressions: map[int]*regression{m.Number: &test.regression}}
			v.doubt(m)
			if stays := m.Exposed.Call != ""; stays != test.stays || stays != (m.Exposed.Setup != nil) {
				t.Errorf("the call is %q after %q", m.Exposed.Call, m.Exposed.Setup)
			}
		})
	}
}
