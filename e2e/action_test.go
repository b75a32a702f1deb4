package e2e

import (
	"bufio"
	"io"
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

// step is a step of an action.
type step struct {
	Name string
	Env  map[string]string
	Run  string
}

// steps returns the steps of the action in a folder of the repository.
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
	files := []string{"action.yml", "post/action.yml", "docs/ci.md", "README.md"}
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

func TestImageIsPinnedByDigestAndTrustsTheWorkingFolderAlone(t *testing.T) {
	text := read(t, filepath.Join("..", "Dockerfile"))
	from := regexp.MustCompile(`(?m)^FROM (\S+)`).FindAllStringSubmatch(text, -1)
	if len(from) == 0 {
		t.Fatal("the Dockerfile has no base image")
	}
	for _, image := range from {
		if !regexp.MustCompile(`^golang:[\d.]+@sha256:[0-9a-f]{64}$`).MatchString(image[1]) || image[1] != from[0][1] {
			t.Errorf("the base image %s can change, or is another than %s", image[1], from[0][1])
		}
	}
	for _, folder := range regexp.MustCompile(`safe\.directory '?([^'\s]+)`).FindAllStringSubmatch(text, -1) {
		if folder[1] != "/src" && folder[1] != "/src/*" {
			t.Errorf("git is told to trust %s, whoever it belongs to", folder[1])
		}
	}
}

// TestMergeRequestsOfGitLabDoNotShareACache checks that the recipe has a cache for each merge request, which falls back
// to that of the target branch.
func TestMergeRequestsOfGitLabDoNotShareACache(t *testing.T) {
	_, text, ok := strings.Cut(read(t, filepath.Join("..", "docs", "ci.md")), "\nGitLab:\n\n```yaml\n")
	if !ok {
		t.Fatal("docs/ci.md has no recipe for GitLab")
	}
	text, _, _ = strings.Cut(text, "\n```")
	var jobs map[string]struct {
		Rules []struct{ If string }
		Cache struct {
			Key          string
			FallbackKeys []string `yaml:"fallback_keys"`
		}
	}
	if err := yaml.Unmarshal([]byte(text), &jobs); err != nil {
		t.Fatal(err)
	}
	review, nightly := jobs["mutantfuzz"], jobs["mutantfuzz-nightly"]
	if !strings.Contains(review.Cache.Key, "$CI_MERGE_REQUEST_IID") {
		t.Errorf("all merge requests write the cache %q", review.Cache.Key)
	}
	want := strings.ReplaceAll(nightly.Cache.Key, "$CI_COMMIT_BRANCH", "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME")
	if nightly.Cache.Key == "" || !slices.Equal(review.Cache.FallbackKeys, []string{want}) {
		t.Errorf("a merge request begins with the cache %q, the branch has %q", review.Cache.FallbackKeys, nightly.Cache.Key)
	}
	if strings.HasPrefix(review.Cache.Key, strings.TrimSuffix(want, "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME")+"$") {
		t.Error("a branch could have the name of a cache of a merge request")
	}
}

// script returns the script of a step of the main action, ready to run as GitHub runs it, and the folder that is its
// RUNNER_TEMP.
func script(t *testing.T, name string, env ...string) (cmd *exec.Cmd, temp string) {
	t.Helper()
	return scriptOf(t, ".", name, env...)
}

// scriptOf does what script does, for the action in a folder of the repository.
func scriptOf(t *testing.T, action, name string, env ...string) (cmd *exec.Cmd, temp string) {
	t.Helper()
	all := steps(t, action)
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

// runnerFiles names the files that the runner reads after a step. The variable GITHUB_<name> has the path of a file.
var runnerFiles = []string{"ENV", "PATH", "OUTPUT", "STATE", "STEP_SUMMARY"}

// analyse returns the script of the step that analyses, with the shell script program in place of mutantfuzz. It also
// returns a function that returns the outputs of the step.
func analyse(t *testing.T, program string, env ...string) (*exec.Cmd, func() string) {
	t.Helper()
	cmd, temp := script(t, "Analyse", env...)
	output := filepath.Join(temp, "OUTPUT")
	for _, name := range runnerFiles {
		cmd.Env = append(cmd.Env, "GITHUB_"+name+"="+filepath.Join(temp, name))
	}
	cmd.Env = append(cmd.Env, "OUT="+filepath.Join(temp, "out"))
	install(t, temp, program)
	return cmd, func() string { return read(t, output) }
}

// install puts the shell script program in place of mutantfuzz.
func install(t *testing.T, temp, program string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(temp, "mutantfuzz"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(temp, "mutantfuzz", "mutantfuzz"), []byte("#!/usr/bin/env bash\n"+program), 0o755); err != nil {
		t.Fatal(err)
	}
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
		"TIME=90s", "EXECS=", "FAIL_ON=crash,score<60", "TESTS=auto", "SKIP_TESTS=^Test(A|B)$", "SANDBOX=strict")
	out, err := cmd.Output()
	if err == nil || cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("the step ends with %v, want exit status 3 as of the program", err)
	}
	got := strings.Join(regexp.MustCompile(`(?m)^<.*>$`).FindAllString(string(out), -1), "\n") + "\n"
	want := strings.Join([]string{"run", "-C", "a b", "--base", "", "--all=false", "--time", "90s",
		"--fail-on", "crash,score<60", "--tests", "auto", "--skip-tests", "^Test(A|B)$", "--sandbox", "strict", "--no-groups",
		"--out", filepath.Join(cmd.Dir, "out"), "--corpus", "/home/.cache/mutantfuzz-action/n",
		"./a", "./b/...", "$(exit", "9)", "*", "--", "-short", "-tags=x,y"}, ">\n<")
	if got != "<"+want+">\n" {
		t.Errorf("the program gets\n%s", got)
	}
	if got := output(); got != "exit-status=3\n" {
		t.Errorf("outputs:\n%s", got)
	}
}

