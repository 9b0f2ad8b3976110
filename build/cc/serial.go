package cc

// This file makes the static library of OpenMP on one thread, which takes the place of
// -fopenmp's in links.

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"pathspan/build/record"
)

// serialFlags fit programs and shared objects. Each of them has a library of its own,
// which none shows to the others.
var serialFlags = []string{"-O2", "-c", "-fPIC", "-fvisibility=hidden"}

// serial returns the path of the library.
func (d *Driver) serial(ctx context.Context) (string, error) {
	r := &record.Recorder{Toolchain: d.tc, Dir: d.work}
	var members []member
	h := sha256.New()
	for _, source := range []string{"openmp.c", "tasks.c", "serial.c"} {
		object, err := r.Object(ctx, source, serialFlags...)
		if err != nil {
			return "", err
		}
		data, err := os.ReadFile(object)
		if err != nil {
			return "", err
		}
		h.Write(data)
		members = append(members, member{name: filepath.Base(object), data: data})
	}
	folder, err := record.CacheFolder()
	if err != nil {
		folder = d.work
	}
	path := filepath.Join(folder, fmt.Sprintf("libpathspan-openmp-%x.a", h.Sum(nil)[:12]))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	data, err := writeArchive(members)
	if err != nil {
		return "", err
	}
	return path, place(path, data, 0o666)
}
