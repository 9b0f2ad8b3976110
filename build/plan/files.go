package plan

// This file knows the files of a program: by the names that clang has for them, and by those
// that a plan gives.

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/bounded"
)

// file is one that clang read, under one of its names.
type file struct {
	name   string
	path   string // absolute, as the name has it
	info   os.FileInfo
	data   []byte
	starts []int // of lines
	loaded bool
	called map[string]fit // how names in a plan fit it
}

// fit is how a name in a plan fits a file.
type fit int

const (
	other fit = iota
	ends      // the name is the end of its path
	exact     // the name is what the compiler was given, or leads to the file
)

// files are those of a program, each name once.
type files struct{ byName map[string]*file }

// named returns the file of a name, and reads nothing yet.
func (fs *files) named(name string) *file {
	f, ok := fs.byName[name]
	if !ok {
		f = &file{name: name, called: map[string]fit{}}
		if abs, err := filepath.Abs(name); err == nil {
			f.path = abs
		}
		fs.byName[name] = f
	}
	return f
}

// load reads the file; of one that cannot be read nothing is found.
func (f *file) load() {
	if f.loaded {
		return
	}
	f.loaded = true
	info, err := os.Stat(f.name)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	if f.data, err = bounded.ReadRegular(f.name, bounded.Object); err != nil {
		return
	}
	f.info = info
	f.starts = []int{0}
	for at := 0; ; {
		n := bytes.IndexByte(f.data[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
		f.starts = append(f.starts, at)
	}
}

// line returns the line of an offset, from 1, and its column in bytes.
func (f *file) line(offset int) (line, column int) {
	f.load()
	i, found := slices.BinarySearch(f.starts, offset)
	if !found {
		i--
	}
	if i < 0 {
		return 0, 0
	}
	return i + 1, offset - f.starts[i] + 1
}

// fits says how a name in a plan fits the file.
func (f *file) fits(name string) fit {
	if how, ok := f.called[name]; ok {
		return how
	}
	how := other
	clean, own := filepath.Clean(name), filepath.Clean(f.name)
	switch {
	case clean == own || clean == f.path:
		how = exact
	case filepath.Base(clean) != filepath.Base(own):
	case f.leadsTo(name):
		how = exact
	case !filepath.IsAbs(clean) && strings.HasSuffix(f.path, string(filepath.Separator)+clean):
		how = ends
	}
	f.called[name] = how
	return how
}

func (f *file) leadsTo(name string) bool {
	info, err := os.Stat(name)
	if err != nil {
		return false
	}
	own, err := os.Stat(f.name)
	return err == nil && os.SameFile(info, own)
}

// real is the file's path without links; "" for what is no file.
func (f *file) real() string {
	path, err := filepath.EvalSymlinks(f.name)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return ""
	}
	return path
}

// same reports whether both are one file.
func (f *file) same(g *file) bool {
	if f == g {
		return true
	}
	f.load()
	g.load()
	return f.info != nil && g.info != nil && os.SameFile(f.info, g.info)
}

// fitting returns the files that a name in a plan means: those that it names exactly, or
// else those whose paths it ends.
func (fs *files) fitting(name string) []*file {
	var best []*file
	how := ends
	for _, f := range fs.sorted() {
		switch is := f.fits(name); {
		case is > how:
			best, how = []*file{f}, is
		case is == how:
			best = append(best, f)
		}
	}
	return best
}

func (fs *files) sorted() []*file {
	var all []*file
	for _, f := range fs.byName {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b *file) int { return strings.Compare(a.name, b.name) })
	return all
}