// Empty inputs leave the settings to mutantfuzz.yml. But with a bound on executions, the default bound on time is
// passed, too.
func TestInputsThatAreEmptyAreNotPassedOn(t *testing.T) {
	for _, tt := range []struct{ time, execs, want string }{
		{"", "", "--all=false --fail-on"}, {"90s", "", "--all=false --time 90s --fail-on"},
		{"", "100", "--all=false --time 5m --execs 100 --fail-on"}, {"90s", "100", "--all=false --time 90s --execs 100 --fail-on"},
	} {
		cmd, _ := analyse(t, `echo "$*"`, "ALL=false", "TIME="+tt.time, "EXECS="+tt.execs)
		if out, err := cmd.Output(); err != nil || !strings.Contains(string(out), tt.want+" ") {
			t.Errorf("time %q, execs %q: %q, %v", tt.time, tt.execs, out, err)
		}
	}
	for most, want := range map[string]string{"": "--comments body\n", "2": "--comments body --max-findings 2\n"} {
		cmd, temp := script(t, "Post the review", "PULL_REQUEST=7", "RESULTS=r.json", "COMMENTS=body", "MAX_FINDINGS="+most)
		install(t, temp, `echo "$*"`)
		if out, err := cmd.Output(); err != nil || !strings.HasSuffix(string(out), want) {
			t.Errorf("max-findings %q: %q, %v", most, out, err)
		}
	}
}

// stopped returns the word that ends the state in which the runner obeys no commands. It fails the test unless all of
// out, the log of a step, is in that state.
func stopped(t *testing.T, out string) string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(out), "\n")
	first := regexp.MustCompile(`^::stop-commands::([0-9a-f]{32})$`).FindStringSubmatch(lines[0])
	if first == nil || lines[len(lines)-1] != "::"+first[1]+"::" || strings.Count(out, first[1]) != 2 {
		t.Fatalf("the log is\n%s", out)
	}
	return first[1]
}

