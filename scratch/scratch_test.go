package scratch

// This file tests that folders go, those of this process and those that others left, and
// that nothing else does.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestFolders(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	a, err := Folder("pathspan-a-")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Folder("pathspan-b-")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(a, filepath.Join(os.TempDir(), "pathspan-a-")) || !filepath.IsAbs(a) {
		t.Errorf("the folder is %s", a)
	}
	if err := os.MkdirAll(filepath.Join(a, "deep", "down"), 0o755); err != nil {
		t.Fatal(err)
	}
	Remove(a)
	if exists(a) || !exists(b) {
		t.Errorf("after Remove: %v, %v", exists(a), exists(b))
	}
	Remove(a)
	Remove(os.TempDir()) // none of ours
	folders.Lock()
	removeAll()
	folders.Unlock()
	if exists(b) || !exists(os.TempDir()) {
		t.Errorf("after RemoveAll: %v, %v", exists(b), exists(os.TempDir()))
	}
	t.Setenv("TMPDIR", filepath.Join(os.TempDir(), "none"))
	if _, err := Folder("pathspan-"); err == nil || !strings.Contains(err.Error(), "set TMPDIR") || strings.Contains(err.Error(), "\n") {
		t.Errorf("without TMPDIR: %v", err)
	}
}

func TestSweep(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	live, err := Folder("pathspan-")
	if err != nil {
		t.Fatal(err)
	}
	defer Remove(live)
	folder := func(name string, files ...string) string {
		dir := filepath.Join(tmp, name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if err := os.WriteFile(filepath.Join(dir, f), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	left := folder("pathspan-cc-1", mark, "1-linked.ll") // by a process that was killed
	stays := []string{live, folder("pathspan-results", "mine.txt"), folder("results", mark)}
	link := filepath.Join(tmp, "pathspan-link")
	if err := os.Symlink(folder("elsewhere", mark), link); err != nil {
		t.Fatal(err)
	}
	stays = append(stays, link, filepath.Join(tmp, "elsewhere", mark))
	sweep(tmp, time.Hour)
	if !exists(left) {
		t.Error("a folder goes that may have been made a moment ago")
	}
	sweep(tmp, 0)
	if exists(left) {
		t.Error("what a killed process left stays")
	}
	for _, path := range stays {
		if !exists(path) {
			t.Errorf("%s is gone", path)
		}
	}
}
