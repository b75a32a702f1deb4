package story

import (
	"regexp"
	"strings"

	"golang.org/x/mod/module"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// tagsFlag matches a flag with build tags. Results may come from anybody, and other flags can start programs or write
// files.
var tagsFlag = regexp.MustCompile(`^-tags=[\w.,]{1,200}$`)

// GoTest returns "go test" with those flags of the run without which go test may not find a test, or may not run it as the
// run did.
func GoTest(r *results.Results) string {
	tags, short := "", ""
	for _, flag := range r.Options.TestFlags {
		switch {
		case tagsFlag.MatchString(flag):
			tags = " " + flag // of several the last counts
		case flag == "-test.short", flag == "-test.short=true":
			short = " -short"
		}
	}
	return "go test" + tags + short
}

// GoTestOne returns the command that runs one test, import/path.TestX[/sub], or
// one entry of a fuzz target.
func GoTestOne(r *results.Results, name, entry string) string {
	pkg, test := fact.SplitTest(name)
	if entry != "" {
		test += "/" + entry
	}
	var parts []string
	for part := range strings.SplitSeq(prose.Inline(test), "/") {
		parts = append(parts, "^"+regexp.QuoteMeta(part)+"$")
	}
	return GoTest(r) + " -run " + prose.ShellWord(strings.Join(parts, "/")) + " " + packageArgument(pkg)
}

// GoTestAll returns the command that runs all tests in the package of a test.
func GoTestAll(r *results.Results, name string) string {
	pkg, _ := fact.SplitTest(name)
	return GoTest(r) + " " + packageArgument(pkg)
}

// packageArgument returns an import path as a command-line word. It returns "./..." instead of an invalid path, which
// could be a flag, such as -exec=PROGRAM, or lead out of the module.
func packageArgument(pkg string) string {
	if module.CheckImportPath(pkg) != nil {
		return "./..."
	}
	return prose.ShellWord(pkg)
}

// EntryName returns the name by which go test knows an entry of a harness.
func EntryName(r *results.Results, harness, id string) string {
	if e := entryOf(r, harness, id); e != nil && e.Name != "" {
		return e.Name
	}
	return id
}

// entryOf returns the entry with an ID from the new entries of a harness; nil: there is none.
func entryOf(r *results.Results, harness, id string) *results.Entry {
	for i := range r.Corpus.New {
		if e := &r.Corpus.New[i]; e.ID == id && e.Harness == harness {
			return e
		}
	}
	return nil
}

// EntryOf returns the new corpus entry that m's verdict rests on, or nil.
func EntryOf(r *results.Results, m *results.Mutant) *results.Entry {
	switch {
	case m.KilledBy != nil && m.KilledBy.Entry != "":
		return entryOf(r, m.KilledBy.Name, m.KilledBy.Entry)
	case m.ExposedBy != nil && m.ExposedBy.Entry != "":
		return entryOf(r, m.ExposedBy.Harness, m.ExposedBy.Entry)
	}
	return nil
}
