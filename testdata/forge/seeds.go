package forge

// This file seeds fuzz targets that change texts.

import (
	"math/rand"
	"os"
	"path/filepath"
	"testing"
)

// Seeds reads the files of the patterns and adds, for each, itself and some changes of it to
// a fuzz target, whose arguments are the number of a text and what Lines takes.
func Seeds(f *testing.F, changes int, patterns ...string) (texts [][]byte) {
	f.Helper()
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatal("no seeds", err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			texts = append(texts, text)
		}
	}
	r := rand.New(rand.NewSource(1))
	for i := range texts {
		f.Add(byte(i), []byte(nil))
		for range changes {
			data := make([]byte, 6*(1+r.Intn(4)))
			r.Read(data)
			f.Add(byte(i), data)
		}
	}
	return texts
}
