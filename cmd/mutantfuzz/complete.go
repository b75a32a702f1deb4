package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// completeMutants offers the IDs in the results that the command line names,
// each with what it is and what became of it.
func completeMutants(cmd *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
	file, err := cmd.Flags().GetString("results")
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	r, err := results.Load(file)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp // a shell has no place for errors
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

// completeFlag offers values for a flag, which has to exist.
func completeFlag(cmd *cobra.Command, flag string, values ...string) {
	offer := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic(err)
	}
}
