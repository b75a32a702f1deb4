package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// runner runs workflows with act (https://github.com/nektos/act) on this machine, without containers.
type runner struct {
	t       *testing.T
	act     string // the program
	env     []string
	github  *fakeGitHub
	product string // copy of this repository, used as mutantfuzz/mutantfuzz
	store   string // folder of caches and artifacts, which outlive a run
	runs    int
}

func newRunner(t *testing.T, github *fakeGitHub) *runner {
	return &runner{
		t: t, github: github, store: t.TempDir(),
		act:     output(t, "go", "tool", "-n", "act"),
		env:     goEnvironment(t),
		product: copyProduct(t),
	}
}

// goEnvironment returns the only variables of this process that workflows get: PATH, and those with the settings and
// caches of Go, because each run has its own home.
func goEnvironment(t *testing.T) []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "GOFLAGS="}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GOTOOLCHAIN"} {
		env = append(env, name+"="+output(t, "go", "env", name))
	}
	return env
}

// copyProduct copies the files of this repository that git tracks or would add. So a test sees what a release has, and
// also changes that are not committed yet.
func copyProduct(t *testing.T) string {
	root, dir := filepath.Dir(output(t, "go", "env", "GOMOD")), t.TempDir()
	root = filepath.Dir(root) // the parent of e2e
	for _, name := range strings.Split(git(t, root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if name == "" || os.IsNotExist(err) { // deleted, not yet committed
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// output runs a command and returns its standard output.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, stderr.String())
	}
	return strings.TrimSpace(string(out))
}

// finished is a run that has ended.
type finished struct {
	id       string
	log      string
	green    bool
	artifact string // folder; there may be none
}

// run runs workflow for an event with payload.
func (r *runner) run(workflow, event string, payload any) finished {
	r.t.Helper()
	r.runs++
	id := strconv.Itoa(100 + r.runs)
	artifacts := filepath.Join(r.store, "artifacts")
	home, work := r.t.TempDir(), r.t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(home, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			r.t.Fatal(err)
		}
		return path
	}
	data, err := json.Marshal(payload)
	if err != nil {
		r.t.Fatal(err)
	}
	const local = "127.0.0.1"
	args := []string{event, "--directory", work,
		"--workflows", file("workflow.yml", workflow), "--eventpath", file("event.json", string(data)),
		"--platform", "ubuntu-latest=-self-hosted", "--no-skip-checkout",
		"--secret", "GITHUB_TOKEN=" + token,
		"--env", "GITHUB_RUN_ID=" + id, "--env", "GITHUB_REPOSITORY=" + repository, "--env", "GITHUB_REF=refs/heads/main", "--env", "SHA_REF=" + r.github.head,
		"--env", "GITHUB_SERVER_URL=" + r.github.server.URL, "--env", "GITHUB_API_URL=" + r.github.server.URL + "/api",
		"--action-cache-path", filepath.Join(home, "act"),
		"--cache-server-path", filepath.Join(r.store, "caches"), "--cache-server-addr", local,
		"--artifact-server-path", artifacts, "--artifact-server-addr", local, "--artifact-server-port", freePort(r.t),
	}
	for _, local := range r.localRepositories(workflow) {
		args = append(args, "--local-repository", local)
	}
	var log bytes.Buffer
	cmd := exec.Command(r.act, args...)
	cmd.Dir, cmd.Env = work, append(r.env, "HOME="+home)
	cmd.Stdout = io.MultiWriter(&log, testLog{r.t})
	cmd.Stderr = cmd.Stdout
	err = cmd.Run()
	return finished{id: id, log: log.String(), green: err == nil, artifact: filepath.Join(artifacts, id, "mutantfuzz")}
}

// testLog writes to the log of a test, which go test shows when it fails.
type testLog struct{ t *testing.T }

func (l testLog) Write(p []byte) (int, error) {
	l.t.Log(strings.TrimRight(string(p), "\n"))
	return len(p), nil
}

func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

var uses = regexp.MustCompile(`uses: ([\w-]+/[\w-]+)[\w/-]*@(\S+)`)

// localRepositories maps every action that workflow or our main action uses to a folder. Our actions are in the copy of
// this repository. For those of GitHub, it takes the stand-ins in testdata, or the real ones in the folder that
// MUTANTFUZZ_E2E_ACTIONS names, if it is set.
func (r *runner) localRepositories(workflow string) []string {
	actions := os.Getenv("MUTANTFUZZ_E2E_ACTIONS")
	if actions == "" {
		actions = filepath.Join(r.product, "e2e", "testdata", "actions")
	}
	var list []string
	for _, text := range []string{workflow, read(r.t, filepath.Join(r.product, "action.yml"))} {
		for _, use := range uses.FindAllStringSubmatch(text, -1) {
			folder := r.product
			if name, ok := strings.CutPrefix(use[1], "actions/"); ok {
				folder = filepath.Join(actions, name)
			}
			list = append(list, fmt.Sprintf("%s@%s=%s", use[1], use[2], folder))
		}
	}
	return list
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
