package layout

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// pattern is a compiled package pattern of the go command.
type pattern struct {
	folder bool   // matches absolute folders, not import paths
	root   string // if folder: the part before any "..."
	re     *regexp.Regexp
}

// newPattern compiles a pattern relative to dir. A single folder has to exist.
func newPattern(dir, text string) (pattern, error) {
	p := pattern{folder: filepath.IsAbs(text) || text == "." || text == ".." ||
		strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../")}
	if text == "all" {
		text = "..."
	}
	if p.folder {
		if !filepath.IsAbs(text) {
			text = filepath.Join(dir, text)
		}
		if _, err := os.Stat(text); err != nil && !strings.Contains(text, "...") {
			return p, fault.New(fault.BadConfig, "packages are relative to the folder given with -C", "no such package folder: %s", text)
		}
	}
	p.root, _, _ = strings.Cut(text, "...")
	quoted := strings.ReplaceAll(regexp.QuoteMeta(filepath.ToSlash(text)), `\.\.\.`, ".*")
	if root, ok := strings.CutSuffix(quoted, "/.*"); ok {
		quoted = root + "(/.*)?"
	}
	p.re = regexp.MustCompile("^" + quoted + "$")
	return p, nil
}

// Wanted reports whether the package in the folder dir, at p, is one of those asked for.
func (l *Layout) Wanted(dir string, p Place) bool {
	if len(l.patterns) == 0 {
		return within(p.Module.Dir, l.cfg.Dir) || within(l.cfg.Dir, p.Module.Dir)
	}
	for _, pattern := range l.patterns {
		subject := p.ImportPath
		if pattern.folder {
			subject = filepath.ToSlash(dir)
		}
		if pattern.re.MatchString(subject) {
			return true
		}
	}
	return false
}

// WantedBroken returns the broken modules that the patterns ask for; all if there are no patterns.
func (l *Layout) WantedBroken() []gotool.Broken {
	return slices.DeleteFunc(slices.Clone(l.broken), func(b gotool.Broken) bool {
		asked := len(l.patterns) == 0 || slices.ContainsFunc(l.patterns, func(p pattern) bool {
			return p.folder && (p.re.MatchString(filepath.ToSlash(b.Dir)) || within(b.Dir, p.root))
		})
		return !isModule(b) || !asked
	})
}

// Ignored reports whether the go command ignores a file because of its name or a folder's, and returns the reason.
func Ignored(name string) (string, bool) {
	parts := strings.Split(name, "/")
	for _, dir := range parts[:len(parts)-1] {
		switch {
		case dir == "vendor" || dir == "testdata":
			return "in " + dir, true
		case gotool.Ignored(dir):
			return "in a folder the go command ignores", true
		}
	}
	if base := parts[len(parts)-1]; base[0] == '_' || base[0] == '.' {
		return "a name the go command ignores", true
	}
	return "", false
}
