package estimate

// This file measures preparation and estimates. The program has 64 paths through
// eight sections, in a loop of a function that is called from a loop.

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"pathspan/mapping"
	"pathspan/pathprof"
)

func benchLiteral(b *testing.B) *literal {
	var code strings.Builder
	code.WriteString("func main\na 1: -> h\nh 1: -> c\nc 1: @work -> h x\nx 1:\nfunc work\nr R0( 0: -> s0\n")
	for s := range 8 {
		next := fmt.Sprintf("s%d", s+1)
		if s == 7 {
			next = "e"
		}
		fmt.Fprintf(&code, "s%d R0.0.%d( 10: -> l%d m%d\nl%d %d: -> t%d\nm%d %d: -> t%d\nt%d R0.0.%d) 1: -> %s\n",
			s, s, s, s, s, 100+10*s, s, s, 200-7*s, s, s, s, next)
	}
	code.WriteString("e R0) 3:\n")
	l := parseLiteral(b, code.String())
	l.run("main", 0, pathprof.EndFunction, "1: a Lh h c x")
	l.run("main", 1, pathprof.EndIteration, "639: h c")
	for p := range 64 {
		path := "10: r"
		for s := range 8 {
			branch := "l"
			if p>>(s%6)&1 == 1 {
				branch = "m"
			}
			path += fmt.Sprintf(" s%d %s%d t%d", s, branch, s, s)
		}
		l.run("work", 0, pathprof.EndFunction, path+" e")
	}
	return l
}

func BenchmarkPrepare(b *testing.B) {
	l := benchLiteral(b)
	b.ReportAllocs()
	for b.Loop() {
		a, err := Prepare(l.bundle, "")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := a.On(equal(4, l.costs)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEstimate(b *testing.B) {
	l := benchLiteral(b)
	e := l.estimator("", 4)
	m := mapping.Default(e.Platform, l.prog)
	for _, technique := range Techniques() {
		b.Run(technique.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Estimate(m, technique); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSpread estimates one mapping under 200 draws of the costs.
func BenchmarkSpread(b *testing.B) {
	l := benchLiteral(b)
	uncertain(rand.New(rand.NewSource(1)), l.costs)
	a, err := Prepare(l.bundle, "")
	if err != nil {
		b.Fatal(err)
	}
	p := equal(4, l.costs)
	cases := []Case{{p, []*mapping.Resolved{mapping.Default(p.Platform, l.prog)}}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := a.Spread(cases, []Technique{PathBased, AverageTime, MaximalTime}, 200, 1); err != nil {
			b.Fatal(err)
		}
	}
}
