package mutate

import (
	"slices"
	"testing"
)

func TestErrorsOfCallsThatNeverFailAreReturned(t *testing.T) {
	for body, altered := range map[string]bool{
		"_, err := b.Write(nil)\n\treturn err":                false,
		"var err error\n\terr = b.WriteByte(1)\n\treturn err": false,
		"err := b.WriteByte(1)\n\terr = g()\n\treturn err":    true,
		"err := g()\n\treturn err":                            true,
		"err := g()\n\tb.Write(nil)\n\treturn err":            true,
	} {
		f := load(t, "package p\n\nimport \"bytes\"\n\nfunc f(b *bytes.Buffer, g func() error) error {\n\t"+body+"\n}\n")
		found := slices.ContainsFunc(Mutants(f), func(m Mutant) bool { return m.Operator == "error-return" })
		if found != altered {
			t.Errorf("%s: nil is returned instead: %v, want %v", body, found, altered)
		}
	}
}
