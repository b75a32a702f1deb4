package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// claim is a verdict on one mutant, and whether plain go test contradicts it.
type claim struct {
	module int
	id     string
	first  string // what go test says against it; empty: nothing
	again  string // ... the second time, where first is not empty
}

// truth draws verdicts of all modules at random and lets internal/audit check each on a plain rebuild.
// internal/audit shares no code with the engine. Disagreements are checked a second time, because time-dependent
// tests fail on busy machines whatever the mutant. Both counts are printed.
func truth(ctx context.Context, l *lab) (bool, error) {
	auditor := filepath.Join(l.dir, "audit")
	if err := l.build(ctx, auditor, "github.com/mutantfuzz/mutantfuzz/internal/audit"); err != nil {
		return false, err
	}
	var pool []claim
	analyses := make([]*analysis, len(l.modules))
	for i, m := range l.modules {
		a, err := l.analyse(ctx, m, l.workers)
		if err != nil {
			return false, err
		}
		analyses[i] = a
		pool = append(pool, claims(i, a.Results)...)
		fmt.Fprintf(l.log, "%s: %d mutants\n", m.query, len(a.Mutants))
	}
	drawn := draw(pool, l.n, l.seed)
	for i, m := range l.modules {
		var mine []*claim
		for j := range drawn {
			if drawn[j].module == i {
				mine = append(mine, &drawn[j])
			}
		}
		if err := l.check(ctx, auditor, m, analyses[i], mine); err != nil {
			return false, err
		}
	}
	return l.reportTruth(drawn, analyses), nil
}

// claims returns the verdicts killed and survived in r. It leaves out mutants that share their ID with another.
func claims(module int, r *results.Results) []claim {
	count := map[string]int{}
	for _, m := range r.Mutants {
		count[m.ID]++
	}
	var list []claim
	for _, m := range r.Mutants {
		if count[m.ID] == 1 && (m.Status == results.Killed || m.Status == results.Survived) {
			list = append(list, claim{module: module, id: m.ID})
		}
	}
	return list
}

// draw picks up to n claims of pool by the seed, in the order of the pool.
func draw(pool []claim, n int, seed int64) []claim {
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	picked := random.Perm(len(pool))[:min(n, len(pool))]
	slices.SortFunc(picked, cmp.Compare[int])
	var drawn []claim
	for _, i := range picked {
		drawn = append(drawn, pool[i])
	}
	return drawn
}

// check asks the auditor about claims on one module. It asks twice about claims that the auditor disagrees with.
func (l *lab) check(ctx context.Context, auditor string, m module, a *analysis, list []*claim) error {
	wrong, err := l.audit(ctx, auditor, m, a, list)
	if err != nil {
		return err
	}
	var doubtful []*claim
	for _, c := range list {
		if c.first = wrong[c.id]; c.first != "" {
			doubtful = append(doubtful, c)
		}
	}
	wrong, err = l.audit(ctx, auditor, m, a, doubtful)
	for _, c := range doubtful {
		c.again = wrong[c.id]
	}
	return err
}

// audit runs the auditor once and returns its disagreements by the IDs of the mutants.
func (l *lab) audit(ctx context.Context, auditor string, m module, a *analysis, list []*claim) (map[string]string, error) {
	if len(list) == 0 {
		return nil, nil
	}
	var ids []string
	for _, c := range list {
		ids = append(ids, c.id)
	}
	fmt.Fprintf(l.log, "%s: rebuilding %d mutants\n", m.query, len(ids))
	out, err := command{dir: m.dir, fine: []int{1}, log: l.log, args: []string{
		auditor, "-json", "-results=" + a.file, "-dir=" + m.dir, fmt.Sprintf("-n=%d", len(ids)), "-ids=" + strings.Join(ids, ","),
	}}.run(ctx)
	if err != nil {
		return nil, err
	}
	return disagreements(out, ids)
}

// disagreements reads the output of the auditor. It returns an error if the auditor left a mutant out.
func disagreements(out []byte, ids []string) (map[string]string, error) {
	wrong := map[string]string{}
	seen := map[string]bool{}
	dec := json.NewDecoder(bytes.NewReader(out))
	for {
		var line struct{ ID, Wrong string }
		err := dec.Decode(&line)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("reading the audit: %w", err)
		}
		seen[line.ID] = true
		if line.Wrong != "" {
			wrong[line.ID] = line.Wrong
		}
	}
	for _, id := range ids {
		if !seen[id] {
			return nil, fmt.Errorf("the audit says nothing of mutant %s", id)
		}
	}
	return wrong, nil
}

func (l *lab) reportTruth(drawn []claim, analyses []*analysis) bool {
	fmt.Fprintf(l.out, "seed %d\n\n| module | mutants | drawn | agree at once | agree |\n|---|--:|--:|--:|--:|\n", l.seed)
	var all, atOnce, agree int
	for i, m := range l.modules {
		var n, first, again int
		for _, c := range drawn {
			if c.module != i {
				continue
			}
			n++
			if c.first == "" {
				first++
			}
			if c.again == "" {
				again++
			}
		}
		fmt.Fprintf(l.out, "| %s | %d | %d | %d | %d |\n", m.query, len(analyses[i].Mutants), n, first, again)
		all, atOnce, agree = all+n, atOnce+first, agree+again
	}
	fmt.Fprintf(l.out, "| all | | %d | %d | %d |\n", all, atOnce, agree)
	for _, c := range drawn {
		if c.first != "" {
			fmt.Fprintf(l.out, "\n%s %s\nat once: %s\nagain: %s\n", l.modules[c.module].query, c.id, c.first, c.again)
		}
	}
	return agree == all && all > 0
}
