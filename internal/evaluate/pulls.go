package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// pullRequests are the pull requests that pulls measures. Each changes code of one to three packages whose tests
// pass with plain go test. Three repositories have more than 200,000 lines.
const pullRequests = `
urfave/cli              8294cc82f6f4340340ec5b9373488cb1c799c80b
spf13/cobra             746ef07158728502482cea9f880a6f4b21ef29a9
go-chi/chi              6eb35881c0e438ffb663ddbad3a61babaa5e5d8a
gin-gonic/gin           472d086af2acd924cb4b9d7be0525f7d790f69bc
pelletier/go-toml       06fb30bf2ed31da9b7883d261fdad5d1d043b095
hashicorp/hcl           bbfec2d532518e6536b9924d1f039abd07c6f2ef
rs/zerolog              1869fa55bea5c09e93a06368c6a8756780dca5f7
go-playground/validator 43253862b17ba5ae184cff6a136a2e62dbddce4a
stretchr/testify        1eb5fc0b40b46c0bddf911802faea2dd0831985f
caddyserver/caddy       873fac5fc094fe538d0c477509127bb321d51a32
kubernetes/apimachinery a2d36bc7a654cee58d7856face3dd2b3fce6e169
prometheus/prometheus   5571c7dc98ac526e7ebbcf39ae3c6c61a40c437f # 250,000 lines
nats-io/nats-server     6ec86e555f138b7d66b0196ca9b643fba6d54750 # 430,000 lines
gohugoio/hugo           50973e727223b346fa1113d8a79e9b1539cd4e59 # 215,000 lines
`

// Claims about a pull request. Every mutant on a changed line is judged within changedFactor times what plain go
// test of the touched packages takes, plus changedExtra. Mutants are judged pullRatio times as fast as by the
// peer, in geometric mean.
const (
	changedFactor = 5
	changedExtra  = 5 * time.Second
	pullRatio     = 15
)

// pulls measures how long a pull request takes on a machine that has built its base but not the pull request:
// until all mutants on changed lines are judged, and until the end. It compares that with plain go test of the
// packages with changed code, and with a peer. The peer judges mutants on changed lines by the tests of those
// packages, so mutantfuzz uses only these tests, too. A second run uses the tests of dependents.
func pulls(ctx context.Context, l *lab) (bool, error) {
	if err := installGomutants(ctx, l); err != nil {
		return false, err
	}
	fmt.Fprint(l.out, "| repository | commit | plain go test | changed lines | whole run | gomutants | judged | on changed lines | judged a second | gomutants | ratio | changed lines not run | with dependents |\n"+
		"|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	var broken []string
	var ratios []float64
	for _, p := range l.pulls {
		r, err := l.measurePull(ctx, p)
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		if err != nil {
			fmt.Fprintf(l.out, "| %s | no result | | | | | | | | | | |\n", p)
			broken = append(broken, fmt.Sprintf("%s: %v", p.repo, err))
			continue
		}
		fmt.Fprintln(l.out, r.row())
		broken = append(broken, r.broken()...)
		if ratio := r.ratio(); ratio > 0 {
			ratios = append(ratios, ratio)
		}
	}
	mean := geometricMean(ratios)
	fmt.Fprintf(l.out, "\nSeconds, and judged mutants a second of the whole run. Geometric mean of %d ratios: %.1f.\n", len(ratios), mean)
	if mean < pullRatio {
		broken = append(broken, fmt.Sprintf("the ratio to the peer is %.1f in geometric mean; claimed: %d", mean, pullRatio))
	}
	l.reportBroken(broken)
	return len(broken) == 0, nil
}

// reportBroken prints the claims that do not hold.
func (l *lab) reportBroken(claims []string) {
	for _, c := range claims {
		fmt.Fprintf(l.out, "\n%s\n", c)
	}
}

// pulled is what was measured on one pull request.
type pulled struct {
	pull
	passes  bool // plain go test passes
	plain   time.Duration
	changed time.Duration // until all mutants on changed lines were judged; 0: not known
	whole   time.Duration
	all     time.Duration // the whole run with the tests of dependents
	judged  int           // mutants that a test ran
	onDiff  judgedOnDiff
	peer    *rate // nil: it gave no result
}

// judgedOnDiff are counts of mutants on changed lines.
type judgedOnDiff struct{ all, judged, notRun int }

// measurePull measures one pull request.
func (l *lab) measurePull(ctx context.Context, p pull) (r *pulled, err error) {
	fmt.Fprintf(l.log, "%s\n", p)
	defer func() { err = errors.Join(err, l.forget(p)) }()
	c, err := l.checkOut(ctx, p, "package")
	if err != nil {
		return nil, err
	}
	r = &pulled{pull: p}
	if r.plain, r.passes, err = l.plainTest(ctx, c); err != nil {
		return nil, err
	}
	o, err := l.onPull(ctx, c, "package")
	if err != nil {
		return nil, err
	}
	r.fill(o)
	if r.peer, err = l.peerOnPull(ctx, c, r.whole); err != nil {
		fmt.Fprintf(l.log, "%s: gomutants gave no result: %v\n", p, err)
	}
	if c, err = l.checkOut(ctx, p, "auto"); err != nil { // elsewhere: nothing is built there yet
		return nil, err
	}
	if o, err = l.onPull(ctx, c, "auto"); err != nil {
		return nil, err
	}
	r.addDependents(o)
	return r, ctx.Err()
}

// onPull runs mutantfuzz, with a warm build cache as of the base, on a pull request.
func (l *lab) onPull(ctx context.Context, c *checkout, tests string) (outcome, error) {
	if err := l.warm(ctx, c); err != nil {
		return outcome{}, err
	}
	o, err := l.mutantfuzz(ctx, c, "--execs=0", "--corpus=none", "--tests="+tests)
	switch {
	case err != nil:
		return o, err
	case o.Results == nil:
		return o, fmt.Errorf("mutantfuzz ends with status %d and no results", o.status)
	case tooEarly(o.Results):
		return o, errors.New("the time was up before it was known which mutants there are")
	}
	return o, nil
}

// fill takes over the measurements of a run with the tests of the changed packages.
func (r *pulled) fill(o outcome) {
	r.whole = o.took
	r.judged = judged(o.Results)
	r.onDiff = judgedOnDiff{
		all:    count(o.Results, onDiff),
		judged: count(o.Results, onDiff, wasJudged),
		notRun: count(o.Results, onDiff, is(results.NotRun)),
	}
	r.changed = changed(o)
}

// addDependents takes over the measurements of a run with the tests of dependents. The claim about changed lines
// has to hold for both runs, so r.changed becomes the longer time.
func (r *pulled) addDependents(o outcome) {
	r.all = o.took
	r.onDiff.notRun = max(r.onDiff.notRun, count(o.Results, onDiff, is(results.NotRun)))
	if c := changed(o); c == 0 || r.changed == 0 {
		r.changed = 0
	} else {
		r.changed = max(r.changed, c)
	}
}

// changed returns how long it took until all mutants on changed lines were judged, or 0 if that is not known.
func changed(o outcome) time.Duration {
	if o.Seconds.Changed == 0 {
		return 0
	}
	return time.Duration((o.Seconds.Diff + o.Seconds.Changed) * float64(time.Second))
}

// peerOnPull runs gomutants on the changed lines of c. A peer that is cut off counts as having judged nothing. It
// is not cut off before it has taken as long as our run did.
func (l *lab) peerOnPull(ctx context.Context, c *checkout, ours time.Duration) (*rate, error) {
	limit := max(l.peerLimit, ours)
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	r, err := l.gomutants(limited, c)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return &rate{whole: limit, cut: true}, nil
	}
	if err != nil {
		return nil, err
	}
	return &r, nil
}

