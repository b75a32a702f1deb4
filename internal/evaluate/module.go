package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/realcode"
)

// The default modules of experiments.
const (
	sixModules = "github.com/Masterminds/semver/v3@v3.5.0 .," +
		"github.com/hashicorp/go-version@v1.9.0 .," +
		"github.com/google/uuid@v1.6.0 .," +
		"github.com/BurntSushi/toml@v1.6.0 .," +
		"github.com/gorilla/mux@v1.8.1 .," +
		"github.com/google/btree@v1.1.3 ."
	// Each takes at most a minute even with one worker on a busy machine, so these can be analysed often.
	quickModules = "github.com/Masterminds/semver/v3@v3.5.0 .," +
		"github.com/hashicorp/go-version@v1.9.0 .," +
		"github.com/gorilla/mux@v1.8.1 .," +
		"github.com/google/go-querystring@v1.1.0 ./query," +
		"github.com/agext/levenshtein@v1.2.3 .," +
		"github.com/huandu/xstrings@v1.5.0 .," +
		"github.com/google/uuid@v1.6.0 ." // uuid is time-dependent
	peerModules = "github.com/Masterminds/semver/v3@v3.5.0 .," +
		"github.com/hashicorp/go-version@v1.9.0 .," +
		"github.com/google/uuid@v1.6.0 .," +
		"github.com/BurntSushi/toml@v1.6.0 ."
	// These have table-driven tests of functions that take strings and numbers.
	tableModules = "github.com/docker/go-units@v0.5.0 .," +
		"github.com/iancoleman/strcase@v0.3.0 .," +
		"github.com/mitchellh/go-wordwrap@v1.0.1 .," +
		"golang.org/x/mod@v0.42.0 ./semver ./module," +
		"github.com/dustin/go-humanize@v1.0.1 .," +
		"github.com/mattn/go-runewidth@v0.0.16 .," +
		"github.com/Masterminds/semver/v3@v3.5.0 .," +
		"github.com/hashicorp/go-version@v1.9.0 .," +
		"github.com/bmatcuk/doublestar/v4@v4.10.4 .," +
		"github.com/stoewer/go-strcase@v1.3.1 ."
	// These have no fuzz target.
	bareModules = "github.com/docker/go-units@v0.5.0 .," +
		"github.com/iancoleman/strcase@v0.3.0 .," +
		"github.com/mitchellh/go-wordwrap@v1.0.1 .," +
		"github.com/huandu/xstrings@v1.5.0 .," +
		"github.com/dustin/go-humanize@v1.0.1 .," +
		"github.com/google/go-querystring@v1.1.0 ./query," +
		"github.com/hashicorp/go-version@v1.9.0 .," +
		"github.com/gorilla/mux@v1.8.1 .," +
		"github.com/spf13/cast@v1.7.1 .," +
		"github.com/bmatcuk/doublestar/v4@v4.10.4 ."
	largeModule = "golang.org/x/tools@v0.52.0 ./go/ast/astutil"
)

// module is a module of the module proxy, with a copy that may be changed.
type module struct {
	query    string   // path@version
	packages []string // patterns of the packages to mutate, relative to the module
	dir      string   // the copy
}

// parseModules reads a list in the form "path@version pattern ...,...".
func parseModules(text string) ([]module, error) {
	var list []module
	for item := range strings.SplitSeq(text, ",") {
		fields := strings.Fields(item)
		if len(fields) < 2 || !strings.Contains(fields[0], "@") {
			return nil, fmt.Errorf("%q names no module with packages\nhint: write path@version and then packages, such as ./p", item)
		}
		list = append(list, module{query: fields[0], packages: fields[1:]})
	}
	return list, nil
}

// copy downloads the module and copies it to dir, which must not exist.
func (m *module) copy(ctx context.Context, dir string) error {
	m.dir = dir
	return realcode.Copy(ctx, m.query, dir)
}
