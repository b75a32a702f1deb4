package worker

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

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
	processes, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
	for _, dir := range processes {
		s, err := readStat(dir + "/stat")
		if err != nil || s.group != g.id {
			continue // ended since, or not ours
		}
		used, live, quiet := threads(dir)
		if !quiet {
			return 0, false
		}
		ticks += used
		all = all || live
	}
	return ticks, all
}

// resting reports the same of the group's leader alone, and is false while that has
// children. It is cheaper than asleep, and less exact.
func (g *group) resting() (ticks uint64, all bool) {
	dir := fmt.Sprintf("/proc/%d", g.id)
	ticks, live, quiet := threads(dir)
	// Not every kernel has these files; there a child that waits for others seems to rest.
	lists, _ := filepath.Glob(dir + "/task/[0-9]*/children")
	for _, name := range lists {
		if children, err := os.ReadFile(name); err == nil && len(children) > 0 {
			return 0, false
		}
	}
	return ticks, live && quiet
}

// threads returns the processor time of a process's threads, whether any lives,
// and whether none runs, or waits for a disk or for memory.
func threads(dir string) (ticks uint64, live, quiet bool) {
	stats, _ := filepath.Glob(dir + "/task/[0-9]*/stat")
	for _, name := range stats {
		s, err := readStat(name)
		if err != nil || s.state == 'R' || s.state == 'D' {
			return 0, false, false
		}
		ticks += s.ticks
		live = live || s.state != 'Z' && s.state != 'X' // dead, and at most still to be waited for
	}
	return ticks, live, true
}

// stat is what threads needs of a stat file of proc(5).
type stat struct {
	state byte
	group int
	ticks uint64 // user and system time
}

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
