package main

// This file checks early that a bundle can be written where it shall lie.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// writable reports why no bundle can be written to output, before a long run finds
// out. The bundle is written beside its place and renamed, which would replace a
// device or a pipe.
func writable(output string) error {
	if output == "" {
		return errors.New("-o: the name is empty; name a file")
	}
	if info, err := os.Stat(output); err == nil && !info.Mode().IsRegular() {
		what := "not a regular file"
		if info.IsDir() {
			what = "a directory"
		}
		return fmt.Errorf("-o %s: it is %s; name a file", output, what)
	}
	dir := filepath.Dir(output)
	f, err := os.CreateTemp(dir, ".pathspan-*")
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return fmt.Errorf("-o %s: cannot write in folder %s: %w; name a file in a folder that can be written", output, dir, err)
	}
	f.Close()
	return os.Remove(f.Name())
}
