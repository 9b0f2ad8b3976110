package record

// This file holds what programs tell of their memory to what their paths tell of it.

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/memory"
	"pathspan/testdata/programs"
)

// TestMemoryOfPrograms runs programs that tell of their memory: they do what they do else, and
// functions access as many bytes as the loads and stores do that their paths execute. Every third is
// run, with PATHSPAN_TEST_ALL=1 each.
func TestMemoryOfPrograms(t *testing.T) {
	list, err := programs.Load(testdata)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range list {
		if i%3 > 0 && os.Getenv("PATHSPAN_TEST_ALL") == "" {
			continue
		}
		version, level := []int{22, 14}[i%2], []string{"0", "2", "2", "0"}[i%4]
		t.Run(fmt.Sprintf("%s-LLVM%d-O%s", p.Name, version, level), func(t *testing.T) {
			tc := installed(t, version)
			if p.Language == "c++" && tc.ClangXX == "" {
				t.Skipf("clang++ %d is not installed", tc.Version)
			}
			t.Parallel()
			run, opt := p.Small(), optionsOf(p, level)
			opt.Memory = true
			if p.Has("threads") {
				if _, err := (&Recorder{Toolchain: tc, Dir: t.TempDir()}).Build(t.Context(), opt); err != ErrMemoryOfThreads {
					t.Errorf("a program with threads: %v", err)
				}
				return
			}
			got := profileProgram(t, tc, p, run, opt)
			got.checkBehaviour(t, run)
			if got.status.Signal == 0 { // else some paths are not known to their end
				got.checkMemory(t)
			}
		})
	}
}

var widths = regexp.MustCompile(`^i(\d+)$`)

// bytesOf is how many bytes a load or store of a type moves, where pointers have so many; -1 for
// types with others inside.
func bytesOf(typ string, pointer int) int64 {
	if m := widths.FindStringSubmatch(typ); m != nil {
		n, _ := strconv.ParseInt(m[1], 10, 64)
		return (n + 7) / 8
	}
	switch {
	case typ == "float":
		return 4
	case typ == "double":
		return 8
	case typ == "ptr", typ[len(typ)-1] == '*':
		return int64(pointer)
	}
	return -1
}

// checkMemory compares functions that call nothing that accesses memory itself.
func (p *profiled) checkMemory(t *testing.T) {
	t.Helper()
	d, program := p.bundle.Memory, p.bundle.Program
	reads, writes := make([]int64, len(program.Funcs)), make([]int64, len(program.Funcs))
	for _, f := range d.Flows {
		reads[d.Places[f.To.Place].Func] += int64(f.Bytes)
	}
	for _, w := range d.Writes {
		writes[d.Places[w.By.Place].Func] += int64(w.Bytes)
	}
	m, err := asm.Parse(p.built.Module)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for fi, f := range program.Funcs {
		counts := make([]uint64, len(f.Blocks))
		if ran := p.bundle.Funcs[fi]; ran != nil {
			counts = ran.BlockCounts(len(f.Blocks))
		}
		var loaded, stored int64
		known := true
		for in := range m.Funcs()[fi].Instrs() { // copies of arguments are read as well
			c := in.Call()
			known = known && (c == nil || !slices.ContainsFunc(c.Args, func(a asm.Arg) bool { return strings.Contains(a.Attrs, "byval(") }))
		}
		for bi, b := range f.Blocks {
			thrown := false // what stands behind may not have been executed
			for i := range b.Instrs {
				switch in := &b.Instrs[i]; in.Op {
				case "load", "store":
					n := bytesOf(in.Type, ir.PointerBits(program.DataLayout)/8)
					known = known && n > 0 && !thrown
					if in.Op == "load" {
						loaded += n * int64(counts[bi])
					} else {
						stored += n * int64(counts[bi])
					}
				case "atomicrmw", "cmpxchg":
					known = false
				default:
					known = known && (in.Call == nil || in.Call.Callee >= 0)
					thrown = thrown || p.built.cxx && in.Call != nil && !in.Call.NoUnwind
				}
			}
		}
		if !known {
			continue
		}
		compared++
		if reads[fi] != loaded || writes[fi] != stored {
			t.Errorf("%s reads %d and writes %d bytes; its paths load %d and store %d", f.Name, reads[fi], writes[fi], loaded, stored)
		}
	}
	if testing.Verbose() {
		t.Logf("compared %d of %d functions", compared, len(program.Funcs))
	}
}

// TestVariablesWithinAWord reads what lies around small variables first, in larger pieces than they are apart.
func TestVariablesWithinAWord(t *testing.T) {
	t.Parallel()
	r, b := buildC(t, "0", `
long whole[2] = {1, 2};
char one[3] = {1, 2, 3}, two[5] = {1, 2, 3, 4, 5}, three[7] = {1, 2, 3, 4, 5, 6, 7};
int main(void)
{
	long s = whole[0] + whole[1];
	for (int i = 0; i < 3; i++) s += one[i];
	for (int i = 0; i < 5; i++) s += two[i];
	for (int i = 0; i < 7; i++) s += three[i];
	return s != 52;
}
`)
	opt := b.Options
	opt.Memory = true
	b, err := r.Build(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	bundle, status, err := r.Run(t.Context(), b, nil, Streams{})
	if err != nil || status.Exit != 0 {
		t.Fatalf("%v: %v", status, err)
	}
	got := make(map[string]uint64)
	for _, f := range bundle.Memory.Flows {
		if o := bundle.Memory.Objects[f.Object]; o.Kind == memory.Global {
			got[o.Name] += f.Bytes
		}
	}
	if want := map[string]uint64{"whole": 16, "one": 3, "two": 5, "three": 7}; !maps.Equal(got, want) {
		t.Errorf("it reads %v bytes, want %v", got, want)
	}
}
