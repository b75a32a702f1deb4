package gotool

import (
	"errors"
	"regexp"
	"syscall"
)

// lacks matches what the go command, or a tool that it runs, says at the end of a line where the machine, and not the
// program, is why it fails.
var lacks = regexp.MustCompile(`(?m)(no space left on device|not enough space on the disk\.|disk quota exceeded|cannot allocate memory|signal: killed|too many open files)\r?$`)

// causes are the errors of the system behind these. Whatever kills a compiler, most often it is a lack of memory.
var causes = map[string]syscall.Errno{
	"no space left on device": syscall.ENOSPC, "not enough space on the disk.": syscall.ENOSPC, "disk quota exceeded": syscall.EDQUOT,
	"cannot allocate memory": syscall.ENOMEM, "signal: killed": syscall.ENOMEM, "too many open files": syscall.EMFILE,
}

// Lack is what the machine lacked, by the output of a go command: ENOSPC, EDQUOT, ENOMEM or EMFILE; nil: nothing, as far as that
// says.
func Lack(output string) error {
	if m := lacks.FindStringSubmatch(output); m != nil {
		return causes[m[1]]
	}
	return nil
}

// IsLack reports whether err is, or wraps, what the machine lacked.
func IsLack(err error) bool {
	for _, cause := range causes {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}
