package change

import (
	"fmt"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
)

// reverser applies the fragments of a file's diff backwards.
type reverser struct {
	name  string
	lines [][]byte // of head
	next  int      // first line of head not yet dealt with
	base  []byte
}

// all applies every fragment and copies what follows the last.
func (r *reverser) all(fragments []*gitdiff.TextFragment) error {
	for _, f := range fragments {
		if err := r.fragment(f); err != nil {
			return err
		}
	}
	r.copyTo(len(r.lines))
	return nil
}

func (r *reverser) fragment(f *gitdiff.TextFragment) error {
	start := f.NewPosition - 1
	if f.NewLines == 0 {
		start++ // NewPosition is then the line before
	}
	if start < int64(r.next) {
		return fault.New(fault.BrokenDiff, "make it with git diff", "the diff of %s has fragments out of order at %s", r.name, f.Header())
	}
	if start > int64(len(r.lines)) {
		return fault.New(fault.DiffMismatch, mismatchHint, "the diff of %s refers to line %d, but the file has only %d", r.name, f.NewPosition, len(r.lines))
	}
	r.copyTo(int(start))
	for _, line := range f.Lines {
		if err := r.expect(line); err != nil {
			return err
		}
		switch line.Op {
		case gitdiff.OpContext:
			r.copyTo(r.next + 1)
		case gitdiff.OpAdd:
			r.next++
		case gitdiff.OpDelete:
			r.base = append(r.base, line.Line...)
		}
	}
	return nil
}

// expect checks that head has the line where the diff says so. Line endings
// may differ: git converts them on the way into the working tree.
func (r *reverser) expect(line gitdiff.Line) error {
	if !line.New() {
		return nil
	}
	found := "the end of the file"
	if r.next < len(r.lines) {
		text := string(r.lines[r.next])
		if strings.TrimRight(text, "\r\n") == strings.TrimRight(line.Line, "\r\n") {
			return nil
		}
		found = fmt.Sprintf("%q", strings.TrimRight(text, "\r\n"))
	}
	return fault.New(fault.DiffMismatch, mismatchHint, "%s:%d: the diff has %q, the source tree has %s",
		r.name, r.next+1, strings.TrimRight(line.Line, "\r\n"), found)
}

// copyTo copies head's lines up to, but without, index end.
func (r *reverser) copyTo(end int) {
	for ; r.next < end; r.next++ {
		r.base = append(r.base, r.lines[r.next]...)
	}
}
