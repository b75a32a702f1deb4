package main

import (
	"slices"
	"strings"
)

// flagKind says what becomes of a flag of "go test".
type flagKind int

const (
	buildFlag   flagKind = iota + 1 // for the go command, with a value
	buildSwitch                     // for the go command, without
	testFlag                        // for test binaries, with a value
	testSwitch                      // for test binaries, without
)

// goTestFlags are the flags of "go test" that an analysis passes on. The others
// either choose what mutantfuzz chooses itself (tests, time, coverage, fuzzing)
// or build binaries that woven code does not fit, as -race does: every mutant
// would be a race with the counters that watch it.
var goTestFlags = map[string]flagKind{
	"tags": buildFlag, "mod": buildFlag, "modfile": buildFlag, "ldflags": buildFlag, "gcflags": buildFlag,
	"trimpath": buildSwitch,
	"count":    testFlag, "cpu": testFlag, "parallel": testFlag, "shuffle": testFlag,
	"short": testSwitch, "failfast": testSwitch,
}

// instead tells what to use instead of flags that are refused.
var instead = map[string]string{
	"run":     "leave tests out with --skip-tests, or choose whose tests judge with --tests",
	"skip":    "use --skip-tests",
	"timeout": "bound the analysis with --time",
	"p":       "use --workers",
}

// splitTestFlags sorts flags as "go test" takes them into those for the go
// command and those for test binaries, in the form that each takes. What
// follows -args goes to test binaries as it is.
func splitTestFlags(args []string) (build, test []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if !strings.HasPrefix(arg, "-") || arg == "-" || arg == "--" {
			return nil, nil, usagef("%q after \"--\" is not a flag\nhint: packages go before \"--\", flags of go test after it", arg)
		}
		name, value, hasValue := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
		if name == "args" {
			return build, append(test, args...), nil
		}
		name = strings.TrimPrefix(name, "test.")
		kind, ok := goTestFlags[name]
		if !ok {
			return nil, nil, refuse(name)
		}
		if !hasValue && (kind == buildFlag || kind == testFlag) {
			if len(args) == 0 {
				return nil, nil, usagef("flag -%s after \"--\" needs a value\nhint: write -%s=VALUE", name, name)
			}
			value, hasValue, args = args[0], true, args[1:]
		}
		if hasValue {
			value = "=" + value
		}
		if kind == buildFlag || kind == buildSwitch {
			build = append(build, "-"+name+value)
		} else {
			test = append(test, "-test."+name+value)
		}
	}
	return build, test, nil
}

// sortTestFlags sorts flags that splitTestFlags made, build flags first, into
// the two kinds again.
func sortTestFlags(flags []string) (build, test []string) {
	for i, flag := range flags {
		name, _, _ := strings.Cut(strings.TrimPrefix(flag, "-"), "=")
		if kind := goTestFlags[name]; kind != buildFlag && kind != buildSwitch {
			return flags[:i], flags[i:]
		}
	}
	return flags, nil
}

// refuse is the error about a flag that is not passed on.
func refuse(name string) error {
	if hint := instead[name]; hint != "" {
		return usagef("flag -%s of go test cannot be used here\nhint: %s", name, hint)
	}
	var known []string
	for name := range goTestFlags {
		known = append(known, "-"+name)
	}
	slices.Sort(known)
	return usagef("flag -%s of go test cannot be used here\nhint: these can: %s, and -args before flags of your own", name, strings.Join(known, " "))
}
