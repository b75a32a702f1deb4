package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func (c *Command) list() *cobra.Command {
	var f scopeFlags
	var only listFilter
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [flags] [packages] [-- flags of go test]",
		Short: "list the functions in scope and their mutants, without running any",
		Long: `list prints the functions in scope, with the reason, and their mutants. Filters
limit which mutants are listed; of several, all have to hold. With a filter,
functions without such mutants are left out.

  mutantfuzz list --arid                    what is suppressed, and by which rule
  mutantfuzz list --operator relational,logical
  mutantfuzz list --function 'Parse|^T\.'
  mutantfuzz list --on-diff --status pending`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.arguments(cmd, args); err != nil {
				return err
			}
			if err := only.check(cmd); err != nil {
				return err
			}
			return analysisError(c.listMutants(cmd, &f, &only, asJSON))
		},
	}
	f.register(cmd)
	only.register(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what is known in the form of results.json")
	return cmd
}

func (c *Command) listMutants(cmd *cobra.Command, f *scopeFlags, only *listFilter, asJSON bool) error {
	ctx := cmd.Context()
	decisions, err := f.team(ctx)
	if err != nil {
		return err
	}
	scope, done, err := c.find(ctx, f)
	if err != nil {
		return err
	}
	defer done()
	decisions.exclude(scope)
	r, err := engine.List(ctx, engine.Config{BuildFlags: f.build, Choose: decisions.choose}, scope)
	if err != nil {
		return err
	}
	(&runFlags{scopeFlags: *f, tests: string(engine.TestsAuto), decisions: decisions}).describe(r, scope.Notes, nil)
	r.Options.Sandbox = nil // nothing ran
	empty := len(r.Scope) == 0
	only.apply(r)
	if err := identify(ctx, r, scope); err != nil {
		return err
	}
	if !asJSON {
		return c.show(listText(r, empty, only.suppressed()))
	}
	data, err := results.Encode(r)
	if err != nil {
		return err
	}
	_, err = c.Stdout.Write(data)
	return err
}

// listText returns every function in r with its mutants, one per line. empty says that nothing was in scope
// before filtering. Unless suppressed is set, it only counts the suppressed mutants.
func listText(r *results.Results, empty, suppressed bool) string {
	var b strings.Builder
	hidden := 0
	mutants := mutantsOf(r)
	for n, f := range r.Scope {
		fmt.Fprintf(&b, "%s:%d: %s (%s)\n", f.File, f.StartLine, f.ID, f.Reason)
		if f.Skipped != "" {
			fmt.Fprintf(&b, "  left out: %s\n", f.Skipped)
		}
		for _, m := range mutants[n] {
			if m.Status == results.Ignored && !suppressed {
				hidden++
			} else {
				b.WriteString("  " + mutantLine(m) + "\n")
			}
		}
	}
	for _, warning := range r.Warnings {
		fmt.Fprintf(&b, "note: %s\n", warning)
	}
	if hidden > 0 {
		fmt.Fprintf(&b, "note: %d suppressed mutants are not listed; --arid lists them, each with the rule\n", hidden)
	}
	switch {
	case empty:
		b.WriteString("nothing to mutate\n")
	case len(r.Scope) == 0:
		b.WriteString("no mutant passes the filters\n")
	}
	return b.String()
}

// mutantsOf returns the mutants of each function in scope. A package may have several functions called init, with the
// same ID: these are told apart by their lines.
func mutantsOf(r *results.Results) [][]*results.Mutant {
	named := map[string][]int{} // indices of functions by ID
	for n, f := range r.Scope {
		named[f.ID] = append(named[f.ID], n)
	}
	list := make([][]*results.Mutant, len(r.Scope))
	for i := range r.Mutants {
		m := &r.Mutants[i]
		functions := named[m.Function]
		if len(functions) == 0 {
			continue
		}
		at := max(0, slices.IndexFunc(functions, func(n int) bool {
			f := &r.Scope[n]
			return m.File == f.File && f.StartLine <= m.Line && m.Line <= f.EndLine
		}))
		list[functions[at]] = append(list[functions[at]], m)
	}
	return list
}

// mutantLine describes a mutant in one line.
func mutantLine(m *results.Mutant) string {
	replacement := oneLine(m.Replacement)
	if replacement == "" {
		replacement = "(nothing)"
	}
	line := fmt.Sprintf("%s %d:%d %s: %s → %s", m.ID, m.Line, m.Column, m.Operator, oneLine(m.Original), replacement)
	if m.Status != results.Pending {
		line += fmt.Sprintf(" (%s: %s)", m.Status, oneLine(m.Reason))
	}
	return line
}

// maxSource is the largest number of runes of source code that a line shows.
const maxSource = 60

// oneLine returns source code on one line, shortened to maxSource runes.
func oneLine(source string) string {
	return prose.Shorten(strings.Join(strings.Fields(source), " "), maxSource)
}
