package reach

import (
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

func TestTestsThatBuildConstraintsLeaveOutAreKnownByTheirFiles(t *testing.T) {
	for name, want := range map[string]bool{"m_windows_test.go": true, "m_windows.go": false, "_m_test.go": false, ".m_test.go": false} {
		r := &Reach{Program: &program.Program{Packages: map[string]*gotool.Package{"m": {IgnoredGoFiles: []string{name}}}}}
		if got := r.excludesTests("m"); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if (&Reach{Program: &program.Program{}}).excludesTests("unknown") {
		t.Error("an unknown package has tests")
	}
}

func TestTouchedPackagesThatMayRunUnseen(t *testing.T) {
	r := &Reach{Program: &program.Program{
		Unit: diffscope.Unit{Outside: []string{"imports"}}, Touched: []string{"elsewhere", "excludes", "main", "seen"},
		Packages: map[string]*gotool.Package{
			"elsewhere": {ImportPath: "elsewhere"}, "imports": {ImportPath: "imports", Deps: []string{"elsewhere"}},
			"excludes": {ImportPath: "excludes", IgnoredGoFiles: []string{"m_windows_test.go"}},
			"main":     {ImportPath: "main", Name: "main"}, "seen": {ImportPath: "seen"},
		},
	}}
	unseen := r.Unseen()
	for pkg, want := range map[string]bool{"elsewhere": true, "excludes": true, "main": true, "seen": false, "imports": false} {
		if unseen[pkg] != want {
			t.Errorf("%s: %v, want %v", pkg, unseen[pkg], want)
		}
	}
}
