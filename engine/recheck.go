package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
)

// GoneError says that a function has no mutant of an ID any more.
type GoneError struct {
	ID       string
	Function string // ID
	Declared bool   // the function itself is still in scope
}

func (e *GoneError) Error() string {
	if !e.Declared {
		return fmt.Sprintf("mutant %s is gone: there is no %s to mutate here", e.ID, e.Function)
	}
	return fmt.Sprintf("mutant %s is gone: %s has changed where it was", e.ID, e.Function)
}

// Recheck judges the mutants of an ID, commonly one, in the function of scope
// with that ID. It goes the way of [Run], alone: the tests that reach the
// mutant, then what the corpus has, then a plain rebuild. Without cfg.Execs
// and cfg.Time it does not fuzz.
//
// Errors: *GoneError where the function or the mutant does not exist, and
// those of Run.
func Recheck(ctx context.Context, cfg Config, scope *diffscope.Scope, function, id string) (*Output, error) {
	narrow := *scope
	narrow.Functions = slices.DeleteFunc(slices.Clone(scope.Functions), func(f diffscope.Function) bool {
		return f.ID != function
	})
	cfg.only = id
	output, err := Run(ctx, cfg, &narrow)
	if err == nil && len(output.Results.Mutants) == 0 && !output.Results.Partial {
		err = &GoneError{ID: id, Function: function, Declared: len(narrow.Functions) > 0}
	}
	return output, err
}
