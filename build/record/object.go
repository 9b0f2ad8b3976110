package record

// This file compiles the run-time libraries, once for each compiler: their objects are
// kept among the user's cached files.

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/build"
	"pathspan/build/toolchain"
	"pathspan/ir"
)

// objectFlags are always those of an optimised build: a slow run-time library would be
// measured with the program.
var objectFlags = []string{"-O2", "-c"}

// object returns the object file of a source of the run-time libraries.
func (r *Recorder) object(ctx context.Context, source string, more ...string) (string, error) {
	return r.Object(ctx, source, append(slices.Clone(objectFlags), more...)...)
}

// Object returns the object file of a source of the run-time libraries, compiled with
// flags. Where nothing can be kept, it is compiled into Dir.
func (r *Recorder) Object(ctx context.Context, source string, flags ...string) (string, error) {
	name := strings.TrimSuffix(source, ".c") + ".o"
	dir, err := r.objectFolder(source, flags)
	if err != nil {
		return r.compileObject(ctx, source, r.path("runtime/"+name), flags)
	}
	object := filepath.Join(dir, name)
	if _, err := os.Stat(object); err == nil {
		return object, nil
	}
	part, err := os.CreateTemp(dir, ".part-*.o")
	if err != nil {
		return r.compileObject(ctx, source, r.path("runtime/"+name), flags)
	}
	part.Close()
	defer os.Remove(part.Name())
	if _, err := r.compileObject(ctx, source, part.Name(), flags); err != nil {
		return "", err
	}
	return object, os.Rename(part.Name(), object)
}

// objectFolder makes the folder for a source's object. Its name tells everything that
// the object depends on.
func (r *Recorder) objectFolder(source string, flags []string) (string, error) {
	text, err := build.Library.ReadFile("runtime/" + source)
	if err != nil {
		return "", err
	}
	content := fmt.Appendf(nil, "%s\n%s\n%q\n%s", r.Toolchain.Clang, r.Toolchain.Full, flags, text)
	if t := r.Toolchain.Target; t != nil {
		content = fmt.Appendf(content, "%q", t.Flags)
	}
	for _, pattern := range []string{"runtime/*.h", "runtime/*.def"} { // which any source may include
		names, err := fs.Glob(build.Library, pattern)
		if err != nil {
			return "", err
		}
		for _, name := range names {
			header, err := build.Library.ReadFile(name)
			if err != nil {
				return "", err
			}
			content = append(content, header...)
		}
	}
	return cacheFolder("runtime", content)
}

// CacheFolder returns pathspan's folder among the user's cached files, and an error where
// nothing is to be kept.
func CacheFolder() (string, error) {
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
	return cache, os.MkdirAll(cache, 0o755)
}

// Toolchain is [toolchain.Find], which asks each tool for its version. The answer is kept.
func Toolchain(clang string) (*toolchain.Toolchain, error) {
	folder, err := CacheFolder()
	if err != nil {
		return toolchain.Find(clang)
	}
	return toolchain.FindCached(clang, folder)
}

// cacheFolder makes the folder for what depends on content alone.
func cacheFolder(kind string, content []byte) (string, error) {
	cache, err := CacheFolder()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, kind, fmt.Sprintf("%x", sha256.Sum256(content))[:24])
	return dir, os.MkdirAll(dir, 0o755)
}

func (r *Recorder) compileObject(ctx context.Context, source, object string, flags []string) (string, error) {
	if err := r.unpack("runtime"); err != nil {
		return "", err
	}
	args := append(slices.Clone(flags), r.path("runtime/"+source), "-o", object)
	_, err := r.Toolchain.Run(ctx, toolchain.Cmd{Path: r.Toolchain.Clang, Args: args})
	return object, err
}

// joinInlined joins a module with what programs inline that have worksharing loops, and
// returns the name of what comes out.
func (r *Recorder) joinInlined(ctx context.Context, b *Built, module string) (string, error) {
	isLoop := func(c ir.Construct) bool { return c.Loop != nil }
	if !slices.ContainsFunc(b.Program.Regions, func(g ir.Region) bool { return slices.ContainsFunc(g.Constructs, isLoop) }) {
		return module, nil
	}
	inlined, err := r.object(ctx, "inlined.c", "-emit-llvm")
	if err != nil {
		return "", err
	}
	name := strings.TrimSuffix(module, ".ll")
	joined := name + "-joined.bc"
	if err := r.tool(ctx, r.Toolchain.Link, []string{"-internalize", "-only-needed", module, inlined, "-o", joined}, joined, module, inlined); err != nil {
		return "", err
	}
	// Where a loop ends is to be known before conditions are rewritten so that it is not.
	return name + "-inlined.ll", r.opt(ctx, b, "always-inline,globaldce,function(sroa,early-cse<memssa>,sccp,simplifycfg,loop(indvars),loop-mssa(simple-loop-unswitch<nontrivial>))", joined, name+"-inlined.ll")
}
