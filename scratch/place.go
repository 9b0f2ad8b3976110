package scratch

// This file puts files in their places at once, so that nobody reads half of one.

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
)

// Unfinished begins the names of files that are being written. One that has not changed for
// long was left by a process that was killed.
const Unfinished = ".part-"

// Place writes a file beside path and renames it. Where that fails, the file at path is
// what it was, and nothing stays beside it.
func Place(path string, mode os.FileMode, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), Unfinished+"*")
	if err != nil {
		return err
	}
	if err = cmp.Or(write(f), f.Chmod(mode), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// PlaceBytes is Place of what is in memory.
func PlaceBytes(path string, mode os.FileMode, data []byte) error {
	return Place(path, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
