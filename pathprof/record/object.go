package record

// This file compiles the run-time libraries, once for each compiler: their objects are
// kept among the user's cached files.

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"pathspan/ir/toolchain"
	"pathspan/pathprof"
)

// objectFlags are always those of an optimised build: a slow run-time library would be
// measured with the program.
var objectFlags = []string{"-O2", "-c"}

// object returns the object file of a source of the run-time libraries. Where nothing
// can be kept, it is compiled into Dir.
func (r *Recorder) object(ctx context.Context, source string) (string, error) {
	name := strings.TrimSuffix(source, ".c") + ".o"
	dir, err := r.objectFolder(source)
	if err != nil {
		return r.compileObject(ctx, source, r.path("runtime/"+name))
	}
	object := filepath.Join(dir, name)
	if _, err := os.Stat(object); err == nil {
		return object, nil
	}
	part, err := os.CreateTemp(dir, ".part-*.o")
	if err != nil {
		return r.compileObject(ctx, source, r.path("runtime/"+name))
	}
	part.Close()
	defer os.Remove(part.Name())
	if _, err := r.compileObject(ctx, source, part.Name()); err != nil {
		return "", err
	}
	return object, os.Rename(part.Name(), object)
}

// objectFolder makes the folder for a source's object. Its name tells everything that
// the object depends on.
func (r *Recorder) objectFolder(source string) (string, error) {
	cache := os.Getenv("PATHSPAN_CACHE")
	if cache == "off" {
		return "", os.ErrNotExist
	}
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		cache = filepath.Join(user, "pathspan")
	}
	text, err := pathprof.Runtime.ReadFile("runtime/" + source)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%q\n%s", r.Toolchain.Clang, r.Toolchain.Full, objectFlags, text)
	dir := filepath.Join(cache, "runtime", fmt.Sprintf("%x", h.Sum(nil)[:12]))
	return dir, os.MkdirAll(dir, 0o755)
}

func (r *Recorder) compileObject(ctx context.Context, source, object string) (string, error) {
	args := append(append([]string{}, objectFlags...), r.path("runtime/"+source), "-o", object)
	_, err := r.Toolchain.Run(ctx, toolchain.Cmd{Path: r.Toolchain.Clang, Args: args})
	return object, err
}
