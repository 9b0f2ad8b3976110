package mca

// This file tests how machine blocks are assigned, on literal assembly.

import (
	"reflect"
	"slices"
	"testing"
)

// read reads one function's AArch64 assembly.
func read(t *testing.T, text string, marks ...string) *machineFunc {
	t.Helper()
	d, err := dialectOf("aarch64-linux-gnu")
	if err != nil {
		t.Fatal(err)
	}
	funcs := readAssembly("\t.globl f // -- Begin function f\nf:\n"+text, d, marks, func(string) bool { return true })
	if len(funcs) != 1 {
		t.Fatalf("%d functions", len(funcs))
	}
	return funcs[0]
}

// A switch that became a tree of comparisons: each level runs half as often.
//
//	entry -> compare (named entry too) -> a | b | c
func TestSwitchTree(t *testing.T) {
	f := read(t, `
// %bb.0:                               // %entry
	cmp	w0, #5
	b.gt	.LBB0_2
// %bb.1:                               // %entry
	cmp	w0, #1
	b.eq	.LBB0_3
	b	.LBB0_4
.LBB0_2:                                // %entry
	cmp	w0, #9
	b.eq	.LBB0_3
	b	.LBB0_5
.LBB0_3:                                // %a
	ret
.LBB0_4:                                // =>This Inner Loop Header: Depth=1
                                        // %b
	ret
.LBB0_5:                                // %c
	ret
`)
	a := assign(f, []string{"entry", "a", "b", "c"}, [][]int{{3, 1, 2}, nil, nil, nil})
	want := [][]share{{{0, 1}, {1, 0.5}, {2, 0.5}}, {{3, 1}}, {{4, 1}}, {{5, 1}}}
	if !reflect.DeepEqual(a.blocks, want) {
		t.Errorf("got  %v\nwant %v", a.blocks, want)
	}
}

// Code on edges is the edges': a preheader that llc added before a loop entered from two
// blocks, beside the loop's own back edge.
//
//	a -> added <- b;  added -> loop -> loop
func TestPreheader(t *testing.T) {
	f := read(t, `
// %bb.0:                               // %a
	cbz	w0, .LBB0_2
// %bb.1:                               // %b
	add	w0, w0, #1
.LBB0_2:                                // %loop.preheader
	mov	w1, #1
.LBB0_3:                                // %loop
	subs	w0, w0, #1
	b.ne	.LBB0_3
// %bb.4:                               // %end
	ret
`)
	a := assign(f, []string{"a", "b", "loop", "end"}, [][]int{{1, 2}, {2}, {2, 3}, nil})
	if want := map[edge][]int{{0, 2}: {2}, {1, 2}: {2}}; !reflect.DeepEqual(a.edges, want) {
		t.Errorf("edges %v, want %v", a.edges, want)
	}
}

// An atomic operation that became a loop belongs to the block it was in.
func TestAtomicLoop(t *testing.T) {
	f := read(t, `
// %bb.0:                               // %entry
	mov	w8, #1
.LBB0_1:                                // %atomicrmw.start
	ldaxr	w9, [x0]
	add	w9, w9, w8
	stlxr	w10, w9, [x0]
	cbnz	w10, .LBB0_1
// %bb.2:                               // %atomicrmw.end
	cbz	w9, .LBB0_4
// %bb.3:                               // %x
	ret
.LBB0_4:                                // %y
	ret
`)
	a := assign(f, []string{"entry", "x", "y"}, [][]int{{2, 1}, nil, nil})
	if got, want := a.blocks[0], []share{{0, 1}, {1, 1}, {2, 1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A marker's label divides a machine block between two tasks.
func TestMarkDivides(t *testing.T) {
	f := read(t, `
// %bb.0:                               // %entry
	mov	w8, #1
	//APP
.Lpathspan_mark_0:
	//NO_APP
	add	w8, w8, #1
	ret
`, "task")
	var names []string
	for _, b := range f.blocks {
		names = append(names, b.name)
	}
	if want := []string{"entry", "task"}; !slices.Equal(names, want) || len(f.blocks[1].units) != 2 || !slices.Equal(f.blocks[0].succs, []int{1}) {
		t.Errorf("blocks %v, want %v", names, want)
	}
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		triple, mnemonic, operands string
		does                       flow
		symbol                     string
	}{
		{"aarch64", "bl", "printf", call, "printf"},
		{"aarch64", "b", "printf", tailCall, "printf"},
		{"aarch64", "tbnz", "w0, #1, .LBB0_1", branch, ".LBB0_1"},
		{"aarch64", "bic", "w0, w0, w1", plain, ""},
		{"aarch64", "br", "x1", leave, ""},
		{"thumbv7em", "ble", ".LBB0_1", branch, ".LBB0_1"},
		{"thumbv7em", "bleq", "f", call, "f"},
		{"thumbv7em", "blx", "r3", call, ""},
		{"thumbv7em", "bx", "lr", leave, ""},
		{"thumbv7em", "bxeq", "lr", plain, ""},
		{"thumbv7em", "pop", "{r4, pc}", leave, ""},
		{"thumbv7em", "pop", "{r4, r5}", plain, ""},
		{"thumbv7em", "bfi", "r0, r1, #1, #2", plain, ""},
		{"thumbv7em", "tbb", "[pc, r0]", leave, ""},
		{"riscv64", "call", "f@plt", call, "f"},
		{"riscv64", "tail", "f", tailCall, "f"},
		{"riscv64", "beqz", "a0, .LBB0_1", branch, ".LBB0_1"},
		{"riscv64", "jr", "a0", leave, ""},
		{"x86_64", "callq", "f@PLT", call, "f"},
		{"x86_64", "callq", "*%rax", call, ""},
		{"x86_64", "jmp", "f", tailCall, "f"},
		{"x86_64", "jmpq", "*.LJTI0_0(,%rax,8)", leave, ""},
		{"x86_64", "jne", ".LBB0_1", branch, ".LBB0_1"},
	} {
		d, err := dialectOf(c.triple)
		if err != nil {
			t.Fatal(err)
		}
		if does, symbol := d.classify(c.mnemonic, c.operands); does != c.does || symbol != c.symbol {
			t.Errorf("%s %s %s: %d %q, want %d %q", c.triple, c.mnemonic, c.operands, does, symbol, c.does, c.symbol)
		}
	}
	if _, err := dialectOf("sparc"); err == nil {
		t.Error("SPARC was taken")
	}
}
