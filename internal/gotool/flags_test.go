package gotool

import "testing"

func TestFlagsThatAlterWhatTheGoCommandPrintsAreLeftOut(t *testing.T) {
	for flags, want := range map[string]string{
		"":                                       "",
		"-mod=mod -v":                            "",
		"-ldflags=-json":                         "",
		"'-ldflags=-X main.a=b -json' -trimpath": "",
		"-race -trimpath":                        " -trimpath",
		"-json":                                  " ",
		"--json=true -mod=mod":                   " -mod=mod",
		"-v -covermode=atomic '-ldflags=-X a=b c' -coverpkg=./...": " -v '-ldflags=-X a=b c'",
		"'-coverpkg=a,b' -n": " ",
	} {
		got, ok := usual(flags)
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("of %s there is %q, want %q", flags, got, want)
		}
	}
}
