package openmp_test

// This file compares random programs with what clang's own dispatch of their sections
// prints on one thread. The programs use variables in all the ways that decide how a
// section reaches them.

import (
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var randomPrograms = flag.Int("random", 6, "number of random programs")

type generator struct {
	r     *rand.Rand
	b     strings.Builder
	depth int
	vars  []string // unsigned variables in scope
	ptrs  []string // unsigned * in scope
	n     int
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.b, "%s%s\n", strings.Repeat("    ", g.depth), fmt.Sprintf(format, args...))
}

func (g *generator) fresh(prefix string) string {
	g.n++
	return fmt.Sprintf("%s%d", prefix, g.n)
}

func (g *generator) variable() string { return g.vars[g.r.Intn(len(g.vars))] }

func (g *generator) expr(depth int) string {
	switch k := g.r.Intn(9); {
	case depth == 0 || k == 0:
		return fmt.Sprintf("%du", g.r.Intn(50)+1)
	case k < 4:
		return g.variable()
	case k == 4 && len(g.ptrs) > 0:
		return "*" + g.ptrs[g.r.Intn(len(g.ptrs))]
	case k == 5:
		return fmt.Sprintf("table[%s %% 8]", g.expr(depth-1))
	case k == 6:
		return fmt.Sprintf("mix(%s)", g.expr(depth-1))
	}
	return fmt.Sprintf("(0u + (%s %s %s))", g.expr(depth-1), []string{"+", "*", "^", "-", "<", "&"}[g.r.Intn(6)], g.expr(depth-1))
}

// block writes statements into a scope of its own.
func (g *generator) block(statements, nest int) {
	g.depth++
	vars, ptrs := len(g.vars), len(g.ptrs)
	for range statements {
		g.statement(nest)
	}
	g.vars, g.ptrs = g.vars[:vars], g.ptrs[:ptrs]
	g.depth--
}

func (g *generator) statement(nest int) {
	switch k := g.r.Intn(14); {
	case k < 5:
		g.line("%s %s %s;", g.variable(), []string{"=", "+=", "^=", "*="}[g.r.Intn(4)], g.expr(2))
	case k == 5:
		g.line("poke(&%s);", g.variable())
	case k == 6 && len(g.ptrs) > 0:
		g.line("*%s += %s;", g.ptrs[g.r.Intn(len(g.ptrs))], g.expr(1))
	case k == 7:
		v := g.fresh("v")
		g.line("unsigned %s = %s;", v, g.expr(2))
		g.vars = append(g.vars, v)
	case k == 8:
		v := g.fresh("p")
		g.line("unsigned *%s = &%s;", v, g.variable())
		g.ptrs = append(g.ptrs, v)
	case k == 9:
		g.line("table[%s %% 8] += %s;", g.expr(1), g.expr(1))
	case k < 12 && nest > 0:
		g.line("if (%s %% 3) {", g.expr(2))
		g.block(2, nest-1)
		g.line("} else {")
		g.block(1, nest-1)
		g.line("}")
	case nest > 0:
		i := g.fresh("i")
		g.line("for (unsigned %s = 0; %s < %d + n %% 3; %s++) {", i, i, g.r.Intn(5), i)
		g.vars = append(g.vars, i+"%1000")
		g.vars = g.vars[:len(g.vars)-1]
		g.block(2, nest-1)
		g.line("    if (%s %% 17 == 0)", g.expr(1))
		g.line("        break;")
		g.line("}")
	default:
		g.line("%s++;", g.variable())
	}
}

func (g *generator) sections(pragma string, first func()) {
	g.line("#pragma omp %s", pragma)
	g.line("{")
	for range 1 + g.r.Intn(4) {
		g.line("    #pragma omp section")
		g.line("    {")
		g.depth++
		first()
		g.block(3+g.r.Intn(4), 2)
		g.depth--
		g.line("    }")
	}
	g.line("}")
}

