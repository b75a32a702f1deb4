package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/report"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/results"
	"github.com/mutantfuzz/mutantfuzz/report/review"
)

// resultsFlag adds the flag --results.
func resultsFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "results", defaultResults, "results `FILE`")
}

// load reads results. Its errors are usage errors.
func load(file string) (*results.Results, error) {
	r, err := results.Load(file)
	if err != nil {
		return nil, &usageError{err}
	}
	return r, nil
}

// loadToShow reads results that are only shown. It warns if they came with the repository, or if that is unknown.
func (c *Command) loadToShow(ctx context.Context, file string) (*results.Results, error) {
	r, err := load(file)
	if err != nil {
		return nil, err
	}
	switch yes, err := brought(ctx, file); {
	case err != nil:
		c.say(fmt.Sprintf("warning: these results may have come with the repository, and say anything: %v", err))
	case yes:
		c.say(fmt.Sprintf("warning: git tracks %s: these results came with the repository, and may say anything", file))
	}
	return r, nil
}

func (c *Command) report() *cobra.Command {
	var file, format string
	all := report.AllFormats
	if c.Formats != nil {
		all = c.Formats
	}
	formats := all(c.textOptions())
	cmd := &cobra.Command{
		Use:   "report",
		Short: "print results as " + formats.String(),
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if formats.Renderer(format) == nil {
				return usagef("--format %q is not known\nhint: use %v", format, formats)
			}
			r, err := c.loadToShow(cmd.Context(), file)
			if err != nil {
				return err
			}
			return formats.Renderer(format).Render(c.Stdout, r)
		},
	}
	resultsFlag(cmd, &file)
	names := formats.Names()
	cmd.Flags().StringVar(&format, "format", names[0], formats.String())
	completeFlag(cmd, "format", names...)
	return cmd
}

func (c *Command) explain() *cobra.Command {
	var file string
	var test, patch bool
	cmd := &cobra.Command{
		Use:               "explain ID",
		Short:             "show all that is known of one mutant",
		Args:              oneMutant,
		ValidArgsFunction: completeMutants,
		RunE: func(cmd *cobra.Command, args []string) error {
			if test && patch {
				return usagef("--test and --patch exclude each other\nhint: leave out one")
			}
			r, err := c.loadToShow(cmd.Context(), file)
			if err != nil {
				return err
			}
			m, err := report.Mutant(r, args[0])
			if err == nil {
				err = checkMutant(m)
			}
			if err != nil {
				return err
			}
			source := ""
			switch {
			case test:
				source, err = report.RegressionTest(r, args[0])
			case patch:
				source, err = report.Patch(r, args[0])
			default:
				return report.Explain(c.Stdout, r, args[0], c.explainOptions(file))
			}
			if err != nil {
				return &usageError{err}
			}
			return c.give(source)
		},
	}
	resultsFlag(cmd, &file)
	cmd.Flags().BoolVar(&test, "test", false, "print only the test that tells the mutant from the program")
	cmd.Flags().BoolVar(&patch, "patch", false, "print only the mutant as a patch, for git apply --unidiff-zero")
	return cmd
}

// explainOptions returns the options for explaining a mutant, of the results in file, on standard output.
func (c *Command) explainOptions(file string) report.ExplainOptions {
	if file == defaultResults {
		file = ""
	}
	return report.ExplainOptions{TextOptions: c.textOptions(), File: file, Operator: func(name string) string {
		for _, op := range mutate.Operators() {
			if op.Name == name {
				first, _, _ := strings.Cut(op.Doc, ". ")
				return strings.TrimSuffix(first, ".") + "."
			}
		}
		return ""
	}}
}

func (c *Command) review() *cobra.Command {
	var file, repo, comments, corpus string
	var pr, maxFindings int
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "review",
		Short: "post or update the one review of a pull request on GitHub",
		Long: `review posts results as one review of a pull request, or edits the one it
posted before. Repository, pull request, API and token come from GITHUB_REPOSITORY,
GITHUB_EVENT_PATH, GITHUB_API_URL and GITHUB_TOKEN. Where the token may not post,
the review goes to the step summary, with a warning.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := c.loadToShow(cmd.Context(), file)
			if err != nil {
				return err
			}
			cfg, err := review.FromEnv(c.Getenv)
			if err != nil {
				return err
			}
			if repo != "" {
				cfg.Repo = repo
			}
			if cmd.Flags().Changed("pr") {
				cfg.PR, cfg.Explicit = pr, true
			}
			cfg.MaxFindings, cfg.Comments, cfg.DryRun, cfg.Out = maxFindings, comments, dryRun, c.Stderr
			if dryRun {
				cfg.Out = c.Stdout
			}
			outcome, err := review.Post(cmd.Context(), cfg, r)
			if err != nil {
				return err
			}
			return errors.Join(c.tellOutcome(outcome), storeDismissals(cmd.Context(), corpus, outcome.Dismissed))
		},
	}
	resultsFlag(cmd, &file)
	flags := cmd.Flags()
	flags.StringVar(&repo, "repo", "", "`OWNER/NAME` on GitHub")
	flags.IntVar(&pr, "pr", 0, "number of the pull request")
	flags.IntVar(&maxFindings, "max-findings", 0, fmt.Sprintf("number of findings shown, at most %d (default: from mutantfuzz.yml, else %d)", finding.MaxFindings, finding.DefaultMaxFindings))
	flags.StringVar(&comments, "comments", review.CommentsAnnotations, "where findings go: annotations (within GitHub Actions, and the body), inline (comments at the lines of the diff) or body")
	flags.StringVar(&corpus, "corpus", "", "`DIR` of the shared corpus, to keep there what people have dismissed: run leaves it out of later analyses")
	flags.BoolVar(&dryRun, "dry-run", false, "print the review, and the comments with their places, and post nothing")
	return cmd
}

// tellOutcome says what posting did.
func (c *Command) tellOutcome(o review.Outcome) error {
	if o.Action == review.Nothing && o.Warning != "" {
		return c.show("no review posted\n") // the warning says why
	}
	return c.show(map[review.Action]string{
		review.Created: "posted the review: " + o.URL + "\n",
		review.Updated: "updated the review: " + o.URL + "\n",
		review.Nothing: "nothing to say, no review posted\n",
	}[o.Action])
}
