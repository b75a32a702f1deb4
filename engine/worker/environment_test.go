package worker

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lookup returns the value of a variable as a program sees it: the last setting counts.
func lookup(env []string, name string) (value string, ok bool) {
	for _, kv := range env {
		if v, found := strings.CutPrefix(kv, name+"="); found {
			value, ok = v, true
		}
	}
	return value, ok
}

func TestEnvironmentDropsWhatGrantsRights(t *testing.T) {
	for _, kv := range []string{
		"GITHUB_TOKEN=x", "GITHUB_ENV=/runner/env", "GITHUB_PATH=/runner/path", "ACTIONS_RUNTIME_TOKEN=x", "ACTIONS_CACHE_URL=x", "RUNNER_TEMP=/x",
		"GH_TOKEN=x", "NPM_TOKEN=x", "MY_SECRET=x", "DB_PASSWORD=x", "API_KEY=x", "apikey=x", "AWS_PROFILE=x", "GOOGLE_APPLICATION_CREDENTIALS=/f",
		"AZURE_TENANT_ID=x", "SSH_AUTH_SOCK=/s", "SSH_AGENT_PID=1", "NETRC=/home/u/.netrc", "GOAUTH=netrc", "GIT_CONFIG_COUNT=1", "GIT_ASKPASS=/a",
		"KUBECONFIG=/k", "DOCKER_AUTH_CONFIG={}", "INPUT_SECRETS=x", "MUTANTFUZZ_JOB=/j", "DBUS_SESSION_BUS_ADDRESS=x", "XDG_RUNTIME_DIR=/run/user/1",
		"GOPROXY=https://user:pass@proxy.example.com,direct", "DATABASE_URL=postgres://u:p@db/x", "HARMLESS=ghp_0123456789", "PEM=-----BEGIN X",
		"BROKEN=http://u:%zz@host/",
	} {
		name, _, _ := strings.Cut(kv, "=")
		if value, ok := lookup(Environment([]string{kv}, "/h", "/t", "/c", "/m"), name); ok {
			t.Errorf("%s is still there: %s", name, value)
		}
	}
}

func TestEnvironmentKeepsWhatTestsSeeUnderGoTest(t *testing.T) {
	for _, kv := range []string{
		"PATH=/bin", "GOROOT=/go", "GOFLAGS=-mod=mod", "GOPROXY=https://proxy.golang.org,direct", "LANG=C.UTF-8", "TZ=UTC", "USER=u", "CI=true",
		"GITHUB_ACTIONS=true", "GIT_AUTHOR_NAME=A", "EMPTY=", "DATABASE_URL=postgres://db/x", "WITH_EQUALS=a=b", "GODEBUG=x=1", "SSL_CERT_FILE=/c",
		"EMAIL=u@example.com",
	} {
		name, want, _ := strings.Cut(kv, "=")
		if value, ok := lookup(Environment([]string{kv}, "/h", "/t", "/c", "/m"), name); !ok || value != want {
			t.Errorf("%s is %q, %v; want %q", name, value, ok, want)
		}
	}
}

func TestEnvironmentHasItsOwnFolders(t *testing.T) {
	base := []string{"HOME=/home/u", "TMPDIR=/tmp", "XDG_CONFIG_HOME=/home/u/.config", "GOCACHE=/home/u/cache", "GOPATH=/home/u/go", "GOMODCACHE=/home/u/go/pkg/mod"}
	env := Environment(base, "/h", "/t", "/c", "/m")
	for name, want := range map[string]string{
		"HOME": "/h", "TMPDIR": "/t", "TEMP": "/t", "XDG_CONFIG_HOME": "/h/.config", "GOCACHE": "/c", "GOPATH": "/h/go", "GOMODCACHE": "/m",
	} {
		if value, _ := lookup(env, name); filepath.ToSlash(value) != want {
			t.Errorf("%s is %q, want %q", name, value, want)
		}
	}
}

func TestChildrenCollectGarbageMoreRarelyUnlessTheUserSaysWhen(t *testing.T) {
	for _, test := range []struct {
		env    []string
		memory int64
		want   []string
	}{
		{nil, 2 << 30, []string{"GOGC=400", "GOMEMLIMIT=1073741824"}},
		{[]string{"GOGCX=1"}, 0, []string{"GOGC=400"}},
		{[]string{"GOGC=50"}, 2 << 30, nil},
		{[]string{"GOMEMLIMIT=1GiB"}, 2 << 30, nil},
	} {
		if got := collection(test.env, test.memory); !slices.Equal(got, test.want) {
			t.Errorf("collection(%q, %d) = %q, want %q", test.env, test.memory, got, test.want)
		}
	}
}
