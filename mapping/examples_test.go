package mapping

// This file reads the platforms that come with pathspan.

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestExamplePlatforms(t *testing.T) {
	files, err := filepath.Glob("../examples/platforms/*.yaml")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		pl, err := LoadPlatform(file)
		if err != nil {
			t.Error(err)
			continue
		}
		if want := strings.TrimSuffix(filepath.Base(file), ".yaml"); pl.Name != want || pl.Hierarchy == nil || len(pl.Processors) < 2 {
			t.Errorf("%s: %+v", file, pl)
		}
	}
}
