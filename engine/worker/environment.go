package worker

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// servicePrefixes are prefixes of variables that belong to a service. Most of these grant rights in it, or name files
// that do.
var servicePrefixes = []string{
	"GITHUB_", "ACTIONS_", "RUNNER_", "INPUT_", "GITLAB_", "CI_JOB_", "CI_REGISTRY", "BUILDKITE_AGENT_", "CIRCLE_OIDC",
	"AWS_", "GOOGLE_", "GCP_", "GCLOUD_", "CLOUDSDK_", "AZURE_", "ARM_", "DIGITALOCEAN_", "CLOUDFLARE_",
	"SSH_", "GPG_", "GIT_ASKPASS", "GIT_CONFIG", "GIT_CREDENTIAL", "NPM_", "DOCKER_", "KUBE", "VAULT_", "CODECOV_", "MUTANTFUZZ_",
	"NETRC", "DBUS_", "XDG_",
}

// secretParts are parts of the names of variables that hold secrets of any kind.
var secretParts = []string{"TOKEN", "SECRET", "PASS", "_PWD", "_PAT", "CREDENTIAL", "KEY", "COOKIE", "AUTH", "CERT", "WEBHOOK"}

// secretValues are prefixes of values that are secrets, whatever the variable is called.
var secretValues = []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "AKIA", "-----BEGIN"}

// userinfo matches a URL that names a user, alone or in a list as in GOPROXY.
var userinfo = regexp.MustCompile(`//[^/?#\s]*@`)

// harmless are variables that grant nothing, though the rules above would drop them: whether there is a CI, who
// commits, and where the system's certificates are.
var harmless = []string{"GITHUB_ACTIONS", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "SSL_CERT_FILE", "SSL_CERT_DIR"}

// Environment returns the environment for children: base without what grants rights, with a home, temporary folder
// and build cache of their own. Tests see the other variables as under go test (PATH, GOFLAGS, LANG, TZ, CI, ...). If
// a test runs the go command, that finds the user's module cache but installs programs below home.
func Environment(base []string, home, tmp, buildCache, moduleCache string) []string {
	var env []string
	for _, kv := range base {
		name, value, ok := strings.Cut(kv, "=")
		if !ok || name == "" {
			continue // Windows keeps the folders of drives in "=C:=..."
		}
		if !grantsRights(strings.ToUpper(name), value) {
			env = append(env, kv)
		}
	}
	set := func(name, value string) { env = append(env, name+"="+value) }
	set("HOME", home)
	set("USERPROFILE", home)
	set("XDG_CACHE_HOME", filepath.Join(home, ".cache"))
	set("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	set("XDG_DATA_HOME", filepath.Join(home, ".local", "share"))
	set("XDG_STATE_HOME", filepath.Join(home, ".local", "state"))
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		set(name, tmp)
	}
	set("GOPATH", filepath.Join(home, "go"))
	set("GOCACHE", buildCache)
	set("GOMODCACHE", moduleCache)
	return env
}

// gcPercent is GOGC of children. At the default of 100, garbage collection is up to a third of what a suite takes.
const gcPercent = 400

// collection returns the variables that tune the garbage collector of a child, unless env already does. The collector
// runs more rarely than by default, but the limit on the heap is half of memory, the bytes that the child may map (0:
// any number). So live data may be as large as by default, when the heap grows to twice their size.
func collection(env []string, memory int64) []string {
	for _, kv := range env {
		if name, _, _ := strings.Cut(kv, "="); name == "GOGC" || name == "GOMEMLIMIT" {
			return nil
		}
	}
	vars := []string{fmt.Sprintf("GOGC=%d", gcPercent)}
	if memory > 0 {
		vars = append(vars, fmt.Sprintf("GOMEMLIMIT=%d", memory/2))
	}
	return vars
}

// grantsRights reports whether a variable may let a child act for the user. name is in upper case.
func grantsRights(name, value string) bool {
	if slices.Contains(harmless, name) {
		return false
	}
	return slices.ContainsFunc(servicePrefixes, func(p string) bool { return strings.HasPrefix(name, p) }) ||
		slices.ContainsFunc(secretParts, func(p string) bool { return strings.Contains(name, p) }) ||
		slices.ContainsFunc(secretValues, func(p string) bool { return strings.HasPrefix(value, p) }) ||
		userinfo.MatchString(value)
}
