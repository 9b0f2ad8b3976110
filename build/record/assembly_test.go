package record

// This file profiles assembly and bitcode that a user made with clang's own -O0,
// whose functions are all marked optnone and hold unnamed values, and sources that say so.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pathspan/build/toolchain"
)

func TestAssemblyOfClangO0(t *testing.T) {
	all := toolchain.All()
	if len(all) == 0 {
		t.Skip(toolchain.ErrNoClang)
	}
	for i, tc := range all {
		ext := []string{".ll", ".bc"}[i%2]
		t.Run(fmt.Sprintf("LLVM%d%s", tc.Version, ext), func(t *testing.T) {
			ctx := context.Background()
			module := filepath.Join(t.TempDir(), "fun0"+ext)
			args := []string{"-fopenmp=libomp", "-O0", "-g", "-emit-llvm", "-c", "-o", module, filepath.Join(testdata, "fun0", "fun0.c")}
			if ext == ".ll" {
				args[4] = "-S"
			}
			if _, err := tc.Run(ctx, toolchain.Cmd{Path: tc.Clang, Args: args}); err != nil {
				t.Fatal(err)
			}
			r := &Recorder{Toolchain: tc, Dir: t.TempDir()}
			built, err := r.Build(ctx, Options{Sources: []string{module}, Level: "0"})
			if err != nil {
				t.Fatal(err)
			}
			if n := len(built.Program.Regions); n != 1 || len(built.Program.Regions[0].Constructs[0].Sections) != 3 {
				t.Fatalf("%d regions found, want the one of fun_0 with three sections", n)
			}
			var out bytes.Buffer
			bundle, status, err := r.Run(ctx, built, []string{"a"}, Streams{Stdout: &out})
			if err != nil || status.Exit != 0 {
				t.Fatalf("%v: %v", status, err)
			}
			if got := bundle.Funcs[built.Program.Func("fun_0").Index].Invocations(); got != 10 {
				t.Errorf("fun_0 ran %d times, want 10", got)
			}
		})
	}
}

// Functions that a source marks optnone are profiled too, although opt names nothing in them.
func TestOptnone(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skip(err)
	}
	source := filepath.Join(t.TempDir(), "opt.c")
	text := "__attribute__((optnone, noinline)) int work(int n) { if (n > 3) return n * 2; return n; }\nint main(void) { return work(5) + work(2) != 12; }\n"
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := &Recorder{Toolchain: tc, Dir: t.TempDir()}
	built, err := r.Build(context.Background(), Options{Sources: []string{source}, Level: "2"})
	if err != nil {
		t.Fatal(err)
	}
	bundle, status, err := r.Run(context.Background(), built, nil, Streams{})
	if err != nil || status.Exit != 0 {
		t.Fatalf("%v: %v", status, err)
	}
	if got := bundle.Funcs[built.Program.Func("work").Index].Invocations(); got != 2 {
		t.Errorf("work ran %d times, want 2", got)
	}
}
