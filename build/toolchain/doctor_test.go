package toolchain

// This file tests the examination of the machine.

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestDoctor(t *testing.T) {
	eachInstalled(t, func(t *testing.T, tc *Toolchain) {
		checks := Doctor(context.Background(), tc.Clang)
		var lines []string
		for _, c := range checks {
			if c.OK != (len(c.Packages) == 0) {
				t.Errorf("%+v: packages belong to what is missing", c)
			}
			if c.Required && !c.OK {
				t.Error(c.Text)
			}
			lines = append(lines, c.Text)
		}
		report := strings.Join(lines, "\n")
		for _, want := range []string{"used: " + tc.Full, "opt: " + tc.Opt, "C compiles and links", "profile runtime"} {
			if !strings.Contains(report, want) {
				t.Errorf("report does not say %q:\n%s", want, report)
			}
		}
		t.Log("\n" + report)
	})
}

func TestDoctorWithoutClang(t *testing.T) {
	_, path := empty(t)
	checks := Doctor(context.Background(), filepath.Join(path, "clang"))
	last := checks[len(checks)-1]
	if last.OK || !last.Required || !strings.HasPrefix(last.Text, path) {
		t.Errorf("got %+v", checks)
	}
}

// A clang that cannot find its headers is told apart from no clang.
func TestDoctorWithoutHeaders(t *testing.T) {
	p, path := empty(t)
	bin := llvm(t, p.llvmRoot, 19)
	script := "#!/bin/sh\ncase $1 in --version) echo clang version 19.0.6;; *) echo \"hello.c:1:10: fatal error: 'stdio.h' file not found\" >&2; exit 1;; esac\n"
	clang := filepath.Join(path, "clang-19")
	if err := os.WriteFile(clang, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"opt", "llvm-link"} {
		if err := os.Symlink(filepath.Join(bin, tool), filepath.Join(path, tool)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range Doctor(context.Background(), clang) {
		if strings.HasPrefix(c.Text, "C does not compile") {
			want := Check{Required: true, Text: "C does not compile: clang-19: hello.c:1:10: fatal error: 'stdio.h' file not found", Packages: []string{"libc6-dev"}}
			if !reflect.DeepEqual(c, want) {
				t.Errorf("got  %+v\nwant %+v", c, want)
			}
			return
		}
	}
	t.Error("no finding about C")
}
