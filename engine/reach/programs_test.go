package reach

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

func TestWhatIsPartOfAProgramThatTestsStartMayRunUnseen(t *testing.T) {
	const exec, script = "os/exec", "github.com/rogpeppe/go-internal/testscript"
	packages := func(change func(main, lib, tests *gotool.Package)) *Reach {
		main := &gotool.Package{ImportPath: "m", Name: "main", Deps: []string{"fmt", "m/lib"}}
		lib := &gotool.Package{ImportPath: "m/lib", Name: "lib"}
		tests := &gotool.Package{ImportPath: "m/tests", Name: "tests"}
		change(main, lib, tests)
		return &Reach{Program: &program.Program{Packages: map[string]*gotool.Package{"m": main, "m/lib": lib, "m/tests": tests}}}
	}
	for _, tt := range []struct {
		name   string
		change func(main, lib, tests *gotool.Package)
		want   bool
	}{
		{"no test starts a program", func(_, _, _ *gotool.Package) {}, false},
		{"a test of another package does", func(_, _, tests *gotool.Package) { tests.TestImports = []string{exec} }, true},
		{"a test of the program does", func(main, _, _ *gotool.Package) { main.XTestImports = []string{exec} }, true},
		{"scripts do", func(_, _, tests *gotool.Package) { tests.XTestImports = []string{script} }, true},
		{"a test of the package itself does", func(_, lib, _ *gotool.Package) { lib.TestImports = []string{exec} }, false},
		{"it is no part of the program", func(main, _, tests *gotool.Package) { tests.TestImports, main.Deps = []string{exec}, nil }, false},
		{"there is no program", func(main, _, tests *gotool.Package) { tests.TestImports, main.Name = []string{exec}, "m" }, false},
	} {
		r := packages(tt.change)
		if got := r.InProgram("m/lib"); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		if got, want := r.InProgram("m"), r.Packages["m"].Name == "main"; got != want {
			t.Errorf("%s: package main: %v, want %v", tt.name, got, want)
		}
	}
}
