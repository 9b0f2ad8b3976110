package scaffold

// This file writes a skeleton as a whole or not at all.

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"pathspan/bounded"
)

// Write makes the new folder dir with the files in it. A dir that exists is an error, and
// after an error nothing is left behind.
func (s *Skeleton) Write(dir string) (err error) {
	dir = filepath.Clean(dir)
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("%s exists already and nothing is overwritten; choose another name or -o another folder", dir)
	}
	parent := filepath.Dir(dir)
	unfinished, err := os.MkdirTemp(parent, ".pathspan-new-*")
	if err != nil {
		return fmt.Errorf("%s: no folder can be made in %s: %w", dir, parent, bounded.Reason(err))
	}
	defer func() {
		if err != nil {
			os.RemoveAll(unfinished)
		}
	}()
	for _, f := range s.Files {
		mode := fs.FileMode(0o644)
		if f.Exec {
			mode = 0o755
		}
		if err := os.WriteFile(filepath.Join(unfinished, f.Name), f.Data, mode); err != nil {
			return fmt.Errorf("%s: %s: %w", dir, f.Name, bounded.Reason(err))
		}
	}
	if err := os.Chmod(unfinished, 0o755); err != nil {
		return fmt.Errorf("%s: %w", dir, bounded.Reason(err))
	}
	if err := os.Rename(unfinished, dir); err != nil {
		return fmt.Errorf("%s: %w", dir, bounded.Reason(err))
	}
	return nil
}
