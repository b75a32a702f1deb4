package main

import (
	"slices"
	"strings"
	"testing"
)

func TestFlagsOfGoTestReachTheirReaders(t *testing.T) {
	for _, test := range []struct {
		args, build, test string
	}{
		{"", "", ""},
		{"-short", "", "-test.short"},
		{"--short", "", "-test.short"},
		{"-short=false", "", "-test.short=false"},
		{"-test.short -test.count=1", "", "-test.short -test.count=1"},
		{"-count 1 -short", "", "-test.count=1 -test.short"},
		{"-tags a,b", "-tags=a,b", ""},
		{"-tags=a -short -mod=vendor", "-tags=a -mod=vendor", "-test.short"},
		{"-trimpath -tags x", "-trimpath -tags=x", ""},
		{"-short -args -run x -- y", "", "-test.short -run x -- y"},
	} {
		build, flags, err := splitTestFlags(strings.Fields(test.args))
		if err != nil || strings.Join(build, " ") != test.build || strings.Join(flags, " ") != test.test {
			t.Errorf("splitTestFlags(%q) = %q, %q, %v; want %q, %q", test.args, build, flags, err, test.build, test.test)
		}
	}
}

func TestOtherFlagsOfGoTestAreRefused(t *testing.T) {
	for _, args := range []string{"-race", "-run X", "-test.run=X", "-cover", "-fuzz=F", "-timeout=1m", "-count", "-tags", "./...", "-", "--", "-nosuch"} {
		if build, flags, err := splitTestFlags(strings.Fields(args)); err == nil {
			t.Errorf("splitTestFlags(%q) = %q, %q without an error", args, build, flags)
		} else if !strings.Contains(err.Error(), "\nhint: ") {
			t.Errorf("splitTestFlags(%q): no hint in %q", args, err)
		}
	}
}

// FuzzSplitTestFlags checks that no argument is lost, made up or passed to the
// wrong side.
func FuzzSplitTestFlags(f *testing.F) {
	f.Add("-short -tags x -count=2 -args -v")
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Fields(line)
		build, flags, err := splitTestFlags(args)
		if err != nil {
			return
		}
		for _, b := range build {
			if strings.HasPrefix(b, "-test.") {
				t.Errorf("%q: flag %q for the go command", args, b)
			}
		}
		own := slices.Index(args, "-args")
		if own < 0 {
			own = slices.Index(args, "--args")
		}
		if own >= 0 && len(flags) >= len(args)-own-1 {
			flags = flags[:len(flags)-(len(args)-own-1)]
		}
		for _, b := range flags {
			if !strings.HasPrefix(b, "-test.") {
				t.Errorf("%q: %q for test binaries", args, b)
			}
		}
		if own < 0 && len(build)+len(flags) > len(args) {
			t.Errorf("%q became %q and %q", args, build, flags)
		}
	})
}
