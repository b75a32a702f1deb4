package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Claims about the ratio to the best peer: its geometric mean over the modules, and the least for any module.
const (
	testsMean, testsLeast = 80, 15
	wholeMean, wholeLeast = 33, 12
)

// speed runs mutantfuzz and its peers in turn on every module, l.runs times, and prints how many mutants per
// second each judges.
func speed(ctx context.Context, l *lab) (bool, error) {
	all := []tool{ours}
	for name := range strings.SplitSeq(l.peers, ",") {
		t, ok := tools[name]
		if !ok {
			return false, fmt.Errorf("%q is no peer\nhint: there are gremlins and ooze", name)
		}
		if err := t.install(ctx, l); err != nil {
			return false, err
		}
		all = append(all, t)
	}
	fmt.Fprint(l.out, "| module | tool | judged | a second of the tests | a second of the whole run | ratio: tests | ratio: whole |\n|---|---|--:|--:|--:|--:|--:|\n")
	var tests, whole []float64
	for _, m := range l.modules {
		rates, err := l.alternate(ctx, m, all)
		if err != nil {
			return false, err
		}
		t, w := l.reportSpeed(m, all, rates)
		tests, whole = append(tests, t), append(whole, w)
	}
	fmt.Fprintf(l.out, "\nRates: median (least–most) of %d runs in turn. Ratios: our median over that of the best peer.\n", l.runs)
	fmt.Fprintf(l.out, "Geometric mean and least of the ratios: tests %.1f and %.1f, whole runs %.1f and %.1f.\n",
		geometricMean(tests), slices.Min(tests), geometricMean(whole), slices.Min(whole))
	return geometricMean(tests) >= testsMean && slices.Min(tests) >= testsLeast &&
		geometricMean(whole) >= wholeMean && slices.Min(whole) >= wholeLeast, nil
}

// alternate runs the tools one after the other, l.runs times, so that whatever else the machine does affects all
// of them. The result is indexed by tool.
func (l *lab) alternate(ctx context.Context, m module, all []tool) ([][]rate, error) {
	rates := make([][]rate, len(all))
	for range l.runs {
		for i, t := range all {
			r, err := l.judge(ctx, t, m)
			switch {
			case ctx.Err() != nil:
				return nil, context.Cause(ctx)
			case err != nil && t.name == ours.name:
				return nil, err
			case err != nil:
				fmt.Fprintf(l.log, "%s: %s gave no result: %v\n", m.query, t.name, err)
				continue
			}
			fmt.Fprintf(l.log, "%s: %s: %d judged, %.1f s of tests, %.1f s in all\n", m.query, t.name, r.judged, r.tests.Seconds(), r.whole.Seconds())
			rates[i] = append(rates[i], r)
		}
	}
	return rates, nil
}

// judge lets t judge m. It cuts off a peer after l.peerLimit; what the peer did until then gives its rate.
func (l *lab) judge(ctx context.Context, t tool, m module) (rate, error) {
	if t.name != ours.name {
		limited, cancel := context.WithTimeout(ctx, l.peerLimit)
		defer cancel()
		ctx = limited
	}
	return t.judge(ctx, l, m)
}

// reportSpeed prints the rows of a module and returns our ratios to the best peer. Peers without any result do
// not count. The ratios are 0 if there is no other peer.
func (l *lab) reportSpeed(m module, all []tool, rates [][]rate) (tests, whole float64) {
	ofTests := func(r rate) float64 { return float64(r.judged) / r.tests.Seconds() }
	ofWhole := func(r rate) float64 { return float64(r.judged) / r.whole.Seconds() }
	var bestTests, bestWhole float64
	for _, peer := range rates[1:] {
		if len(peer) > 0 {
			bestTests = max(bestTests, spreadOf(peer, ofTests).median)
			bestWhole = max(bestWhole, spreadOf(peer, ofWhole).median)
		}
	}
	if bestTests > 0 && bestWhole > 0 {
		tests, whole = spreadOf(rates[0], ofTests).median/bestTests, spreadOf(rates[0], ofWhole).median/bestWhole
	}
	for i, t := range all {
		switch {
		case len(rates[i]) == 0:
			fmt.Fprintf(l.out, "| %s | %s | – | no result | no result | | |\n", m.query, t.name)
		case i == 0:
			fmt.Fprintf(l.out, "| %s | %s | %d | %s | %s | %.1f | %.1f |\n", m.query, t.name, rates[i][0].judged,
				spreadOf(rates[i], ofTests), spreadOf(rates[i], ofWhole), tests, whole)
		default:
			fmt.Fprintf(l.out, "| | %s | %s | %s | %s | | |\n", t.name, rates[i][0].count(), spreadOf(rates[i], ofTests), spreadOf(rates[i], ofWhole))
		}
	}
	return tests, whole
}

// spread summarises several measurements.
type spread struct{ least, median, most float64 }

func (s spread) String() string { return fmt.Sprintf("%.1f (%.1f–%.1f)", s.median, s.least, s.most) }

// spreadOf returns the spread of measure over list, which must not be empty.
func spreadOf[T any](list []T, measure func(T) float64) spread {
	values := make([]float64, len(list))
	for i, item := range list {
		values[i] = measure(item)
	}
	slices.SortFunc(values, cmp.Compare[float64])
	n := len(values)
	return spread{values[0], (values[(n-1)/2] + values[n/2]) / 2, values[n-1]}
}

// geometricMean returns the geometric mean of positive numbers, or 0 if there are none.
func geometricMean(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range list {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(list)))
}
