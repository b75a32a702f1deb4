package revisions

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
)

func TestAWholeTestHasTheSubtestsThatOtherRunsLeaveOut(t *testing.T) {
	suite := &executor.Suite{Package: "m/p", Without: []string{"TestA/red"}}
	s := whole(executor.Spec{Suite: suite, Tests: []string{"TestA"}})
	if len(s.Suite.Without) != 0 || s.Suite.Package != "m/p" || len(s.Tests) != 1 {
		t.Errorf("%+v of %+v", s, s.Suite)
	}
	if len(suite.Without) != 1 {
		t.Error("the suite of other runs has changed")
	}
}
