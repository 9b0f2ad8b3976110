package mca

// This file measures the model on a large program.

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// large is a module of about the number of instructions given, all different: functions of
// 40 blocks of arithmetic, accesses and branches, chosen at random from a fixed seed.
func large(instructions int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("@data = global [4096 x i32] zeroinitializer\n")
	ops := []string{"add", "sub", "mul", "xor", "and", "or", "shl", "lshr"}
	const blocks, each = 40, 10
	for f := 0; f*blocks*each < instructions; f++ {
		fmt.Fprintf(&text, "define i32 @f%d(i32 %%a, i32 %%b, ptr %%p) {\nb0:\n  br label %%b1\n", f)
		for b := 1; b <= blocks; b++ {
			fmt.Fprintf(&text, "b%d:\n", b)
			values := []string{"%a", "%b"}
			for i := range each - 2 {
				name := fmt.Sprintf("%%v%d.%d", b, i)
				x, y := values[r.IntN(len(values))], values[r.IntN(len(values))]
				if r.IntN(3) == 0 {
					y = fmt.Sprint(1 + r.IntN(30))
				}
				switch r.IntN(6) {
				case 0:
					fmt.Fprintf(&text, "  %s.p = getelementptr i32, ptr %%p, i64 %d\n  %s = load volatile i32, ptr %s.p\n", name, r.IntN(4000), name, name)
				case 1:
					fmt.Fprintf(&text, "  store volatile i32 %s, ptr %%p\n  %s = sdiv i32 %s, %d\n", x, name, x, 3+r.IntN(90))
				default:
					fmt.Fprintf(&text, "  %s = %s i32 %s, %s\n", name, ops[r.IntN(len(ops))], x, y)
				}
				values = append(values, name)
			}
			last := values[len(values)-1]
			fmt.Fprintf(&text, "  store volatile i32 %s, ptr %%p\n  %%c%d = icmp slt i32 %s, %d\n", last, b, last, r.IntN(1000))
			fmt.Fprintf(&text, "  br i1 %%c%d, label %%b%d, label %%b%d\n", b, 1+r.IntN(b), b+1)
		}
		fmt.Fprintf(&text, "b%d:\n  ret i32 0\n}\n", blocks+1)
	}
	return text.String()
}

func BenchmarkHundredThousand(b *testing.B) {
	s := parsed(b, large(80000))
	n := 0
	for _, f := range s.Program.Funcs {
		for _, block := range f.Blocks {
			n += len(block.Instrs)
		}
	}
	for _, name := range shipped {
		b.Run(name, func(b *testing.B) {
			m := open(b, map[string]string{"cpu": name})
			for b.Loop() {
				price(b, m, s)
			}
			b.ReportMetric(float64(n), "instructions")
		})
	}
}