// function writes one function with a region.
func (g *generator) function(name string) {
	g.vars, g.ptrs = []string{"a", "b", "c", "d", "total"}, nil
	g.line("static unsigned %s(unsigned n)", name)
	g.line("{")
	g.depth++
	g.line("unsigned a = n, b = %d, c = n * 3, d = 1, total = 0, table[8] = {1, 2, n};", g.r.Intn(9))
	if g.r.Intn(2) == 0 {
		g.sections("parallel sections firstprivate(a, table) lastprivate(b) reduction(+ : total)", func() { g.line("b = %d;", g.r.Intn(9)) })
	} else {
		private := []string{"", " firstprivate(a)", " firstprivate(a, table)"}[g.r.Intn(3)]
		g.line("#pragma omp parallel%s", private)
		g.line("{")
		g.depth++
		g.line("unsigned x = n + 1, y = %s, z = 5;", g.expr(1))
		g.line("volatile unsigned loud = 3;")
		g.vars = append(g.vars, "x", "y", "z")
		if g.r.Intn(2) == 0 {
			g.line("unsigned *px = &x;")
			g.ptrs = append(g.ptrs, "px")
		}
		loop := g.r.Intn(2) == 0
		if loop {
			g.line("for (unsigned round = 0; round < 3; round++) {")
			g.depth++
		}
		clauses := []string{"", " nowait", " firstprivate(c)", " reduction(^ : d)", " private(d)", " lastprivate(b)"}
		for range 1 + g.r.Intn(2) {
			clause := clauses[g.r.Intn(len(clauses))]
			g.sections("sections"+clause, func() {
				if strings.Contains(clause, "private(d)") {
					g.line("d = 4;")
				}
				if strings.Contains(clause, "lastprivate") {
					g.line("b = 6;")
				}
				g.line("loud += %s;", g.expr(1))
			})
			g.statement(1)
		}
		if loop {
			g.depth--
			g.line("}")
		}
		g.line("total += x + y * 3 + z + loud;")
		g.depth--
		g.line("}")
	}
	g.line("for (int i = 0; i < 8; i++)")
	g.line("    total = total * 5 + table[i];")
	g.line("return a + b * 3 + c * 5 + d * 7 + total;")
	g.depth--
	g.line("}\n")
}

func randomProgram(seed int64) string {
	g := &generator{r: rand.New(rand.NewSource(seed))}
	g.line("#include <stdio.h>\n")
	g.line("static unsigned seen;")
	g.line("static void __attribute__((noinline)) poke(unsigned *p) { *p = *p * 7 + seen; }")
	g.line("static unsigned mix(unsigned x) { seen = seen * 31 + x; return seen >> 7; }\n")
	for i := range 3 {
		g.function(fmt.Sprintf("f%d", i))
	}
	g.line("int main(void)\n{\n    for (unsigned n = 0; n < 20; n++)\n        printf(\"%%u %%u %%u %%u\\n\", f0(n), f1(n), f2(n), seen);\n    return 0;\n}")
	return g.b.String()
}

func TestRandomPrograms(t *testing.T) {
	all := toolchains(t)
	dir := t.TempDir()
	pipes := make([]*pipeline, len(all))
	for seed := range *randomPrograms {
		k := seed % len(all)
		if pipes[k] == nil {
			pipes[k] = newPipeline(t, all[k])
		}
		p := pipes[k]
		t.Run(fmt.Sprintf("seed%d/llvm%d", seed, p.tc.Version), func(t *testing.T) {
			t.Parallel()
			src := filepath.Join(dir, fmt.Sprintf("seed%d.c", seed))
			text := randomProgram(int64(seed))
			if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			want, _ := run(t, p.dispatched(t, src))
			b := p.build(t, []string{"2", "0", "1", "3"}[seed/len(all)%4], nil, src)
			checkNesting(t, b.view, b.result)
			if len(b.result.Regions) != 3 || len(b.result.Notes) != 0 {
				t.Errorf("%d regions, want 3; notes %q", len(b.result.Regions), b.result.Notes)
			}
			if out, _ := run(t, b.exe); out != want {
				t.Errorf("output\n%s\nwant\n%s\nprogram\n%s", out, want, text)
			}
		})
	}
}
