package toolchain

// This file tests the user's flags: what is refused, what goes to the linker.

import (
	"slices"
	"testing"
)

func TestLevels(t *testing.T) {
	for _, level := range []string{"0", "1", "2", "3", "s", "z"} {
		if err := CheckLevel(level); err != nil {
			t.Error(err)
		}
	}
	for _, level := range []string{"", "4", "g", "2 "} {
		wantError(t, CheckLevel(level), "-O"+level, "not an optimisation level")
	}
	wantError(t, CheckLevel("fast"), "--cflags -ffast-math")
}

func TestExtraFlags(t *testing.T) {
	fine := []string{"-DN=3", "-D", "-O3", "-I", "include", "-include", "-c", "-std=c99", "-march=native", "-lm"}
	if err := CheckExtra(fine); err != nil {
		t.Error(err)
	}
	for _, flag := range []string{"-c", "-S", "-E", "-o", "-O0", "-Ofast", "-x"} {
		wantError(t, CheckExtra([]string{"-g", flag}), "--cflags "+flag)
		if _, err := (&Toolchain{}).CompileArgs(Compile{Level: "2", Extra: []string{flag}}); err == nil {
			t.Errorf("CompileArgs takes %s", flag)
		}
	}
}

func TestLinkFlags(t *testing.T) {
	extra := []string{"-DX", "-D", "-lnot", "-lm", "-L", "dir", "-Ldir", "-Wl,-z,now", "-pthread",
		"-I", "-pthread", "-Xlinker", "-s", "-l", "z", "-O2", "-static-libgcc", "-target", "i386", "--target=x", "-l"}
	want := []string{"-lm", "-L", "dir", "-Ldir", "-Wl,-z,now", "-pthread",
		"-Xlinker", "-s", "-l", "z", "-static-libgcc", "-l"}
	if got := LinkFlags(extra); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestFixedAddress(t *testing.T) {
	for _, flags := range [][]string{nil, {"-lm", "-static"}} {
		if got := FixedAddress(flags); !slices.Equal(got, []string{"-fno-pie", "-no-pie"}) {
			t.Errorf("%q: %q", flags, got)
		}
	}
	for _, flag := range []string{"-static-pie", "-Wl,-pie", "-Wl,-shared"} {
		if got := FixedAddress([]string{"-lm", flag}); got != nil {
			t.Errorf("%s: %q", flag, got)
		}
	}
}
