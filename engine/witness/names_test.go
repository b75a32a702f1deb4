package witness

import (
	"slices"
	"testing"
)

func TestVariablesHaveTheNumbersThatTheyNeed(t *testing.T) {
	for _, tt := range []struct{ setup, want []string }{ // the last statement is the call
		{[]string{"tree9 := New()", "tree10, _ := tree9.Insert(\"tree9\")", "i25 := tree10.Iterator()", "i25.Seek(tree10.i25)"},
			[]string{"tree := New()", "tree2, _ := tree.Insert(\"tree9\")", "i := tree2.Iterator()", "i.Seek(tree2.i25)"}},
		{[]string{"w2 := w()", "w2.Write(1)"}, []string{"w2 := w()", "w2.Write(1)"}},
		{[]string{"w3 := w()", "w3.Write(1)"}, []string{"w2 := w()", "w2.Write(1)"}},
		{[]string{"if2 := f()", "if2.x()"}, []string{"if2 := f()", "if2.x()"}},
		{[]string{"a := f()", "a.x(1)"}, []string{"a := f()", "a.x(1)"}},
		{[]string{"a2 := f()", "a := g(a2)", "a.x(a2)"}, []string{"a2 := f()", "a := g(a2)", "a.x(a2)"}},
		{[]string{"f(1)"}, []string{"f(1)"}},
		{[]string{"t4 := f()", "t4.x()"}, []string{"t2 := f()", "t2.x()"}},
	} {
		last := len(tt.setup) - 1
		setup, call := renumbered(tt.setup[:last], tt.setup[last])
		if got := append(slices.Clone(setup), call); !slices.Equal(got, tt.want) {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
