// Package scratch keeps the folders of temporary files that pathspan works in, so that
// none stays behind however it ends.
//
//	dir, err := scratch.Folder("pathspan-cc-")
//	defer scratch.Remove(dir)
//
// A signal that ends pathspan without running deferred calls goes through RemoveAll. What
// SIGKILL leaves, Sweep removes at a later start.
package scratch

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"pathspan/bounded"
)

// prefix begins the names of all folders, and mark is the file that tells them from
// folders that people made: it is locked as long as its process lives.
const (
	prefix = "pathspan-"
	mark   = ".pathspan-scratch"
)

// unmarked is how old a folder must be before nobody can be about to lock its mark.
const unmarked = 10 * time.Minute

var folders = struct {
	sync.Mutex
	marks map[string]*os.File // by folder; the file is open while the folder is in use
}{marks: map[string]*os.File{}}

// Folder makes a folder of temporary files under TMPDIR. Its name, which is absolute,
// begins with name, which begins with "pathspan-". The error is one line that says what
// to do.
func Folder(name string) (string, error) {
	folders.Lock() // a folder that RemoveAll does not know of would stay
	defer folders.Unlock()
	dir, err := os.MkdirTemp("", name)
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return "", fmt.Errorf("no folder for temporary files in %s: %w; set TMPDIR to one that can be written", os.TempDir(), bounded.Reason(err))
	}
	// Without a lock, which some file systems do not have, only Sweep is of no use.
	f, err := os.OpenFile(filepath.Join(dir, mark), os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil {
		f.Close() // nil is an error that does not matter
		os.Remove(filepath.Join(dir, mark))
		f = nil
	}
	folders.marks[dir] = f
	return dir, nil
}

// Remove removes a folder and all that is in it.
func Remove(dir string) {
	folders.Lock()
	defer folders.Unlock()
	remove(dir)
}

func remove(dir string) {
	f, ok := folders.marks[dir]
	if !ok {
		return
	}
	delete(folders.marks, dir)
	// What still runs in it may make files meanwhile.
	for range 5 {
		if os.RemoveAll(dir) == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	f.Close()
}

// RemoveAll removes every folder of this process, for an end that runs no deferred calls:
// who would make another one waits for that end.
func RemoveAll() {
	folders.Lock()
	removeAll()
}

func removeAll() {
	for dir := range folders.marks {
		remove(dir)
	}
}

// Sweep removes folders under TMPDIR that processes of this user left when they were
// killed: their marks are there, and nobody holds them.
func Sweep() { sweep(os.TempDir(), unmarked) }

func sweep(under string, age time.Duration) {
	entries, err := os.ReadDir(under)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		dir := filepath.Join(under, e.Name())
		if info, err := e.Info(); err == nil && ours(info) && time.Since(info.ModTime()) >= age && abandoned(dir) {
			os.RemoveAll(dir)
		}
	}
}

func ours(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Getuid()
}

// abandoned tells whether the mark of a folder is there and can be locked.
func abandoned(dir string) bool {
	f, err := os.OpenFile(filepath.Join(dir, mark), os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
