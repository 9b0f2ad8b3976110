package draw

// This file measures how long layouts take.

import (
	"fmt"
	"io"
	"math/rand"
	"testing"
)

func BenchmarkLayout(b *testing.B) {
	for _, n := range []int{100, 1000, 2000} {
		r := rand.New(rand.NewSource(1))
		for name, g := range map[string]*Graph{
			"flow":    flowGraph(r, n),
			"layered": layeredGraph(r, n, n*3/2),
			"groups":  randomGraph(rand.New(rand.NewSource(7)), n),
		} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for range b.N {
					d, err := Layout(g)
					if err != nil {
						b.Fatal(err)
					}
					if err := d.SVG(io.Discard, Options{}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(g.Edges)), "edges")
			})
		}
	}
}
