package record

// This file tests that memory of C++ is known on machines of either size, whose names say it.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/memory"
	"pathspan/testdata/programs"
)

const makesAll = `#include <new>
struct alignas(64) wide { int v[16]; };
struct small { int v; ~small() { v = 0; } };
int main() {
  int sum = 0;
  for (int i = 0; i < 4; i++) {
    small *one = new small, *some = new small[3], *maybe = new (std::nothrow) small;
    wide *big = new wide, *bigs = new wide[2];
    one->v = some[2].v = maybe->v = big->v[1] = bigs[1].v[2] = i;
    sum += one->v + some[2].v + maybe->v + big->v[1] + bigs[1].v[2];
    delete one;
    delete[] some;
    delete maybe;
    delete big;
    delete[] bigs;
  }
  return sum != 30;
}
`

func TestHeapOfEachSize(t *testing.T) {
	source := filepath.Join(t.TempDir(), "makes.cc")
	if err := os.WriteFile(source, []byte(makesAll), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{"arm-linux-gnueabihf", "aarch64-linux-gnu"} {
		t.Run(target, func(t *testing.T) {
			tc := elsewhere(t, target, 0)
			t.Parallel()
			opt := Options{Sources: []string{source}, Level: "0", CFlags: []string{"-std=c++17", "-fsized-deallocation"}, Memory: true}
			got := profileProgram(t, tc, &programs.Program{Name: "makes", Language: "c++", Sources: []string{source}}, programs.Run{}, opt)
			if got.status.Exit != 0 {
				t.Fatalf("%+v", got.status)
			}
			heap := 0
			for _, o := range got.bundle.Memory.Objects {
				if o.Kind == memory.Heap && o.Made > 0 {
					heap++
				}
			}
			if heap < 5 {
				t.Errorf("%d objects of the heap, want one for each of five new: %+v", heap, got.bundle.Memory.Objects)
			}
			for _, f := range got.bundle.Memory.Foreign {
				if strings.HasPrefix(f.Name, "_Zn") || strings.HasPrefix(f.Name, "_Zd") {
					t.Errorf("what %s does to memory is not seen", f.Name)
				}
			}
		})
	}
}
