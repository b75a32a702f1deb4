package main

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// outcome returns the parts of the verdict on m that have to be the same in every run.
func outcome(m *results.Mutant) string {
	s := m.Function + " " + m.ID + " " + m.Status + " " + m.Stage
	if k := m.KilledBy; k != nil {
		s += " " + k.By + "/" + k.Kind
	}
	return s
}

// same FILE FILE: both results have the same mutants with the same verdicts.
func same(ts *testscript.TestScript, neg bool, args []string) {
	first, second := resultsIn(ts, args[0]), resultsIn(ts, args[1])
	if len(first.Mutants) == 0 || len(first.Mutants) != len(second.Mutants) {
		ts.Fatalf("%d mutants, and then %d", len(first.Mutants), len(second.Mutants))
	}
	for i := range first.Mutants {
		if a, b := outcome(&first.Mutants[i]), outcome(&second.Mutants[i]); a != b {
			ts.Fatalf("%s\nand then\n%s", a, b)
		}
	}
}

// [!] identical FILE FILE: both results are (not) the same, apart from times, seed and restarted workers.
func identical(ts *testscript.TestScript, neg bool, args []string) {
	timeless := func(name string) *results.Results {
		r := resultsIn(ts, name)
		r.Seconds, r.Stats.ExecsPerSecond, r.Stats.WorkersRestarted, r.Options.Seed = results.Seconds{}, 0, 0, 0
		return r
	}
	if diff := cmp.Diff(timeless(args[0]), timeless(args[1])); (diff == "") == neg {
		ts.Fatalf("they differ: %t\n%s", diff != "", diff)
	}
}

// distinct FILE FOLDER: no two mutants make the same program, and no mutant makes the original one.
func distinct(ts *testscript.TestScript, neg bool, args []string) {
	seen := map[string]string{}
	for _, m := range resultsIn(ts, args[0]).Mutants {
		src := ts.ReadFile(filepath.Join(args[1], filepath.FromSlash(m.File)))
		if original := goTokens(src); seen[original] == "" {
			seen[original] = "the program"
		}
		mutated := goTokens(src[:m.Offset] + m.Replacement + src[m.EndOffset:])
		if other := seen[mutated]; other != "" {
			ts.Fatalf("mutant %s, %q for %q in %s, is the same as %s", m.ID, m.Replacement, m.Original, m.Function, other)
		}
		seen[mutated] = "mutant " + m.ID
	}
	if len(seen) < 10 {
		ts.Fatalf("only %d programs", len(seen))
	}
}

// compile FILE FOLDER: every mutant that was killed or survived compiles, and there are at least ten. The files must
// not import anything.
func compile(ts *testscript.TestScript, neg bool, args []string) {
	judged := 0
	for _, part := range resultsIn(ts, args[0]).Mutants {
		m := part.Whole()
		if m.Status != results.Killed && m.Status != results.Survived {
			continue
		}
		judged++
		src := ts.ReadFile(filepath.Join(args[1], filepath.FromSlash(m.File)))
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, m.File, src[:m.Offset]+m.Replacement+src[m.EndOffset:], 0)
		if err == nil {
			_, err = new(types.Config).Check("p", fset, []*ast.File{file}, nil)
		}
		if err != nil {
			ts.Fatalf("mutant %s was %s: %v", m.ID, m.Status, err)
		}
	}
	if judged < 10 {
		ts.Fatalf("only %d mutants were judged", judged)
	}
}

// goTokens returns the tokens of src, one a line, without the space and comments between them.
func goTokens(src string) string {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), []byte(src), nil, 0)
	var b bytes.Buffer
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return b.String()
		}
		fmt.Fprintf(&b, "%s %q\n", tok, strings.TrimSpace(lit))
	}
}

// covered FILE FUNCTION: every mutant of the function that was killed or survived was reached, and there are at least
// three.
func covered(ts *testscript.TestScript, neg bool, args []string) {
	judged := 0
	for _, m := range resultsIn(ts, args[0]).Mutants {
		if !strings.HasSuffix(m.Function, "."+args[1]) || m.Status != results.Killed && m.Status != results.Survived {
			continue
		}
		judged++
		if m.Stage == results.NotReached {
			ts.Fatalf("line %d, %q for %q: nothing runs it", m.Line, m.Replacement, m.Original)
		}
	}
	if judged < 3 {
		ts.Fatalf("only %d mutants of %s were judged", judged, args[1])
	}
}

// scriptEnv is the key under which a script's environment is kept.
type scriptEnv struct{}

// program returns a command that runs in the folder and with the environment that the script began with.
func program(ts *testscript.TestScript, args []string) *exec.Cmd {
	cmd := exec.Command(lookUp(ts.Getenv("PATH"), args[0]), args[1:]...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), ts.Value(scriptEnv{}).([]string)
	return cmd
}

// stopped SIGNAL PHASE program args...: sends the signal, KILL or INT, once the program reports the start of PHASE.
// KILL has to kill the program; after INT it has to end with status 130.
func stopped(ts *testscript.TestScript, neg bool, args []string) {
	cmd := program(ts, args[2:])
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	signal, want := os.Kill, -1
	if args[0] == "INT" {
		signal, want = os.Interrupt, ExitInterrupted
	}
	sent := false
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		ts.Logf("%s", lines.Text())
		if !sent && strings.HasPrefix(lines.Text(), "mutantfuzz: "+args[1]) {
			sent = true
			ts.Check(cmd.Process.Signal(signal))
		}
	}
	_ = cmd.Wait() // the exit status is checked below
	if got := cmd.ProcessState.ExitCode(); !sent || got != want {
		ts.Fatalf("signal sent: %t; exit status %d, want %d", sent, got, want)
	}
}

// peak MIB program args...: the program succeeds, and neither it nor any process that it started ever had more than MIB
// mebibytes of memory.
func peak(ts *testscript.TestScript, neg bool, args []string) {
	limit, err := strconv.ParseInt(args[0], 10, 64)
	ts.Check(err)
	cmd := program(ts, args[1:])
	output, err := cmd.CombinedOutput()
	ts.Logf("%s", output)
	ts.Check(err)
	if got := peakMemory(cmd.ProcessState); got == 0 || got > limit<<20 {
		ts.Fatalf("the peak was %d MiB", got>>20)
	}
}
