// Package bounded reads whole files whose size nobody vouches for: what users name, and
// what they got from others. All that pathspan takes into memory as a whole passes here,
// so that no file, and no device, takes all memory.
//
//	data, err := bounded.ReadFile(path, bounded.Text)
//
// A pipe that the user names, as a shell's <(command) is, is read as well.
package bounded

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Bounds in bytes.
const (
	Text    = 32 << 20  // what people write, and tables and results that programs write
	Profile = 1 << 30   // a bundle, as it lies on the disk
	Object  = 4 << 30   // what compilers and profiled programs write
	stream  = 256 << 20 // any of these through a pipe, whose size nothing tells beforehand
)

// ErrTooLarge is in the error for a file that is larger than its bound.
type ErrTooLarge struct{ Limit int64 }

func (e ErrTooLarge) Error() string {
	size := fmt.Sprintf("%d bytes", e.Limit)
	switch {
	case e.Limit >= 1<<30 && e.Limit%(1<<30) == 0:
		size = fmt.Sprintf("%d GiB", e.Limit>>30)
	case e.Limit >= 1<<20 && e.Limit%(1<<20) == 0:
		size = fmt.Sprintf("%d MiB", e.Limit>>20)
	}
	return "larger than " + size + ", which no such file is"
}

// ReadFile reads a file of at most limit bytes. Errors are of type *fs.PathError.
func ReadFile(path string, limit int64) ([]byte, error) { return readFile(path, limit, false) }

// ReadRegular is ReadFile for names that do not come from the user, but from what he
// read: a pipe or a device under such a name is an error.
func ReadRegular(path string, limit int64) ([]byte, error) { return readFile(path, limit, true) }

func readFile(path string, limit int64, regular bool) ([]byte, error) {
	if regular { // before it is opened, which can wait for ever
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("not a regular file")}
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size := int64(0)
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	} else {
		limit = min(limit, stream)
	}
	if size > limit {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrTooLarge{limit}}
	}
	data, err := read(f, limit, size)
	if _, whole := err.(ErrTooLarge); whole {
		err = &fs.PathError{Op: "read", Path: path, Err: err}
	}
	return data, err
}

// Reason leaves out the operation and the file that the system names, as messages name what the user named.
func Reason(err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err
	}
	if le := (*os.LinkError)(nil); errors.As(err, &le) {
		return le.Err
	}
	return err
}

// Read reads all of r, at most limit bytes. What is more is an ErrTooLarge.
func Read(r io.Reader, limit int64) ([]byte, error) { return read(r, limit, 0) }

// read expects size bytes, which is a hint.
func read(r io.Reader, limit, size int64) ([]byte, error) {
	var buf bytes.Buffer
	buf.Grow(int(size) + bytes.MinRead)
	n, err := buf.ReadFrom(io.LimitReader(r, limit))
	if err != nil {
		return nil, err
	}
	if n == limit {
		if k, err := io.ReadFull(r, make([]byte, 1)); k > 0 {
			return nil, ErrTooLarge{limit}
		} else if err != io.EOF {
			return nil, err
		}
	}
	return buf.Bytes(), nil
}
