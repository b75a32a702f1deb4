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

// storeDismissals adds mutants that were dismissed in a review to those that the shared corpus in dir keeps. It
// creates dir if necessary. It does nothing if dir is empty or noCorpus, and returns a usage error if dir is, or
// is below, a link that came with the repository.
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
	const next = config.Store + ".new" // it replaces the file in one step
	if err := root.WriteFile(next, config.Encode(config.Merge(known, readable(dismissed))), 0o644); err != nil {
		return err
	}
	return root.Rename(next, config.Store)
}

// readable returns the entries that can be read again. It drops others, such as entries with too long a text.
func readable(list []config.Dismissal) (fit []config.Dismissal) {
	for _, d := range list {
		if _, err := config.Decode(config.Encode([]config.Dismissal{d}), operatorNames()); err == nil {
			fit = append(fit, d)
		}
	}
	return fit
}

// storedDismissals returns what was dismissed in reviews, as the shared corpus at root keeps it. It returns nil
// if there is no such file.
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

// loadDismissals makes t leave out the mutants that were dismissed in reviews, as the shared corpus in dir keeps
// them. If they cannot be read it returns a warning, not an error: the results are right without them.
func (t *team) loadDismissals(dir string) (warning string) {
	root, err := os.OpenRoot(dir)
	if err == nil {
		defer root.Close()
		t.reviews.Dismissed, err = storedDismissals(root)
	}
	if err != nil {
		return fmt.Sprintf("dismissals from reviews are ignored: cannot read %s in the corpus", config.Store)
	}
	return ""
}
