package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// completeMutants offers the IDs of the mutants in the file that --results names. It describes each mutant by its
// place, operator and status.
func completeMutants(cmd *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
	file, err := cmd.Flags().GetString("results")
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	r, err := results.Load(file)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp // a shell cannot show errors here
	}
	var ids []string
	for i := range r.Mutants {
		if m := &r.Mutants[i]; strings.HasPrefix(m.ID, start) {
			about := fmt.Sprintf("%s:%d %s, %s", m.File, m.Line, m.Operator, m.Status)
			ids = append(ids, cobra.CompletionWithDesc(harmless(m.ID), harmless(about)))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// completeFlag registers the values that a shell offers for a flag. It panics if the flag does not exist.
func completeFlag(cmd *cobra.Command, flag string, values ...string) {
	offer := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic(err)
	}
}
