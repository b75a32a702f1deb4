package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// LimitMemory bounds how many bytes the child, and each of its descendants, may map for data. It works on Linux only.
// The probe sets the same bound earlier; plain test binaries have no probe.
func (g group) LimitMemory(bytes int64) {
	limit := unix.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}
	_ = unix.Prlimit(g.Pid, unix.RLIMIT_DATA, &limit, nil) // fails if it has already ended
}

// Asleep reports whether no thread of any process in the group is running or in uninterruptible sleep. It also returns
// the processor time that the threads have used, in clock ticks. It returns false if no thread is alive: then the group
// has ended, even if that has not been noticed yet. On systems other than Linux it always returns false.
func (g group) Asleep() (ticks uint64, all bool) {
	if _, _, quiet := activity(fmt.Sprintf("/proc/%d", g.Pid)); !quiet {
		return 0, false // the leader is active, which is the usual case: no need to look at all of /proc
	}
	processes, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
	for _, dir := range processes {
		s, err := readStat(dir + "/stat")
		if err != nil || s.group != g.Pid {
			continue // it has ended, or is not in the group
		}
		used, live, quiet := activity(dir)
		if !quiet {
			return 0, false
		}
		ticks += used
		all = all || live
	}
	return ticks, all
}

// tick is the unit of processor time in stat files of proc(5), whatever the kernel's own tick is.
const tick = 10 * time.Millisecond

// Used returns the processor time of all live processes in the group.
func (g group) Used() (used time.Duration) {
	processes, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
	for _, dir := range processes {
		if s, err := readStat(dir + "/stat"); err == nil && s.group == g.Pid {
			used += time.Duration(s.ticks) * tick
		}
	}
	return used
}

// Resting is like Asleep for the child alone, and false while the child has children. It is cheaper than Asleep, and
// less exact.
func (g group) Resting() (ticks uint64, all bool) {
	dir := fmt.Sprintf("/proc/%d", g.Pid)
	ticks, live, quiet := activity(dir)
	// Not every kernel has these files. Without them a child that waits for its own children seems to rest.
	lists, _ := filepath.Glob(dir + "/task/[0-9]*/children")
	for _, name := range lists {
		if children, err := os.ReadFile(name); err == nil && len(children) > 0 {
			return 0, false
		}
	}
	return ticks, live && quiet
}

// activity looks at the threads of the process whose folder in /proc is dir. It returns their processor time, whether
// any is alive, and whether all are quiet: none is running or in uninterruptible sleep, as when it waits for a disk.
func activity(dir string) (ticks uint64, live, quiet bool) {
	stats, _ := filepath.Glob(dir + "/task/[0-9]*/stat")
	for _, name := range stats {
		s, err := readStat(name)
		if err != nil || s.state == 'R' || s.state == 'D' {
			return 0, false, false
		}
		ticks += s.ticks
		live = live || !s.ended()
	}
	return ticks, live, true
}

// stat holds those fields of a stat file of proc(5) that are needed.
type stat struct {
	state         byte
	parent, group int
	ticks         uint64 // user and system time
}

// ended reports whether the process or thread has ended, even if it has not been reaped yet.
func (s stat) ended() bool { return s.state == 'Z' || s.state == 'X' }

// readStat reads a stat file. The command's name may contain anything; it ends at the last parenthesis. The field after
// that is the state.
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
	return stat{fields[0][0], int(number(1)), int(number(2)), number(11) + number(12)}, nil
}
