package mca

// This file tests that no machine code is lost between llc and the figures, and that what
// can be told from outside is charged to the right block.

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/procmodels"
)

// compileFor compiles a subject as Costs does, in one part, and returns the assembly's text too.
func compileFor(t *testing.T, tl *tools, cpuName string, s *procmodels.Subject) (*module, *compiled, string) {
	t.Helper()
	m := open(t, map[string]string{"cpu": cpuName})
	d, err := dialectOf(m.o.cpu.triple)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := retarget(s.Module, cpuName == "host")
	if err != nil {
		t.Fatal(err)
	}
	target, err := m.cpuFor(tl)
	if err != nil {
		t.Fatal(err)
	}
	c := &compiler{tools: tl, cpu: target, asm: d, mod: mod, dir: t.TempDir()}
	out, err := c.compile(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	parts, err := filepath.Glob(filepath.Join(c.dir, "part*.s"))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, p := range parts {
		raw, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(raw)
	}
	return mod, out, text.String()
}

// instructionLines counts the instructions of an assembly text with as little knowledge as
// will do: an indented line that is no directive, comment or label. Bodies that stand for
// functions of other parts are empty or a trap.
func instructionLines(text, comment string) int {
	n := 0
	s := bufio.NewScanner(strings.NewReader(text))
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		line, _, _ := strings.Cut(s.Text(), comment)
		if strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "\t.") && strings.TrimSpace(line) != "" && !strings.HasSuffix(strings.TrimSpace(line), ":") {
			n++
		}
	}
	return n
}

func TestNothingIsLost(t *testing.T) {
	newest := installed()
	eachLLVM(t, func(t *testing.T, tl *tools) {
		programs := []string{"susan/susan.c"}
		if tl.version == newest[0].version {
			programs = append(programs, "cipher/cipher.c", "features/asm_goto.c")
		}
		cpus := shipped
		if tl.version == 16 || tl.version == 19 {
			cpus = []string{"cortex-a53", "cortex-m4"}
		}
		for _, source := range programs {
			for _, cpuName := range cpus {
				t.Run(source+"/"+cpuName, func(t *testing.T) {
					t.Parallel()
					s := costed(t, tl.version, source)
					mod, code, text := compileFor(t, tl, cpuName, s)
					if len(code.refused) > 0 {
						t.Errorf("refused: %v", code.refused)
					}
					names, err := match(s.Program, mod)
					if err != nil {
						t.Fatal(err)
					}
					assigned := 0
					for i, f := range s.Program.Funcs {
						mf := code.funcs[f.Name]
						if mf == nil {
							t.Fatalf("%s: no code", f.Name)
						}
						assigned += checkFunction(t, f, mf, names[i])
					}
					comment := map[string]string{"cortex-m4": "@", "sifive-u74": "#", "host": "#"}[cpuName]
					if comment == "" {
						comment = "//"
					}
					if n := instructionLines(text, comment); n != assigned || n == 0 {
						t.Errorf("%d instructions assigned, the assembly has %d", assigned, n)
					}
				})
			}
		}
	})
}

// checkFunction checks the assignment of a function: each machine block is charged in one
// place, and calls are charged to the block that makes them or, where llc merged it, to the
// only block before it. It returns the number of instructions.
func checkFunction(t *testing.T, f *ir.Func, mf *machineFunc, names []string) int {
	t.Helper()
	succs := make([][]int, len(f.Blocks))
	preds := make([][]int, len(f.Blocks))
	for i, b := range f.Blocks {
		succs[i] = b.Succs
		for _, s := range b.Succs {
			preds[s] = append(preds[s], i)
		}
	}
	a := assign(mf, names, succs)
	places := make([]int, len(mf.blocks))
	calls := make([]map[string]int, len(f.Blocks))
	for k := range f.Blocks {
		calls[k] = map[string]int{}
		for _, s := range a.blocks[k] {
			places[s.block]++
			for _, u := range mf.blocks[s.block].units {
				if u.callee != "" {
					calls[k][u.callee]++
				}
			}
		}
	}
	onEdges := map[int]bool{}
	for _, list := range a.edges {
		for _, i := range list {
			onEdges[i] = true
		}
	}
	n := 0
	for i, b := range mf.blocks {
		if onEdges[i] {
			places[i]++
		}
		if places[i] != 1 {
			t.Errorf("%s: machine block %d (%s) is charged in %d places", f.Name, i, b.name, places[i])
		}
		for _, u := range b.units {
			n += u.count
		}
	}
	for k, b := range f.Blocks {
		for _, in := range b.Instrs {
			c := in.Call
			if c == nil || c.Indirect || c.Callee < 0 || c.Name == f.Name {
				continue // library functions may be replaced, a function's own calls become jumps
			}
			at := k
			for calls[at][c.Name] == 0 && len(preds[at]) == 1 && b.Mark == nil {
				at = preds[at][0]
			}
			if calls[at][c.Name] == 0 {
				t.Errorf("%s: block %s calls %s, its machine code does not", f.Name, b.Name, c.Name)
			}
			calls[at][c.Name]--
		}
	}
	return n
}

// The code behind a marker is charged to the marked block although nothing but the marker
// keeps it from the code before.
func TestTasksStayApart(t *testing.T) {
	eachLLVM(t, func(t *testing.T, tl *tools) {
		s := costed(t, tl.version, "fun0/fun0.c")
		for _, cpuName := range []string{"cortex-a53", "sifive-u74"} {
			mod, code, _ := compileFor(t, tl, cpuName, s)
			if len(mod.marks) == 0 {
				t.Fatal("the program has no markers")
			}
			for _, f := range s.Program.Funcs {
				var have []string
				for _, b := range code.funcs[f.Name].blocks {
					have = append(have, b.name)
				}
				for _, b := range f.Blocks {
					if b.Mark != nil && len(b.Instrs) > 2 && !slices.Contains(have, b.Name) {
						t.Errorf("%s, %s: no machine block for marked block %s", cpuName, f.Name, b.Name)
					}
				}
			}
		}
	})
}
