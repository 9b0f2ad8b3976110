package document

// This file finds the text of source files, as it was when the program was profiled.

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"pathspan/bounded"
	"pathspan/profile"
)

// largestSource is the size in bytes from which a file's text is left out.
const largestSource = 4 << 20

// sourceNames names files as the document does. The compiler, its debug information and
// the profile may call a file by shorter and longer paths; the document calls it as debug
// information does, so that what lies in one file can be found by name.
type sourceNames struct {
	bundle *profile.Bundle
	names  []string // by source of the profile
}

func newSourceNames(b *profile.Bundle) *sourceNames {
	s := &sourceNames{bundle: b}
	for _, src := range b.Provenance.Sources {
		name := clean(src.Name)
		for _, file := range b.Program.Files {
			if same(clean(file), clean(src.Name)) {
				name = clean(file)
				break
			}
		}
		s.names = append(s.names, name)
	}
	return s
}

// same reports that two paths may be of one file: they are equal, or one is the end of
// the other.
func same(a, b string) bool {
	return a == b || a != "" && b != "" && (strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a))
}

// name returns the name of a file of the program.
func (s *sourceNames) name(file string) string {
	file = clean(file)
	if slices.Contains(s.names, file) {
		return file
	}
	found := ""
	for i, src := range s.bundle.Provenance.Sources {
		if same(file, s.names[i]) || same(file, clean(src.Name)) {
			if found != "" {
				return file // it could be either
			}
			found = s.names[i]
		}
	}
	if found != "" {
		return found
	}
	return file
}

// clean is the form in which files are named.
func clean(file string) string {
	if file == "" {
		return ""
	}
	return filepath.ToSlash(filepath.Clean(file))
}

// read looks for the profiled sources where their names point, and in folders.
func (s *sourceNames) read(folders []string) []Source {
	var out []Source
	for i, src := range s.bundle.Provenance.Sources {
		x := Source{File: s.names[i], SHA256: hex.EncodeToString(src.SHA256[:]), Why: "not found"}
		for _, path := range places(src.Path(), folders) {
			data, err := bounded.ReadRegular(path, largestSource)
			switch {
			case errors.As(err, &bounded.ErrTooLarge{}):
				x.Why = "too large"
				continue
			case err != nil:
				continue
			case sha256.Sum256(data) != src.SHA256:
				x.Why = "changed since it was profiled"
				continue
			case !utf8.Valid(data):
				x.Why = "not text in UTF-8"
			default:
				x.Text, x.Why = string(data), ""
			}
			break
		}
		out = append(out, x)
	}
	return out
}

// places lists where a file may lie.
func places(name string, folders []string) []string {
	all := []string{name}
	for _, folder := range folders {
		if !filepath.IsAbs(name) {
			all = append(all, filepath.Join(folder, name))
		}
		all = append(all, filepath.Join(folder, filepath.Base(name)))
	}
	return all
}
