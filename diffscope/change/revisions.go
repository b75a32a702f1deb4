package change

import (
	"context"
	"encoding/json"
	"os"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
)

// resolveRevisions fills in the revisions. With a diff or all functions it sets only Head, if that was given.
func (c *Change) resolveRevisions(ctx context.Context) (err error) {
	r := &c.Revisions
	if c.source.Head != "" {
		if r.Head, err = c.git.revision(ctx, c.source.Head); err != nil {
			return err
		}
	}
	if c.source.All || c.source.HaveDiff {
		return nil
	}
	base, err := c.base(ctx)
	if err != nil {
		return err
	}
	if r.Base, err = c.git.revision(ctx, base); err != nil {
		return err
	}
	head := r.Head
	if head == "" {
		if head, err = c.git.revision(ctx, "HEAD"); err != nil {
			return err
		}
	}
	if r.MergeBase, err = c.git.mergeBase(ctx, r.Base, head); err == nil {
		subjects := c.git.subjects(ctx, r.MergeBase, head)
		r.Fixes, r.Alike = slices.ContainsFunc(subjects, saysFix), allSayAlike(subjects)
	}
	return err
}

// base returns the revision to compare with.
func (c *Change) base(ctx context.Context) (string, error) {
	if c.source.Base != "" {
		return c.source.Base, nil
	}
	base, err := eventBase(c.source.Event)
	if base != "" || err != nil {
		return base, err
	}
	const remote = "refs/remotes/origin/HEAD"
	_, err = c.git.revision(ctx, remote)
	if fault.Is(err, fault.UnknownRevision) {
		return "", fault.New(fault.NoBase, "pass --base REV, for example --base origin/main, or run git remote set-head origin --auto",
			"nothing says what to compare with: no base revision, no pull request event, no origin/HEAD")
	}
	return remote, err
}

// eventBase returns pull_request.base.sha of a CI event file, or "" if there is no file or the event is another one.
func eventBase(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	const hint = "pass --base REV, which comes before the event"
	data, err := os.ReadFile(file)
	if err != nil {
		return "", &fault.Error{Kind: fault.BadConfig, Msg: "cannot read the event", Err: err, Hint: hint}
	}
	var event struct {
		PullRequest struct {
			Base struct{ SHA string } `json:"base"`
		} `json:"pull_request"`
	}
	if err := json.Unmarshal(data, &event); err != nil {
		return "", &fault.Error{Kind: fault.BadConfig, Msg: "cannot read the event " + file, Err: err, Hint: hint}
	}
	return event.PullRequest.Base.SHA, nil
}
