//go:build go1.21

package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// maxAncestors bounds how many ancestors of a process are searched for the woven test binary that started it. A few
// shells may be in between.
const maxAncestors = 8

// Environment returns a function that looks up the variables which the coordinator sets. In a process without any,
// it looks them up in the woven test binary that started the process. Tests of commands run their own binary as the
// command, some with an environment that they make up, and the mutant has to be active there as well. The variables
// for a job are not inherited: the job is for the test binary only.
func Environment() func(name string) string {
	if os.Getenv(wire.EnvState) != "" || os.Getenv(wire.EnvMutant) != "" || os.Getenv(wire.EnvMemory) != "" {
		return os.Getenv
	}
	for pid, n := os.Getppid(), 0; pid > 1 && n < maxAncestors; pid, n = parentOf(pid), n+1 {
		env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
		if err != nil {
			break // another user's
		}
		if found := settings(env); len(found) > 0 {
			return func(name string) string { return found[name] }
		}
	}
	return os.Getenv
}

// settings returns the probe's variables in env, which is in the format of /proc/pid/environ (proc(5)). It
// leaves out those for a job.
func settings(env []byte) map[string]string {
	found := map[string]string{}
	for _, setting := range bytes.Split(env, []byte{0}) {
		name, value, _ := strings.Cut(string(setting), "=")
		switch name {
		case wire.EnvState, wire.EnvMutant, wire.EnvSteps, wire.EnvAllocated, wire.EnvMemory:
			found[name] = value
		}
	}
	return found
}

// parentOf returns the parent of a process, or 0 if it is unknown. In /proc/pid/stat, the parent is the second
// field after the command's name. The name may contain anything and ends at the last parenthesis.
func parentOf(pid int) int {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(string(fields[1]))
	return parent
}
