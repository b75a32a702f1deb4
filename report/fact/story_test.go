package fact

import "testing"

func TestNamesOfTestsMayHaveDotsAndSlashes(t *testing.T) {
	for name, want := range map[string]string{
		"example.com/p.TestParse/v1.2":            "TestParse/v1.2",
		"example.com/p.TestF/github.com/a/b":      "TestF/github.com/a/b",
		"example.com/p.FuzzF":                     "FuzzF",
		"gopkg.in/yaml.v3.TestDecode":             "TestDecode",
		"example.com/p.mutantfuzz_driver_1_Parse": "mutantfuzz_driver_1_Parse",
		"TestAlone": "TestAlone",
	} {
		if got := Local(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
