package pool

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

func TestAnyChoiceOfTestsFitsIntoAnArgument(t *testing.T) {
	const argument = 128 << 10
	declared := map[string]bool{}
	for n := range 7000 {
		declared[fmt.Sprintf("TestWithANameThatTakesFortyLetters_%05d", n)] = true
	}
	r := &Runner{
		Binaries: &build.Binaries{Config: build.Config{Program: &program.Program{Packages: map[string]*gotool.Package{"p": {Dir: "/p"}}}}},
		declared: map[string]map[string]bool{"p": declared},
	}
	all := slices.Sorted(maps.Keys(declared))
	for name, chosen := range map[string][]string{"some": all[:10], "many": all[:3500], "nearly all": all[1:], "all": all, "every other": everyOther(all)} {
		for flag, s := range map[string]executor.Spec{
			"-test.run=":  {Tests: chosen},
			"-test.skip=": {Skip: append(slices.Clone(chosen), "TestOther/sub")},
		} {
			s.Suite = &executor.Suite{Package: "p"}
			args := r.plain(t.Context(), "p.test", s).Args
			i := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, flag) })
			if i < 0 || len(args[i]) >= argument {
				t.Fatalf("%s, %s: at %d of %d arguments", name, flag, i, len(args))
			}
			tests, subtests, _ := strings.Cut(strings.TrimPrefix(args[i], flag), "|^TestOther$/^sub$")
			if got := matching(tests, all); !slices.Equal(got, chosen) || (flag == "-test.skip=") != strings.Contains(args[i], "^TestOther$/^sub$") {
				t.Errorf("%s, %s: %d tests instead of %d, %q", name, flag, len(got), len(chosen), subtests)
			}
		}
	}
}

// everyOther returns every second one of names.
func everyOther(names []string) (half []string) {
	for i := 0; i < len(names); i += 2 {
		half = append(half, names[i])
	}
	return half
}

// matching returns those of names that an expression matches.
func matching(expression string, names []string) []string {
	e := regexp.MustCompile(expression)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !e.MatchString(name) })
}

func TestTestsAreToldFromOthersByTheBeginningsOfTheirNames(t *testing.T) {
	for _, tt := range []struct {
		tests, others, want string
	}{
		{"TestA", "", ""},
		{"TestA", "TestB", "TestA"},
		{"TestAlong TestBlong", "TestC", "Test(A|B)"},
		{"TestA", "TestAB", "TestA$"},
		{"TestAB", "TestA", "TestAB"},
		{"TestA TestABC", "TestAB TestABCD", "TestA($|BC$)"},
		{"Testä", "Testö", "Testä"},
		{"ExampleA TestA", "ExampleB TestB", "(ExampleA|TestA)"},
	} {
		tests, others := strings.Fields(tt.tests), strings.Fields(tt.others)
		got := telling(tests, others)
		if got != tt.want || !slices.Equal(matching("^"+got, slices.Concat(tests, others)), tests) {
			t.Errorf("%s of %s: %s, want %s", tt.tests, tt.others, got, tt.want)
		}
	}
}
