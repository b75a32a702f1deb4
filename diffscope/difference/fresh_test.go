package difference

import (
	"go/token"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
	"github.com/mutantfuzz/mutantfuzz/diffscope/sourcediff"
)

// marked returns src with the fresh spans in «».
func marked(t *testing.T, src string, fresh []sourcediff.Span) string {
	t.Helper()
	var b strings.Builder
	at := 0
	for _, s := range fresh {
		if s.Start < at || s.End < s.Start || s.End > len(src) {
			t.Fatalf("%v in %d bytes", fresh, len(src))
		}
		b.WriteString(src[at:s.Start] + "«" + src[s.Start:s.End] + "»")
		at = s.End
	}
	return b.String() + src[at:]
}

// freshIn returns the function body now, with what is fresh against the body old in «».
func freshIn(t *testing.T, old, now string) string {
	t.Helper()
	parsed := func(body string) *declaration.Decl {
		f, err := declaration.Parse(token.NewFileSet(), "m.go", []byte("package m\n\nfunc f() {\n"+body+"\n}\n"))
		if err != nil {
			t.Fatal(err)
		}
		return f.Decls[0]
	}
	d := parsed(now)
	d.From = parsed(old)
	_, fresh := hunksOf(d)
	body := marked(t, string(d.File.Src), fresh)
	return strings.TrimSuffix(strings.TrimPrefix(body, "package m\n\nfunc f() {\n"), "\n}\n")
}

func TestWhatOfALineIsNewIsKnown(t *testing.T) {
	for _, tt := range []struct{ fact, old, want string }{
		{"another operand", "if (c >= '0' && c <= '9') || c == '-' {\n}", "if (c >= '0' && c <= '9') || c == '-' «|| isNaNOrInf(src[i:])» {\n}"},
		{"an argument", "x := f(a, b+1)", "x := f(a, b+1«, c»)"},
		{"another result", "return a", "return a«, nil»"},
		{"a literal instead of another one", "if n > 3 && m > 3 {\n}", "if n > «4» && m > 3 {\n}"},
		{"a number that is written otherwise", "if n > 0x10 && m > 3 {\n}", "if n > 16 && m > «4» {\n}"},
		{"lines that are only added", "a(1)\nb(2)", "a(1)\n«x := c(a, 1)\nd(x)\n»b(2)"},
		{"most of a line", "x := f(a)\nuse(x)", "«y, err := g(a, b)\n»use(x)"},
		{"a line altered beside added ones", "g(1)\nif a && b {\n}", "g(1)\n«n := count(x)\nif n > 3 {\n\tlog(n)\n}\n»if a && b «&& n > 0» {\n}"},
		{"a call on several lines", "x := f(a, b)", "x := f(\n\ta, b«,\n\tc,»\n)"},
		{"names and signs that many lines have", "a.b(c, d)\ne := f(g)\nuse(e)", "«h := c.d(g, e)\nf(b, a)\n»use(e)"},
		{"an operand that is gone makes another one the whole", "if a && b {\n}", "if «a {»\n}"},
		{"an operand before another one", "return 2 * x", "retur«n x»"},
		{"a call around another one", "y := must(f(x))", "y :«= f»(x«)\n»"},
		{"an argument that is gone", "return f(a, b, c)", "return f(a, b«)»"},
		{"the first argument that is gone", "return f(a, b, c)", "return f«(»b, c)"},
		{"a line that is gone, beside an altered one", "a(x, y, 1)\nb(x)\nc(x, 1)", "a(x, y, «2»)\nc(x, «2»)"},
		{"lines that are only gone", "a(1)\nb(2)\nc(3)", "a(1)\n«»c(3)"},
		{"another text of several lines", "x := `a\n\tif b && c {\n\tend`\nif b && c {\n}", "x := «`a\n\tif b && d {\n\tend`»\nif b && c {\n}"},
		{"another comment at the end of a line", "return f(a, b) // because a", "return f(a, b«, c») // because c"},
	} {
		now := strings.NewReplacer("«", "", "»", "").Replace(tt.want)
		if got := freshIn(t, tt.old, now); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.fact, got, tt.want)
		}
	}
}
