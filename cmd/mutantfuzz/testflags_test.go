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

// FuzzSplitTestFlags checks that flags go to the right side, the go command or test binaries, and that no argument is
// made up.
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

func TestOnlyHarmlessFlagsComeFromAFile(t *testing.T) {
	for _, flag := range []string{
		"-tags=a", "-tags=a,go1.21,x_y", "-trimpath", "-trimpath=false", "-test.short", "-test.short=false", "-test.failfast",
		"-test.count=2", "-test.cpu=1,2,4", "-test.parallel=8", "-test.shuffle=on", "-test.shuffle=1700000000000",
	} {
		build, test, err := flagsFromFile([]string{flag})
		if err != nil || len(build)+len(test) != 1 || (len(build) == 1) == strings.HasPrefix(flag, "-test.") {
			t.Errorf("%q gives %q, %q, %v", flag, build, test, err)
		}
	}
	for _, flag := range []string{
		"", "-", "x", "./evil", "-race", "-toolexec=./evil", "-exec=./evil", "-ldflags=-extld=./evil", "-gcflags=-d", "-mod=mod", "-modfile=x", "-overlay=x",
		"-tags", "-tags=", "-tags=a b", "-tags=a,-toolexec=x", "-tags=a\n", "-short", "-test.tags=x", "-trimpath=x",
		"-test.cpuprofile=x", "-test.outputdir=x", "-test.run=.", "-test.count=99999", "-test.count=1\n-test.run=x", "-test.cpu=", "-test.shuffle=x",
	} {
		build, test, err := flagsFromFile([]string{"-test.short", flag})
		if err == nil || len(build)+len(test) != 0 {
			t.Errorf("%q gives %q, %q", flag, build, test)
		} else if exitStatus(err) != ExitUsage || !strings.Contains(err.Error(), "\nhint: ") {
			t.Errorf("%q: exit status %d, %v", flag, exitStatus(err), err)
		}
	}
}

func TestFlagsInHintsAreQuotedForTheShell(t *testing.T) {
	for _, test := range []struct {
		flags []string
		want  string
	}{
		{[]string{"-ldflags=$(evil)", "-test.short"}, "-- '-ldflags=$(evil)' -test.short"},
		{[]string{"-test.short", "-v", "it's"}, `-- -test.short -args -v 'it'\''s'`},
		{[]string{"-x\n evil"}, "give the flags of go test that you want after --, as to run"},
		{[]string{strings.Repeat("x", 2*maxHint)}, "give the flags of go test that you want after --, as to run"},
	} {
		if got := givenAgain(test.flags); !strings.HasSuffix(got, test.want) {
			t.Errorf("%q gives the hint %q, want %q", test.flags, got, test.want)
		}
	}
}
