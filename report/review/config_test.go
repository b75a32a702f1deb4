package review

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnvironmentOfActionsIsUnderstood(t *testing.T) {
	tests := []struct {
		name, event string
		pr          int
		head        Head
	}{
		{"pull request", `{"action":"opened","pull_request":{"number":7,"head":{"sha":"abc"}}}`, 7, Head{}},
		{"workflow run", `{"workflow_run":{"head_branch":"fix","head_sha":"abc","head_repository":{"owner":{"login":"fork"}}}}`, 0, Head{"fork", "fix", "abc"}},
		{"push", `{"ref":"refs/heads/main"}`, 0, Head{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := FromEnv(environment(t, tt.event))
			if err != nil {
				t.Fatal(err)
			}
			got := []any{c.Repo, c.Token, c.APIURL, c.PR, c.Head}
			if diff := cmp.Diff([]any{"o/r", "t", "https://api.example.com", tt.pr, tt.head}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func environment(t *testing.T, event string) func(string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(path, []byte(event), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{
		"GITHUB_REPOSITORY": "o/r", "GITHUB_TOKEN": "t",
		"GITHUB_API_URL": "https://api.example.com", "GITHUB_EVENT_PATH": path,
	}
	return func(key string) string { return env[key] }
}

func TestUnreadableEventIsAUsageError(t *testing.T) {
	missing := func(key string) string {
		if key == "GITHUB_EVENT_PATH" {
			return filepath.Join("testdata", "none.json")
		}
		return ""
	}
	for name, getenv := range map[string]func(string) string{"missing": missing, "malformed": environment(t, "{")} {
		_, err := FromEnv(getenv)
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), "\nhint: ") {
			t.Errorf("%s: error %v, want a usage error with a hint", name, err)
		}
	}
}

func TestUnusableConfigurationsAreUsageErrors(t *testing.T) {
	good := Config{Repo: "o/r", PR: 7, Token: "t"}
	tests := []struct {
		name  string
		spoil func(*Config)
		want  string
	}{
		{"no repository", func(c *Config) { c.Repo = "" }, "owner/name"},
		{"path as repository", func(c *Config) { c.Repo = "o/r/../../x" }, "owner/name"},
		{"no pull request", func(c *Config) { c.PR = 0 }, "no pull request"},
		{"negative pull request", func(c *Config) { c.PR = -1 }, "no pull request"},
		{"other comments", func(c *Config) { c.Comments = "everywhere" }, "not known"},
		{"no API", func(c *Config) { c.APIURL = "ftp://example.com" }, "http"},
	}
	if err := good.check(); err != nil {
		t.Fatalf("the configuration to spoil is bad already: %v", err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := good
			tt.spoil(&c)
			_, err := Post(context.Background(), c, fixture(t))
			var usage *UsageError
			if !errors.As(err, &usage) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "\nhint: ") {
				t.Errorf("error %v, want a usage error about %q with a hint", err, tt.want)
			}
		})
	}
}

func TestAddressesOfTheAPIEndInASlash(t *testing.T) {
	tests := map[string]string{
		"":                            "https://api.github.com/",
		"https://api.github.com":      "https://api.github.com/",
		"https://ghe.example/api/v3/": "https://ghe.example/api/v3/",
	}
	for address, want := range tests {
		u, err := (&Config{APIURL: address}).baseURL()
		if err != nil || u.String() != want {
			t.Errorf("%q becomes %v, %v; want %s", address, u, err, want)
		}
	}
}
