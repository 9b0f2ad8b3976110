package main

// This file reads and writes bundles where the command line says, and tells early
// when one cannot be written.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"pathspan/bounded"
	"pathspan/profile"
	"pathspan/scratch"
)

// readBundle reads the bundle that an argument names.
func readBundle(path string) (*profile.Bundle, error) {
	data, err := load(path)
	if err != nil {
		return nil, err
	}
	return parseBundle(path, data)
}

// load returns the content of the file that an argument names, a bundle or a result.
func load(path string) ([]byte, error) {
	data, err := profile.Load(path)
	if errors.Is(err, fs.ErrPermission) {
		err = fmt.Errorf("%s: permission denied; make the file readable", path)
	}
	return data, err
}

// parseBundle reads the bundle that is the content of a file.
func parseBundle(path string, data []byte) (*profile.Bundle, error) {
	b, err := profile.Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// writeBundle writes the bundle that -o names.
func writeBundle(b *profile.Bundle, output string) error {
	if err := b.WriteFile(output); err != nil {
		return fmt.Errorf("-o %s: %w; name a file elsewhere", output, bounded.Reason(err))
	}
	return nil
}

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
		return fmt.Errorf("-o %s: cannot write in folder %s: %w; name a file in a folder that can be written", output, dir, bounded.Reason(err))
	}
	f.Close()
	return os.Remove(f.Name())
}

// writeFile writes a file beside its place and renames it, so that nothing is left
// half-written.
func writeFile(output string, data []byte) error {
	if err := scratch.PlaceBytes(output, 0o644, data); err != nil {
		return fmt.Errorf("-o %s: %w; name a file elsewhere", output, bounded.Reason(err))
	}
	return nil
}
