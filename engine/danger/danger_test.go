package danger

import (
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// Every pattern of the list has to match something that exists, so that no misspelt pattern goes unnoticed.
func TestEveryDangerExists(t *testing.T) {
	paths := slices.DeleteFunc(slices.Sorted(maps.Keys(dangerous)), func(path string) bool { return path == "C" })
	list, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps}, paths...)
	if err != nil || len(list) != len(paths) {
		t.Fatalf("%d packages of %d: %v", len(list), len(paths), err)
	}
	for _, p := range list {
		names := namesOf(p.Types)
		for pattern := range dangerous[p.PkgPath] {
			prefix, open := strings.CutSuffix(pattern, "*")
			if !slices.ContainsFunc(names, func(name string) bool { return name == pattern || open && strings.HasPrefix(name, prefix) }) {
				t.Errorf("%s has nothing that is called %s", p.PkgPath, pattern)
			}
		}
	}
}

// namesOf returns the names of the functions of a package, and of methods as "Type.Method".
func namesOf(p *types.Package) (names []string) {
	for _, name := range p.Scope().Names() {
		switch obj := p.Scope().Lookup(name).(type) {
		case *types.Func:
			names = append(names, name)
		case *types.TypeName:
			set := types.NewMethodSet(types.NewPointer(obj.Type()))
			for m := range set.Methods() {
				names = append(names, name+"."+m.Obj().Name())
			}
		}
	}
	return names
}

func TestDangerIsFoundThroughCalls(t *testing.T) {
	const text = `package p

import (
	"net/http"
	"os"
)

type T struct{ f *os.File }

func (t *T) put(s string) { t.f.WriteString(s) }
func safe(s string) int   { return len(s) }
func leads(t *T)          { safe(""); t.put("x") }
func names() func(int)    { return os.Exit }
func waits()              { select {} }

var (
	remove = os.Remove
	quit   func(int)
)

func init()           { quit = os.Exit }
func stubbed()        { remove("x") }
func assigned()       { quit(1) }
func routes(h http.Handler) { new(http.ServeMux).Handle("/", h) }
func serves(h http.Handler) { http.Serve(nil, h) }
func polls(c chan int) {
	select {
	case <-c:
	default:
	}
}
`
	name := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax | packages.NeedImports | packages.NeedDeps,
		Env:  append(os.Environ(), "GO111MODULE=off"),
	}, "file="+name)
	if err != nil || len(list) != 1 || len(list[0].Errors) > 0 {
		t.Fatalf("%v: %v", list, err)
	}
	g := New(list)
	for _, c := range []struct{ function, want string }{
		{"safe", ""}, {"leads", "it leads to (*os.File).WriteString, which writes files"},
		{"names", "it leads to os.Exit, which ends the process"}, {"waits", "it leads to a select statement without default, which may block forever"}, {"polls", ""},
		{"stubbed", "it leads to os.Remove, which deletes files"}, {"assigned", "it leads to os.Exit, which ends the process"},
		{"routes", ""}, {"serves", "it leads to net/http.Serve, which uses the network"},
	} {
		if got := g.Reason(list[0].Types.Scope().Lookup(c.function).(*types.Func)); got != c.want {
			t.Errorf("%s: %q, want %q", c.function, got, c.want)
		}
	}
}
