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

// limitMemory bounds the memory that a child, and each of its descendants, may map
// for data. The probe does so too, and earlier; plain test binaries have no probe.
func limitMemory(pid int, bytes int64) {
	limit := unix.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}
	_ = unix.Prlimit(pid, unix.RLIMIT_DATA, &limit, nil) // fails where it has ended already
}

// asleep reports whether every live thread of every process in the group sleeps
// interruptibly, and the processor time that they have used, in clock ticks. It is
// false if none lives: the group has ended, which may not have been noticed yet.
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

// resting reports whether every live thread of the group's leader sleeps
// interruptibly and the leader has no children, and the processor time that it has
// used, in clock ticks. It is cheaper than asleep, and less exact.
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
		// Not every kernel has this file; there a child that waits for others seems to rest.
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

// atWork reports whether the thread runs, or waits for a disk or for memory.
func (s stat) atWork() bool { return s.state == 'R' || s.state == 'D' }

// dead reports whether the thread has ended, and is at most still to be waited for.
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
