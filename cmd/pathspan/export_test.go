//go:build linux

package main

// This file tests that export keeps binary formats off terminals.

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestExportToTerminal(t *testing.T) {
	bundle := filepath.Join("testdata", "fun0a.pspan")
	shown, _, status := onTerminal(t, nil, true, false, "export", bundle, "--format", "pprof")
	if shown != "" || status == 0 {
		t.Errorf("status %d, %q on the terminal; want an error and nothing", status, shown)
	}
	_, piped, _ := onTerminal(t, nil, true, false, "export", bundle, "--format", "pprof")
	if want := "pathspan: --format pprof is binary, and standard output is a terminal; name a file with -o\n"; piped != want {
		t.Errorf("the error is %q, want %q", piped, want)
	}
	if shown, _, status = onTerminal(t, nil, true, false, "export", bundle, "--format", "csv", "-p", "1"); status != 0 || !strings.Contains(shown, "1 x generic,OpenMP static,pb,1,") {
		t.Errorf("text on a terminal: status %d, %q", status, shown)
	}
	if _, piped, status = onTerminal(t, nil, false, true, "export", bundle, "--format", "pprof"); status != 0 || !strings.HasPrefix(piped, "\x1f\x8b") {
		t.Errorf("a pipe: status %d, %d bytes, want a gzip stream", status, len(piped))
	}
}
