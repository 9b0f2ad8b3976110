package suggest

// This file writes random programs of nested loops and calls.

import (
	"fmt"
	"math/rand"
	"strings"
)

func randomProgram(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("#include <stdio.h>\nvolatile unsigned sink;\nstatic unsigned at[64];\n")
	const functions = 3
	for f := range functions {
		fmt.Fprintf(&b, "__attribute__((noinline)) static void work%d(unsigned n)\n{\n", f)
		randomBody(r, &b, f, 0)
		b.WriteString("}\n")
	}
	b.WriteString("int main(void)\n{\n    unsigned n = 3;\n")
	randomBody(r, &b, functions, 0)
	randomBody(r, &b, functions, 0)
	b.WriteString("    printf(\"%u\\n\", sink);\n    return 0;\n}\n")
	return b.String()
}

// randomBody writes statements; functions below so many can be called.
func randomBody(r *rand.Rand, b *strings.Builder, functions, depth int) {
	indent := strings.Repeat("    ", depth+1)
	for range 1 + r.Intn(2) {
		switch choice := r.Intn(4); {
		case choice < 2 && depth < 3:
			fmt.Fprintf(b, "%sfor (unsigned i%d = 0; i%d < %d; i%d++) {\n", indent, depth, depth, 2+r.Intn(30), depth)
			randomBody(r, b, functions, depth+1)
			fmt.Fprintf(b, "%s}\n", indent)
		case choice == 2 && functions > 0:
			fmt.Fprintf(b, "%swork%d(n + %d);\n", indent, r.Intn(functions), r.Intn(5))
		default:
			fmt.Fprintf(b, "%sfor (unsigned k = 0; k < %d; k++)\n%s    sink += at[k %% 64] * n;\n", indent, 1+r.Intn(40), indent)
		}
	}
}
