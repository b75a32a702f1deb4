package program

import (
	"path/filepath"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestAddedFilesImportWhatDriversNeed(t *testing.T) {
	p := loaded(t, map[string]string{
		"go.mod": "module m\n\ngo 1.23\n",
		"p/p.go": "package p\n\nimport \"net/http\"\n\ntype T struct{}\n\nfunc F(h http.Handler) http.Handler { return h }\n",
		"q/q.go": "package q\n\nimport \"m/p\"\n\ntype Q struct{ P p.T }\n",
		"r/r.go": "package r\n\nimport \"m/q\"\n\nfunc F(q q.Q) {}\n",
	}, "F")
	p.Functions = append(p.Functions, diffscope.Function{Function: results.Function{ID: "m/r.F", Package: "m/r", Name: "F"}})
	if err := p.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := p.Load(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ pkg, text string }{
		"a recorder for a handler":               {"p", "import \"net/http/httptest\"\n\nvar _ = httptest.NewRecorder()\n"},
		"a touched package imported on the way":  {"r", "import (\"m/p\"; \"m/q\")\n\nfunc use() { F(q.Q{P: p.T{}}) }\n"},
		"a standard package imported on the way": {"r", "import (\"m/p\"; \"net/http\")\n\nvar _ http.Handler = p.F(nil)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			f := File{Path: filepath.Join(p.Dir, test.pkg, "driver_test.go"), Package: "m/" + test.pkg, Source: []byte("package " + test.pkg + "\n\n" + test.text)}
			if err := p.add(f); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAddedFilesCollectPairs(t *testing.T) {
	p := loaded(t, map[string]string{"go.mod": "module m\n\ngo 1.23\n", "p/p.go": "package p\n\nfunc F() {}\n"}, "F")
	source := []byte("package p\n\nimport \"maps\"\n\nvar _ = maps.Collect[int, int]\n")
	if err := p.add(File{Path: filepath.Join(p.Dir, "p/driver_test.go"), Package: "m/p", Source: source}); err != nil {
		t.Error(err)
	}
}
