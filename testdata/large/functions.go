package large

// This file writes the functions: loops, branches, switches, searches, calls and OpenMP
// sections, with constants drawn at random.

import (
	"bytes"
	"fmt"
	"math/rand"
	"strings"
)

type generator struct {
	rand   *rand.Rand
	out    bytes.Buffer
	lines  int
	file   int
	local  []string // functions of this file so far
	public []string // those of all files that others may call
}

func (g *generator) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	g.out.WriteString(text)
	g.out.WriteByte('\n')
	g.lines += 1 + strings.Count(text, "\n")
}

// few draws a number from 2 to most.
func (g *generator) few(most int) int { return 2 + g.rand.Intn(most-1) }

// call spells a call of a function that was written before, so that none recurs.
func (g *generator) call(n string) string {
	name := ""
	switch {
	case len(g.local) > 0 && (len(g.public) == 0 || g.rand.Intn(3) > 0):
		name = g.local[g.rand.Intn(len(g.local))]
	case len(g.public) > 0:
		name = g.public[g.rand.Intn(len(g.public))]
	default:
		return fmt.Sprintf("v[(%s) & 63]", n)
	}
	return fmt.Sprintf("%s(v, %s, depth - 1)", name, n)
}

// function writes the file's function of the given number.
func (g *generator) function(number int) {
	if number == 0 {
		g.local = nil
	}
	name := fmt.Sprintf("f%03d_%d", g.file, number)
	static := "static "
	if public := number%4 == 3; public {
		static = ""
	}
	g.line("\n%slong %s(const long *v, int n, int depth)\n{", static, name)
	g.line("\tlong s = %d;\n", g.rand.Intn(100))
	g.line("\tif (depth < 0)\n\t\treturn v[n & 63];")
	shapes := []func(){g.chain, g.nest, g.machine, g.search, g.calls, g.parse, g.chain, g.calls}
	shapes[g.rand.Intn(len(shapes))]()
	if g.rand.Intn(3) == 0 {
		again := []func(){g.chain, g.nest, g.calls} // these declare nothing outside their loops
		again[g.rand.Intn(len(again))]()
	}
	if g.rand.Intn(25) == 0 && number > 2 {
		g.sections()
	}
	g.line("\treturn s;\n}")
	g.local = append(g.local, name)
	if static == "" {
		g.public = append(g.public, name)
	}
}

// entry writes the function that main calls, which calls the others of its file.
func (g *generator) entry(functions int) string {
	name := fmt.Sprintf("entry%03d", g.file)
	g.line("\nlong %s(const long *v, int n, int depth)\n{\n\tlong s = 0;\n", name)
	for i := range functions {
		g.line("\ts += %s(v, n, depth %% %d);", g.local[i], 1+i%3)
	}
	g.line("\treturn s;\n}")
	g.public = append(g.public, name)
	return name
}

func (g *generator) chain() {
	g.line("\tfor (int i = 0; i < n; i++) {\n\t\tlong x = v[(i * %d) & 63];", g.few(9))
	for k := range g.few(4) {
		if k > 0 {
			g.out.WriteString("\t\telse ")
			g.line("if (x %% %d == %d)", g.few(7), g.rand.Intn(2))
		} else {
			g.line("\t\tif (x > %d)", g.rand.Intn(600)-100)
		}
		g.line("\t\t\ts %s x * %d;", []string{"+=", "-=", "^="}[g.rand.Intn(3)], g.few(30))
	}
	g.line("\t\telse\n\t\t\ts++;")
	switch g.rand.Intn(3) {
	case 0:
		g.line("\t\tif (s > 1L << %d)\n\t\t\tbreak;", 20+g.rand.Intn(20))
	case 1:
		g.line("\t\tif (x < 0)\n\t\t\tcontinue;\n\t\ts -= i;")
	}
	g.line("\t}")
}

