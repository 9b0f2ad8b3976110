package conform

// This file asks about programs as compilers rarely write them.

import (
	"fmt"
	"strings"

	"pathspan/ir"
	"pathspan/procmodels"
)

// survives prices a program and holds the answer against the contract.
func (k *kit) survives(s *subject, do string) outcome {
	costs, err := k.sound(s)
	if err != nil {
		return failed(do, "%s: %v", s.name, err)
	}
	n := 0
	for _, f := range costs.Blocks {
		n += len(f)
	}
	return passed("%s", count(n, "block"))
}

// survivesAs is survives for a program, or a module where the model needs one.
func (k *kit) survivesAs(name string, p func() *ir.Program, module func() string, do string) outcome {
	if !k.desc.NeedsModule {
		return k.survives(invented(name, p()), do)
	}
	s, err := fromModule(name, module())
	if err != nil {
		return skipped("the kit cannot read its own module: %v", err)
	}
	return k.survives(s, do)
}

func (k *kit) opcodes() outcome {
	return k.survivesAs("a program of all opcodes", func() *ir.Program {
		p := program()
		for _, op := range append(procmodels.Opcodes(), noOpcode, "", "Add", "add nsw") {
			for _, typ := range []string{"", "i32", "double", "ptr"} {
				in := ir.Instr{Op: op, Type: typ, Loc: ir.Loc{File: -1}}
				if op == "call" || op == "invoke" || op == "callbr" {
					in.Call = &ir.Call{Callee: -1, Name: "puts"}
				}
				addFunc(p, fmt.Sprintf("%s %s", op, typ), []ir.Instr{in})
			}
		}
		return p
	}, func() string { return testdata("opcodes.ll") }, "give opcodes that the model lacks a default cost, and report it")
}

// strangeTypes are spellings of types that LLVM assembly may hold, and some that none
// should.
func strangeTypes() []string {
	types := strings.Split("<4 x float>;<16 x i8>;<vscale x 2 x i64>;<8 x ptr>;<3 x i1>;i4096;i7;i8388607;i1;half;bfloat;x86_fp80;"+
		"fp128;ppc_fp128;[1000000 x i8];[0 x i32];[3 x [1000000 x [1000000 x double]]];{};{ i32, { i8, [4 x { double, ptr }] } };"+
		"<{ i8, i32 }>;%struct.foo;%\"odd name\";ptr addrspace(3);i32*;i32 (i8*, ...)*;token;metadata;label;x86_amx;void;"+
		"target(\"spirv.Image\", void, 1);opaque;i0;i99999999999999999999;<0 x i8>;<<<{{[;[4 x;\u00e4", ";")
	nested := strings.Repeat("{ i8, ", 40) + "i64" + strings.Repeat(" }", 40)
	wide := "{ " + strings.Repeat("i32, ", 500) + "i32 }"
	return append(types, "", nested, wide)
}

func (k *kit) types() outcome {
	return k.survivesAs("a program of strange types", func() *ir.Program {
		p := program()
		ops := []string{"load", "store", "add", "fadd", "fneg", "icmp", "alloca", "getelementptr", "bitcast", "select",
			"extractvalue", "insertvalue", "extractelement", "shufflevector", "phi", "ret", "call"}
		for i, typ := range strangeTypes() {
			var blocks [][]ir.Instr
			for j, op := range ops {
				in := ir.Instr{Op: op, Type: typ, Loc: ir.Loc{File: 0, Line: 1 + j}}
				if op == "call" {
					in.Call = &ir.Call{Callee: -1, Name: "puts"}
				}
				blocks = append(blocks, []ir.Instr{in})
			}
			addFunc(p, fmt.Sprint("type", i), blocks...)
		}
		return p
	}, func() string { return testdata("types.ll") }, "give types that the model lacks a default cost, and report it")
}

func (k *kit) calls() outcome {
	return k.survivesAs("a program of all kinds of calls", callProgram,
		func() string { return testdata("calls.ll") }, "price the call alone where the callee is unknown, and report it")
}

