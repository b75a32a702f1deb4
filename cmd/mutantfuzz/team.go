package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/diffscope/change"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/internal/config"
	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// team holds what a team has decided, for one analysis: the configuration file of the repository, and what was
// dismissed in reviews.
type team struct {
	config.Config
	reviews config.Config // only what was dismissed in reviews
}

// team reads the configuration file of the repository. Without a file it returns the zero value.
func (f *scopeFlags) team(ctx context.Context) (team, error) {
	data, err := change.RootFile(ctx, change.Source{Dir: f.dir, Head: f.head, Env: os.Environ()}, config.Name, config.MaxSize)
	var file *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return team{}, nil
	case errors.As(err, &file):
		return team{}, usagef("%s: %w\nhint: it has to be a file of up to %d MiB in the repository, and no link", config.Name, file.Err, config.MaxSize>>20)
	case err != nil:
		return team{}, err
	}
	c, err := config.Decode(data, operatorNames())
	if err != nil {
		return team{}, &usageError{err}
	}
	return team{Config: *c}, nil
}

// exclude marks the functions in excluded files as skipped.
func (t *team) exclude(scope *diffscope.Scope) {
	for i := range scope.Functions {
		f := &scope.Functions[i]
		if pattern := t.Excluded(f.File); pattern != "" && f.Skipped == "" {
			f.Skipped = fmt.Sprintf("excluded in %s: %s", config.Name, pattern)
		}
	}
}

// Beginnings of the reason why a mutant is ignored.
const (
	dismissed         = "dismissed in " + config.Name + ": "
	dismissedInReview = "dismissed in a review: "
)

// choose returns the mutants of f without those of disabled operators. It sets Ignored of those that are
// dismissed.
func (t *team) choose(f *mutate.Function, mutants []mutate.Mutant) []mutate.Mutant {
	mutants = slices.DeleteFunc(mutants, func(m mutate.Mutant) bool { return t.Disabled(m.Operator) })
	if len(t.Dismissed)+len(t.reviews.Dismissed) == 0 {
		return mutants
	}
	for i := range mutants {
		m := &mutants[i]
		if m.Ignored != "" {
			continue
		}
		described := evidence.Described(m, f.Source)
		if entries := about(&t.Config, &described); len(entries) > 0 {
			m.Ignored = dismissed + entries[0].Reason
		} else if entries := about(&t.reviews, &described); len(entries) > 0 {
			m.Ignored = dismissedInReview + entries[0].Reason
		}
	}
	return mutants
}

// about returns the entries of c that dismiss m.
func about(c *config.Config, m *results.Mutant) []*config.Dismissal {
	return c.Matching(m.Function, m.Operator, edit.Text(m))
}

// maxStale is the largest number of entries without a match that are named.
const maxStale = 8

// warnings says what the configuration file and dismissals in reviews did to r, and which entries of the file
// match nothing. r has to be complete except for options and findings.
func (t *team) warnings(r *results.Results) []string {
	var list []string
	if did := t.effects(r); len(did) > 0 {
		list = append(list, config.Name+": "+strings.Join(did, "; "))
	}
	if n := ignoredFor(r, dismissedInReview); n > 0 {
		list = append(list, fmt.Sprintf("mutants dismissed in reviews: %d", n))
	}
	stale := t.stale(r)
	for _, d := range stale[:min(len(stale), maxStale)] {
		list = append(list, fmt.Sprintf("%s:%d: the entry about %.100s matches no mutant any more: remove it", config.Name, d.Line, d.Function))
	}
	if more := len(stale) - maxStale; more > 0 {
		list = append(list, fmt.Sprintf("%s: %d more entries match nothing any more", config.Name, more))
	}
	return list
}

// effects says what the configuration file leaves out of r.
func (t *team) effects(r *results.Results) (did []string) {
	excluded, silenced := 0, ignoredFor(r, dismissed)
	for i := range r.Scope {
		if t.Excluded(r.Scope[i].File) != "" {
			excluded++
		}
	}
	if excluded > 0 {
		did = append(did, fmt.Sprintf("functions in excluded files: %d", excluded))
	}
	if silenced > 0 {
		did = append(did, fmt.Sprintf("dismissed mutants: %d", silenced))
	}
	if len(t.Operators.Disable) > 0 {
		did = append(did, "disabled operators: "+strings.Join(t.Operators.Disable, ", "))
	}
	return did
}

// ignoredFor counts the mutants whose reason begins with why.
func ignoredFor(r *results.Results, why string) (n int) {
	for i := range r.Mutants {
		if strings.HasPrefix(r.Mutants[i].Reason, why) {
			n++
		}
	}
	return n
}

// stale returns the entries about analysed functions that match none of their mutants. If r is partial, a
// function without mutants does not count as analysed: it may not have been reached yet.
func (t *team) stale(r *results.Results) (list []*config.Dismissal) {
	used, made := map[*config.Dismissal]bool{}, map[string]bool{}
	for i := range r.Mutants {
		made[r.Mutants[i].Function] = true
		for _, d := range about(&t.Config, &r.Mutants[i]) {
			used[d] = true
		}
	}
	known := map[string]bool{}
	for _, f := range r.Scope {
		known[f.ID] = f.Skipped == "" && (made[f.ID] || !r.Partial)
	}
	for i := range t.Dismissed {
		if d := &t.Dismissed[i]; known[d.Function] && !used[d] {
			list = append(list, d)
		}
	}
	return list
}
