package flow

// This file compares the analyses with LLVM's own on compiled programs.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pathspan/build/toolchain"
)

// named is a function's graph with the names of its blocks.
type named struct {
	function string
	blocks   []string
	succs    [][]int
}

var (
	defineLine = regexp.MustCompile(`^define .*@("[^"]*"|[-\w.$]+)\(`)
	labelLine  = regexp.MustCompile(`^("[^"]*"|[-\w.$]+):`)
	labelUse   = regexp.MustCompile(`\blabel %("[^"]*"|[-\w.$]+)`)
	treeLine   = regexp.MustCompile(`^( *)\[\d+\] +(?:%("[^"]*"|[-\w.$]+)|<<exit node>>) `)
	loopLine   = regexp.MustCompile(`^ *(?:Parallel )?Loop at depth (\d+) containing: (.*)$`)
	loopBlock  = regexp.MustCompile(`^%("[^"]*"|[-\w.$]+?)((?:<\w+>)*)$`)
)

// readGraphs finds functions, labels and the labels that terminators use, in
// which every block has a name (opt's instnamer). That is all the oracle needs.
func readGraphs(text string) []named {
	var all []named
	var uses [][]string
	var f *named
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case f == nil:
			if m := defineLine.FindStringSubmatch(line); m != nil {
				f, uses = &named{function: strings.Trim(m[1], `"`)}, nil
			}
		case line == "}":
			index := make(map[string]int)
			for i, b := range f.blocks {
				index[b] = i
			}
			f.succs = make([][]int, len(f.blocks))
			for i := range uses {
				for _, u := range uses[i] {
					f.succs[i] = append(f.succs[i], index[u])
				}
			}
			all = append(all, *f)
			f = nil
		default:
			if m := labelLine.FindStringSubmatch(line); m != nil {
				f.blocks, uses = append(f.blocks, m[1]), append(uses, nil)
			}
			for _, m := range labelUse.FindAllStringSubmatch(line, -1) {
				last := len(uses) - 1
				uses[last] = append(uses[last], m[1])
			}
		}
	}
	return all
}

// printed is what opt prints of one function: immediate dominators and loops by
// block name, loops in a text of our own.
type printed struct {
	dom, postdom map[string]string
	loops        []string
}

// readPrinted reads the output of print<domtree>, print<loops> and
// print<postdomtree>, in this order since LLVM 16 does not say of which function
// the loops are.
func readPrinted(text string) map[string]*printed {
	all := make(map[string]*printed)
	of := func(name string) *printed {
		name = strings.Trim(strings.TrimRight(strings.TrimSpace(name), ":"), "'")
		if all[name] == nil {
			all[name] = &printed{dom: make(map[string]string), postdom: make(map[string]string)}
		}
		return all[name]
	}
	var now *printed
	var tree map[string]string
	var above []string // names on the way to the root
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if name, ok := strings.CutPrefix(line, "DominatorTree for function: "); ok {
			now = of(name)
			tree = now.dom
		} else if name, ok := strings.CutPrefix(line, "PostDominatorTree for function: "); ok {
			now = of(name)
			tree = now.postdom
		} else if m := treeLine.FindStringSubmatch(line); m != nil {
			level := len(m[1])/2 - 1
			above = append(above[:level], m[2])
			if level > 0 {
				tree[m[2]] = above[level-1]
			}
		} else if m := loopLine.FindStringSubmatch(line); m != nil {
			var header string
			var blocks, latches, exiting []string
			for _, b := range strings.Split(m[2], ",") {
				m := loopBlock.FindStringSubmatch(b)
				if m == nil {
					panic("no block of a loop: " + b)
				}
				blocks = append(blocks, m[1])
				if strings.Contains(m[2], "<header>") {
					header = m[1]
				}
				if strings.Contains(m[2], "<latch>") {
					latches = append(latches, m[1])
				}
				if strings.Contains(m[2], "<exiting>") {
					exiting = append(exiting, m[1])
				}
			}
			now.loops = append(now.loops, describeLoop(m[1], header, blocks, latches, exiting))
		}
	}
	return all
}

func describeLoop(depth, header string, blocks, latches, exiting []string) string {
	for _, list := range []*[]string{&blocks, &latches, &exiting} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return fmt.Sprintf("depth %s header %s blocks %v latches %v exiting %v", depth, header, blocks, latches, exiting)
}

