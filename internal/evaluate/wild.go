package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// wellKnown lists one commit each of services, command-line programs and libraries.
const wellKnown = `
prometheus/prometheus   58149206014faeb3ce0e0e7c4981751992e764ed
kubernetes/apimachinery a2d36bc7a654cee58d7856face3dd2b3fce6e169
helm/helm               601445e88cf1fe66b2885c793d564030aad1d707
etcd-io/etcd            7cf71ec9e2ec54230a5454392fa4ffd4574b41ed
caddyserver/caddy       546752e2141f36ef292ef533a5e42cadaa559758
gohugoio/hugo           192e3c453e904cf2e79312d4335a7ee216fe659d
nats-io/nats-server     4ea33f0b8afe2515df2b94c2f6bd62224fc4752b
syncthing/syncthing     97cb72a6083707334582c5bab21a4b8dd4667d5f
junegunn/fzf            759b7c32833b1867185f0354686319296b4c00c1
mikefarah/yq            b7a06d6e1fe7e0926e6036ed2b3c4036c79338b7
traefik/traefik         3f10dd442479530560f010167cac2947676d9b29
cli/cli                 e9d8092ffc632186791b703944fa0e9e043378c0
go-gorm/gorm            d9372f551000bef6535f5679c38255ca0be327bc
sirupsen/logrus         b3369d2b710f2c5ed1566d6844bd204093bc3627
charmbracelet/bubbletea 930e18c9668417db1908c7a694ee49676116b46e
spf13/viper             260b8e9a3c75f49c374251f10fa1529d9e704b6a
hashicorp/raft          62eaa1c192d4c09c90caa5e227177eb9205a6267
gorilla/mux             2b030fc311d07b8c5950807800b03b2d32a7142c
spf13/afero             295a6607e9e18841592f87a5cab1f7ce270544ed
samber/lo               029e81ad4e8a0dea60a2801566cd8a69f9575f44
`

// inTheWild is the claimed share of repositories in which every mutant that is on a changed line and that a test
// reaches has a verdict.
const inTheWild = 0.9

// wild runs the program on one commit of each of many repositories, with all defaults but the time and the place
// of the corpus, and prints the outcomes.
func wild(ctx context.Context, l *lab) (bool, error) {
	fmt.Fprint(l.out, "| repository | commit | go test | status | seconds | functions | killed | survived | ignored | not run | on changed lines: killed | survived | ignored | not run | reached, no verdict | warnings |\n"+
		"|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	var broken []string
	complete := 0
	for _, p := range l.pulls {
		s, err := l.see(ctx, p)
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		if err != nil {
			fmt.Fprintf(l.out, "| %s | no result | | | | | | | | | | | | | |\n", p)
			broken = append(broken, fmt.Sprintf("%s: %v", p.repo, err))
			continue
		}
		fmt.Fprintln(l.out, s.row())
		if s.complete() {
			complete++
		}
		if !s.analysed() {
			broken = append(broken, fmt.Sprintf("%s: status %d, although go test of the changed packages passes", p.repo, s.status))
		}
	}
	fmt.Fprintf(l.out, "\nEvery mutant on a changed line that tests reach has a verdict: %d of %d.\n", complete, len(l.pulls))
	if float64(complete) < inTheWild*float64(len(l.pulls)) {
		broken = append(broken, fmt.Sprintf("%d repositories are complete; claimed: %.0f %% of %d", complete, 100*inTheWild, len(l.pulls)))
	}
	l.reportBroken(broken)
	return len(broken) == 0, nil
}

// sighting is the outcome of a run on one repository.
type sighting struct {
	pull
	outcome
	passes bool // go test of the packages with changed code passes
}

// see runs the program on one repository.
func (l *lab) see(ctx context.Context, p pull) (s *sighting, err error) {
	fmt.Fprintf(l.log, "%s, %s\n", p, time.Now().Format(time.TimeOnly))
	c, err := l.checkOut(ctx, p, "repository")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, l.forget(p)) }()
	s = &sighting{pull: p}
	if _, s.passes, err = l.plainTest(ctx, c); err != nil {
		return nil, err
	}
	s.outcome, err = l.mutantfuzz(ctx, c, "--corpus="+filepath.Join(l.dir, "corpus", p.folder()))
	return s, err
}

// analysed reports whether the run meets what is claimed of it: go test fails anyway, or the exit status blames
// neither the program (3) nor mutantfuzz (4).
func (s *sighting) analysed() bool { return !s.passes || s.status != 3 && s.status != 4 }

// complete reports whether every mutant that is on a changed line and that a test reaches has a verdict.
func (s *sighting) complete() bool {
	return s.Results != nil && !tooEarly(s.Results) && count(s.Results, onDiff, undecided) == 0
}

// undecided reports whether m should have a verdict and has none. A mutant that was not run counts, although
// perhaps no test reaches it: that is not known then.
func undecided(m *results.Mutant) bool {
	return m.Status == results.NotRun || m.Status == results.Ignored && m.Evidence.Tests > 0
}

// row returns s as a row of the table.
func (s *sighting) row() string {
	test := "passes"
	if !s.passes {
		test = "fails"
	}
	cells := []any{s.pull, test, s.status, seconds(s.took)}
	if s.Results == nil {
		return join(append(cells, slices.Repeat([]any{""}, 11)...))
	}
	cells = append(cells, len(s.Scope))
	for _, status := range []string{results.Killed, results.Survived, results.Ignored, results.NotRun} {
		cells = append(cells, count(s.Results, is(status)))
	}
	for _, status := range []string{results.Killed, results.Survived, results.Ignored, results.NotRun} {
		cells = append(cells, count(s.Results, onDiff, is(status)))
	}
	return join(append(cells, count(s.Results, onDiff, undecided), len(s.Warnings)))
}

// join returns a row of a table.
func join(cells []any) string {
	var b strings.Builder
	b.WriteString("|")
	for _, c := range cells {
		fmt.Fprintf(&b, " %v |", c)
	}
	return b.String()
}
