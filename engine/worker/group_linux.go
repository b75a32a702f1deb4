package worker

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// dieWithParent has the kernel kill the child when the thread that started it
// ends.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// limitMemory bounds what a child and those below it may map for data, each by
// itself. The probe does so too, from the start; plain test binaries have none.
func limitMemory(pid int, bytes int64) {
	limit := unix.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &limit, nil) // fails where it has ended already
}

// asleep reports whether every thread that lives of every process in the group sleeps
// interruptibly, waiting for something that none of them is going to do, and
// the processor time they have used, in clock ticks. Where none lives it is false: all is
// over, and may not have been noticed yet.
func (g *group) asleep() (ticks uint64, all bool) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, false
	}
	for _, name := range stats {
		s, err := readStat(name)
		if err != nil || s.group != g.id {
			continue // ended since, or not ours
		}
		threads, err := filepath.Glob(filepath.Join(filepath.Dir(name), "task/[0-9]*/stat"))
		if err != nil {
			return 0, false
		}
		for _, thread := range threads {
			s, err := readStat(thread)
			if err != nil || s.atWork() {
				return 0, false
			}
			ticks += s.ticks
			all = all || !s.dead()
		}
	}
	return ticks, all
}

// resting reports whether every thread that lives of the group's leader sleeps interruptibly,
// without a process below it, and the processor time it has used, in clock ticks.
// It is cheaper than asleep, and knows less.
func (g *group) resting() (ticks uint64, all bool) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/[0-9]*", g.id))
	if err != nil {
		return 0, false
	}
	for _, thread := range threads {
		s, err := readStat(filepath.Join(thread, "stat"))
		if err != nil || s.atWork() {
			return 0, false
		}
		// Not every kernel tells; then a child that waits for others seems to rest.
		if children, err := os.ReadFile(filepath.Join(thread, "children")); err == nil && len(children) > 0 {
			return 0, false
		}
		ticks += s.ticks
		all = all || !s.dead()
	}
	return ticks, all
}

// stat is what asleep needs of a stat file of proc(5).
type stat struct {
	state byte
	group int
	ticks uint64 // user and system time
}

// atWork reports whether it runs, or waits for a disk or for memory.
func (s stat) atWork() bool { return s.state == 'R' || s.state == 'D' }

// dead reports whether it has ended, and somebody may still have to be told.
func (s stat) dead() bool { return s.state == 'Z' || s.state == 'X' }

// readStat reads a stat file. The command's name, which may hold anything,
// ends at the last parenthesis; the state is the field after it.
func readStat(name string) (stat, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return stat{}, err
	}
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	if len(fields) < 13 {
		return stat{}, fmt.Errorf("%s: %d fields", name, len(fields))
	}
	number := func(i int) uint64 {
		n, _ := strconv.ParseUint(string(fields[i]), 10, 64)
		return n
	}
	return stat{state: fields[0][0], group: int(number(2)), ticks: number(11) + number(12)}, nil
}