func TestAnalysedCodeCannotCommandTheRunner(t *testing.T) {
	words := map[string]bool{}
	for name, program := range map[string]string{
		"success": `echo "::error::x"; env; cat /proc/self/environ "/proc/$PPID/environ" 2>/dev/null | tr '\0' '\n'`,
		"failure": `echo "::add-mask::x"; exit 1`,
		"crash":   `printf 'no end of line'; kill -9 $$`,
	} {
		t.Run(name, func(t *testing.T) {
			cmd, _ := analyse(t, program, "ALL=false", "resume=known")
			out, _ := cmd.Output()
			if words[stopped(t, string(out))] {
				t.Error("the word that ends the state is that of another run")
			}
			words[stopped(t, string(out))] = true
		})
	}
}

func TestProgramDoesNotKnowTheFilesOfTheRunner(t *testing.T) {
	cmd, _ := analyse(t, `env`, "ALL=false", "GITHUB_REPOSITORY=a/b")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`(?m)^GITHUB_(ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)=.*`).FindAllString(string(out), -1); len(found) > 0 {
		t.Errorf("the program has %q", found)
	}
	if !strings.Contains(string(out), "\nGITHUB_REPOSITORY=a/b\n") {
		t.Error("the program has not the rest")
	}
}

func TestFilesOfTheRunnerAreEmptiedAfterTheAnalysis(t *testing.T) {
	cmd, output := analyse(t, `
		for name in ENV PATH STATE STEP_SUMMARY; do echo 'BASH_ENV=/evil.sh' >>"$RUNNER_TEMP/$name"; done
		printf 'exit-status=0\nresults=/evil\n' >>"$RUNNER_TEMP/OUTPUT"
		rm "$RUNNER_TEMP/STATE"; mkdir -p "$RUNNER_TEMP/STATE/x"
		rm "$RUNNER_TEMP/PATH"; mkfifo "$RUNNER_TEMP/PATH"
		exit 3`, "ALL=false")
	if _, err := cmd.Output(); err == nil || cmd.ProcessState.ExitCode() != 3 {
		t.Errorf("the step ends with %v", err)
	}
	if got := output(); got != "exit-status=3\n" {
		t.Errorf("outputs:\n%s", got)
	}
	for _, name := range []string{"ENV", "PATH", "STATE", "STEP_SUMMARY"} {
		if info, err := os.Lstat(filepath.Join(cmd.Dir, name)); err != nil || !info.Mode().IsRegular() || info.Size() > 0 {
			t.Errorf("the runner would read of %s: %v, %v", name, info, err)
		}
	}
}

