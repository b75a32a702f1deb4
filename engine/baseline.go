package engine

import (
	"fmt"
	"strings"
)

// BaselineError says that no test of the touched packages passes without a mutant, so that
// nothing can be judged by them.
type BaselineError struct {
	Package string
	Tests   []string // top-level ones; empty: unknown
	Message string   // of the panic or fatal error, or what else happened; empty for failed assertions
	Output  string
}

func (e *BaselineError) Error() string {
	names := strings.Join(e.Tests, ", ")
	if names == "" {
		names = "the tests"
	}
	how := ""
	if e.Message != "" {
		how = " (" + e.Message + ")"
	}
	output := e.Output
	if cut := len(output) - 2000; cut > 0 {
		output = "[...]" + output[cut:]
	}
	return fmt.Sprintf("%s: %s fail without any mutant, repeatedly%s\n%s\nhint: make them pass, or leave them out with --skip-tests",
		e.Package, names, how, output)
}
