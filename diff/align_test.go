package diff

// This file tests how lines of two versions of a function are aligned.

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pathspan/ir"
)

// function makes a function of which each line computes what its word says.
func function(first int, words ...string) (*ir.Program, *ir.Func) {
	f := &ir.Func{Name: "f", Source: "f", Loc: ir.Loc{File: 0, Line: first}}
	b := &ir.Block{}
	for i, w := range words {
		if w != "" {
			b.Instrs = append(b.Instrs, ir.Instr{Op: w, Loc: ir.Loc{File: 0, Line: first + i}})
		}
	}
	f.Blocks = []*ir.Block{b}
	return &ir.Program{Files: []string{"f.c"}, Funcs: []*ir.Func{f}}, f
}

func TestAlignLines(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []string
		want lineMap // lines from 10 in a, from 20 in b
	}{
		{"moved", []string{"x", "y", "z"}, []string{"x", "y", "z"}, lineMap{20: 10, 21: 11, 22: 12}},
		{"inserted", []string{"x", "y", "z"}, []string{"x", "new", "y", "z"}, lineMap{20: 10, 22: 11, 23: 12}},
		{"blank lines inserted", []string{"x", "y"}, []string{"x", "", "", "y"}, lineMap{20: 10, 23: 11}},
		{"removed", []string{"x", "y", "z"}, []string{"x", "z"}, lineMap{20: 10, 21: 12}},
		{"changed", []string{"x", "y", "z"}, []string{"x", "other", "z"}, lineMap{20: 10, 21: 11, 22: 12}},
		{"two for one", []string{"x", "y", "z"}, []string{"x", "p", "q", "z"}, lineMap{20: 10, 21: 11, 23: 12}},
		{"all else", []string{"x"}, []string{"p"}, lineMap{20: 10}},
		{"from nothing", nil, []string{"p"}, lineMap{}},
	} {
		pa, fa := function(10, c.a...)
		pb, fb := function(20, c.b...)
		if got := alignLines(pa, pb, fa, fb, false); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Whatever the lines are, the map is one to one, keeps their order and pairs lines that
// are there.
func TestAlignmentKeepsOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	words := []string{"", "x", "y", "z"}
	for range 500 {
		var texts [2][]string
		for i := range texts {
			for range rnd.IntN(12) {
				texts[i] = append(texts[i], words[rnd.IntN(len(words))])
			}
		}
		pa, fa := function(10, texts[0]...)
		pb, fb := function(30, texts[1]...)
		m := alignLines(pa, pb, fa, fb, false)
		last := 0
		for l := 30; l < 30+len(texts[1]); l++ {
			at, ok := m[l]
			if !ok {
				continue
			}
			if at <= last || at < 10 || at >= 10+len(texts[0]) || texts[0][at-10] == "" || texts[1][l-30] == "" {
				t.Fatalf("%q to %q: %v", texts[0], texts[1], m)
			}
			last = at
		}
	}
}

func TestMatchRegions(t *testing.T) {
	program := func(of ...string) *ir.Program {
		p := &ir.Program{}
		for i, function := range of {
			p.Regions = append(p.Regions, ir.Region{File: "f.c", Function: function, Line: 10*i + 100*len(of)})
		}
		ir.NameRegions(p.Regions, nil)
		return p
	}
	a := program("g", "g", "h")
	for _, c := range []struct {
		b    *ir.Program
		want []int
	}{
		{program("g", "g", "h"), []int{0, 1, 2}},
		{program("e", "g", "g", "g", "h"), []int{1, 2, 4}},
		{program("h", "g"), []int{1, -1, 0}},
		{program("x"), []int{-1, -1, -1}},
	} {
		if got := matchRegions(a, c.b); !slices.Equal(got, c.want) {
			t.Errorf("got %v, want %v", got, c.want)
		}
	}
	// Names that say more than they did, since another instance of a template has come.
	b := program("g", "g", "h")
	b.Regions[0].Name = "f.c:g<int>#1"
	if got := matchRegions(a, b); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("got %v", got)
	}
}

func TestMatchFuncs(t *testing.T) {
	fn := func(name, source string) *ir.Func { return &ir.Func{Name: name, Source: source} }
	a := &ir.Program{Funcs: []*ir.Func{fn("main", "main"), fn("help", "help"), fn("x.1", "x"), fn("x.2", "x"), fn("gone", "gone")}}
	b := &ir.Program{Funcs: []*ir.Func{fn("help.llvm.7", "help"), fn("main", "main"), fn("x.2", "x"), fn("x.9", "x")}}
	toB, matched := matchFuncs(a, b)
	for i, want := range []int{1, 0, 3, 2, -1} {
		if toB[i] != want {
			t.Errorf("%s is matched with %d, want %d", a.Funcs[i].Name, toB[i], want)
		}
	}
	for j, m := range matched {
		if !m {
			t.Errorf("%s is left", b.Funcs[j].Name)
		}
	}
}
