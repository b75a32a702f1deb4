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

// LimitMemory bounds the bytes that the child, and each of its descendants, may map for
// data, on Linux only. The probe does so too, and earlier; plain test binaries have no
// probe.
func (g group) LimitMemory(bytes int64) {
	limit := unix.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}
	_ = unix.Prlimit(g.Pid, unix.RLIMIT_DATA, &limit, nil) // fails where it has ended already
}

// Asleep reports whether every live thread of every process in the group sleeps
// interruptibly, and the processor time that they have used, in clock ticks. It is
// false if none lives: the group has ended, which may not have been noticed yet. On
// other systems than Linux it is always false.
func (g group) Asleep() (ticks uint64, all bool) {
	if _, _, quiet := activity(fmt.Sprintf("/proc/%d", g.Pid)); !quiet {
		return 0, false // the leader is at work, as it is most often: that is known without a look at all of /proc
	}
	processes, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
	for _, dir := range processes {
		s, err := readStat(dir + "/stat")
		if err != nil || s.group != g.Pid {
			continue // ended since, or not ours
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

// tick is the unit of processor time in stat files of proc(5), whatever the kernel's own is.
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

// Resting reports the same of the child alone, and is false while that has children. It
// is cheaper than Asleep, and less exact.
func (g group) Resting() (ticks uint64, all bool) {
	dir := fmt.Sprintf("/proc/%d", g.Pid)
	ticks, live, quiet := activity(dir)
	// Not every kernel has these files; there a child that waits for others seems to rest.
	lists, _ := filepath.Glob(dir + "/task/[0-9]*/children")
	for _, name := range lists {
		if children, err := os.ReadFile(name); err == nil && len(children) > 0 {
			return 0, false
		}
	}
	return ticks, live && quiet
}

// activity returns the processor time of a process's threads, whether any lives,
// and whether none runs, or waits for a disk or for memory.
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

// stat is what is needed of a stat file of proc(5).
type stat struct {
	state         byte
	parent, group int
	ticks         uint64 // user and system time
}

// ended reports whether it is of what has ended, and at most is still to be waited for.
func (s stat) ended() bool { return s.state == 'Z' || s.state == 'X' }

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
	return stat{fields[0][0], int(number(1)), int(number(2)), number(11) + number(12)}, nil
}