func (g *generator) nest() {
	rows, columns := g.few(6), g.few(6)
	g.line("\tfor (int y = 0; y < %d; y++) {\n\t\tlong row = 0;", rows)
	g.line("\t\tfor (int x = 0; x < %d; x++) {", columns)
	g.line("\t\t\tif ((x ^ y) & %d)\n\t\t\t\trow += v[y * %d + x];\n\t\t\telse if (v[x] > v[y])\n\t\t\t\trow -= x;", 1+g.rand.Intn(3), columns)
	g.line("\t\t}\n\t\ts += row > 0 ? row : -row;\n\t}")
}

func (g *generator) machine() {
	states := 4 + g.rand.Intn(5)
	g.line("\tint state = %d;\n\tfor (int i = 0; i < n; i++)\n\t\tswitch (state) {", g.rand.Intn(states))
	for k := range states - 1 {
		g.line("\t\tcase %d:", k)
		if g.rand.Intn(3) == 0 {
			g.line("\t\t\ts += v[i & 63];")
		}
		g.line("\t\t\tstate = v[(i + %d) & 63] > %d ? %d : %d;", k, g.rand.Intn(500), g.rand.Intn(states), g.rand.Intn(states))
		if g.rand.Intn(4) > 0 {
			g.line("\t\t\tbreak;")
		} else {
			g.line("\t\t\t/* fall through */")
		}
	}
	g.line("\t\tdefault:\n\t\t\ts ^= state + i;\n\t\t\tstate = %d;\n\t\t}", g.rand.Intn(states))
}

func (g *generator) search() {
	g.line("\tint low = 0, high = %d;", 16+g.rand.Intn(47))
	g.line("\twhile (low < high) {\n\t\tint middle = (low + high) / 2;")
	g.line("\t\tif (v[middle] == s)\n\t\t\treturn middle;")
	g.line("\t\tif (v[middle] < s %% %d)\n\t\t\tlow = middle + 1;\n\t\telse\n\t\t\thigh = middle;\n\t}", 100+g.rand.Intn(500))
	g.line("\ts += low;")
}

func (g *generator) calls() {
	g.line("\tif (n > %d)\n\t\ts += %s;\n\telse\n\t\ts -= %s;", g.few(20), g.call("n / 2"), g.call("n + 1"))
	if g.rand.Intn(2) == 0 {
		g.line("\tfor (int i = 0; i < %d && depth > 1; i++)\n\t\tif (v[i] & %d)\n\t\t\ts ^= %s;", g.few(3), 1+g.rand.Intn(7), g.call("i"))
	}
}

func (g *generator) parse() {
	g.line("\tunsigned char bytes[%d];\n\tunsigned hash = %du;", 24+g.rand.Intn(8), g.rand.Uint32())
	g.line("\tfor (int i = 0; i < 24; i++)\n\t\tbytes[i] = (unsigned char)(v[i] >> (i & %d));", g.few(6))
	g.line("\tfor (int i = 0; i < 24;) {\n\t\tint length = bytes[i] & 3;")
	g.line("\t\tif (length == 0) {\n\t\t\thash ^= bytes[i++];\n\t\t\tcontinue;\n\t\t}")
	g.line("\t\tfor (int k = 0; k < length && i + k < 24; k++)\n\t\t\thash = hash * %du + bytes[i + k];\n\t\ti += length;\n\t}", 31+2*g.rand.Intn(100))
	g.line("\ts += hash & 0xffff;")
}

func (g *generator) sections() {
	g.line("\tlong part[3] = {0, 0, 0};\n#pragma omp parallel sections\n\t{\n#pragma omp section")
	g.line("\t\tif (n %% %d)\n\t\t\tpart[0] = %s;\n#pragma omp section", g.few(4), g.call("n"))
	g.line("\t\tfor (int i = 0; i < n; i++)\n\t\t\tpart[1] += v[i] > %d ? i : -1;\n#pragma omp section", g.rand.Intn(300))
	g.line("\t\tpart[2] = %s;\n\t}\n\ts += part[0] + part[1] - part[2];", g.call("n / 3"))
}
