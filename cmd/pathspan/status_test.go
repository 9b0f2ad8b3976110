package main

// This file tests which status an error means.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
)

func TestStatuses(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		says   string
	}{
		{nil, 0, ""},
		{errors.New("broken"), 1, "pathspan: broken\n"},
		{found(errors.New("too far")), 3, "pathspan: too far\n"},
		{fmt.Errorf("around: %w", found(errors.New("too far"))), 3, "pathspan: around: too far\n"},
		{found(nil), 0, ""},
		{stopped(syscall.SIGTERM, "ended"), 143, "pathspan: ended\n"},
		{exitStatus(7), 7, ""},
	} {
		root := newRoot(io.Discard)
		root.AddCommand(&cobra.Command{Use: "test", RunE: func(*cobra.Command, []string) error { return c.err }})
		root.SetArgs([]string{"test"})
		var stderr bytes.Buffer
		if status := execute(root, &stderr); status != c.status || stderr.String() != c.says {
			t.Errorf("%v: status %d, %q", c.err, status, &stderr)
		}
	}
	root := newRoot(io.Discard)
	root.AddCommand(&cobra.Command{Use: "test", Run: func(*cobra.Command, []string) { panic("impossible") }})
	root.SetArgs([]string{"test"})
	var stderr bytes.Buffer
	if status := execute(root, &stderr); status != 70 || stderr.String() != "pathspan: internal error: impossible; please report it with the command line and the files\n" {
		t.Errorf("status %d, %q", status, &stderr)
	}
}