// rate returns the number of mutants judged per second of the whole run.
func (r *pulled) rate() float64 { return float64(r.judged) / r.whole.Seconds() }

// ratio returns our rate divided by the peer's, or 0 if one of the two judged nothing.
func (r *pulled) ratio() float64 {
	if r.peer == nil || r.peer.judged == 0 {
		return 0
	}
	return r.rate() / (float64(r.peer.judged) / r.peer.whole.Seconds())
}

// row returns r as a row of the table.
func (r *pulled) row() string {
	plain, changed, peer, peerRate, ratio := seconds(r.plain), "not known", "no result", "", ""
	if !r.passes {
		plain += ", fails"
	}
	switch {
	case r.changed > 0:
		changed = seconds(r.changed)
	case r.onDiff.all == 0:
		changed = "none"
	}
	if r.peer != nil {
		peer, peerRate = seconds(r.peer.whole), fmt.Sprintf("%.2f (%s)", float64(r.peer.judged)/r.peer.whole.Seconds(), r.peer.count())
	}
	if r.ratio() > 0 {
		ratio = fmt.Sprintf("%.1f", r.ratio())
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %d | %d of %d | %.1f | %s | %s | %d | %s |", r.pull, plain, changed, seconds(r.whole), peer,
		r.judged, r.onDiff.judged, r.onDiff.all, r.rate(), peerRate, ratio, r.onDiff.notRun, seconds(r.all))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()) }

// competes reports whether a peer has a result to compare with: it judged something, or was cut off.
func competes(peer *rate) bool { return peer != nil && (peer.judged > 0 || peer.cut) }

// broken returns the claims that r does not meet.
func (r *pulled) broken() []string {
	var list []string
	say := func(format string, args ...any) { list = append(list, r.repo+": "+fmt.Sprintf(format, args...)) }
	allowed := changedExtra + changedFactor*r.plain
	if !r.passes {
		say("plain go test fails, so nothing can be claimed of it")
	}
	switch {
	case r.onDiff.all > 0 && r.changed == 0:
		say("not known when the changed lines were judged")
	case r.changed > allowed:
		say("changed lines took %s s; claimed: %s", seconds(r.changed), seconds(allowed))
	}
	if competes(r.peer) && r.whole > r.peer.whole {
		say("the whole run took %s s; the peer's: %s", seconds(r.whole), seconds(r.peer.whole))
	}
	if r.onDiff.notRun > 0 {
		say("%d mutants on changed lines not run", r.onDiff.notRun)
	}
	return list
}