// TestAgreesWithLLVM compares dominators, postdominators and loops. LLVM has
// natural loops only, so loops are compared where all are reducible, and it
// leaves endless loops by another block, so postdominators where there are none.
func TestAgreesWithLLVM(t *testing.T) {
	if testing.Short() {
		t.Skip("runs clang and opt")
	}
	all := toolchain.All()
	if len(all) == 0 {
		t.Skip("no LLVM toolchain is installed")
	}
	sources := []string{"features/irreducible.c", "features/nest6.c", "features/loop_exits.c", "features/switch_fall.c", "features/exceptions.cc", "susan/susan.c"}
	for _, tc := range all {
		t.Run(fmt.Sprintf("LLVM %d", tc.Version), func(t *testing.T) {
			loops, irreducible, endless := 0, 0, 0
			for _, source := range sources {
				for _, pipeline := range []string{"", "default<O2>,"} {
					graphs, said := analyseWithLLVM(t, tc, source, pipeline)
					for _, g := range graphs {
						c := AnalyzeGraph(g.succs)
						if err := c.Check(); err != nil {
							t.Errorf("%s: %s: %v", source, g.function, err)
						}
						if slices.ContainsFunc(c.Loops, (*Loop).Endless) {
							endless++
						}
						if slices.ContainsFunc(c.Loops, func(l *Loop) bool { return l.Irreducible }) {
							irreducible++
						} else {
							loops += len(c.Loops)
						}
						if err := agree(c, g, said[g.function]); err != nil {
							t.Errorf("%s, passes %q: %s: %v", source, pipeline, g.function, err)
						}
					}
				}
			}
			t.Logf("%d loops compared; %d functions with irreducible, %d with endless loops", loops, irreducible, endless)
			if loops < 50 || irreducible == 0 {
				t.Errorf("%d loops compared, %d irreducible functions met: too few to tell", loops, irreducible)
			}
		})
	}
}

func analyseWithLLVM(t *testing.T, tc *toolchain.Toolchain, source, pipeline string) ([]named, map[string]*printed) {
	t.Helper()
	ctx := context.Background()
	path := filepath.Join("..", "..", "testdata", source)
	compiled, module := filepath.Join(t.TempDir(), "a.ll"), filepath.Join(t.TempDir(), "b.ll")
	if _, err := tc.Compile(ctx, toolchain.Compile{Source: path, Output: compiled, Level: "2"}); err != nil {
		t.Fatal(err)
	}
	said, err := tc.Run(ctx, toolchain.Cmd{Path: tc.Opt, Args: []string{"-S", compiled, "-o", module,
		"-passes=" + pipeline + "function(instnamer,print<domtree>,print<loops>,print<postdomtree>)"}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(module)
	if err != nil {
		t.Fatal(err)
	}
	graphs := readGraphs(string(text))
	if len(graphs) == 0 {
		t.Fatalf("no function found in %s", source)
	}
	return graphs, readPrinted(said)
}

// agree compares one function with what opt printed of it.
func agree(c *CFG, g named, said *printed) error {
	if said == nil {
		return fmt.Errorf("opt printed nothing")
	}
	name := func(b int) string {
		if b == c.Exit() {
			return ""
		}
		return g.blocks[b]
	}
	endless := slices.ContainsFunc(c.Loops, (*Loop).Endless)
	for _, b := range c.Order {
		if got, want := c.Idom[b], said.dom[name(b)]; b != 0 && name(got) != want {
			return fmt.Errorf("immediate dominator of %s is %s, LLVM has %s", name(b), name(got), want)
		}
		want, ok := said.postdom[name(b)]
		if got := c.Ipdom[b]; !endless && (!ok || name(got) != want) {
			return fmt.Errorf("immediate postdominator of %s is %q, LLVM has %q", name(b), name(got), want)
		}
	}
	var loops []string
	for _, l := range c.Loops {
		if l.Irreducible {
			return nil
		}
		var blocks, latches, exiting []string
		for _, b := range l.Blocks {
			blocks = append(blocks, name(b))
		}
		for _, e := range l.Latches {
			latches = append(latches, name(e.From))
		}
		for _, e := range l.Exits {
			exiting = append(exiting, name(e.From))
		}
		loops = append(loops, describeLoop(fmt.Sprint(l.Depth), name(l.Header), blocks, latches, exiting))
	}
	slices.Sort(loops)
	slices.Sort(said.loops)
	if !slices.Equal(loops, said.loops) {
		return fmt.Errorf("loops are\n%s\nLLVM has\n%s", strings.Join(loops, "\n"), strings.Join(said.loops, "\n"))
	}
	return nil
}
