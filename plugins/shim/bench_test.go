package shim

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/procmodels"
)

// A program of 100,000 instructions in blocks of ten.
func BenchmarkCosts(b *testing.B) {
	m, err := openComponent("testdata/twocores10.xml", "host")
	if err != nil {
		b.Fatal(err)
	}
	p := oneBlock("load i32", "mul i32", "add <4 x i32>", "xor i64", "call sqrt", "getelementptr ptr", "store double", "icmp i32", "fadd double", "br ")
	f := p.Funcs[0]
	for len(f.Blocks) < 10000 {
		f.Blocks = append(f.Blocks, &ir.Block{Instrs: f.Blocks[0].Instrs})
	}
	for b.Loop() {
		if _, err := m.Costs(context.Background(), &procmodels.Subject{Program: p}); err != nil {
			b.Fatal(err)
		}
	}
}

// A file made to be slow to read: many children of one name, each referred to by its
// path, by a name that is not there, and by one opcode in many widths.
func BenchmarkHostileFile(b *testing.B) {
	var s strings.Builder
	fmt.Fprintf(&s, `<s:Shim xmlns:s=%q name="h" shimVersion="2.0"><SystemConfiguration><ComponentSet name="c" id="c">`, namespace20)
	s.WriteString(`<MasterComponent name="m" id="m" operatingPointRef="none"><CommonInstructionSet name="i"><FunctionalUnitSet><FunctionalUnit name="u">`)
	const n = 30000
	for i := range n {
		fmt.Fprintf(&s, `<Instruction operation="add" inputBitWidth="%d"><Performance><Pitch typical="1"/><Latency typical="%d"/></Performance></Instruction>`, i, i)
	}
	s.WriteString(`</FunctionalUnit></FunctionalUnitSet></CommonInstructionSet>`)
	for i := range n {
		fmt.Fprintf(&s, `<CacheRef>#//@systemConfiguration/@componentSet/@cache.%d</CacheRef>`, i)
	}
	s.WriteString(`</MasterComponent>`)
	for range n {
		s.WriteString(`<Cache name="x" operatingPointRef="nowhere"/>`)
	}
	s.WriteString(`</ComponentSet></SystemConfiguration></s:Shim>`)
	data := []byte(s.String())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		root, err := parseTree("hostile", data)
		if err != nil {
			b.Fatal(err)
		}
		if len(lintTree(root, "")) < n {
			b.Fatal("too few findings")
		}
		sys, _, err := load(root, "")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := newModel("hostile", sys, sys.Masters()[0], options{figure: "latency", which: "all"}); err != nil {
			b.Fatal(err)
		}
	}
}
