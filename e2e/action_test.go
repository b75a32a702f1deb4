package e2e

import (
	"bufio"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// step is one of an action.
type step struct {
	Name string
	Env  map[string]string
	Run  string
}

// steps returns those of the action in a folder of the repository.
func steps(t *testing.T, folder string) []step {
	t.Helper()
	var action struct{ Runs struct{ Steps []step } }
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join("..", folder, "action.yml"))), &action); err != nil {
		t.Fatal(err)
	}
	if len(action.Runs.Steps) == 0 {
		t.Fatalf("the action in %s has no steps", folder)
	}
	return action.Runs.Steps
}

func TestNoExpressionIsPastedIntoAScript(t *testing.T) {
	for _, folder := range []string{".", "post"} {
		for _, s := range steps(t, folder) {
			if strings.Contains(s.Run, "${{") {
				t.Errorf("%s, step %q: an expression in a script is code to whoever chooses its value", folder, s.Name)
			}
		}
	}
}

func TestOnlyThePostingStepGetsTheToken(t *testing.T) {
	for _, s := range steps(t, ".") {
		for name, value := range s.Env {
			if strings.Contains(value, "token") != (s.Name == "Post the review" && name == "GITHUB_TOKEN") {
				t.Errorf("step %q has %s: %s", s.Name, name, value)
			}
		}
	}
}

func TestActionsOfOthersArePinnedByCommit(t *testing.T) {
	files := []string{"action.yml", "post/action.yml", "docs/ci.md"}
	workflows, err := fs.Glob(os.DirFS(".."), ".github/workflows/*.yml")
	if err != nil || len(workflows) == 0 {
		t.Fatal("no workflows:", err)
	}
	use := regexp.MustCompile(`uses: ([^@\s]+)@?(\S*)`)
	commit := regexp.MustCompile(`^[0-9a-f]{40}$`)
	for _, name := range append(files, workflows...) {
		for _, match := range use.FindAllStringSubmatch(read(t, filepath.Join("..", name)), -1) {
			ours := match[1] == "./" || strings.HasPrefix(match[1], "mutantfuzz/mutantfuzz")
			if !ours && !commit.MatchString(match[2]) {
				t.Errorf("%s uses %s at %q, which can change", name, match[1], match[2])
			}
		}
	}
}

// script returns the script of a step of the main action, ready to run as
// GitHub runs it, and the folder that it has for RUNNER_TEMP.
func script(t *testing.T, name string, env ...string) (cmd *exec.Cmd, temp string) {
	t.Helper()
	all := steps(t, ".")
	i := slices.IndexFunc(all, func(s step) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("there is no step %q", name)
	}
	temp = t.TempDir()
	cmd = exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", all[i].Run)
	cmd.Dir = temp
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=/home", "RUNNER_TEMP=" + temp}, env...)
	cmd.Stderr = os.Stderr
	return cmd, temp
}

// analyse returns the script of the step that analyses, with the shell script
// program in place of mutantfuzz, and a function that returns what it put out.
func analyse(t *testing.T, program string, env ...string) (*exec.Cmd, func() string) {
	t.Helper()
	cmd, temp := script(t, "Analyse", env...)
	output := filepath.Join(temp, "output")
	cmd.Env = append(cmd.Env, "GITHUB_OUTPUT="+output)
	if err := os.Mkdir(filepath.Join(temp, "mutantfuzz"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(temp, "mutantfuzz", "mutantfuzz"), []byte("#!/usr/bin/env bash\n"+program), 0o755); err != nil {
		t.Fatal(err)
	}
	return cmd, func() string { return read(t, output) }
}

func TestPullRequestTargetIsRefused(t *testing.T) {
	cmd, _ := script(t, "Build mutantfuzz", "GITHUB_EVENT_NAME=pull_request_target")
	out, _ := cmd.Output()
	if cmd.ProcessState.ExitCode() != 2 || !strings.HasPrefix(string(out), "::error::pull_request_target") {
		t.Errorf("%v, and it says %q", cmd.ProcessState, out)
	}
}

func TestInputsReachTheProgramAsTheyAre(t *testing.T) {
	cmd, output := analyse(t, `printf '<%s>\n' "$@"; exit 3`,
		"PACKAGES=./a\n  ./b/... $(exit 9) *", "TEST_FLAGS=-short -tags=x,y", "NAME=n", "DIR=a b", "BASE=", "ALL=false",
		"TIME=90s", "EXECS=", "FAIL_ON=crash,score<60", "TESTS=auto", "SKIP_TESTS=^Test(A|B)$")
	out, err := cmd.Output()
	if err == nil || cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("the step ends with %v, want exit status 3 as of the program", err)
	}
	got := regexp.MustCompile(`<\S*/mutantfuzz-out\.\w+>`).ReplaceAllString(string(out), "<OUT>")
	want := strings.Join([]string{"run", "-C", "a b", "--base", "", "--all=false", "--time", "90s",
		"--fail-on", "crash,score<60", "--tests", "auto", "--skip-tests", "^Test(A|B)$",
		"--out", "OUT", "--corpus", "/home/.cache/mutantfuzz-action/n",
		"./a", "./b/...", "$(exit", "9)", "*", "--", "-short", "-tags=x,y"}, ">\n<")
	if got != "<"+want+">\n" {
		t.Errorf("the program gets\n%s", got)
	}
	if got := output(); !strings.Contains(got, "\nexit-status=3\n") || strings.Contains(got, "results=") {
		t.Errorf("outputs:\n%s", got)
	}
}

func TestCancelledAnalysisStillTellsWhereItsResultsAre(t *testing.T) {
	cmd, output := analyse(t, `
		while [ "$1" != --out ]; do shift; done
		trap 'touch "$2/results.json"; exit 130' TERM
		echo ready
		for ((i = 0; i < 300; i++)); do sleep 0.1; done`, "ALL=false")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("the step ends with %v, want exit status 130 as of the program", cmd.ProcessState)
	}
	if got := output(); !strings.Contains(got, "\nexit-status=130\n") || !strings.Contains(got, "/results.json\n") {
		t.Errorf("outputs:\n%s", got)
	}
}
