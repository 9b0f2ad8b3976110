package record

// This file keeps the outcome of steps between processes, so that programs that share
// sources share the work. A step is a function of its input, which names the outcome.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"pathspan/bounded"
	"pathspan/build/toolchain"
	"pathspan/scratch"
)

// keepAtMost bounds what is kept, in bytes; what was not used for longest goes first. To find
// that takes a look at each file, longer than many a step where there are twenty thousand:
// there is one look for lookEach bytes that are added, on average, and by so much more may be
// kept.
const (
	keepAtMost = 256 << 20
	lookEach   = 4 << 20
)

// tool has a tool of LLVM make a file of Dir, or takes what it made before by the same arguments of
// files with the same content. It runs in Dir, so that arguments name nothing that lies elsewhere the
// next time.
func (r *Recorder) tool(ctx context.Context, path string, args []string, out string, in ...string) error {
	how := []string{path, r.Toolchain.Identity()}
	if t := r.Toolchain.Target; t != nil {
		how = append(how, t.Flags...)
	}
	for _, a := range args {
		if a == out || slices.Contains(in, a) {
			a = filepath.Ext(a) // nothing that is kept hangs on their names
		}
		how = append(how, a)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", how)
	for _, name := range in {
		if !filepath.IsAbs(name) {
			name = r.path(name)
		}
		data, err := bounded.ReadFile(name, bounded.Object)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%d\n", len(data))
		h.Write(data)
	}
	return r.kept(hex.EncodeToString(h.Sum(nil)[:16]), []string{out}, func() error {
		_, err := r.Toolchain.Run(ctx, toolchain.Cmd{Path: path, Args: args, Dir: r.Dir})
		return err
	})
}

// step names a step of this pathspan with this toolchain on some input.
func (r *Recorder) step(input []byte, how ...[]string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %q %q %q\n", thisProgram(), r.Toolchain.Full, r.Toolchain.Opt, how)
	h.Write(input)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// thisProgram tells one pathspan from the next.
func thisProgram() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%q %d %d", path, info.Size(), info.ModTime().UnixNano())
}

// kept has files of Dir made by a step, or takes what the step made before. Where nothing
// can be kept, it is made.
func (r *Recorder) kept(key string, files []string, make func() error) error {
	cache, err := CacheFolder()
	if err != nil || r.keeping { // of steps within steps the whole is kept
		return make()
	}
	r.keeping = true
	defer func() { r.keeping = false }()
	folder := filepath.Join(cache, "steps")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return make()
	}
	place := func(i int) string { return filepath.Join(folder, fmt.Sprintf("%s-%d", key, i)) }
	found := true
	for i, name := range files {
		data, err := bounded.ReadFile(place(i), bounded.Object)
		if err != nil {
			found = false
			break
		}
		if err := r.write(name, data); err != nil {
			return err
		}
		os.Chtimes(place(i), time.Time{}, time.Now())
	}
	if found {
		return nil
	}
	if err := make(); err != nil {
		return err
	}
	added := 0
	for i, name := range files {
		if data, err := bounded.ReadFile(r.path(name), bounded.Object); err == nil {
			scratch.PlaceBytes(place(i), 0o600, data) // what cannot be kept is made again
			added += len(data)
		}
	}
	if looks(key, added) {
		forget(folder)
	}
	return nil
}

// looks reports whether a step that added so many bytes looks for what is to go: processes
// know nothing of each other, but keys are hashes, as good as dice.
func looks(key string, added int) bool {
	die, err := strconv.ParseUint(key[:8], 16, 32)
	return err != nil || die*lookEach < uint64(added)<<32
}

// forget removes what was not used for longest until the rest is within bounds.
func forget(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	var list []fs.FileInfo
	var size int64
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			list = append(list, info)
			size += info.Size()
		}
	}
	slices.SortFunc(list, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range list {
		if size <= keepAtMost {
			return
		}
		if os.Remove(filepath.Join(folder, info.Name())) == nil {
			size -= info.Size()
		}
	}
}
