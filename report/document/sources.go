package document

// This file finds the text of source files, as it was when the program was profiled.

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"unicode/utf8"

	"pathspan/pathprof"
)

// largestSource is the size in bytes from which a file's text is left out.
const largestSource = 4 << 20

// sourceNames names files as the document does: as they were given to the compiler.
type sourceNames struct {
	bundle *pathprof.Bundle
}

func newSourceNames(b *pathprof.Bundle) *sourceNames { return &sourceNames{bundle: b} }

// name returns the name of a file of the program.
func (s *sourceNames) name(file string) string { return clean(file) }

// read looks for the profiled sources where their names point, and in folders.
func (s *sourceNames) read(folders []string) []Source {
	out := []Source{}
	for _, src := range s.bundle.Provenance.Sources {
		x := Source{File: clean(src.Name), SHA256: hex.EncodeToString(src.SHA256[:]), Why: "not found"}
		for _, path := range places(src.Name, folders) {
			data, err := os.ReadFile(path)
			switch {
			case err != nil:
				continue
			case sha256.Sum256(data) != src.SHA256:
				x.Why = "changed since it was profiled"
				continue
			case len(data) > largestSource:
				x.Why = "too large"
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
