package change

import "testing"

func TestSubjectsThatSayThatResultsStayAsTheyAre(t *testing.T) {
	for subject, want := range map[string]bool{
		"perf: reduce timer in write_control":              true,
		"perf(res): skip Accept join allocation in Format": true,
		"tsdb: optimize label lookups":                     true,
		"Generally faster parsing":                         false,
		"Remove in-memory store":                           false,
		"Report performance metrics":                       false,
		"feat: skip copying of hidden files":               false,
		"cleanup: thread nodes through winnow":             true,
		"ObjectValues: Avoid copying":                      true,
		"refactor(parser)!: split the lexer":               true,
		"Optimise lookups":                                 true,
		"fix: performance regression of Get":               false,
		"perf: fix a panic in the fast path":               false,
		"feat: clean URLs":                                 false,
		"Add a memory limit":                               false,
		"fix: drop stale entries":                          false,
		"Remove the deprecated reader":                     false,
	} {
		if got := saysAlike(subject); got != want {
			t.Errorf("%q: %v", subject, got)
		}
	}
}

func TestSubjectsThatSayThatSomethingIsFixed(t *testing.T) {
	for subject, want := range map[string]bool{
		"fix: skip nil emitters in UsingByGroup":                 true,
		"fix(static): reject encoded path separators (#3009)":    true,
		"Fix `x-order` not working with number value #162":       true,
		"net/http: fix a leak":                                   true,
		"net/http: fix a data race":                              false, // only the race detector shows it
		"Fix trace of requests":                                  true,
		"[core] Fixed bug when calling Entries()":                true,
		"bugfix: the cache forgets":                              true,
		"x/y.go: prevent a second close":                         true,
		"fix!: drop what is older":                               true,
		"feat: add CompletionFunc type":                          false,
		"Graceful shutdown: wait for the goroutine. Fixes #2897": true,
		"fix: File is not `goimports`-ed":                        false,
		"feat: fix compilation for other platforms":              false,
		"fix: golangci-lint":                                     false,
		"fix: lint":                                              false,
		"fix typo in comment":                                    false,
		"Fix flaky test":                                         false,
		"perf: fix up hot path; golangci-lint":                   false,
		"Prefix names":                                           false,
		"refactor: fixed size arrays":                            false,
		"Use fixed-width integers":                               false,
		"llm: transcode WebP images for llama-server":            false,
		"fix: refactor the parser":                               false,
		"make dotenv.Parser behave like env.Provider (#179)":     false,
		"Fix merge of nested maps":                               true,
		"Fixed-size ring buffer":                                 false,
		"Fixed point arithmetic for prices":                      false,
		`Revert "mux: keep order (fixes #12)"`:                   false,
		"Fix flaky TestFoo":                                      false,
		"Fix TestFoo on Windows":                                 false,
		"fix(deps): update module x":                             false,
		"fix nits":                                               false,
		"fix(viewport): optimize splitting of lines":             false,
		"Fix performance regression":                             false,
		"fix: use less memory":                                   false,
		"Fix merge conflicts":                                    false,
		"fix copyright year":                                     false,
		"Fix review feedback":                                    false,
		"":                                                       false,
	} {
		if got := saysFix(subject); got != want {
			t.Errorf("%q: %v", subject, got)
		}
	}
}
