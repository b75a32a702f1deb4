package gotool

import (
	"errors"
	"regexp"
	"syscall"
)

// lacks matches what the go command, or a tool that it runs, says at the end of a line if it fails because of the
// machine and not because of the program.
var lacks = regexp.MustCompile(`(?m)(no space left on device|not enough space on the disk\.|disk quota exceeded|cannot allocate memory|signal: killed|too many open files)\r?$`)

// causes maps these texts to errors of the system. If a compiler was killed, most often memory was lacking.
var causes = map[string]syscall.Errno{
	"no space left on device": syscall.ENOSPC, "not enough space on the disk.": syscall.ENOSPC, "disk quota exceeded": syscall.EDQUOT,
	"cannot allocate memory": syscall.ENOMEM, "signal: killed": syscall.ENOMEM, "too many open files": syscall.EMFILE,
}

// Lack returns what the machine lacked, according to the output of a go command: ENOSPC, EDQUOT, ENOMEM or
// EMFILE. It returns nil if the output says nothing like that.
func Lack(output string) error {
	if m := lacks.FindStringSubmatch(output); m != nil {
		return causes[m[1]]
	}
	return nil
}

// IsLack reports whether err is, or wraps, one of the errors that Lack returns.
func IsLack(err error) bool {
	for _, cause := range causes {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}
