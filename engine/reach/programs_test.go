package reach

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

func TestWhatIsPartOfAProgramThatTestsStartMayRunUnseen(t *testing.T) {
	const exec, script = "os/exec", "github.com/rogpeppe/go-internal/testscript"
	packages := func(change func(main, lib, tests *gotool.Package)) *Reach {
		main := &gotool.Package{ImportPath: "m", Name: "main", Deps: []string{"fmt", "m/lib"}, TestGoFiles: []string{"main_test.go"}}
		lib := &gotool.Package{ImportPath: "m/lib", Name: "lib"}
		tests := &gotool.Package{ImportPath: "m/tests", Name: "tests"}
		helper := &gotool.Package{ImportPath: "m/helper", Name: "helper", Imports: []string{exec}}
		change(main, lib, tests)
		return &Reach{Program: &program.Program{Packages: map[string]*gotool.Package{"m": main, "m/lib": lib, "m/tests": tests, "m/helper": helper}}}
	}
	for _, tt := range []struct {
		name      string
		change    func(main, lib, tests *gotool.Package)
		lib, main bool
	}{
		{"no test starts a program", func(_, _, _ *gotool.Package) {}, false, false},
		{"the program has no test file", func(main, _, _ *gotool.Package) { main.TestGoFiles = nil }, false, true},
		{"a test of another package does", func(_, _, tests *gotool.Package) { tests.TestImports = []string{exec} }, true, true},
		{"a test of the program does", func(main, _, _ *gotool.Package) { main.XTestImports = []string{exec} }, true, true},
		{"scripts do", func(_, _, tests *gotool.Package) { tests.XTestImports = []string{script} }, true, true},
		{"a helper of tests does", func(main, _, _ *gotool.Package) { main.TestImports = []string{"m/helper"} }, true, true},
		{"a part of the program does", func(main, lib, _ *gotool.Package) {
			main.TestImports, lib.Imports = []string{"m/lib"}, []string{exec}
		}, false, false},
		{"a test of the package itself does", func(_, lib, _ *gotool.Package) { lib.TestImports = []string{exec} }, false, false},
		{"it is no part of the program", func(main, _, tests *gotool.Package) { tests.TestImports, main.Deps = []string{exec}, nil }, false, true},
		{"there is no program", func(main, _, tests *gotool.Package) { tests.TestImports, main.Name = []string{exec}, "m" }, false, false},
	} {
		r := packages(tt.change)
		if got := r.inProgram("m/lib"); got != tt.lib {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.lib)
		}
		if got := r.inProgram("m"); got != tt.main {
			t.Errorf("%s: package main: %v, want %v", tt.name, got, tt.main)
		}
	}
}

func TestTestsThatBuildConstraintsExcludeAreNamed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"m_windows_test.go": "package m\n\nfunc TestA(t *testing.T) {}\nfunc helper() {}\nfunc FuzzB(f *testing.F) {}\n",
		"broken_test.go":    "package m; func {",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string][]string{
		"m_windows_test.go": {"TestA", "FuzzB"}, "broken_test.go": {"broken_test.go"}, "m_windows.go": nil, "_m_test.go": nil, ".m_test.go": nil,
	} {
		r := &Reach{Program: &program.Program{Packages: map[string]*gotool.Package{"m": {Dir: dir, IgnoredGoFiles: []string{name}}}}}
		if got := r.Excluded("m"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if got := (&Reach{Program: &program.Program{}}).Excluded("unknown"); got != nil {
		t.Errorf("an unknown package has the tests %q", got)
	}
}

func TestTestsThatRunElsewhereAreToldFromThoseThatNeverRun(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"m_windows_test.go": "package m\n\nfunc TestA(t *testing.T) {}\n\nfunc ExampleRun() {\n\tf()\n\t// Output: 1\n}\n\nfunc ExampleNever() {\n\tf()\n}\n",
		"tagged_test.go":    "//go:build integration\n\npackage m\n\nfunc TestB(t *testing.T) {}\n\nfunc ExampleQuiet() {\n\tf()\n}\n",
		"other_test.go":     "//go:build !linux\n\npackage m\n\nfunc TestC(t *testing.T) {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string][2][]string{
		"m_windows_test.go": {nil, {"TestA", "ExampleRun"}}, "tagged_test.go": {{"TestB"}, nil}, "other_test.go": {nil, {"TestC"}},
	} {
		r := &Reach{Program: &program.Program{Packages: map[string]*gotool.Package{"m": {Dir: dir, IgnoredGoFiles: []string{name}}}}}
		if tagged, ported := r.RunsElsewhere("m"); !slices.Equal(tagged, want[0]) || !slices.Equal(ported, want[1]) {
			t.Errorf("%s: with tags %q, on other systems %q, want %q", name, tagged, ported, want)
		}
	}
}

func TestTouchedPackagesThatMayRunUnseen(t *testing.T) {
	r := &Reach{Program: &program.Program{
		Unit: diffscope.Unit{Outside: []string{"imports"}}, Touched: []string{"elsewhere", "excludes", "partly", "main", "seen"},
		Packages: map[string]*gotool.Package{
			"elsewhere": {ImportPath: "elsewhere"}, "imports": {ImportPath: "imports", Deps: []string{"elsewhere"}},
			"excludes": {ImportPath: "excludes", IgnoredGoFiles: []string{"m_windows_test.go"}},
			"partly":   {ImportPath: "partly", IgnoredGoFiles: []string{"m_windows_test.go"}, TestGoFiles: []string{"m_test.go"}},
			"main":     {ImportPath: "main", Name: "main"}, "seen": {ImportPath: "seen"},
		},
	}}
	unseen := r.Unseen()
	for pkg, want := range map[string]bool{"elsewhere": true, "excludes": true, "partly": false, "main": true, "seen": false, "imports": false} {
		if unseen[pkg] != want {
			t.Errorf("%s: %v, want %v", pkg, unseen[pkg], want)
		}
	}
}
