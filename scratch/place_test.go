package scratch

// This file tests that a file is replaced as a whole or not at all.

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func TestPlace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := PlaceBytes(path, 0o644, []byte("old")); err != nil {
		t.Fatal(err)
	}
	failed := errors.New("failed")
	if err := Place(path, 0o644, func(w io.Writer) error { w.Write([]byte("n")); return failed }); !errors.Is(err, failed) {
		t.Errorf("error %v", err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "old" {
		t.Errorf("%q, %v", got, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("%d files", len(left))
	}
	if err := Place(path, 0o600, func(w io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}
