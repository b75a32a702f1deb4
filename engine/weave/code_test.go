package weave

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCodeOfABlockIsItsStatements(t *testing.T) {
	tests := map[string]struct {
		body string
		want []string // blocks that have code, as "head: code"
	}{
		"a list":                        {"a(); b()", []string{": a(); b()"}},
		"no statement":                  {"", nil},
		"what follows a return":         {"if a { return }; b()", []string{": if a { return }", ": b()", "if a: return"}},
		"the other branch":              {"if a := f(); a { b() } else { c() }", []string{": if a := f(); a { b() } else { c() }", "if a := f(); a: b()", "if a := f(); a else: c()"}},
		"a branch that is another if":   {"if a { } else if b { c() }", []string{": if a { } else if b { c() }", "if a else: if b { c() }", "if b: c()"}},
		"a branch that is not there":    {"if a { b() }", []string{": if a { b() }", "if a: b()"}},
		"loops":                         {"for i := 0; i < 3; i++ { a() }; for range x { b() }", []string{": for i := 0; i < 3; i++ { a() }", ": for range x { b() }", "for i := 0; i < 3; i++: a()", "for range x: b()"}},
		"clauses have their own heads":  {"switch a { case 1: b(); case 2:; default: c() }", []string{": switch a { case 1: b(); case 2:; default: c() }", ": case 1: b()", ": case 2:;", ": default: c()"}},
		"clauses of select":             {"select { case <-a: b() }", []string{": select { case <-a: b() }", ": case <-a: b()"}},
		"where a goto leads to":         {"a(); L: b(); goto L", []string{": a()", ": L: b()", ": goto L"}},
		"function literals have a list": {"f := func() { a() }; f()", []string{": f := func() { a() }; f()", ": a()"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			text := "func f() {" + test.body + "}"
			d, err := parseDecl(text)
			if err != nil {
				t.Fatal(err)
			}
			blocks := map[anchor]int{}
			in := &instrument{alias: "mfz", offset: d.offset, out: &edits{}, block: func(a anchor) int {
				if _, ok := blocks[a]; !ok {
					blocks[a] = len(blocks)
				}
				return blocks[a]
			}}
			in.function(d.decl.Body)
			w := &weaver{out: &Woven{Blocks: make([]Block, len(blocks))}}
			w.locate(in.segs)
			var got []string
			for _, b := range w.out.Blocks {
				if b.Code.End == 0 {
					continue
				}
				head := text[b.Head.Start:b.Head.End]
				if b.Else {
					head += "else"
				}
				got = append(got, trimmed(head)+": "+text[b.Code.Start:b.Code.End])
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// trimmed returns a head without the space before its brace.
func trimmed(head string) string {
	if len(head) > 0 && head[len(head)-1] == ' ' {
		return head[:len(head)-1]
	}
	return head
}
