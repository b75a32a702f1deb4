package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
)

// GoneError says that a mutant that is to be judged again does not exist.
type GoneError struct {
	ID       string // of the mutant
	Function string // ID of the function
	Declared bool   // the function itself is in scope
}

func (e *GoneError) Error() string {
	if !e.Declared {
		return fmt.Sprintf("mutant %s does not exist: function %s is not in scope here", e.ID, e.Function)
	}
	return fmt.Sprintf("mutant %s does not exist: the code of %s that it edits has changed", e.ID, e.Function)
}

// Recheck judges the mutants with the given ID, usually a single one, in the function of scope with the ID function. It
// does what [Run] does, for these mutants only: it runs the tests that reach the mutant, then the corpus entries, then
// a plain rebuild. It fuzzes only if cfg.Execs is not 0.
//
// Errors: *GoneError if the function or the mutant does not exist, and those of Run.
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