func TestOutputsAreNotWhatAnalysedCodeSays(t *testing.T) {
	for _, test := range []struct {
		outcome, status, want string
	}{
		{"success", "0", "exit-status=0\n"},
		{"success", "3", "exit-status=0\n"},
		{"failure", "3", "exit-status=3\n"},
		{"failure", "130", "exit-status=130\n"},
		{"failure", "0", "exit-status=\n"},
		{"failure", "1\nresults=/evil", "exit-status=\n"},
		{"cancelled", "", "exit-status=\n"},
	} {
		cmd, temp := script(t, "Put out the results", "OUTCOME="+test.outcome, "STATUS="+test.status)
		cmd.Env = append(cmd.Env, "GITHUB_OUTPUT="+filepath.Join(temp, "output"), "OUT="+temp)
		if err := os.Symlink("/etc/hosts", filepath.Join(temp, "results.json")); err != nil {
			t.Fatal(err)
		}
		if out, err := cmd.Output(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		if got := read(t, filepath.Join(temp, "output")); got != test.want {
			t.Errorf("%s with status %q puts out %q, want %q", test.outcome, test.status, got, test.want)
		}
	}
}

func TestResultsArePutOutAndSummarised(t *testing.T) {
	cmd, temp := script(t, "Put out the results", "OUTCOME=success")
	cmd.Env = append(cmd.Env, "GITHUB_OUTPUT="+filepath.Join(temp, "output"), "GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary"), "OUT="+temp)
	install(t, temp, `echo "$@"`)
	if err := os.WriteFile(filepath.Join(temp, "results.json"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := cmd.Output(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, want := read(t, filepath.Join(temp, "output")), "exit-status=0\nresults="+temp+"/results.json\n"; got != want {
		t.Errorf("outputs %q, want %q", got, want)
	}
	if got, want := read(t, filepath.Join(temp, "summary")), "report --format summary --results "+temp+"/results.json\n"; got != want {
		t.Errorf("the summary is what %q prints, want %q", got, want)
	}
}

func TestWhatIsDismissedComesFromTheActionThatPosts(t *testing.T) {
	const more = `while [ "$1" != --corpus ]; do shift; done; echo dismissed: >"$2/dismissed.yml"`
	home := t.TempDir()
	kept := filepath.Join(home, ".cache", "mutantfuzz-dismissed", "n", "dismissed.yml")
	for _, want := range []string{"dismissed=more\n", ""} { // the second time nothing is new
		cmd, temp := scriptOf(t, "post", "Post the review", "HOME="+home, "RESULTS=r.json", "COMMENTS=body", "MAX_FINDINGS=", "NAME=n")
		cmd.Env = append(cmd.Env, "GITHUB_OUTPUT="+filepath.Join(temp, "output"))
		install(t, temp, more)
		if out, err := cmd.Output(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		got, err := os.ReadFile(filepath.Join(temp, "output"))
		if err != nil && want != "" || string(got) != want {
			t.Errorf("outputs %q, want %q (%v)", got, want, err)
		}
	}
	for range 2 { // with and without a corpus
		cmd, _ := script(t, "Put it into the corpus", "HOME="+home, "NAME=n")
		if out, err := cmd.Output(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if got, want := read(t, filepath.Join(home, ".cache", "mutantfuzz-action", "n", "dismissed.yml")), read(t, kept); got != want {
			t.Errorf("the corpus has %q, want %q", got, want)
		}
	}
	empty := t.TempDir()
	cmd, _ := script(t, "Put it into the corpus", "HOME="+empty, "NAME=n")
	if out, err := cmd.Output(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if left, err := os.ReadDir(empty); err != nil || len(left) > 0 {
		t.Errorf("there is %v, %v", left, err)
	}
}

// TestWhoIsReviewedIsNotInAFile checks that the step which posts takes the number of the pull request from the runner,
// not from the event file.
func TestWhoIsReviewedIsNotInAFile(t *testing.T) {
	cmd, temp := script(t, "Post the review", "PULL_REQUEST=7", "RESULTS=r.json", "COMMENTS=body", "MAX_FINDINGS=5")
	forged := filepath.Join(temp, "event.json")
	if err := os.WriteFile(forged, []byte(`{"pull_request": {"number": 666}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(cmd.Env, "GITHUB_EVENT_PATH="+forged)
	install(t, temp, `cat "$GITHUB_EVENT_PATH"`)
	if out, err := cmd.Output(); err != nil || string(out) != `{"pull_request": {"number": 7}}` {
		t.Errorf("the program reads %q, %v", out, err)
	}
}

func TestCancelledAnalysisStillLeavesItsResults(t *testing.T) {
	cmd, output := analyse(t, `
		while [ "$1" != --out ]; do shift; done
		trap 'mkdir -p "$2"; touch "$2/results.json"; exit 130' TERM
		echo ready
		for ((i = 0; i < 300; i++)); do sleep 0.1; done`, "ALL=false")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	log := bufio.NewReader(stdout)
	first, err := log.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if line, err := log.ReadString('\n'); line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(log)
	if err != nil {
		t.Fatal(err)
	}
	stopped(t, first+string(rest))
	if cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("the step ends with %v, want exit status 130 as of the program", cmd.ProcessState)
	}
	if got := output(); got != "exit-status=130\n" {
		t.Errorf("outputs:\n%s", got)
	}
	if _, err := os.Stat(filepath.Join(cmd.Dir, "out", "results.json")); err != nil {
		t.Error(err)
	}
}

// workflow is the part of a workflow that tests check.
type workflow struct {
	Permissions map[string]string
	Jobs        map[string]struct {
		Permissions map[string]string
		Steps       []struct {
			Name, Uses, Run string
		}
	}
}

func readWorkflow(t *testing.T, name string) workflow {
	t.Helper()
	var w workflow
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join("..", ".github", "workflows", name))), &w); err != nil {
		t.Fatal(err)
	}
	return w
}

func TestTheJobThatMayWriteAReleaseRunsNothingOfTheRepository(t *testing.T) {
	w := readWorkflow(t, "release.yml")
	if w.Permissions == nil || len(w.Permissions) > 0 {
		t.Errorf("by default a job has the permissions %v", w.Permissions)
	}
	writers := 0
	for name, job := range w.Jobs {
		if job.Permissions["contents"] != "write" {
			continue
		}
		writers++
		for _, s := range job.Steps {
			if s.Uses != "" || strings.Contains(s.Run, "./") || strings.Contains(s.Run, ".ci") || strings.Contains(s.Run, "go ") {
				t.Errorf("job %s may write, and runs %s%s", name, s.Uses, s.Run)
			}
		}
	}
	if writers != 1 {
		t.Errorf("%d jobs may write", writers)
	}
}

// TestTheTagOfTheMajorVersionMovesToTheNewest runs the step that moves the tag, with a fake gh that knows some tags.
func TestTheTagOfTheMajorVersionMovesToTheNewest(t *testing.T) {
	var step string
	for _, s := range readWorkflow(t, "release.yml").Jobs["publish"].Steps {
		if strings.HasPrefix(s.Name, "Move the tag") {
			step = s.Run
		}
	}
	if step == "" {
		t.Fatal("there is no such step")
	}
	for _, tt := range []struct {
		name, tag, tags string
		exists          bool
		want            string
	}{
		{"first", "v0.1.0", "v0.1.0", false, "--method POST repos/o/r/git/refs -f ref=refs/tags/v0 -f sha=c0ffee"},
		{"next", "v0.10.0", "v0.9.0 v0.10.0 v0.11.0-rc1", true, "--method PATCH repos/o/r/git/refs/tags/v0 -f sha=c0ffee -F force=true"},
		{"older", "v0.1.1", "v0.1.0 v0.1.1 v0.2.0", true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			status := "1"
			if tt.exists {
				status = "0"
			}
			gh := "#!/bin/bash\ncase \"$*\" in\n*matching-refs/tags/v0.*) printf 'refs/tags/%s\\n' " + tt.tags + ";;\n*git/ref/tags/v0) exit " + status + ";;\n*) echo \"${*:2}\" >>calls;;\nesac\n"
			write := func(name, text string, mode fs.FileMode) {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
					t.Fatal(err)
				}
			}
			write("bin/gh", gh, 0o755)
			write("dist/commit", "c0ffee\n", 0o644)
			write("calls", "", 0o644)
			cmd := exec.Command("bash", "--noprofile", "--norc", "-e", "-c", step)
			cmd.Dir = dir
			cmd.Env = []string{"PATH=" + filepath.Join(dir, "bin") + ":" + os.Getenv("PATH"), "GH_REPO=o/r", "GITHUB_REF_NAME=" + tt.tag}
			if out, err := cmd.Output(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if got := strings.TrimSpace(read(t, filepath.Join(dir, "calls"))); got != tt.want {
				t.Errorf("it asks for %q, want %q", got, tt.want)
			}
		})
	}
}

func TestAReleaseSaysWhatTheChangelogDoes(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".ci"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		".ci/notes":    read(t, filepath.Join("..", ".ci", "notes")),
		"CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n\n## [0.10.0] - 2026-12-01\n\n### Added\n\n- New.\n\n## [0.1.0] - 2026-11-01\n\n- First.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for version, want := range map[string]string{"v0.10.0": "### Added\n\n- New.", "v0.1.0": "- First.", "v0.1": "", "v0.2.0": "", "vUnreleased": ""} {
		out, err := exec.Command(filepath.Join(dir, ".ci", "notes"), version).Output()
		if (err == nil) != (want != "") || strings.TrimSpace(string(out)) != want {
			t.Errorf("%s: %q, %v; want %q", version, out, err, want)
		}
	}
}
