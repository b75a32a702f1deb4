package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/mutantfuzz/mutantfuzz/internal/config"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// storeDismissals adds what was dismissed in a review to what the shared corpus in a folder keeps of that; it makes the folder, unless
// that is a link that came with the repository.
func storeDismissals(ctx context.Context, dir string, dismissed []config.Dismissal) error {
	if dir == "" || dir == noCorpus || len(dismissed) == 0 {
		return nil
	}
	if err := notBrought(ctx, dir); err != nil {
		return err
	}
	if err := addDismissals(dir, dismissed); err != nil {
		return usagef("keeping what was dismissed in %s: %w\nhint: let --corpus name a folder that can be written, or remove its %s", dir, err, config.Store)
	}
	return nil
}

func addDismissals(dir string, dismissed []config.Dismissal) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	known, err := storedDismissals(root)
	if err != nil {
		return err
	}
	const next = config.Store + ".new" // it takes the place of the file as a whole
	if err := root.WriteFile(next, config.Encode(config.Merge(known, readable(dismissed))), 0o644); err != nil {
		return err
	}
	return root.Rename(next, config.Store)
}

// readable are the entries that can be read again: a text may be too long.
func readable(list []config.Dismissal) (fit []config.Dismissal) {
	for _, d := range list {
		if _, err := config.Decode(config.Encode([]config.Dismissal{d}), operatorNames()); err == nil {
			fit = append(fit, d)
		}
	}
	return fit
}

// storedDismissals is what was dismissed in reviews, as a shared corpus keeps it.
func storedDismissals(root *os.Root) ([]config.Dismissal, error) {
	data, err := regular.ReadIn(root, config.Store, config.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c, err := config.Decode(data, operatorNames())
	if err != nil {
		return nil, err
	}
	return c.Dismissed, nil
}

// loadDismissals has t leave out what was dismissed in reviews, as the shared corpus in a folder keeps it. That it cannot be read is a
// warning: no result is wrong without it.
func (t *team) loadDismissals(dir string) (warning string) {
	root, err := os.OpenRoot(dir)
	if err == nil {
		defer root.Close()
		t.reviews.Dismissed, err = storedDismissals(root)
	}
	if err != nil {
		return fmt.Sprintf("what was dismissed in reviews is not known: %s in the corpus cannot be read", config.Store)
	}
	return ""
}
