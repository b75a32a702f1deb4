package main

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mutantfuzz/mutantfuzz/report/prose"
)

// flagKind says how a flag of "go test" is passed on.
type flagKind int

const (
	buildFlag   flagKind = iota + 1 // for the go command, with a value
	buildSwitch                     // for the go command, without a value
	testFlag                        // for test binaries, with a value
	testSwitch                      // for test binaries, without a value
)

// goTestFlags are the flags of "go test" that an analysis passes on. All others are refused. They either choose
// what mutantfuzz chooses itself (tests, time, coverage, fuzzing) or build binaries that do not work with woven
// code. With -race, for example, every mutant would race with the counters that watch it.
var goTestFlags = map[string]flagKind{
	"tags": buildFlag, "mod": buildFlag, "modfile": buildFlag, "ldflags": buildFlag, "gcflags": buildFlag,
	"trimpath": buildSwitch,
	"count":    testFlag, "cpu": testFlag, "parallel": testFlag, "shuffle": testFlag,
	"short": testSwitch, "failfast": testSwitch,
}

// instead says what to use instead of a flag that is refused.
var instead = map[string]string{
	"run":     "leave tests out with --skip-tests, or choose whose tests judge with --tests",
	"skip":    "use --skip-tests",
	"timeout": "bound the analysis with --time",
	"p":       "use --workers",
}

// splitTestFlags separates flags, in the syntax of "go test", into those for the go command and those for test
// binaries, in the form that each takes: "-short" becomes "-test.short". What follows -args goes to test binaries
// as it is.
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

// fileFlags matches the flags that may come from a results file, with their values, as splitTestFlags writes
// them. Whoever wrote the file chose them. So none of them can start a program, read or write other files (as
// -ldflags and -test.cpuprofile can), or take a large number.
var fileFlags = regexp.MustCompile(`^(?:(-tags=[\w.]+(?:,[\w.]+)*|-trimpath(?:=true|=false)?)|` +
	`-test\.(?:(?:short|failfast)(?:=true|=false)?|(?:count|parallel)=\d{1,4}|cpu=\d{1,4}(?:,\d{1,4}){0,15}|shuffle=(?:on|off|\d{1,18})))$`)

// flagsFromFile separates the flags of a results file into those for the go command and those for test binaries.
// The error names the flags that may not come from a file.
func flagsFromFile(flags []string) (build, test []string, err error) {
	var refused []string
	for _, flag := range flags {
		switch match := fileFlags.FindStringSubmatch(flag); {
		case match == nil:
			refused = append(refused, flag)
		case match[1] != "":
			build = append(build, flag)
		default:
			test = append(test, flag)
		}
	}
	if len(refused) > 0 {
		return nil, nil, usagef("the results were made with flags that are not taken from a file, as they could start programs or write files: %.300q\nhint: %s",
			refused, givenAgain(flags))
	}
	return build, test, nil
}

// givenAgain says how to give the flags of a results file on the command line.
func givenAgain(flags []string) string {
	var ours, own []string
	for _, flag := range flags {
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(flag, "-"), "test."), "=")
		if goTestFlags[name] != 0 && strings.HasPrefix(flag, "-") {
			ours = append(ours, prose.ShellWord(flag))
		} else {
			own = append(own, prose.ShellWord(flag))
		}
	}
	if len(own) > 0 {
		ours = append(append(ours, "-args"), own...)
	}
	line := strings.Join(ours, " ")
	if len(line) > maxHint || strings.ContainsFunc(line, unicode.IsControl) {
		return "give the flags of go test that you want after --, as to run"
	}
	return "if these are yours, give all flags after the ID: -- " + line
}

// maxHint is the longest command line, in bytes, that a hint shows. A longer one is not shortened: half of it
// could do something else.
const maxHint = 500

// refuse returns the error about a flag that is not passed on.
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
