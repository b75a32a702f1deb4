package equate

import (
	"strings"
	"testing"
)

// listing returns a listing of the compiler for a function with the given names of itself, its closure and its literal.
func listing(name, closure, literal string) string {
	return strings.NewReplacer("NAME", name, "CLOSURE", closure, "LITERAL", literal).Replace(
		`p.NAME STEXT size=9 args=0x8 locals=0x10 funcid=0x0
	0x0000 00000 (/p.go:3)	TEXT	p.NAME(SB), ABIInternal, $16-8
	0x0000 00000 (/p.go:3)	FUNCDATA	$0, gclocals·abc==(SB)
	0x0000 00000 (/p.go:3)	FUNCDATA	$5, p.NAME.arginfo1(SB)
	0x0000 00000 (/p.go:3)	PCDATA	$3, $1
	0x0004 00004 (/p.go:4)	PCDATA	$4, $7173
	0x0000 48 8d 05 00 00 00 00 90 c3                       H........
	rel 3+4 t=R_PCREL p.NAME.CLOSURE·f+0
	rel 9+4 t=R_PCREL p..LITERAL+0
	rel 13+4 t=R_PCREL q..stmp_7+0
	rel 17+4 t=R_PCREL go:string."a b"+0
p.NAME.CLOSURE STEXT size=1
	0x0000 c3                                               .
p.NAME.CLOSURE·f SRODATA dupok size=8
	0x0000 00 00 00 00 00 00 00 00                          ........
	rel 0+8 t=R_ADDR p.NAME.CLOSURE+0
p..LITERAL SRODATA static size=2
	0x0000 01 02                                            ..
`)
}

func TestFingerprintsNameOnlyWhatCounts(t *testing.T) {
	const a, b = "mutantfuzz_equal_000001", "mutantfuzz_equal_000002"
	first := listing(a, "func1", "stmp_0")
	tests := []struct {
		name   string
		change *strings.Replacer
		equal  bool
	}{
		{"nothing", strings.NewReplacer(), true},
		{"line", strings.NewReplacer("/p.go:3", "/p.go:5"), true},
		{"live arguments", strings.NewReplacer("$3, $1", "$3, $2"), true},
		{"number of the closure", strings.NewReplacer("func1", "func9"), true},
		{"bytes", strings.NewReplacer("90 c3", "91 c3"), false},
		{"bytes of the closure", strings.NewReplacer("\t0x0000 c3", "\t0x0000 cc"), false},
		{"bytes of the literal", strings.NewReplacer("01 02", "01 03"), false},
		{"operand of a bounds check", strings.NewReplacer("$7173", "$7174"), false},
		{"stack map", strings.NewReplacer("·abc==", "·abd=="), false},
		{"frame", strings.NewReplacer("locals=0x10", "locals=0x18"), false},
		{"string", strings.NewReplacer("\"a b\"", "\"a c\""), false},
		{"literal of another package", strings.NewReplacer("q..stmp_7", "q..stmp_8"), false},
		{"offset in the literal", strings.NewReplacer("p..stmp_3+0", "p..stmp_3+1"), false},
	}
	for _, test := range tests {
		second := test.change.Replace(listing(b, "func1", "stmp_3"))
		got := parseAssembly([]byte("# p\n" + first + second))
		if got.fingerprint(a) == "" || got.fingerprint(b) == "" {
			t.Fatalf("%s: no fingerprint", test.name)
		}
		if equal := got.fingerprint(a) == got.fingerprint(b); equal != test.equal {
			t.Errorf("where the %s differs: equal is %t, want %t", test.name, equal, test.equal)
		}
	}
}

func TestWithoutAPartThereIsNoFingerprint(t *testing.T) {
	const a = "mutantfuzz_equal_000001"
	whole := listing(a, "func1", "stmp_0")
	cut := strings.Index(whole, "p."+a+".func1·f SRODATA")
	if got := parseAssembly([]byte(whole[:cut])).fingerprint(a); got != "" {
		t.Errorf("without its closure: %x", got)
	}
	if got := parseAssembly(nil).fingerprint(a); got != "" {
		t.Errorf("of an empty listing: %x", got)
	}
}