func callProgram() *ir.Program {
	p := program()
	for i, c := range []ir.Call{
		{Callee: -1, Indirect: true},
		{Callee: -1},
		{Callee: -1, Name: "asm"},
		{Callee: 0, Name: "calls0"},
		{Callee: -1, Name: "no_library_has_this"},
		{Callee: -1, Name: "_ZN3foo3barEv"},
		{Callee: -1, Name: "setjmp", ReturnsTwice: true},
		{Callee: -1, Name: "abort", NoReturn: true, NoUnwind: true},
		{Callee: -1, Name: "qsort", FuncArgs: []int{0}},
		{Callee: -1, Name: "llvm.memcpy.p0.p0.i64", ConstArgs: []ir.ConstArg{{Index: 2, Value: 64}, {Index: 3, Value: 0}}},
		{Callee: -1, Name: "llvm.memset.p0.i64", ConstArgs: []ir.ConstArg{{Index: 2, Value: -1}}},
		{Callee: -1, Name: "memcpy", ConstArgs: []ir.ConstArg{{Index: 2, Value: 1<<63 - 1}}},
		{Callee: -1, Name: "llvm.no.such.v4f32"},
		{Callee: -1, Name: "llvm."},
		{Callee: -1, Name: "llvm.dbg.value"},
		{Callee: -1, Name: "__kmpc_fork_call"},
		{Callee: -1, Name: strings.Repeat("x", 10000)},
	} {
		var blocks [][]ir.Instr
		for _, op := range []string{"call", "invoke", "callbr"} {
			for _, typ := range []string{"void", "i32", "<4 x float>", "{ i32, i1 }"} {
				own := c
				blocks = append(blocks, []ir.Instr{{Op: op, Type: typ, Loc: ir.Loc{File: 0, Line: 1 + i}, Call: &own}})
			}
		}
		addFunc(p, fmt.Sprint("calls", i), blocks...)
	}
	return p
}

func (k *kit) emptyBlock() outcome {
	return k.survivesAs("a program of empty blocks", func() *ir.Program {
		p := program()
		addFunc(p, "ends", nil, nil, nil)
		// The contract lets a block have no instruction at all.
		f := addFunc(p, "nothing", nil, nil)
		for _, b := range f.Blocks {
			b.Instrs = nil
		}
		addFunc(p, "unreachable", nil).Blocks[0].Instrs[0] = ir.Instr{Op: "unreachable", Loc: ir.Loc{File: -1}}
		return p
	}, func() string { return emptyBlocks }, "price a block without instructions at 0 cycles or more, such as that of its jump")
}

const many = 10000

func (k *kit) longBlock() outcome {
	return k.survivesAs("a block of 10,000 instructions", func() *ir.Program {
		var list []ir.Instr
		for i := range many {
			list = append(list, instr(kinds[i%len(kinds)], i/10+1))
		}
		p := program()
		addFunc(p, "long", list)
		return p
	}, longModule, "allow blocks of any length")
}

// strangeNames are symbols that object files allow.
func strangeNames() []string {
	return []string{`quo"te`, "new\nline", "back\\slash", "tab\tand space", "\u00fcn\u00efc\u00f6d\u00e9", "\u51fd\u6570", "\x01_raw",
		"not\xffUTF-8", "comma,colon:semicolon;", "$dollar.dot-dash", "%d%s", "", strings.Repeat("long", 2500)}
}

func (k *kit) names() outcome {
	return k.survivesAs("a program of strange names", func() *ir.Program {
		p := program()
		p.Files = append(p.Files, strangeNames()...)
		for i, name := range strangeNames() {
			in := instr("call void x", 3)
			in.Call.Name = name
			load := instr("load i32", 4)
			load.Loc.File = 1 + i
			f := addFunc(p, name, []ir.Instr{in, load}, nil)
			f.Blocks[1].Name = name
		}
		return p
	}, func() string { return testdata("names.ll") }, "take names as they are, of any characters and length")
}

func (k *kit) noFunctions() outcome {
	return k.survivesAs("a program without functions", func() *ir.Program { return &ir.Program{} },
		func() string { return emptyModule }, "answer with costs of no function")
}
