package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/weave"
)

// watchedCalls are the system calls that touch files by name, the network, or processes.
const watchedCalls = "execve,execveat,clone,clone3,fork,vfork,open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir," +
	"link,linkat,symlink,symlinkat,chmod,fchmodat,chown,fchownat,truncate,utimensat,mknodat,socket,connect,bind,listen,sendto,kill,tkill,pidfd_send_signal"

// confined runs all drivers of every module under strace. It counts what they do to files outside the folders of
// the run, to the network and to other processes, whether or not the sandbox lets them.
func confined(ctx context.Context, l *lab) (bool, error) {
	if _, err := exec.LookPath("strace"); err != nil {
		return false, fmt.Errorf("%w\nhint: install strace; this works on Linux only", err)
	}
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	fmt.Fprint(l.out, "| module | processes of drivers | system calls seen | outside |\n|---|--:|--:|--:|\n")
	all := 0
	for _, m := range l.modules {
		log := filepath.Join(l.dir, "strace.log")
		cmd := exec.CommandContext(ctx, "strace", "-f", "-qq", "-s", "300", "-e", "trace="+watchedCalls, "-o", log,
			self, "drivers", "-modules", m.query+" "+strings.Join(m.packages, " "))
		out, err := cmd.CombinedOutput()
		// Status 1 says that too few functions are driven, which does not matter here.
		if ended := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &ended) || ended.ExitCode() != 1) {
			return false, fmt.Errorf("%s: %w\n%s", m.query, err, out)
		}
		f, err := os.Open(log)
		if err != nil {
			return false, err
		}
		t := newTraced(os.TempDir())
		err = errors.Join(t.read(f), f.Close())
		if err != nil {
			return false, err
		}
		fmt.Fprintf(l.out, "| %s | %d | %d | %d |\n", m.query, t.processes, t.calls, len(t.outside))
		for _, line := range t.outside {
			fmt.Fprintf(l.log, "%s: %s\n", m.query, line)
		}
		if t.processes == 0 {
			return false, fmt.Errorf("%s: no driver was run", m.query)
		}
		all += len(t.outside)
	}
	return all == 0, nil
}

// traced is what drivers did according to a log of strace.
type traced struct {
	temp      string            // the folder that holds the folders of the run
	members   map[string]bool   // tasks of the drivers' processes, by ID
	begun     map[string]string // beginnings of calls that have not ended, by task
	processes int
	calls     int
	outside   []string // lines of the log
}

func newTraced(temp string) *traced {
	return &traced{temp: temp, members: map[string]bool{}, begun: map[string]string{}}
}

var (
	tracedLine = regexp.MustCompile(`^(\d+) +(.*)$`)
	resumed    = regexp.MustCompile(`^<\.\.\. \w+ resumed>`)
	tracedCall = regexp.MustCompile(`^(\w+)\((.*)\) += (-?\d+|\?)`)
	tracedPath = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
	driverArg  = regexp.MustCompile(`-test\.run=\^Test\w+` + weave.Driver)
)

// read reads a log of strace.
func (t *traced) read(r io.Reader) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		m := tracedLine.FindStringSubmatch(s.Text())
		if m == nil {
			continue
		}
		task, text := m[1], m[2]
		if before, open := strings.CutSuffix(text, " <unfinished ...>"); open {
			t.begun[task] = before
			continue
		}
		if at := resumed.FindStringIndex(text); at != nil {
			text = t.begun[task] + strings.TrimLeft(text[at[1]:], " ")
			delete(t.begun, task)
		}
		if c := tracedCall.FindStringSubmatch(text); c != nil {
			t.call(task, c[1], c[2], c[3], s.Text())
		}
	}
	return s.Err()
}

// call takes note of one system call of a task.
func (t *traced) call(task, name, args, result, line string) {
	switch {
	case !t.members[task]:
		if name == "execve" && result == "0" && driverArg.MatchString(args) {
			t.members[task] = true
			t.processes++
		}
		return
	case strings.HasPrefix(name, "clone") && strings.Contains(args, "CLONE_THREAD"):
		t.members[result] = true
		return
	}
	t.calls++
	if !t.inside(name, args) {
		t.outside = append(t.outside, line)
	}
}

// inside reports whether a call only opens a file for reading, or touches nothing but what belongs to the run.
func (t *traced) inside(name, args string) bool {
	switch name {
	case "open", "openat", "openat2":
		if !strings.Contains(args, "O_WRONLY") && !strings.Contains(args, "O_RDWR") && !strings.Contains(args, "O_CREAT") && !strings.Contains(args, "O_TRUNC") {
			return true
		}
	case "execve", "execveat", "clone", "clone3", "fork", "vfork", "socket", "connect", "bind", "listen", "sendto", "kill", "tkill", "pidfd_send_signal":
		return false
	}
	paths := tracedPath.FindAllStringSubmatch(args, -1)
	// The target of a symbolic link is relative to the folder of the link.
	if strings.HasPrefix(name, "symlink") && len(paths) == 2 && !filepath.IsAbs(paths[0][1]) {
		paths[0][1] = filepath.Join(filepath.Dir(paths[1][1]), paths[0][1])
	}
	return len(paths) > 0 && !slices.ContainsFunc(paths, func(p []string) bool { return !t.own(p[1]) })
}

// own reports whether a file belongs to the run, or is the null device. Files of the run are below one of its
// folders, and what processes print goes to the run. The working folder of tests is one of these, so relative paths that stay below it count.
func (t *traced) own(path string) bool {
	if !filepath.IsAbs(path) {
		return filepath.IsLocal(path)
	}
	return path == os.DevNull || path == "/dev/stdout" || strings.HasPrefix(filepath.Clean(path), filepath.Join(t.temp, "mutantfuzz-"))
}
