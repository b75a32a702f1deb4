package callgraph

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

func TestTmpLarge(t *testing.T) {
	q := os.Getenv("TMPQ")
	touchedRel := os.Getenv("TMPP")
	fns := strings.Split(os.Getenv("TMPF"), ",")
	tool := gotool.Go{Dir: copyModule(t, q)}
	s0 := time.Now()
	all, err := tool.List(t.Context(), nil, "./...")
	if err != nil {
		t.Fatal(err)
	}
	t.Log("list", time.Since(s0))
	var exp time.Duration
	cfg := Config{
		Packages: map[string]*gotool.Package{}, GoVersion: func(string) string { return "" },
		Exports: func(ctx context.Context, paths []string) (map[string]string, error) {
			s := time.Now()
			defer func() { exp = time.Since(s) }()
			return tool.Exports(ctx, nil, paths)
		},
	}
	for _, p := range all {
		cfg.Packages[p.ImportPath] = p
	}
	touched := ""
	for _, p := range all {
		if p.Dir == tool.Dir+"/"+touchedRel {
			touched = p.ImportPath
		}
	}
	cfg.Touched = []string{touched}
	for _, p := range all {
		dep := p.ImportPath == touched || slices.Contains(p.Deps, touched)
		for _, imp := range slices.Concat(p.TestImports, p.XTestImports) {
			if q := cfg.Packages[imp]; imp == touched || q != nil && slices.Contains(q.Deps, touched) {
				dep = true
			}
		}
		if dep && len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			cfg.Harnesses = append(cfg.Harnesses, p.ImportPath)
		}
	}
	s1 := time.Now()
	l := newLoader(cfg)
	if err := l.load(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Log("load", time.Since(s1), "of it exports", exp, "unit", len(l.unit), "harnesses", len(cfg.Harnesses))
	s1 = time.Now()
	g, err := Build(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("all of Build", time.Since(s1), len(g.sources))
	s1 = time.Now()
	for _, h := range cfg.Harnesses {
		d, known := g.Reach(h)
		mark := []any{}
		for _, fn := range fns {
			if n, ok := d[touched+"."+fn]; ok {
				mark = append(mark, fn, n)
			}
		}
		t.Log(strings.TrimPrefix(h, "golang.org/x/"), known, len(d), mark, g.harnesses[h].err)
	}
	t.Log("reach", time.Since(s1))
}
