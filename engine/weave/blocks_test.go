package weave

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

func TestLinesBehindAPartThatIsUndoneAreNoPartOfIt(t *testing.T) {
	for _, tt := range []struct{ original, replacement, part, becomes string }{
		{"\t\treturn\n\t}\n", "\t}\n", "\t\treturn\n", ""},
		{"\t\ta()\n\t\tb()\n\t}\n}\n", "\t\tb()\n\t}\n}\n", "\t\ta()\n", ""},
		{"\t}\n", "\t\told()\n\t}\n", "", "\t\told()\n"},
		{"\t\ta()\n", "\t\tb()\n", "\t\ta()\n", "\t\tb()\n"},
		{"\t\ta()\n", "\t\tnot a()\n", "\t\ta()\n", "\t\tnot a()\n"},
		{"a", "b", "a", "b"},
	} {
		m := withoutEnd(&mutate.Mutant{Offset: 10, EndOffset: 10 + len(tt.original), Original: tt.original, Replacement: tt.replacement})
		if m.Original != tt.part || m.Replacement != tt.becomes || m.EndOffset != 10+len(tt.part) {
			t.Errorf("%q → %q: %q → %q, to %d", tt.original, tt.replacement, m.Original, m.Replacement, m.EndOffset)
		}
	}
}
