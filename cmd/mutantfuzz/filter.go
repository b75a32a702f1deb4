package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// listFilter says which mutants to list. The zero value means all.
type listFilter struct {
	arid      bool     // only those that a rule or a comment suppresses
	onDiff    bool     // only those on changed lines
	operators []string // only of these; empty: of all
	statuses  []string // only with these; empty: with any
	function  string   // only in functions whose name matches this regular expression

	functions *regexp.Regexp // function, compiled by check
}

// listed are the statuses that a mutant can have before anything runs.
var listed = []string{results.Pending, results.Ignored, results.Unviable, results.NotRun}

func (l *listFilter) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&l.arid, "arid", false, "only mutants that are suppressed, each with the rule")
	flags.BoolVar(&l.onDiff, "on-diff", false, "only mutants on changed lines")
	flags.StringSliceVar(&l.operators, "operator", nil, "only mutants of the operators with these `NAMES`, separated by commas")
	flags.StringSliceVar(&l.statuses, "status", nil, "only mutants with these `STATUSES`: pending, ignored, unviable, not_run")
	flags.StringVar(&l.function, "function", "", "only mutants of functions whose name, as in Type.Method, matches the regular expression `RE`")
	completeFlag(cmd, "operator", operatorNames()...)
	completeFlag(cmd, "status", listed...)
}

// check compiles the filter. It returns an error for operators and statuses that do not exist.
func (l *listFilter) check(cmd *cobra.Command) (err error) {
	for _, name := range l.operators {
		if !slices.Contains(operatorNames(), name) {
			return usagef("--operator %q is not known\nhint: docs/operators.md has them; they are %s", name, strings.Join(operatorNames(), ", "))
		}
	}
	for _, status := range l.statuses {
		if !slices.Contains(listed, status) {
			return usagef("--status %q is not known here\nhint: nothing has run; use %s", status, strings.Join(listed, ", "))
		}
	}
	if l.functions, err = regexp.Compile(l.function); err != nil {
		return usagef("--function: %w\nhint: it takes a regular expression as go test -run does", err)
	}
	return nil
}

func operatorNames() []string {
	var names []string
	for _, op := range mutate.Operators() {
		names = append(names, op.Name)
	}
	return names
}

// suppressed reports whether the filter asks for suppressed mutants.
func (l *listFilter) suppressed() bool {
	return l.arid || slices.Contains(l.statuses, results.Ignored)
}

// apply removes from r the mutants that do not pass the filter, and the functions that have none left. Without a
// filter it changes nothing.
func (l *listFilter) apply(r *results.Results) {
	if !l.arid && !l.onDiff && len(l.operators)+len(l.statuses) == 0 && l.function == "" {
		return
	}
	names, kept := map[string]string{}, map[string]bool{}
	for _, f := range r.Scope {
		names[f.ID] = f.Name
	}
	r.Mutants = slices.DeleteFunc(r.Mutants, func(m results.Mutant) bool {
		pass := (!l.arid || m.Status == results.Ignored) &&
			(!l.onDiff || m.Evidence.OnDiff) &&
			(len(l.operators) == 0 || slices.Contains(l.operators, m.Operator)) &&
			(len(l.statuses) == 0 || slices.Contains(l.statuses, m.Status)) &&
			l.functions.MatchString(names[m.Function])
		kept[m.Function] = kept[m.Function] || pass
		return !pass
	})
	r.Scope = slices.DeleteFunc(r.Scope, func(f results.Function) bool { return !kept[f.ID] })
	r.Count()
}
